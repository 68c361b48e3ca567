"""A chat model that answers as a function says; only for what a real model cannot be made to do."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable, RunnableLambda
from pydantic import ConfigDict, Field

from hippograph.models import ChatModel, EstimatedCounter, TokenCounter


class Scripted(BaseChatModel):
    """Answers `reply(prompt)`, streamed word by word, and notes every prompt it got."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    reply: Callable[[list[BaseMessage]], str] = lambda prompt: "Yes."
    before_word: Callable[[str], object] = lambda word: None
    """Called before each word is streamed."""
    structured: Callable[[list[BaseMessage]], Any] | None = None
    """What structured output gives: parsed JSON, or an exception it raises."""
    usage: tuple[int, int] | None = None
    """Reported tokens of prompt and answer; None reports nothing."""
    prompts: list[list[BaseMessage]] = Field(default_factory=list, repr=False)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        self.prompts.append(messages)
        return ChatResult(generations=[ChatGeneration(message=AIMessage(self.reply(messages)))])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        self.prompts.append(messages)
        for word in re.findall(r"\S+\s*|\s+", self.reply(messages)):
            self.before_word(word)
            chunk = ChatGenerationChunk(message=AIMessageChunk(word))
            if run_manager:
                run_manager.on_llm_new_token(word, chunk=chunk)
            yield chunk
        yield ChatGenerationChunk(message=AIMessageChunk(""))
        if self.usage:
            prompt, answer = self.usage
            counts = {"input_tokens": prompt, "output_tokens": answer, "total_tokens": prompt + answer}
            yield ChatGenerationChunk(message=AIMessageChunk("", usage_metadata=counts))

    def with_structured_output(self, *args: Any, **kwargs: Any) -> Runnable[Any, Any]:
        def run(prompt: list[BaseMessage]) -> dict[str, Any]:
            self.prompts.append(prompt)
            assert self.structured is not None
            found = self.structured(prompt)
            if isinstance(found, Exception):
                raise found
            return {"raw": AIMessage(str(found)), "parsed": found, "parsing_error": None}

        return RunnableLambda(run)

    def text(self) -> str:
        """All text of the last prompt."""
        return "\n".join(str(message.text) for message in self.prompts[-1])


def chat(model: Scripted, *, window: int = 4096, spec: str = "given:scripted") -> ChatModel:
    """The scripted model as nodes get it."""
    counter: TokenCounter = EstimatedCounter()
    return ChatModel(spec=spec, model=model, counter=counter, window=window)


class Calling(BaseChatModel):
    """Answers with the message that `reply(prompt)` returns, which may call tools, and notes every prompt it got."""

    reply: Callable[[list[BaseMessage]], AIMessage] = lambda prompt: AIMessage("Yes.")
    prompts: list[list[BaseMessage]] = Field(default_factory=list, repr=False)
    bound: list[Any] = Field(default_factory=list, repr=False)

    @property
    def _llm_type(self) -> str:
        return "calling"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        self.prompts.append(messages)
        return ChatResult(generations=[ChatGeneration(message=self.reply(messages))])

    def bind_tools(self, tools: Any, **kwargs: Any) -> Runnable[Any, AIMessage]:
        self.bound[:] = tools
        return self
