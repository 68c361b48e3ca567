"""Memories of a space as a page shows them: a stretch of a filtered list, and how many there are of what."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, false, func, or_, select, text

from hippograph.memory.intake import KINDS, clean
from hippograph.memory.keywords import every_word
from hippograph.memory.ledger import BATCH
from hippograph.memory.schema import memories
from hippograph.memory.times import utc
from hippograph.state import BadInput, Status

STATUSES: tuple[Status, ...] = ("current", "superseded", "archived", "expired", "quarantined")
"""How a memory may stand that can be looked at."""
EXCERPT = 600
"""Characters of a memory's text that a list shows."""
PARTS = " > "
"""What stands between the parts of a document's topic: its name, headings, page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which memories are listed; what is empty counts for nothing."""

    words: str = ""
    """All of these are in it; the last may be the beginning of one."""
    kinds: Sequence[str] = ()
    statuses: Sequence[str] = ("current",)
    """Any of STATUSES; empty: all."""
    topic: str = ""
    """This, or, of a document, all under it."""
    subject: str = ""
    thread: str = ""
    since: datetime | None = None
    """Said at this time or later."""
    until: datetime | None = None
    """Said before this time."""
    pinned: bool = False
    """Only what is pinned."""
    oldest_first: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A memory in a list."""

    seq: int
    id: str
    kind: str
    status: str
    text: str
    """Its first EXCERPT characters."""
    cut: bool
    """Whether there are more."""
    role: str
    speaker: str
    thread: str
    position: int
    subject: str
    topic: str
    said_at: datetime
    valid_until: datetime | None
    pinned: bool
    uses: int
    importance: float
    superseded_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """A stretch of a list."""

    cards: Sequence[Card]
    more: str = ""
    """Where the list goes on, to be given as `after`; empty at its end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How many memories a list has in all, and how many it would have with another choice of one filter."""

    total: int
    kinds: Mapping[str, int] = field(default_factory=dict)
    """By kind, whatever kinds are chosen."""
    statuses: Mapping[str, int] = field(default_factory=dict)
    """By status, whatever statuses are chosen."""
    months: Mapping[str, int] = field(default_factory=dict)
    """By month in this machine's zone ("2026-05"), in order, whatever time is chosen; only months that have any."""


_SHOWN = [
    memories.c[name]
    for name in (
        "seq id kind status role speaker thread position subject topic said_at valid_until pinned uses importance "
        "superseded_by"
    ).split()
]
CARD = [*_SHOWN, func.substr(memories.c.text, 1, EXCERPT + 1).label("text")]
"""Columns of which cards are made."""


def card(row: Row[Any]) -> Card:
    """Return a row of CARD as a card."""
    given = {column.name: row._mapping[column.name] for column in _SHOWN}
    told = {"subject": row.subject or "", "topic": row.topic or "", "pinned": bool(row.pinned)}
    return Card(**{**given, **told}, text=row.text[:EXCERPT], cut=len(row.text) > EXCERPT)


def leaf(connection: Connection, space: str, wanted: Wanted, after: str, limit: int) -> Leaf:
    """Return at most `limit` memories behind a place in the list; raises BadInput for a place that is none."""
    time, seq = memories.c.said_at, memories.c.seq
    query = select(*CARD).where(fitting(space, wanted))
    if after:
        last, number = _place(after)
        behind = (
            (time > last, (time == last) & (seq > number))
            if wanted.oldest_first
            else (
                time < last,
                (time == last) & (seq < number),
            )
        )
        edge = time >= last if wanted.oldest_first else time <= last  # which the index finds
        query = query.where(edge, or_(*behind))
    order = (time, seq) if wanted.oldest_first else (time.desc(), seq.desc())
    cards = [card(row) for row in connection.execute(query.order_by(*order).limit(limit + 1))]
    more = _named(cards[limit - 1]) if len(cards) > limit else ""
    return Leaf(cards=cards[:limit], more=more)


