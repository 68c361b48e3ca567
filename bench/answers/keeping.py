# ruff: noqa: ANN401 - the signatures are BaseChatModel's.
"""Answers kept on disk by the very prompt they answer, so that a benchmark can be stopped, resumed and changed.

What a model is asked decides whether it is asked again: an arm whose block or wording changed asks anew, all else is
read from the file, and costs what it cost when it was first asked.
"""

import json
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, message_chunk_to_message
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.prompt_values import PromptValue
from langchain_core.runnables import Runnable, RunnableConfig, RunnableLambda
from pydantic import ConfigDict

from hippograph.models import ChatModel
from hippograph.state import HomeUnusable

FILE = "answers.db"


@dataclass(slots=True)
class Clock:
    """What the model's calls took."""

    measured: float = 0.0
    """Seconds, of each call as measured when it was first made."""
    waited: float = 0.0
    """Seconds that were really waited."""
    asked: int = 0
    """Calls that the model itself answered."""
    input: int = 0
    """Tokens of all prompts."""
    output: int = 0
    """Tokens of all replies."""

    def spent(self, message: object) -> None:
        """Add what a reply says it cost."""
        if isinstance(message, AIMessage) and message.usage_metadata:
            self.input += message.usage_metadata["input_tokens"]
            self.output += message.usage_metadata["output_tokens"]


class Answers:
    """The file of kept replies; thread-safe."""

    def __init__(self, path: Path) -> None:
        """Open or create the file.

        Raises:
            HomeUnusable: It cannot be written.
        """
        self._lock = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = sqlite3.connect(path, timeout=60, check_same_thread=False)
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.execute("CREATE TABLE IF NOT EXISTS answers (hash BLOB PRIMARY KEY, reply TEXT, seconds REAL)")
        except (OSError, sqlite3.Error) as error:
            raise HomeUnusable(f"{path} cannot hold answers ({error}): give another folder with --cache.") from error

    def read(self, key: bytes) -> tuple[Any, float] | None:
        """Return a reply and the seconds it took."""
        with (
            self._lock,
            closing(self._file.execute("SELECT reply, seconds FROM answers WHERE hash = ?", (key,))) as rows,
        ):
            found = rows.fetchone()
        return (json.loads(found[0]), found[1]) if found else None

    def write(self, key: bytes, reply: Any, seconds: float) -> None:
        """Keep a reply."""
        text = json.dumps(reply, ensure_ascii=False)
        with self._lock, self._file:
            self._file.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", (key, text, seconds))

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._file.close()


class Kept(BaseChatModel):
    """A chat model that asks the inner one only what it has not been asked before."""

    model_config = ConfigDict(arbitrary_types_allowed=True)
    inner: BaseChatModel
    name_: str
    """The model and how it decodes: what distinguishes its answers from others'."""
    answers: Answers
    clock: Clock

    def with_structured_output(self, schema: Any, **kwargs: Any) -> Runnable[LanguageModelInput, Any]:
        """Have the inner model fill a schema, and keep what it filled in."""
        filled = self.inner.with_structured_output(schema, **kwargs)

        def call(prompt: LanguageModelInput, config: RunnableConfig) -> Any:
            key = self._key(_messages(prompt), {"schema": schema, **kwargs})
            reply = self._kept(key, lambda: filled.invoke(prompt, config), _dumped, _loaded)
            self.clock.spent(reply["raw"] if isinstance(reply, dict) and "raw" in reply else None)
            return reply

        return RunnableLambda(call)

    @property
    def _llm_type(self) -> str:
        return self.inner._llm_type

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        def ask() -> AIMessage:
            if type(self.inner)._stream is BaseChatModel._stream:
                return _ai(self.inner._generate(messages, stop, **kwargs).generations[0].message)
            whole: AIMessageChunk | None = None
            for chunk in self.inner._stream(messages, stop, **kwargs):
                assert isinstance(chunk.message, AIMessageChunk)
                whole = chunk.message if whole is None else whole + chunk.message
            return _ai(whole or AIMessageChunk(content=""))

        key = self._key(messages, {"stop": stop, **kwargs})
        message = self._kept(key, ask, lambda each: each.model_dump(mode="json"), AIMessage.model_validate)
        self.clock.spent(message)
        return ChatResult(generations=[ChatGeneration(message=message)])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        message = self._generate(messages, stop, **kwargs).generations[0].message
        fields = {name: value for name, value in message.model_dump().items() if name != "type"}
        yield ChatGenerationChunk(message=AIMessageChunk(**fields))

    def _key(self, messages: Sequence[BaseMessage], more: dict[str, Any]) -> bytes:
        said = [(each.type, str(each.text)) for each in messages]
        return sha256(json.dumps([self.name_, said, more], sort_keys=True, default=str).encode()).digest()

    def _kept(self, key: bytes, ask: Callable[[], Any], dump: Callable[[Any], Any], load: Callable[[Any], Any]) -> Any:
        began = time.perf_counter()
        found = self.answers.read(key)
        if found is None:
            reply = ask()
            seconds = time.perf_counter() - began
            self.clock.asked += 1
            self.answers.write(key, dump(reply), seconds)
        else:
            reply, seconds = load(found[0]), found[1]
        self.clock.measured += seconds
        self.clock.waited += time.perf_counter() - began
        return reply


def kept(model: ChatModel, answers: Answers, clock: Clock, decoding: str) -> ChatModel:
    """Return a chat model whose answers are kept; `decoding` says how it was set up."""
    wrapped = Kept(inner=model.model, name_=f"{model.spec} {decoding}", answers=answers, clock=clock)
    return replace(model, model=wrapped)


def _ai(message: BaseMessage) -> AIMessage:
    whole = message_chunk_to_message(message) if isinstance(message, AIMessageChunk) else message
    assert isinstance(whole, AIMessage)
    return whole.model_copy(update={"id": None})


def _messages(prompt: LanguageModelInput) -> Sequence[BaseMessage]:
    if isinstance(prompt, PromptValue):
        return prompt.to_messages()
    return [each for each in prompt if isinstance(each, BaseMessage)]


def _dumped(reply: Any) -> Any:
    if not isinstance(reply, dict) or "raw" not in reply:
        return {"filled": reply}
    return {"raw": reply["raw"].model_dump(mode="json"), "parsed": reply["parsed"]}


def _loaded(kept: Any) -> Any:
    if "filled" in kept:
        return kept["filled"]
    return {"raw": AIMessage.model_validate(kept["raw"]), "parsed": kept["parsed"], "parsing_error": None}
