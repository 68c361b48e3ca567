"""A fact: what a turn tells beyond its words, as extraction finds it and intake stores it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from hippograph.state import Kind

SELF = "user"
"""Subject of what a user tells of himself, in either language; a turn with a speaker's name has that name instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A verbatim turn, as extraction reads it."""

    id: str
    text: str
    role: str
    """`user`, `assistant`, `tool` or `system`."""
    speaker: str = ""
    said_at: datetime
    """UTC; relative dates in the text count from it."""
    thread: str = ""

    @property
    def subject(self) -> str:
        """Who "I" is in it."""
        return self.speaker or SELF


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One fact with its evidence."""

    text: str
    """A sentence that is understood alone, in the language of its source."""
    kind: Kind = "fact"
    subject: str
    """Whom or what it is about: SELF, or a name."""
    attribute: str
    """Which property: a key of `attributes` where it is a known one, else words, lower case. What may be true of
    several values at once (a pet, a language, a liking) has the value's name in it, so that no two contradict."""
    value: str
    negated: bool = False
    """Whether the value is denied or has ended: "I don't work at Acme any more"."""
    turn: str
    """Id of the turn it was said in."""
    quote: str
    """Its words there: `text[start:end]` of the turn."""
    start: int
    end: int
    valid_from: datetime | None = None
    """Since when it is true, where the turn says so; else it holds from when it was said. UTC."""
    valid_until: datetime | None = None
    importance: float = 0.5
    """In [0, 1]."""
    confidence: float = 1.0
    """In [0, 1]."""
    sentiment: float | None = None
    """In [-1, 1]; None where no feeling is told."""
    entities: tuple[str, ...] = ()
    """Names of people, places and things in it."""
    model: str = "rules"
    """Who found it: "rules", or a model as "provider:model"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """What extraction made of some turns."""

    facts: Sequence[Fact] = ()
    dropped: Sequence[str] = ()
    """For each fact that was not taken, why, in words."""
    degraded: Sequence[str] = field(default=())
    """What had to be repaired or done without, in words; empty when all went as configured."""
    model: str = "rules"
