"""New rows of the ledger that carry their own place: pieces of documents, and memories of another home."""

from collections.abc import Sequence

from sqlalchemy import Connection, func, select
from sqlalchemy.dialects.sqlite import insert

from hippograph.memory import keywords
from hippograph.memory.ledger import Fields
from hippograph.memory.schema import jobs, memories
from hippograph.memory.times import now

SEARCHED = ("current", "superseded")
"""Statuses of memories that have vectors."""


def put(connection: Connection, rows: Sequence[Fields]) -> dict[str, int]:
    """Insert memories with their keywords and indexing jobs; returns their numbers by id.

    Args:
        connection: To the ledger, of a transaction that writes.
        rows: Columns of `memories`, all of the same names, `space`, `id`, `text`, `status` and `position` among them.
            Their ids are new.
    """
    if not rows:
        return {}
    first = (connection.scalar(select(func.max(memories.c.seq))) or 0) + 1
    numbered = [*enumerate(rows, first)]
    connection.execute(memories.insert(), [{**row, "seq": seq} for seq, row in numbered])
    said = [(seq, row) for seq, row in numbered if row["text"].strip()]
    keywords.add(connection, [(seq, row["space"], keywords.searched(row)) for seq, row in said])
    index(connection, {seq: row["space"] for seq, row in said if row["status"] in SEARCHED})
    return {row["id"]: seq for seq, row in numbered}


def index(connection: Connection, due: dict[int, str]) -> None:
    """Queue memories, given with their spaces, to be indexed, unless they are queued already."""
    if due:
        values = [{"memory": seq, "kind": "index", "space": space, "due_at": now()} for seq, space in due.items()]
        connection.execute(insert(jobs).on_conflict_do_nothing(), values)
