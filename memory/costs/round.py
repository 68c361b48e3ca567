"""What is to be recorded: one turn, or a piece of work in the background."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime

from hippograph.state import MemoryRecord
from hippograph.state.turn import Block, Call, Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One turn of a conversation, however it ended. Its words are looked at, and stored only where it is sampled."""

    space: str
    thread: str
    """The conversation's name; empty for a run without one."""
    turn: str
    """Id of what was asked, as it is remembered."""
    at: datetime
    question: str
    stages: Mapping[str, Stage]
    block: Block | None
    """What was injected, where anything was."""
    evidence: Sequence[MemoryRecord]
    """The memories it was made of."""
    degraded: bool
    failed: bool
    remembered: bool
    """Whether the turn may be kept in its words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """Calls that were made beside the turns."""

    key: str
    """Of the space they were made for."""
    stage: str
    """What for: "extract", "upkeep", "rerank", "judge"."""
    at: datetime
    calls: Sequence[Call]


Metering = Callable[[str, str], AbstractContextManager[None]]
"""Takes note of the calls that are made within it, given a space's key and what the work is for."""


def unmetered(key: str, stage: str) -> AbstractContextManager[None]:
    """Take no note of anything."""
    return nullcontext()
