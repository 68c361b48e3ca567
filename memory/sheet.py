"""One memory with all that there is to know of it: where it comes from, what rests on it, what was said around it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, select

from hippograph.memory.life.history import one
from hippograph.memory.listing import CARD, Card, card
from hippograph.memory.reading import recollected
from hippograph.memory.schema import entities, memories, mentions, sources
from hippograph.state import Recollection, Source

AROUND = 3
"""Turns of a conversation shown before a turn, and after it."""
MOST = 50
"""Memories shown of those that rest on one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """Words that a memory rests on, and what they stand in."""

    source: Source
    text: str
    """All of the turn's text: the quote is `text[source.start:source.end]`."""
    role: str
    speaker: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A memory and what belongs to it."""

    memory: Recollection
    pinned: bool
    because: str
    """Why another took its place."""
    entities: Sequence[str]
    """Names in it."""
    origin: str
    """The file or place it was imported from."""
    model: str
    """Who found it: "rules", or a model; empty where it was said or given."""
    language: str
    sentiment: float | None
    """In [-1, 1]."""
    expires_at: datetime | None
    indexed: bool
    """Whether its vectors are made."""
    quotes: Sequence[Quote]
    """What it rests on; empty where it is its own source."""
    details: Sequence[Card]
    """Of a summary, what it stands for, in the order it was said; MOST at most."""
    resting: Sequence[Card]
    """What rests on it, the newest first; MOST at most."""
    before: Sequence[Card]
    """What was said before it in its conversation, in order; AROUND at most."""
    after: Sequence[Card]
    """What was said after it."""
    line: Sequence[Card]
    """It and all it stands in a line with, the earliest first: whose place it took, and what took its place.
    Empty where it stands alone."""


def sheet(connection: Connection, space: str, id_: str) -> Sheet:
    """Return a memory's sheet; BadInput if the space has no such memory."""
    row = one(connection, id_, space)
    return Sheet(
        memory=recollected(connection, [row], {})[0],
        pinned=bool(row.pinned),
        because=row.superseded_because or "",
        entities=_names(connection, row),
        origin=row.origin or "",
        model=row.model or "",
        language=row.language,
        sentiment=row.sentiment,
        expires_at=row.expires_at,
        indexed=row.vectors > 0,
        quotes=_quotes(connection, row),
        details=_details(connection, row),
        resting=_resting(connection, row),
        before=[*reversed(_beside(connection, row, forward=False))],
        after=_beside(connection, row, forward=True),
        line=_line(connection, row),
    )


def _names(connection: Connection, row: Row[Any]) -> list[str]:
    """Return the names that a memory was given, then those that upkeep found in it."""
    named = select(entities.c.name).join(mentions, mentions.c.entity == entities.c.seq)
    found = connection.scalars(named.where(mentions.c.memory == row.seq).order_by(entities.c.seq))
    return [*dict.fromkeys([*(row.entities or ()), *found])]


def _quotes(connection: Connection, row: Row[Any]) -> list[Quote]:
    query = select(sources.c.quote, sources.c.start, sources.c.end, memories)
    query = query.join(memories, memories.c.seq == sources.c.turn).where(sources.c.memory == row.seq)
    found = connection.execute(query.order_by(memories.c.said_at, sources.c.start).limit(MOST))
    return [_quote(each) for each in found if each.id != row.id]


def _quote(each: Row[Any]) -> Quote:
    source = Source(
        id=each.id, thread=each.thread, said_at=each.said_at, quote=each.quote, start=each.start, end=each.end
    )
    return Quote(source=source, text=each.text, role=each.role, speaker=each.speaker)


def _resting(connection: Connection, row: Row[Any]) -> list[Card]:
    """Return what has a memory for a source, and summaries that it went into."""
    on = select(sources.c.memory).where(sources.c.turn == row.seq, sources.c.memory != row.seq)
    query = select(*CARD).where(memories.c.seq.in_(on), memories.c.status != "forgotten")
    return [card(each) for each in connection.execute(query.order_by(memories.c.seq.desc()).limit(MOST))]


def _details(connection: Connection, row: Row[Any]) -> list[Card]:
    if row.kind != "summary":
        return []
    query = select(*CARD).where(memories.c.space == row.space, memories.c.superseded_by == row.id)
    fitting = query.where(memories.c.status != "forgotten").order_by(memories.c.said_at).limit(MOST)
    return [card(each) for each in connection.execute(fitting)]


def _beside(connection: Connection, row: Row[Any], *, forward: bool) -> list[Card]:
    """Return what was said next to a turn in its conversation, the nearest first."""
    if row.kind != "turn" or not row.thread:
        return []
    place = memories.c.position
    same = memories.c.space == row.space, memories.c.thread == row.thread, memories.c.status != "forgotten"
    query = select(*CARD).where(*same, place > row.position if forward else place < row.position)
    ordered = query.order_by(place if forward else place.desc()).limit(AROUND)
    return [card(each) for each in connection.execute(ordered)]


def _line(connection: Connection, row: Row[Any]) -> list[Card]:
    """Return the cards of a memory's line, by what each was put in the place of; none where it stands alone."""
    if row.kind == "summary":
        return []
    found, wave = dict[int, Card](), [row.seq]
    query = select(*CARD).where(memories.c.space == row.space, memories.c.status != "forgotten")
    while wave and len(found) < MOST:
        rows = [card(each) for each in connection.execute(query.where(memories.c.seq.in_(wave)))]
        found |= {each.seq: each for each in rows}
        ids, after = [each.id for each in rows], [each.superseded_by for each in rows if each.superseded_by]
        near = memories.c.superseded_by.in_(ids) | memories.c.id.in_(after)
        beside = select(memories.c.seq).where(memories.c.space == row.space, near, memories.c.kind != "summary")
        wave = [seq for seq in connection.scalars(beside) if seq not in found]
    line = sorted(found.values(), key=lambda each: (each.said_at, each.seq))
    return line if len(line) > 1 else []
