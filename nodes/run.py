"""What a node is given beside the state, and what it hands back."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from langchain_core.messages import BaseMessage
from langgraph.types import Overwrite
from typing_extensions import TypedDict

from hippograph.state import Context, Doubtful, MemoryRecord, Review
from hippograph.state.settings import DEADLINE
from hippograph.state.turn import Asked, Block, Call, Confidence, Cut, Stage, Structured, Topic, Trigger

if TYPE_CHECKING:
    from hippograph.memory import Memory
    from hippograph.models import Breakers, ChatModel
    from hippograph.nodes.condensing import Condenser


RungRole = Literal["big", "backup", "embedded"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """One model that may distil, as yet unopened."""

    role: RungRole
    spec: str
    """Its name, as messages tell it."""
    open: "Callable[[], ChatModel | None]"
    """Returns the model; None where there is none after all. Raises ModelError."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """Memory and models, opened when a node first asks for them."""

    memory: "Callable[[], Memory]"
    """Returns the one long-term memory of this process and home."""
    small: "Callable[[Context], ChatModel]"
    """Returns the model that answers."""
    big: "Callable[[Context], ChatModel | None]"
    """Returns the model that distils long evidence; None where none is configured."""
    ladder: "Callable[[Context], Sequence[Rung]] | None" = None
    """Returns the models that distil, in the order they are tried; None: `big` alone."""
    breakers: "Breakers | None" = None
    """What is known of models that failed; None: every model is called."""
    opened: "Callable[[], Memory | None] | None" = None
    """Returns the memory where it is open already, and opens none; None: `memory` does."""
    condenser: "Condenser | None" = None
    """Has rolling summaries shortened by a model; None: they stay as code writes them."""
    deadline: float = DEADLINE
    """Seconds that a call of a model that distils may take where the run does not say."""

    def there(self) -> "Memory | None":
        """Return the memory, if it is open."""
        return self.opened() if self.opened else self.memory()

    def rungs(self, context: Context) -> "Sequence[Rung]":
        """Return the models that distil, in the order they are tried; none of them is opened yet."""
        return self.ladder(context) if self.ladder else [Rung(role="big", spec="big", open=lambda: self.big(context))]


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
    passed_over: frozenset[str] = frozenset()
    """Ids of memories that are not to be recalled, nor what rests on nothing else."""
    stopping: Callable[[], bool] = _never
    """Tells whether the answer is to end early."""
    ahead: bool = False
    """Whether the question is only a likely next one: what is written for it waits in the cache."""
    ask: Ask | None = None
    """Asks a person; None where nobody can be asked."""


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
    asked: Asked | None
    confidence: Confidence
    structured: Structured | None
    stages: dict[str, Stage] | Overwrite
    degraded: list[str] | Overwrite
    spent: list[Call]
    """The calls of models it made, also those that failed. Not a state key."""
