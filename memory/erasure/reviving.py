"""What holds again once that which took its place is forgotten."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, select, update

from hippograph.memory import keywords
from hippograph.memory.erasure.choosing import batches
from hippograph.memory.ledger import queue_again
from hippograph.memory.schema import changes, memories
from hippograph.memory.times import utc
from hippograph.state import BadInput

PLACED = ("superseded", "archived", "current")
"""States in which a memory stands behind another one: its successor (which may be yet to come), or a summary."""
REVIVED = "what had taken its place was forgotten"
BETWEEN = "what came between them was forgotten"

_HELD = ("status", "valid_until", "superseded_by", "superseded_because", "superseded_at")
"""Columns that are put back as they were."""
_BLANK: Mapping[str, Any] = dict.fromkeys(_HELD) | {"status": "current"}


@dataclass(frozen=True, slots=True)
class Behind:
    """A memory that stood behind one that goes."""

    row: Row[Any]
    held: Mapping[str, Any]
    """How it was before."""


def revive(connection: Connection, space: str, gone: Sequence[Row[Any]], at: datetime) -> list[str]:
    """Let what stood behind forgotten memories hold again, unless another living one stands before it; return the ids.

    To be called while the rows that go are still whole. No id or word of them is left on those that stay.
    """
    by_id = {row.id: row for row in gone}
    behind = sorted(_behind(connection, space, by_id), key=lambda each: each.row.valid_from, reverse=True)
    revived = list[str]()
    for each in behind:  # the newest first: of one matter it takes the older ones' place
        successor = _successor(connection, each, by_id)
        values = dict(each.held) if successor is None else _replaced(each.row, successor)
        raised = update(memories).where(memories.c.seq == each.row.seq)
        connection.execute(raised.values(version=memories.c.version + 1, **values))
        if values["status"] == "current" and each.row.status in PLACED:
            revived.append(each.row.id)
            _note(connection, each.row, at)
            _searchable(connection, each.row, at)
    return revived


def _behind(connection: Connection, space: str, gone: Mapping[str, Row[Any]]) -> list[Behind]:
    """Return what stays and names one of those that go as what took its place."""
    seqs, rows = {row.seq for row in gone.values()}, list[Row[Any]]()
    for batch in batches([*gone]):
        named = memories.c.space == space, memories.c.superseded_by.in_(batch)
        rows += [row for row in connection.execute(select(memories).where(*named)) if row.seq not in seqs]
    before = _before(connection, [row.seq for row in rows])
    return [Behind(row, _held(row, before.get(row.seq, []), gone)) for row in rows]


def _held(row: Row[Any], before: Sequence[Row[Any]], gone: Mapping[str, Row[Any]]) -> Mapping[str, Any]:
    """Return how a memory was before those that go stood before it: by its history, the newest entry first."""
    if row.status not in PLACED:
        return {**{name: getattr(row, name) for name in _HELD}, "superseded_by": None, "superseded_because": None}
    for change in before:
        if change.by in gone and "superseded_by" in change.before:
            held = {**_BLANK, **{name: _typed(name, value) for name, value in change.before.items() if name in _HELD}}
            if held["superseded_by"] not in gone:
                return held
    return _BLANK


def _successor(connection: Connection, each: Behind, gone: Mapping[str, Row[Any]]) -> Row[Any] | None:
    """Return the living memory that stands before another one all the same; None where there is none."""
    row, seen = each.row, set[str]()
    if row.status not in PLACED or each.held["status"] != "current":
        return None
    after: str | None = row.superseded_by
    while after is not None and after in gone and after not in seen:
        seen.add(after)
        after = gone[after].superseded_by
    if after is not None and after not in gone:
        named = memories.c.space == row.space, memories.c.id == after, memories.c.status != "forgotten"
        return connection.execute(select(memories).where(*named)).one_or_none()
    return None if row.status == "archived" else _newer(connection, row, gone)


def _newer(connection: Connection, row: Row[Any], gone: Mapping[str, Row[Any]]) -> Row[Any] | None:
    """Return what holds now of the same subject and attribute, and began later."""
    if not row.subject or not row.attribute:
        return None
    same = (
        memories.c.space == row.space,
        memories.c.subject == row.subject,
        memories.c.attribute == row.attribute,
        memories.c.status == "current",
        memories.c.kind == row.kind,
        memories.c.valid_from > row.valid_from,
    )
    newest = connection.execute(select(memories).where(*same).order_by(memories.c.valid_from.desc()))
    return next((each for each in newest if each.id not in gone), None)


def _replaced(row: Row[Any], successor: Row[Any]) -> dict[str, Any]:
    """Return how a memory stands behind the next living one."""
    ends = {} if row.status == "archived" else {"valid_until": max(row.valid_from, successor.valid_from)}
    return {"status": row.status, "superseded_by": successor.id, "superseded_because": BETWEEN, **ends}


def _note(connection: Connection, row: Row[Any], at: datetime) -> None:
    """Tell of it in the memory's history; there is nothing to go back to."""
    values = {"memory": row.seq, "at": at, "what": "revived", "because": REVIVED, "before": {}}
    connection.execute(changes.insert().values(**values))


def _searchable(connection: Connection, row: Row[Any], at: datetime) -> None:
    """Make sure that words and vectors find a memory that holds again: what is archived may have had them taken."""
    keywords.remove(connection, [row.seq])
    keywords.add(connection, [(row.seq, row.space, keywords.searched(row._asdict()))])
    if not row.vectors:
        queue_again(connection, row.space, [row.seq], at)


def _before(connection: Connection, seqs: Sequence[int]) -> dict[int, list[Row[Any]]]:
    """Return the histories of some memories, the newest entry first."""
    found: dict[int, list[Row[Any]]] = {}
    for batch in batches(seqs):
        query = select(changes).where(changes.c.memory.in_(batch)).order_by(changes.c.seq.desc())
        for row in connection.execute(query):
            found.setdefault(row.memory, []).append(row)
    return found


def _typed(name: str, value: Any) -> Any:  # noqa: ANN401 - a column's value as JSON keeps it
    """Return a column's value from JSON, where times are texts."""
    if name not in ("valid_until", "superseded_at") or not isinstance(value, str):
        return value
    try:
        return utc(value)
    except BadInput:
        return None
