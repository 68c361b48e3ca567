"""What a node is given beside the state, and what it hands back."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from langchain_core.messages import BaseMessage
from langgraph.types import Overwrite
from typing_extensions import TypedDict

from hippograph.state import Context, MemoryRecord
from hippograph.state.conversation import Block, Call, Confidence, Cut, Stage, Structured, Topic, Trigger

if TYPE_CHECKING:
    from hippograph.memory import Memory
    from hippograph.models import ChatModel


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """Memory and models, opened when a node first asks for them."""

    memory: "Callable[[], Memory]"
    """Returns the one long-term memory of this process and home."""
    small: "Callable[[Context], ChatModel]"
    """Returns the model that answers."""
    big: "Callable[[Context], ChatModel | None]"
    """Returns the model that distils long evidence; None where none is configured."""


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The run a node is part of."""

    context: Context
    thread: str = ""
    """The conversation's name in long-term memory; empty for a run without one."""
    stopping: Callable[[], bool] = _never
    """Tells whether the answer is to end early."""


class Update(TypedDict, total=False):
    """The keys of the state a node may change, and what it spent."""

    messages: list[BaseMessage]
    owner: str
    summary: str
    topics: list[Topic]
    trigger: Trigger
    candidates: list[MemoryRecord]
    memories: list[MemoryRecord]
    cut: list[Cut]
    block: Block
    confidence: Confidence
    structured: Structured | None
    stages: dict[str, Stage] | Overwrite
    degraded: list[str] | Overwrite
    spent: list[Call]
    """The calls of models it made, also those that failed. Not a state key."""
