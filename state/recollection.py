"""What long-term memory takes and gives back."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal, NotRequired

from typing_extensions import TypedDict

Kind = Literal["turn", "fact", "preference", "profile", "procedure", "event", "document", "summary", "media", "item"]
"""What a memory is; `turn` is a message kept verbatim, `event` what happened once and so is never out of date, `item`
what an application keeps under a namespace and a key."""

Status = Literal["current", "superseded", "expired", "archived", "quarantined", "forgotten"]
"""Where a memory stands in its life; recall returns `current` ones."""

Role = Literal["user", "assistant", "tool", "system"]


class Turn(TypedDict):
    """One message to store."""

    role: str
    """`user`, `assistant`, `tool` or `system`."""
    text: str
    speaker: NotRequired[str]
    """Who said it, by name."""
    said_at: NotRequired[str | datetime]
    """When; ISO 8601 or a datetime. Without a zone it is taken as UTC; left out: now."""
    id: NotRequired[str]
    """An id of the caller's; storing the same id again in the same space changes nothing."""
    origin: NotRequired[str]
    """The file it was imported from."""


class SourceRecord(TypedDict):
    """Where a memory comes from, as JSON."""

    id: str
    """Id of the verbatim turn (of the memory itself where it was given directly)."""
    thread: str
    said_at: str
    quote: str
    start: int
    end: int


class MemoryRecord(TypedDict):
    """A recollection as JSON: what graph state, `--json` and HTTP clients see."""

    id: str
    text: str
    kind: str
    role: str
    speaker: str
    thread: str
    position: int
    importance: float
    subject: str
    attribute: str
    value: str
    status: str
    negated: NotRequired[bool]
    confidence: NotRequired[float]
    valid_from: str | None
    valid_until: str | None
    recorded_at: str | None
    superseded_by: str | None
    uses: int
    used_at: str | None
    topic: str
    passage: list[int] | None
    version: NotRequired[int]
    said_at: str
    score: float
    why: dict[str, float]
    sources: list[SourceRecord]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The words a memory rests on: `quote` is `text[start:end]` of the verbatim turn `id`."""

    id: str
    thread: str
    said_at: datetime
    quote: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Recollection:
    """A memory that recall found."""

    id: str
    text: str
    kind: str
    said_at: datetime
    """When it was said; UTC."""
    score: float = 0.0
    """How well it fits the query, in [0, 1]; higher is better, comparable between queries."""
    why: dict[str, float] = field(default_factory=dict)
    """What the score is made of: a leg's or a boost's name and its part."""
    sources: tuple[Source, ...] = ()
    role: str = ""
    speaker: str = ""
    thread: str = ""
    importance: float = 0.5
    position: int = 0
    """Place in its thread, from 1; neighbouring turns have neighbouring positions."""
    subject: str = ""
    """What it is about, where that is known."""
    attribute: str = ""
    """Which property of the subject it tells."""
    value: str = ""
    """What the property is."""
    status: Status = "current"
    negated: bool = False
    """Whether it tells that the value is not, or no longer, so."""
    confidence: float = 1.0
    """How sure it is that this was meant, in [0, 1]; 1 for what was said or given directly."""
    valid_from: datetime | None = None
    """Since when it is true; UTC."""
    valid_until: datetime | None = None
    """Until when it was true; None: it still is."""
    recorded_at: datetime | None = None
    """When it was learned."""
    superseded_by: str | None = None
    """Id of the memory that took its place, or of the summary it went into."""
    uses: int = 0
    """How often answers rested on it."""
    used_at: datetime | None = None
    """When one last did; UTC."""
    topic: str = ""
    """What it belongs to; of a document its name, the headings above it and its page."""
    version: int = 0
    """How often it was changed, from 1; 0 where that is not known."""
    passage: tuple[int, int] | None = None
    """Of a long text, where the part stands that fits the query best, as (first character, behind the last one)."""

    @property
    def source_ids(self) -> list[str]:
        """Ids of the verbatim turns this memory rests on."""
        return [source.id for source in self.sources]

    @property
    def excerpt(self) -> str:
        """Its text, or the passage that fits the query of a long one."""
        return self.text if self.passage is None else self.text[slice(*self.passage)]

    def excerpted(self) -> "Recollection":
        """Return the same with its excerpt alone for a text, "…" where something is left out."""
        if self.passage is None:
            return self
        start, end = self.passage
        text = f"{'…' if start else ''}{self.excerpt}{'…' if end < len(self.text) else ''}"
        return replace(self, text=text, passage=None)

    def to_record(self) -> MemoryRecord:
        """Return the same as JSON-plain values, times as ISO 8601 in UTC."""
        return MemoryRecord(
            id=self.id,
            text=self.text,
            kind=self.kind,
            role=self.role,
            speaker=self.speaker,
            thread=self.thread,
            position=self.position,
            importance=self.importance,
            subject=self.subject,
            attribute=self.attribute,
            value=self.value,
            status=self.status,
            negated=self.negated,
            confidence=self.confidence,
            valid_from=_iso(self.valid_from),
            valid_until=_iso(self.valid_until),
            recorded_at=_iso(self.recorded_at),
            superseded_by=self.superseded_by,
            uses=self.uses,
            used_at=_iso(self.used_at),
            topic=self.topic,
            version=self.version,
            passage=None if self.passage is None else [*self.passage],
            said_at=self.said_at.isoformat(),
            score=self.score,
            why=self.why,
            sources=[
                SourceRecord(
                    id=source.id,
                    thread=source.thread,
                    said_at=source.said_at.isoformat(),
                    quote=source.quote,
                    start=source.start,
                    end=source.end,
                )
                for source in self.sources
            ],
        )

    @classmethod
    def from_record(cls, record: MemoryRecord) -> "Recollection":
        """Undo `to_record`."""
        sources = tuple(
            Source(**{**source, "said_at": datetime.fromisoformat(source["said_at"])})  # type: ignore[arg-type]
            for source in record["sources"]
        )
        given = {name: record[name] for name in _TIMES}  # type: ignore[literal-required]
        times = {name: value and datetime.fromisoformat(value) for name, value in given.items()}
        place = record.get("passage")
        passage = (place[0], place[1]) if place else None
        return cls(**{**record, **times, "sources": sources, "passage": passage})  # type: ignore[arg-type]


_TIMES = ("said_at", "used_at", "valid_from", "valid_until", "recorded_at")


def _iso(time: datetime | None) -> str | None:
    return time.isoformat() if time else None
