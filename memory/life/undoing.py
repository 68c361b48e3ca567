"""Taking back the last change of a memory."""

from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import Connection, Row, select, update

from hippograph.memory import keywords
from hippograph.memory.ledger import queue_again
from hippograph.memory.life.arrival import CONFLICTS, store, supersede
from hippograph.memory.life.changes import (
    ARCHIVED,
    EXPIRED,
    MERGED,
    NOTED,
    OTHER,
    SOURCES,
    SUPERSEDED,
    UNDONE,
    change,
    columns,
    undoing,
)
from hippograph.memory.life.supersession import Claim, compare
from hippograph.memory.schema import changes, jobs, memories, sources
from hippograph.memory.times import now
from hippograph.state import BadInput

PUT_BACK = "what it had taken the place of was put back"
"""Why a memory is archived when the one before it is current again."""
UNMERGED = "what had gone into it was put back"
"""Why a summary is archived."""
WORDS = frozenset("text subject attribute value topic entities".split())
"""Columns that memories are found by."""


def undo(connection: Connection, row: Row[Any], *, both: bool, among: Collection[int] = ()) -> None:
    """Take back the last change of a memory that was not taken back yet.

    Superseded: it is current again, and what stands in its place by now is archived, or with `both` stays. Merged: what
    went in is a memory of its own again. Updated, archived, …: its columns are as they were. A memory that nothing
    happened to since it took another's place gives the place back.

    Afterwards, unless `both`, it alone is current of what cannot be so beside it: what was said before is superseded
    by it, what was said later is archived. Those of the numbers `among` come back together, and are let be.

    Raises:
        BadInput: There is nothing to take back, or it is an item.
    """
    if row.kind == "item":
        raise BadInput("Nothing is kept of what an item was before: put it again, with the value that it had.")
    last = last_change(connection, row)
    if last is None:
        _give_back(connection, row, both)
        return
    before = columns(last.before)
    because = f"{undoing(last.what)} ({last.because})"
    if last.what == EXPIRED:  # else it would be over again at once
        before["expires_at"] = None
    if last.what == MERGED:
        _part(connection, row, last.before)
    change(connection, row, UNDONE, because, last.by, before)
    reword(connection, row, before)
    if before.get("status") == "current" and not row.vectors:  # what is archived has none
        queue_again(connection, row.space, [row.seq], now())
    if last.what == SUPERSEDED and not both:
        _archive_end(connection, row, last.by)
    if last.what == ARCHIVED and last.because == PUT_BACK:
        _supersede_again(connection, row, last.by)
    if not both and "status" in before | {**last.before}:
        _stand_alone(connection, row, among)


def _stand_alone(connection: Connection, row: Row[Any], among: Collection[int]) -> None:
    """Let a memory that is current again be the only one of its line that is, but for those it was current among."""
    standing = memories.c.status == "current", memories.c.superseded_by.is_(None)
    mine = connection.execute(select(memories).where(memories.c.seq == row.seq, *standing)).first()
    if mine is None or not mine.matter:
        return
    same = memories.c.space == mine.space, memories.c.matter == mine.matter, memories.c.seq.not_in({mine.seq, *among})
    for other in connection.execute(select(memories).where(*same, *standing, memories.c.kind != "turn")).all():
        older, newer = sorted((mine, other), key=lambda each: (each.said_at, each.seq))
        verdict = compare(Claim.of(dict(older._mapping)), Claim.of(dict(newer._mapping)))
        if verdict.relation not in CONFLICTS:
            continue
        if other is older:
            supersede(connection, other, dict(mine._mapping), verdict)
        else:
            change(connection, other, ARCHIVED, PUT_BACK, mine.id, {"status": "archived"})


def reword(connection: Connection, row: Row[Any], values: Mapping[str, Any]) -> None:
    """Make a memory that has other words now be found by them; its vectors are made anew."""
    if not WORDS & values.keys():
        return
    if "text" in values:  # what was given directly is its own source
        own = update(sources).where(sources.c.memory == row.seq, sources.c.turn == row.seq)
        connection.execute(own.values(quote=values["text"], end=len(values["text"])))
    keywords.remove(connection, [row.seq])
    words = keywords.searched({**row._mapping, **values})
    keywords.add(connection, [(row.seq, row.space, words)])
    mine = jobs.c.memory == row.seq, jobs.c.kind == "index"
    connection.execute(jobs.delete().where(*mine))
    connection.execute(jobs.insert().values(memory=row.seq, kind="index", space=row.space, due_at=now()))


def last_change(connection: Connection, row: Row[Any]) -> Row[Any] | None:
    """Return the last change that stands: each one undone takes the one before it off."""
    undone = 0
    query = select(changes).where(changes.c.memory == row.seq).order_by(changes.c.seq.desc())
    for each in connection.execute(query):
        if each.what == UNDONE:
            undone += 1
        elif undone:
            undone -= 1
        elif each.what in NOTED:
            continue
        else:
            return each
    return None


def _give_back(connection: Connection, row: Row[Any], both: bool) -> None:
    replaced = memories.c.space == row.space, memories.c.superseded_by == row.id
    old = connection.execute(select(memories).where(*replaced)).all()
    if not old:
        raise BadInput(f"Nothing was changed of {row.id!r}, and it took nothing's place: there is nothing to undo.")
    seqs = {each.seq for each in old}
    for each in old:
        undo(connection, each, both=both, among=seqs)
    if row.kind == "summary":
        change(connection, row, ARCHIVED, UNMERGED, None, {"status": "archived"})


def _part(connection: Connection, row: Row[Any], before: Mapping[str, Any]) -> None:
    """Give what was merged into a memory its own life again, with the sources it brought."""
    quotes = []
    for turn, start, end in before.get(SOURCES, ()):
        place = sources.c.memory == row.seq, sources.c.turn == turn, sources.c.start == start, sources.c.end == end
        quote = connection.execute(select(sources).where(*place)).first()
        if quote is not None:
            quotes.append({name: quote._mapping[name] for name in ("turn", "quote", "start", "end")})
            connection.execute(sources.delete().where(*place))
    if not before.get(SOURCES):  # it had been given directly
        connection.execute(sources.delete().where(sources.c.memory == row.seq, sources.c.turn == row.seq))
    if other := before.get(OTHER):
        store(connection, {**columns(other), "recorded_at": now()}, quotes)


def _archive_end(connection: Connection, row: Row[Any], id_: str | None) -> None:
    """Archive what is current at the end of the line that took a memory's place."""
    seen = {row.id}
    while id_ and id_ not in seen:
        seen.add(id_)
        end = connection.execute(select(memories).where(memories.c.space == row.space, memories.c.id == id_)).first()
        if end is None:
            return
        if end.status == "current":
            change(connection, end, ARCHIVED, PUT_BACK, row.id, {"status": "archived"})
            return
        id_ = end.superseded_by


def _supersede_again(connection: Connection, row: Row[Any], id_: str | None) -> None:
    """Let a memory that is current again have the place back that it was archived for."""
    mine = memories.c.space == row.space, memories.c.id == id_, memories.c.status == "current"
    if (old := connection.execute(select(memories).where(*mine)).first()) is None:
        return
    because = "superseded: so after all, an undoing was undone"
    values = {
        "status": "superseded",
        "superseded_by": row.id,
        "superseded_because": because,
        "superseded_at": now(),
        "valid_until": max(old.valid_from, row.valid_from),
    }
    change(connection, old, SUPERSEDED, because, row.id, values)
