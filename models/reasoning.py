# ruff: noqa: ANN401 - the signatures are BaseChatModel's.
"""A chat model whose thinking stays with it: neither shown, nor streamed, nor remembered."""

import re
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any, cast

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.language_models.base import LangSmithParams
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage
from langchain_core.messages.ai import UsageMetadata, add_usage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable

from hippograph.models import faults, thinking

DIRECTLY = {
    "zh": "\n\n（请直接给出最终答案，不要写思考过程。）",
    "en": "\n\n(Give the final answer directly, without any thinking.)",
}

HIDDEN_TOKENS = 8
"""An answer without words that cost as many tokens was thinking; fewer are the end mark."""


class Answering(BaseChatModel):
    """Wraps a chat model: its thinking is taken out, and what goes wrong becomes a ModelError.

    A model that only thinks is asked once more, to answer directly; if it still only thinks, the last paragraph of its
    thinking is the answer. The inner model is called without callbacks, so no stream or tracer gets the thinking.
    """

    inner: BaseChatModel
    """The model itself; structured output and tools go straight to it."""
    spec: str
    begun: bool = False
    """Whether its chat template opens the thinking tag, so that an answer may only close it."""
    ends: bool = False
    """Whether its server says when an answer is complete; one that stops without saying so has broken off."""

    def bind_tools(self, *args: Any, **kwargs: Any) -> Runnable[LanguageModelInput, AIMessage]:
        """Bind tools to the inner model."""
        return self.inner.bind_tools(*args, **kwargs)

    def with_structured_output(self, *args: Any, **kwargs: Any) -> Runnable[LanguageModelInput, Any]:
        """Have the inner model fill a schema."""
        return self.inner.with_structured_output(*args, **kwargs)

    @property
    def _llm_type(self) -> str:
        return self.inner._llm_type

    @property
    def _identifying_params(self) -> dict[str, Any]:
        return {"spec": self.spec, **self.inner._identifying_params}

    def _get_ls_params(self, stop: list[str] | None = None, **kwargs: Any) -> LangSmithParams:
        return self.inner._get_ls_params(stop=stop, **kwargs)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        with _translated(self.spec):
            result = self._whole(messages, stop, kwargs)
            message, thoughts = _split(result)
            spent = message.usage_metadata
            if not message.text and not message.tool_calls and _thought(thoughts, spent):
                result = self._whole(_insist(messages), stop, kwargs)
                message, more = _split(result)
                message.content = message.content or thinking.conclusion(more or thoughts)
                message.usage_metadata = add_usage(spent, message.usage_metadata)
                message.response_metadata["calls"] = 2
        info = result.generations[0].generation_info
        return ChatResult(
            generations=[ChatGeneration(message=message, generation_info=info)], llm_output=result.llm_output
        )

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        with _translated(self.spec):
            again, thoughts = yield from self._pass(messages, stop, kwargs)
            if again:
                again, more = yield from self._pass(_insist(messages), stop, kwargs)
                if again and (words := thinking.conclusion(more or thoughts)):
                    yield _chunk(words)

    def _pass(
        self, messages: list[BaseMessage], stop: list[str] | None, kwargs: dict[str, Any]
    ) -> Generator[ChatGenerationChunk, None, tuple[bool, str]]:
        """Stream one answer; return whether it was only thought, and the thoughts."""
        part = thinking.Thinking(begun=self.begun)
        said, silent, info = False, list[ChatGenerationChunk](), dict[str, Any]()
        spent: UsageMetadata | None = None
        for chunk in self._chunks(messages, stop, kwargs):
            message = cast(AIMessageChunk, chunk.message)
            part.thoughts += message.additional_kwargs.pop("reasoning_content", None) or ""
            info |= chunk.generation_info or {}
            spent = message.usage_metadata or spent
            text = part.feed(str(message.text))
            message = message.model_copy(update={"content": text, "chunk_position": None})
            shown = ChatGenerationChunk(message=message, generation_info=chunk.generation_info)
            if text or message.tool_call_chunks:
                said = True
                yield shown
            else:
                silent.append(shown)
        if rest := part.finish():
            said = True
            yield _chunk(rest)
        self._check_end(info)
        # The finish reason and the token counts come last. Of an answer without words only its cost is told.
        if not said and _thought(part.thoughts, spent):
            if spent:
                yield _chunk("", usage_metadata=spent, response_metadata={"calls": 2})
            return True, part.thoughts
        yield from silent
        return False, part.thoughts

    def _whole(self, messages: list[BaseMessage], stop: list[str] | None, kwargs: dict[str, Any]) -> ChatResult:
        result = self.inner._generate(messages, stop=stop, **kwargs)
        self._check_end(result.generations[0].generation_info)
        return result

    def _check_end(self, info: dict[str, Any] | None) -> None:
        if self.ends and not {"finish_reason", "done_reason"} & set(info or {}):
            raise faults.broken_off(self.spec)

    def _chunks(
        self, messages: list[BaseMessage], stop: list[str] | None, kwargs: dict[str, Any]
    ) -> Iterator[ChatGenerationChunk]:
        if type(self.inner)._stream is not BaseChatModel._stream:
            yield from self.inner._stream(messages, stop=stop, **kwargs)
            return
        whole = self.inner._generate(messages, stop=stop, **kwargs).generations[0]
        fields = {name: value for name, value in whole.message.model_dump().items() if name != "type"}
        yield ChatGenerationChunk(message=AIMessageChunk(**fields), generation_info=whole.generation_info)


def _split(result: ChatResult) -> tuple[AIMessage, str]:
    """Take the thinking out of a result's message; return both."""
    message = cast(AIMessage, result.generations[0].message)
    answer, thoughts = thinking.split(str(message.text))
    apart = message.additional_kwargs.pop("reasoning_content", None) or ""
    message.content = answer
    return message, thoughts or apart


def _insist(messages: list[BaseMessage]) -> list[BaseMessage]:
    """Return the prompt with the instruction to answer directly, in its language, at its end."""
    last = messages[-1]
    text = str(last.text)
    instruction = DIRECTLY["zh" if re.search(r"[\u4e00-\u9fff]", text) else "en"]
    if isinstance(last, HumanMessage):
        return [*messages[:-1], HumanMessage(text + instruction)]
    return [*messages, HumanMessage(instruction.strip())]


def _thought(thoughts: str, spent: UsageMetadata | None) -> bool:
    """Whether an answer without words was thought: we saw it, or the server counted tokens that it keeps apart."""
    return bool(thoughts.strip()) or (spent is not None and spent["output_tokens"] >= HIDDEN_TOKENS)


def _chunk(text: str, **fields: Any) -> ChatGenerationChunk:
    return ChatGenerationChunk(message=AIMessageChunk(content=text, **fields))


@contextmanager
def _translated(spec: str) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        known = faults.recognise(error, spec)
        if known is None:
            raise
        raise known from error
