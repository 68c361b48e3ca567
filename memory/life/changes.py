"""Changes of memories, each kept with what it changed, so that it can be told and taken back."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, select, update

from hippograph.memory.blocks.dropping import drop
from hippograph.memory.schema import changes, memories
from hippograph.memory.times import now

MERGED, SUPERSEDED, UPDATED, ARCHIVED, UNDONE = "merged", "superseded", "updated", "archived", "undone"
EXPIRED, QUARANTINED = "expired", "quarantined"
"""What may happen to a memory, as `changes.what`; upkeep and forgetting write more."""
HELD, APPROVED, REJECTED = "held", "approved", "rejected"
"""What a person's review does."""
NOTED = (HELD, APPROVED)
"""What changes no column, so that there is nothing to take back."""
SOURCES, OTHER = "sources", "other"
"""What `before` has of a merger beside columns: [turn, start, end] of the sources it brought; the row that went in."""


def change(
    connection: Connection,
    row: Row[Any],
    what: str,
    because: str,
    by: str | None,
    values: Mapping[str, Any],
    **beside: Any,  # noqa: ANN401 - JSON
) -> None:
    """Change columns of a memory, and keep what they were; blocks that rest on it are dropped.

    Args:
        connection: Of a transaction that writes.
        row: The memory as it is.
        what: What happens to it.
        because: Why, in words.
        by: Id of the turn or memory that makes it so.
        values: The new columns.
        beside: What else is needed to take it back.
    """
    before = {name: _kept(row._mapping[name]) for name in values}
    raised = update(memories).where(memories.c.seq == row.seq).values(version=memories.c.version + 1, **values)
    connection.execute(raised)
    drop(connection, [row.seq])
    kept = {"at": now(), "what": what, "because": because, "by": by, "before": {**before, **beside}}
    connection.execute(changes.insert().values(memory=row.seq, **kept))


def kept_beside(connection: Connection) -> set[tuple[int, str]]:
    """Return the number of each memory whose supersession was undone, with the id of what had taken its place.

    Whoever undid that had the last word: the two may stand beside each other.
    """
    undone = select(changes.c.memory, changes.c.by).where(changes.c.what == UNDONE, changes.c.by.is_not(None))
    return {(seq, by) for seq, by in connection.execute(undone).all()}


def undoing(what: str) -> str:
    """Return how the reason of an undoing begins, by what was undone."""
    return f"undone: {what}"


def columns(before: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of a change's `before`, as the ledger takes them."""
    times = {each.name for each in memories.c if each.name.endswith(("_at", "_from", "_until"))}
    return {
        name: datetime.fromisoformat(value) if name in times and value else value
        for name, value in before.items()
        if name in memories.c
    }


def kept(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row as JSON."""
    return {name: _kept(value) for name, value in row.items()}


def _kept(value: Any) -> Any:  # noqa: ANN401 - a column of any type
    return value.isoformat() if isinstance(value, datetime) else value