def cards(connection: Connection, space: str, ids: Sequence[str] = (), seqs: Sequence[int] = ()) -> list[Card]:
    """Return those of a space's memories that have some ids or numbers, the newest first; unknown ones are left out."""
    found = dict[int, Card]()
    for column, values in ((memories.c.id, [*ids]), (memories.c.seq, [*seqs])):
        for start in range(0, len(values), BATCH):
            query = select(*CARD).where(memories.c.space == space, memories.c.status != "forgotten")
            rows = connection.execute(query.where(column.in_(values[start : start + BATCH])))
            found |= {row.seq: card(row) for row in rows}
    return sorted(found.values(), key=lambda each: (each.said_at, each.seq), reverse=True)


def tally(connection: Connection, space: str, wanted: Wanted) -> Tally:
    """Return how many memories of a space fit, and how they are spread."""
    kind, status = memories.c.kind, memories.c.status
    month = func.strftime("%Y-%m", memories.c.said_at, "localtime")
    total = select(func.count()).select_from(memories).where(fitting(space, wanted))
    return Tally(
        total=connection.scalar(total) or 0,
        kinds=_spread(connection, kind, fitting(space, wanted, without=("kinds",))),
        statuses=_spread(connection, status, fitting(space, wanted, without=("statuses",))),
        months=dict(sorted(_spread(connection, month, fitting(space, wanted, without=("since", "until"))).items())),
    )


def fitting(space: str, wanted: Wanted, without: Collection[str] = ()) -> ColumnElement[bool]:
    """Return the condition for what is wanted of a space, but for some fields of `wanted`.

    Raises:
        BadInput: An unknown kind or status.
    """
    named = [condition for name, condition in _conditions(space, wanted) if name not in without]
    return and_(memories.c.space == space, memories.c.status != "forgotten", *named)


def _conditions(space: str, wanted: Wanted) -> Iterator[tuple[str, ColumnElement[bool]]]:
    """Yield for each field that says something its name and its condition."""
    if wanted.words.strip():
        yield "words", _having(space, wanted.words)
    if wanted.kinds:
        yield "kinds", memories.c.kind.in_(_known("kind", wanted.kinds, KINDS))
    if wanted.statuses:
        yield "statuses", memories.c.status.in_(_known("status", wanted.statuses, STATUSES))
    if wanted.topic:
        yield "topic", _under(clean(wanted.topic))
    if wanted.subject:
        yield "subject", memories.c.subject == clean(wanted.subject)
    if wanted.thread:
        yield "thread", memories.c.thread == clean(wanted.thread)
    if wanted.since:
        yield "since", memories.c.said_at >= wanted.since
    if wanted.until:
        yield "until", memories.c.said_at < wanted.until
    if wanted.pinned:
        yield "pinned", memories.c.pinned.is_(True)


def _known(what: str, given: Sequence[str], all_: Sequence[str]) -> Sequence[str]:
    if unknown := [each for each in given if each not in all_]:
        raise BadInput(f"There is no {what} {unknown[0]!r}: use any of {', '.join(all_)}.")
    return given


def _having(space: str, words: str) -> ColumnElement[bool]:
    match = every_word(space, clean(words))
    if not match:
        return false()
    found = text("SELECT rowid FROM keywords WHERE keywords MATCH :words").bindparams(words=match)
    return memories.c.seq.in_(found.columns(memories.c.seq))


def _under(topic: str) -> ColumnElement[bool]:
    above = topic + PARTS
    return (memories.c.topic == topic) | (func.substr(memories.c.topic, 1, len(above)) == above)


def _spread(connection: Connection, by: ColumnElement[str], fits: ColumnElement[bool]) -> dict[str, int]:
    rows = connection.execute(select(by, func.count()).where(fits).group_by(by))
    return {row[0]: row[1] for row in rows}


def _named(last: Card) -> str:
    """Return the name of a card's place in a list, of characters that a URL may have as they are."""
    return f"{last.said_at.isoformat().replace('+00:00', 'Z')}~{last.seq}"


def _place(name: str) -> tuple[datetime, int]:
    """Undo `_named`."""
    time, _, number = name.partition("~")
    if not number.isascii() or not number.isdigit() or len(number) > len(str(2**62)):
        raise BadInput(f"{name!r} is no place in the list: begin at its beginning.")
    return utc(time), int(number)
