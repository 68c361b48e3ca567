"""Changing memories so that it can be told and undone: the columns as they were go into their history."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, bindparam, update

from hippograph.memory.blocks.dropping import drop
from hippograph.memory.life.changes import kept
from hippograph.memory.schema import changes, memories

_SEQ = "changed"


class Change(NamedTuple):
    """What is done to one memory."""

    row: Row[Any]
    """The memory as it is."""
    values: Mapping[str, Any]
    """The columns to set; the same ones for all changes that are made together."""
    because: str
    """Why, in words."""
    by: str | None = None
    """Id of the memory that made it so."""


def change(connection: Connection, given: Sequence[Change], what: str, at: datetime) -> list[str]:
    """Set columns of memories, and note what they were before; blocks that rest on them are dropped.

    Args:
        connection: Of a transaction that writes.
        given: The changes, each of another memory.
        what: What is done to them: "expired", "archived", ...
        at: When.

    Returns:
        The memories' ids.
    """
    if not given:
        return []
    notes = [
        {
            "memory": each.row.seq,
            "at": at,
            "what": what,
            "because": each.because,
            "by": each.by,
            "before": kept({name: getattr(each.row, name) for name in each.values}),
        }
        for each in given
    ]
    columns = {name: bindparam(f"new_{name}", type_=memories.c[name].type) for name in given[0].values}
    statement = update(memories).where(memories.c.seq == bindparam(_SEQ))
    new = [{_SEQ: each.row.seq} | {f"new_{name}": value for name, value in each.values.items()} for each in given]
    connection.execute(changes.insert(), notes)
    connection.execute(statement.values(version=memories.c.version + 1, **columns), new)
    drop(connection, [each.row.seq for each in given])
    return [each.row.id for each in given]
