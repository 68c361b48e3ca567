"""What was read in another program's file, ready to be stored, and what was not read of it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from hippograph.memory.exchange.transfer import Told
from hippograph.memory.times import utc
from hippograph.state import BadInput

SHOWN = 10
"""Records that could not be read and are named; of more, the number is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A memory as another program kept it."""

    id: str
    text: str
    said_at: datetime | None
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """An item of a store."""

    namespace: tuple[str, ...]
    key: str
    value: Mapping[str, Any]
    at: datetime | None
    origin: str


@dataclass(slots=True, kw_only=True)
class Taken:
    """What a file gave."""

    turns: list[Told] = field(default_factory=list)
    given: list[Given] = field(default_factory=list)
    kept: list[Kept] = field(default_factory=list)
    bad: list[str] = field(default_factory=list)
    """Records that could not be read, and why."""
    passed_over: Counter[str] = field(default_factory=Counter)
    """What is no part of what was said, and how often it was there."""
    notes: list[str] = field(default_factory=list)

    def told(self) -> list[str]:
        """Return in words what was not read."""
        more = [f"… and {len(self.bad) - SHOWN:,} more that could not be read"] if len(self.bad) > SHOWN else []
        left = [f"left out: {what} ({count:,})" for what, count in sorted(self.passed_over.items()) if count]
        return [*self.notes, *(f"not read: {each}" for each in self.bad[:SHOWN]), *more, *left]

    def nothing(self) -> bool:
        """Tell whether nothing was read that can be stored."""
        return not (self.turns or self.given or self.kept)


def made_id(*parts: str) -> str:
    """Return an id made of what a record is: read again, it has the same."""
    return sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:32]


def moment(value: object) -> datetime | None:
    """Return a time as other programs write it (ISO 8601, or seconds since 1970); None where it is none."""
    if isinstance(value, bool) or value is None:
        return None
    try:
        if isinstance(value, int | float):
            return datetime.fromtimestamp(value, UTC)
        return utc(value) if isinstance(value, str) else None
    except (BadInput, ValueError, OverflowError, OSError):
        return None


def first_time(record: Mapping[str, Any], *names: str) -> datetime | None:
    """Return the first time that a record has under some names."""
    return next((found for name in names if (found := moment(record.get(name)))), None)


def listed(value: object) -> Sequence[Any]:
    """Return a list, or an empty one for anything else."""
    return value if isinstance(value, list) else []
