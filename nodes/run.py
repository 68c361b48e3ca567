"""What a node is given beside the state, and what it hands back."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from langchain_core.messages import BaseMessage
from langgraph.types import Overwrite
from typing_extensions import TypedDict

from hippograph.state import Context, Doubtful, MemoryRecord, Review
from hippograph.state.conversation import Block, Confidence, Cut, Stage, Structured, Trigger

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


Ask = Callable[[Doubtful], Review]
"""Asks a person about a memory. In a graph, the node ends at a question, and begins anew with the answer."""


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
    ask: Ask | None = None
    """Asks a person; None where nobody can be asked."""


class Update(TypedDict, total=False):
    """The keys of the state a node may change, and what it spent."""

    messages: list[BaseMessage]
    owner: str
    summary: str
    trigger: Trigger
    candidates: list[MemoryRecord]
    memories: list[MemoryRecord]
    cut: list[Cut]
    block: Block
    confidence: Confidence
    structured: Structured | None
    stages: dict[str, Stage] | Overwrite
    degraded: list[str] | Overwrite
    tokens: int
    """Tokens sent to and got from a model, or put into the block: the figure of this node's stage. Not a state key."""
