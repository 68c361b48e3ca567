"""A turn that was said anew: in other words, or with another answer, as when a conversation is gone back in.

The version that was said last stands. The others are archived, and with them the facts that nothing but they tell; no
word of them is lost, and whoever goes back to one of them has it again.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, select

from hippograph.memory.life.changes import ARCHIVED, change
from hippograph.memory.life.undoing import PUT_BACK, last_change, undo
from hippograph.memory.schema import extractions, jobs, memories, sources
from hippograph.memory.times import now

SAID_ANEW = "the turn was said anew"
"""Why the versions before are archived."""
_PART = "#"
"""What a turn's id is followed by in those of its further parts."""


def retell(
    connection: Connection, space: str, thread: str, ids: Sequence[str], versions: Sequence[str], *, review: bool
) -> dict[str, int]:
    """Let some turns stand and archive their other versions; return the place of each version's turns in the thread.

    Args:
        connection: Of a transaction that writes, before the turns are stored.
        space: Whose conversation it is.
        thread: The conversation.
        ids: The turns that stand.
        versions: What ids of versions of one turn begin with, each for one of them.
        review: Whether doubtful facts of a turn that is read only now wait for a person.
    """
    places = dict[str, int]()
    for beginning in versions:
        rows = connection.execute(_versions(space, thread, beginning)).all()
        standing = next((each for each in ids if each.startswith(beginning)), None)
        if rows:
            places[beginning] = rows[0].position
        for row in rows:
            if _whole(row.id) == standing:
                _stand_again(connection, row, review)
            elif row.status == "current":
                _leave(connection, row, standing)
    return places


def _versions(space: str, thread: str, beginning: str) -> Any:  # noqa: ANN401 - a query
    after = beginning[:-1] + chr(ord(beginning[-1]) + 1)
    here = memories.c.space == space, memories.c.thread == thread, memories.c.kind == "turn"
    between = memories.c.id >= beginning, memories.c.id < after, memories.c.status != "forgotten"
    return select(memories).where(*here, *between).order_by(memories.c.position, memories.c.seq)


def _whole(id_: str) -> str:
    return id_.partition(_PART)[0]


def _leave(connection: Connection, row: Row[Any], by: str | None) -> None:
    """Archive a version, and the facts that rest on it alone; what was not read yet is not read."""
    change(connection, row, ARCHIVED, SAID_ANEW, by, {"status": "archived"})
    connection.execute(jobs.delete().where(jobs.c.memory == row.seq, jobs.c.kind == "extract"))
    for fact in _resting_on(connection, row):
        if fact.status != "current":
            continue
        if last_change(connection, fact) is None and _took_a_place(connection, fact):
            undo(connection, fact, both=False)  # what was so before is so again
        else:
            change(connection, fact, ARCHIVED, SAID_ANEW, by, {"status": "archived"})


def _stand_again(connection: Connection, row: Row[Any], review: bool) -> None:
    """Take the archiving of a version back, and that of its facts; what was not read is read now."""
    last = last_change(connection, row)
    if row.status != "archived" or last is None or last.because != SAID_ANEW:
        return
    undo(connection, row, both=False)
    for fact in _resting_on(connection, row):
        last = last_change(connection, fact)
        if fact.status == "archived" and last is not None and last.because in (SAID_ANEW, PUT_BACK):
            undo(connection, fact, both=False)
    read = select(extractions.c.turn).where(extractions.c.turn == row.seq)
    if row.role == "user" and connection.execute(read).first() is None:
        job = {"memory": row.seq, "kind": "extract", "space": row.space, "due_at": now(), "review": review}
        connection.execute(jobs.insert().values(**job))


def _resting_on(connection: Connection, row: Row[Any]) -> list[Row[Any]]:
    """Return the memories that were made of a turn alone."""
    mine = select(sources.c.memory).where(sources.c.turn == row.seq, sources.c.memory != row.seq)
    others = select(sources.c.memory).where(sources.c.memory.in_(mine), sources.c.turn != row.seq)
    alone = memories.c.seq.in_(mine), memories.c.seq.not_in(others)
    return list(connection.execute(select(memories).where(*alone).order_by(memories.c.seq)))


def _took_a_place(connection: Connection, fact: Row[Any]) -> bool:
    """Tell whether a memory stands where another one stood."""
    replaced = memories.c.space == fact.space, memories.c.superseded_by == fact.id
    return connection.execute(select(memories.c.seq).where(*replaced).limit(1)).first() is not None
