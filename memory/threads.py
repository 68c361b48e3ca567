"""Which spaces a home has, and which conversations a space."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, func, select

from hippograph.memory.schema import memories

OPENING = 80
STANDING = ("current", "archived")
"""Turns that can still be read: archived ones are only not recalled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """One user's memories."""

    name: str
    memories: int
    """How many are current."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """One conversation."""

    name: str
    turns: int
    """How many messages it has."""
    said_at: datetime
    """When the last one was said; UTC."""
    opening: str
    """The first OPENING characters of its first message."""


def spaces(connection: Connection) -> list[Space]:
    """Return the spaces that have memories, by name."""
    count = func.count()
    query = select(memories.c.space, count).where(memories.c.status == "current").group_by(memories.c.space)
    return [Space(name=name, memories=number) for name, number in connection.execute(query.order_by(memories.c.space))]


def threads(connection: Connection, space: str, limit: int) -> list[Thread]:
    """Return a space's conversations, the one that has the newest message first."""
    first, last = func.min(memories.c.seq), func.max(memories.c.seq)
    query = select(memories.c.thread, func.count(), func.max(memories.c.said_at), first).where(
        memories.c.space == space, memories.c.kind == "turn", memories.c.status.in_(STANDING)
    )
    found = connection.execute(query.group_by(memories.c.thread).order_by(last.desc()).limit(limit)).all()
    texts = select(memories.c.seq, func.substr(memories.c.text, 1, OPENING).label("opening")).where(
        memories.c.seq.in_([seq for *_, seq in found])
    )
    openings = {row.seq: row.opening for row in connection.execute(texts)}
    return [Thread(name=name, turns=turns, said_at=at, opening=openings[seq]) for name, turns, at, seq in found]
