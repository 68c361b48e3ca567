"""What memory tells of a memory's life."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from typing_extensions import TypedDict


class StepRecord(TypedDict):
    """A step as JSON: what `--json` and HTTP clients see."""

    at: str
    what: str
    because: str
    memory: str
    text: str
    status: str
    said_at: str
    turns: list[str]
    by: str | None
    by_turns: list[str]
    before: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing that happened to a memory, or to one whose place it took or that took its place."""

    at: datetime
    """When it was written down; UTC."""
    what: str
    """`stored`, `merged`, `superseded`, `updated`, `archived`, `undone`, …"""
    because: str = ""
    """Why, in words; empty where it was stored."""
    memory: str
    """Id of the memory it happened to."""
    text: str
    """What that memory says by now."""
    status: str
    """How it stands by now."""
    said_at: datetime
    """When that was said last; UTC."""
    turns: tuple[str, ...]
    """Ids of the turns that memory rests on by now; its own id where it was given directly."""
    by: str | None = None
    """Id of the turn or memory that made it so."""
    by_turns: tuple[str, ...] = ()
    """Ids of the turns that rests on: for `superseded`, which turn replaced which."""
    before: dict[str, Any] = field(default_factory=dict)
    """The columns it changed, as they were, as JSON."""

    def to_record(self) -> StepRecord:
        """Return the same as JSON-plain values, times as ISO 8601 in UTC."""
        return StepRecord(
            at=self.at.isoformat(),
            what=self.what,
            because=self.because,
            memory=self.memory,
            text=self.text,
            status=self.status,
            said_at=self.said_at.isoformat(),
            turns=[*self.turns],
            by=self.by,
            by_turns=[*self.by_turns],
            before=self.before,
        )
