"""What one call of a model cost, as it is counted in stages and in the ledger of costs."""

from collections.abc import Sequence
from time import perf_counter
from typing import TYPE_CHECKING

from hippograph.models.counting import usage
from hippograph.state.conversation import Call, Role

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, BaseMessage

    from hippograph.models.chat import ChatModel


def spending(
    role: Role, model: "ChatModel", answer: "AIMessage", prompt: "Sequence[BaseMessage]", began: float
) -> Call:
    """Return what a call that began at `began`, by `time.perf_counter`, and ends now has cost."""
    used = usage(answer, prompt, model.counter)
    return Call(role=role, model=model.spec, input=used.input, output=used.output, ms=_since(began), cached=False)


def failed(role: Role, model: "ChatModel", began: float) -> Call:
    """Return a call that gave nothing: its time is known, its tokens are not, and count as 0."""
    return Call(role=role, model=model.spec, input=0, output=0, ms=_since(began), cached=False)


def _since(began: float) -> float:
    return round((perf_counter() - began) * 1000, 2)
