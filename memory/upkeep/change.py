"""Changing a memory so that it can be told and undone: the columns as they were go into its history."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, update

from hippograph.memory.schema import changes, memories


def change(
    connection: Connection,
    row: Row[Any],
    values: Mapping[str, Any],
    what: str,
    because: str,
    at: datetime,
    by: str | None = None,
) -> None:
    """Set columns of a memory, and note what it was before.

    Args:
        connection: Of a transaction that writes.
        row: The memory as it is.
        values: The columns to set.
        what: What is done to it: "expired", "archived", ...
        because: Why, in words.
        at: When.
        by: Id of the memory that made it so.
    """
    before = {name: _plain(getattr(row, name)) for name in values}
    note = {"memory": row.seq, "at": at, "what": what, "because": because, "by": by, "before": before}
    connection.execute(changes.insert().values(note))
    connection.execute(
        update(memories).where(memories.c.seq == row.seq).values(version=memories.c.version + 1, **values)
    )


def _plain(value: Any) -> Any:  # noqa: ANN401 - any column's value
    return value.isoformat() if isinstance(value, datetime) else value
