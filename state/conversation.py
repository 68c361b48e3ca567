"""The graph's typed state: JSON-plain, so that every checkpointer and client can carry it."""

import operator
from typing import Annotated

from langgraph.channels.untracked_value import UntrackedValue
from langgraph.graph import MessagesState

from hippograph.state.recollection import MemoryRecord
from hippograph.state.turn import Asked, Block, Confidence, Cut, Stage, Structured, Topic, Trigger


def merge_stages(old: dict[str, Stage], new: dict[str, Stage]) -> dict[str, Stage]:
    """Add the newly timed stages to those before."""
    return {**old, **new}


class State(MessagesState, total=False):
    """All that a turn works on; `messages`, `owner`, `summary` and `topics` last from turn to turn."""

    owner: str
    """Hash of the user this thread's short-term memory belongs to; another user starts empty."""
    summary: str
    """Rolling summary of the turns that left `messages`."""
    topics: list[Topic]
    """What the thread is about, the latest first; at most five."""
    trigger: Trigger
    candidates: Annotated[list[MemoryRecord], UntrackedValue]
    """The union of all legs, before ranking. Never checkpointed."""
    memories: list[MemoryRecord]
    """What survived reranking, best first."""
    cut: list[Cut]
    """The best of what did not."""
    block: Block
    asked: Asked | None
    """The prompt that was answered, as it was sent; None until then."""
    confidence: Confidence
    structured: Structured | None
    """None where it was not asked for, or the model could not fill it in."""
    stages: Annotated[dict[str, Stage], merge_stages]
    degraded: Annotated[list[str], operator.add]
    """What was skipped or replaced in this turn, and why; empty when all went as configured."""


class Answer(MessagesState, total=False):
    """What a run returns."""

    topics: list[Topic]
    trigger: Trigger
    memories: list[MemoryRecord]
    cut: list[Cut]
    block: Block
    confidence: Confidence
    structured: Structured | None
    """None where it was not asked for, or the model could not fill it in."""
    stages: Annotated[dict[str, Stage], merge_stages]
    degraded: Annotated[list[str], operator.add]
