"""The graph's typed state: JSON-plain, so that every checkpointer and client can carry it."""

import operator
from typing import Annotated, Literal

from langgraph.channels.untracked_value import UntrackedValue
from langgraph.graph import MessagesState
from typing_extensions import TypedDict

from hippograph.state.recollection import MemoryRecord

Mode = Literal["asked", "proactive"]
"""What a search is for. asked: the turn asks for something, or for it to be kept. proactive: it only tells a feeling or
what happened; nobody asked for a memory, so only one that clearly fits is worth bringing up."""


class Trigger(TypedDict):
    """Whether this turn searches long-term memory, and why."""

    fire: bool
    reason: str
    mode: Mode
    queries: list[str]
    time_window: list[str]
    """First and last instant asked about, ISO 8601 in UTC; empty where the turn names no time."""


class Stage(TypedDict):
    """What one node cost in this turn."""

    ms: float
    tokens: int
    """Tokens it sent to and got from a model, or put into the block; 0 where none."""


class Cut(TypedDict):
    """A memory that was found and not kept."""

    id: str
    reason: str
    """In words: "too weak: below 0.28"."""
    score: float
    """In [0, 1]."""


class Block(TypedDict):
    """What is injected into the small model's prompt."""

    text: str
    tokens: int
    cited: list[str]
    """Ids of the memories behind the numbers [1], [2], ... of the text, in that order."""
    by: Literal["none", "extract", "big"]
    """Who wrote it: nobody, deterministic code, or the big model."""
    unsupported: int
    """Sentences of the big model that were dropped because their sources do not say so."""


Standing = Literal["open", "decided", "planned", "done", "noted"]
"""How things stand with a topic. open: a question about it has no answer yet. noted: nothing of the kind was said."""


class Topic(TypedDict):
    """One thing that a thread is about: working memory."""

    name: str
    """Its telling words, as they were said: "Heron launch", 苍鹭项目 上线."""
    summary: str
    """What was said about it: the sentences that weigh most, in their order; at most some 200 characters."""
    state: Standing
    turns: int
    """How many turns were about it."""
    used_at: str
    """When it was talked about last, ISO 8601 in UTC."""
    words: list[str]
    """By what a turn is known to be about it: words as the keyword index cuts them, those said last first."""


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
    stages: Annotated[dict[str, Stage], merge_stages]
    degraded: Annotated[list[str], operator.add]
