"""What a space's memories are about: by the topic they belong to, and by whom or what they tell of."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, case, desc, func, select

from hippograph.memory.listing import PARTS
from hippograph.memory.schema import memories

MOST = 200
"""Topics, or subjects, that are told, those of most memories."""
ATTRIBUTES = 8
"""Attributes told of a subject."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """What some current memories belong to; of documents, all pieces of one together."""

    name: str
    memories: int
    first: datetime
    """When the earliest of them was said."""
    last: datetime
    documents: int
    """How many of them are pieces of documents."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """Whom or what some current memories tell of."""

    name: str
    """ "user" for whoever speaks of himself."""
    memories: int
    last: datetime
    attributes: Sequence[tuple[str, int]]
    """What is known of it, with the number of memories; those with most first, ATTRIBUTES at most."""


def topics(connection: Connection, space: str, limit: int = MOST) -> list[Topic]:
    """Return the topics of most memories, those first."""
    topic, said = memories.c.topic, memories.c.said_at
    end = func.instr(topic, PARTS)
    name = case((end > 1, func.substr(topic, 1, end - 1)), else_=topic).label("name")
    documents = func.sum(case((memories.c.kind == "document", 1), else_=0))
    query = select(name, func.count(), func.min(said), func.max(said), documents)
    mine = memories.c.space == space, memories.c.status == "current", topic.is_not(None), topic != ""
    rows = connection.execute(query.where(*mine).group_by(name).order_by(func.count().desc(), name).limit(limit))
    return [Topic(name=each, memories=n, first=a, last=b, documents=pieces) for each, n, a, b, pieces in rows]


def subjects(connection: Connection, space: str, limit: int = MOST) -> list[Subject]:
    """Return whom or what most memories tell of, those first."""
    subject, attribute = memories.c.subject, memories.c.attribute
    mine = memories.c.space == space, memories.c.status == "current", subject.is_not(None), subject != ""
    query = select(subject, func.count(), func.max(memories.c.said_at)).where(*mine).group_by(subject)
    rows = connection.execute(query.order_by(func.count().desc(), subject).limit(limit)).all()
    known = dict[str, list[tuple[str, int]]]()
    told = select(subject, attribute, func.count().label("n")).where(*mine, attribute.is_not(None), attribute != "")
    told = told.where(subject.in_([row.subject for row in rows]))
    for name, what, n in connection.execute(told.group_by(subject, attribute).order_by(desc("n"), attribute)):
        known.setdefault(name, []).append((what, n))
    return [
        Subject(name=name, memories=n, last=last, attributes=known.get(name, [])[:ATTRIBUTES]) for name, n, last in rows
    ]
