from collections.abc import Iterator
from typing import Annotated, Any

import pytest
from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, AnyMessage, BaseMessage, HumanMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langgraph.graph import START, StateGraph
from langgraph.graph.message import add_messages
from typing_extensions import TypedDict

from hippograph.models import EstimatedCounter, usage
from hippograph.models.reasoning import DIRECTLY, Answering

USAGE = {"input_tokens": 5, "output_tokens": 2, "total_tokens": 7}
MUCH = {"input_tokens": 5, "output_tokens": 200, "total_tokens": 205}


class Scripted(BaseChatModel):
    """Says its lines in turn, four characters at a time."""

    lines: list[str]
    heard: list[str] = []  # noqa: RUF012 - pydantic copies it
    apart: str = ""
    """Thinking that comes beside the text, as Ollama's does."""
    spent: dict[str, int] = USAGE

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
        extra = {"reasoning_content": self.apart} if self.apart else {}
        message = AIMessage(self.say(messages), additional_kwargs=extra, usage_metadata=dict(self.spent))  # type: ignore[arg-type]
        return ChatResult(generations=[ChatGeneration(message=message)])

    def say(self, messages: list[BaseMessage]) -> str:
        self.heard.append(str(messages[-1].text))
        return self.lines[min(len(self.heard), len(self.lines)) - 1]


class Streaming(Scripted):
    """The same, in a stream."""

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        line = self.say(messages)
        if self.apart:
            extra = {"reasoning_content": self.apart}
            yield ChatGenerationChunk(message=AIMessageChunk(content="", additional_kwargs=extra))
        for at in range(0, len(line), 4):
            yield ChatGenerationChunk(message=AIMessageChunk(content=line[at : at + 4]))
        last = AIMessageChunk(content="", usage_metadata=dict(self.spent))  # type: ignore[arg-type]
        yield ChatGenerationChunk(message=last, generation_info={"finish_reason": "stop"})


def answering(kind: type[Scripted], *lines: str, apart: str = "") -> tuple[Answering, Scripted]:
    inner = kind(lines=list(lines), apart=apart)
    return Answering(inner=inner, spec="ollama:scripted"), inner


def ask(model: Answering, text: str, how: str) -> tuple[str, int]:
    """Return the answer and the output tokens it cost."""
    if how == "invoke":
        message = model.invoke(text)
        assert message.additional_kwargs == {}
        return str(message.content), message.usage_metadata["output_tokens"] if message.usage_metadata else 0
    chunks = list(model.stream(text))
    assert all("think" not in str(chunk.content) and not chunk.additional_kwargs for chunk in chunks)
    spent = sum(chunk.usage_metadata["output_tokens"] for chunk in chunks if chunk.usage_metadata)
    return "".join(str(chunk.content) for chunk in chunks), spent


WAYS = [("invoke", Scripted), ("invoke", Streaming), ("stream", Streaming), ("stream", Scripted)]


@pytest.mark.parametrize(("how", "kind"), WAYS)
def test_thinking_before_the_answer_is_dropped(how: str, kind: type[Scripted]) -> None:
    model, _ = answering(kind, "<think>\nhm\n</think>\n\nOCaml.")
    assert ask(model, "Which?", how) == ("OCaml.", 2)


@pytest.mark.parametrize(("how", "kind"), WAYS)
def test_a_model_that_only_thinks_is_asked_once_more(how: str, kind: type[Scripted]) -> None:
    model, inner = answering(kind, "<think>\nhm\n</think>", "OCaml.")
    assert ask(model, "Which?", how) == ("OCaml.", 4)
    assert inner.heard == ["Which?", "Which?" + DIRECTLY["en"]]


@pytest.mark.parametrize(("how", "kind"), WAYS)
def test_a_model_that_goes_on_thinking_is_taken_at_its_last_word(how: str, kind: type[Scripted]) -> None:
    model, inner = answering(kind, "<think>嗯", "<think>先看日期。\n\n是荔枝。")
    assert ask(model, "我对什么过敏？", how) == ("是荔枝。", 4)
    assert inner.heard == ["我对什么过敏？", "我对什么过敏？" + DIRECTLY["zh"]]


@pytest.mark.parametrize(("how", "kind"), WAYS)
def test_thinking_beside_the_text_is_dropped_too(how: str, kind: type[Scripted]) -> None:
    model, _ = answering(kind, "OCaml.", apart="hm")
    assert ask(model, "Which?", how)[0] == "OCaml."
    model, _ = answering(kind, "", apart="So it is OCaml.")
    assert ask(model, "Which?", how)[0] == "So it is OCaml."


@pytest.mark.parametrize(("how", "kind"), WAYS)
def test_a_server_that_keeps_the_thinking_is_seen_through_by_its_count(how: str, kind: type[Scripted]) -> None:
    model, inner = answering(kind, "", "OCaml.")
    inner.spent = MUCH
    assert ask(model, "Which?", how) == ("OCaml.", 400)


def test_a_second_try_does_not_upset_the_counter() -> None:
    counter, prompt = EstimatedCounter(), [HumanMessage("床前明月光，疑是地上霜。" * 30)]
    before = counter.messages(prompt)
    spent = {"input_tokens": before, "output_tokens": 9, "total_tokens": before + 9}
    for kind in (Scripted, Streaming):
        for how in ("invoke", "stream"):
            model, inner = answering(kind, "<think>hm", "OCaml.")
            inner.spent = spent
            first, *rest = [model.invoke(prompt)] if how == "invoke" else model.stream(prompt)
            answer = sum(rest, first)  # type: ignore[arg-type]
            assert isinstance(answer, AIMessage)
            assert usage(answer, prompt, counter).input == 2 * before
    assert counter.messages(prompt) == before


@pytest.mark.parametrize(("how", "kind"), WAYS)
def test_an_empty_answer_without_thinking_stays_empty(how: str, kind: type[Scripted]) -> None:
    model, inner = answering(kind, "")
    assert ask(model, "Which?", how) == ("", 2)
    assert len(inner.heard) == 1


@pytest.mark.parametrize("kind", [Scripted, Streaming])
async def test_the_async_calls_give_the_same(kind: type[Scripted]) -> None:
    model, _ = answering(kind, "<think>hm</think>OCaml.")
    assert (await model.ainvoke("Which?")).content == "OCaml."
    assert "".join([str(chunk.content) async for chunk in model.astream("Which?")]) == "OCaml."


class Talk(TypedDict):
    messages: Annotated[list[AnyMessage], add_messages]


def test_a_graph_streams_no_thinking() -> None:
    model, _ = answering(Streaming, "<think>\nsecret hm\n</think>\n\nIt is OCaml.")
    builder = StateGraph(Talk)
    builder.add_node("respond", lambda state: {"messages": [model.invoke(state["messages"])]})
    builder.add_edge(START, "respond")
    shown = builder.compile().stream({"messages": [HumanMessage("Which?")]}, stream_mode="messages")
    pieces = [str(part[0].content) for part in shown if isinstance(part, tuple)]
    assert len(pieces) > 2  # It did stream.
    assert "".join(pieces) == "It is OCaml."


def test_other_errors_pass_as_they_are() -> None:
    class Broken(Scripted):
        def say(self, messages: list[BaseMessage]) -> str:
            raise KeyError("ours")

    with pytest.raises(KeyError, match="ours"):
        answering(Broken, "")[0].invoke("hi")
