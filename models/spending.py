"""What calls of models cost: counted where they are made, and heard by whoever keeps account."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from time import perf_counter
from typing import TYPE_CHECKING

from hippograph.models.counting import usage
from hippograph.state.turn import Call, Role

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, BaseMessage

    from hippograph.models.chat import ChatModel

_HEARD: ContextVar[Callable[[Call], object] | None] = ContextVar("hippograph_calls", default=None)


def spending(
    role: Role, model: "ChatModel", answer: "AIMessage", prompt: "Sequence[BaseMessage]", began: float
) -> Call:
    """Return what a call that began at `began`, by `time.perf_counter`, and ends now has cost."""
    used = usage(answer, prompt, model.counter)
    return Call(role=role, model=model.spec, input=used.input, output=used.output, ms=_since(began), cached=False)


def said(answer: object) -> "AIMessage":
    """Return the message in what a structured call gave, whose usage and text tell what it cost."""
    from langchain_core.messages import AIMessage

    raw = answer.get("raw") if isinstance(answer, dict) else answer
    return raw if isinstance(raw, AIMessage) else AIMessage("")


def failed(role: Role, model: "ChatModel", began: float) -> Call:
    """Return a call that gave nothing: its time is known, its tokens are not, and count as 0."""
    return Call(role=role, model=model.spec, input=0, output=0, ms=_since(began), cached=False)


@contextmanager
def metered(hear: Callable[[Call], object]) -> Iterator[None]:
    """Let `hear` be told of the calls that are made, deep inside, until the block ends."""
    token = _HEARD.set(hear)
    try:
        yield
    finally:
        _HEARD.reset(token)


def note(call: Call) -> None:
    """Tell of a call whoever keeps account of what is being done, if anybody does."""
    if (hear := _HEARD.get()) is not None:
        hear(call)


def _since(began: float) -> float:
    return round((perf_counter() - began) * 1000, 2)
