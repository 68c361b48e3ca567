"""What a person decides about: found facts that wait, quarantined, until they are approved or rejected."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, select

from hippograph.memory.intake import changed
from hippograph.memory.ledger import Places, inserted
from hippograph.memory.life.arrival import Quote, arrive, replaced
from hippograph.memory.life.changes import APPROVED, HELD, QUARANTINED, REJECTED, UPDATED, change, kept
from hippograph.memory.life.history import one
from hippograph.memory.life.undoing import last_change
from hippograph.memory.schema import changes, memories, sources
from hippograph.state import BadInput

UNSURE = 0.75
"""Confidence below which a found fact is doubtful; what was said with a "maybe" has 0.7."""
Suspects = Callable[[str], str]
"""Says what is wrong with a text, in words that quote nothing; empty where nothing is."""
_OWN = ("seq", "position", "version", "vectors")
"""Columns that a memory gets when it is stored."""


def hold(connection: Connection, row: Mapping[str, Any], quotes: Sequence[Quote], suspect: str = "") -> bool:
    """Store a found fact as quarantined if it is doubtful; tell whether it is.

    It has no words in the index and takes nobody's place; nothing finds it but `waiting`. `suspect` says what else is
    wrong with it.
    """
    others = replaced(connection, row, quotes)
    because = _doubt(row, bool(others), suspect)
    if not because:
        return False
    seq = inserted(connection, {**row, "status": QUARANTINED}, Places())
    if seq is not None:  # else it was held, or decided about, before
        for quote in quotes:
            connection.execute(sources.insert().values(memory=seq, **quote))
        other = others[0].id if others else None
        change(connection, _row(connection, seq), HELD, f"held for review: {because}", other, {})
    return True


def waiting(connection: Connection, space: str) -> list[Row[Any]]:
    """Return a space's memories that wait for a person, in the order of storing.

    Beside their columns they have `because`, the reason, and `other`, the id of a memory they disagree with.
    """
    query = (
        select(memories, changes.c.because, changes.c.by.label("other"))
        .select_from(memories)
        .join(changes, changes.c.memory == memories.c.seq)
        .where(memories.c.space == space, memories.c.status == QUARANTINED, changes.c.what == HELD)
    )
    found = connection.execute(query.order_by(memories.c.seq)).all()
    standing = ((row, last_change(connection, row)) for row in found)
    return [row for row, last in standing if last is None or last.what != REJECTED]


def approve(connection: Connection, row: Row[Any], text: str | None) -> str:
    """Let a held fact in, as if it were found now; return the id of the memory that holds it.

    What it disagrees with is superseded by it, what says the same gets its sources.

    Args:
        connection: Of a transaction that writes.
        row: The held fact.
        text: What it is to say instead.

    Raises:
        BadInput: It does not wait for anybody, or the text cannot be its.
    """
    if row.seq not in {each.seq for each in waiting(connection, row.space)}:
        raise BadInput(f"{row.id!r} does not wait for review: `hippograph review` lists what does.")
    resting = select(sources.c.turn, sources.c.quote, sources.c.start, sources.c.end)
    quotes = [each._asdict() for each in connection.execute(resting.where(sources.c.memory == row.seq))]
    values = changed(dict(row._mapping), {"text": text}) if text is not None and text != row.text else {}
    columns = {name: value for name, value in row._mapping.items() if name in memories.c and name not in _OWN}
    connection.execute(memories.delete().where(memories.c.seq == row.seq))  # and with it all that was noted of it
    arrived = arrive(connection, {**columns, **values, "status": "current", "confidence": 1.0}, quotes)
    stored = one(connection, arrived.id, row.space)
    change(connection, stored, APPROVED, "approved in review", None, {})
    if values and arrived.what == "stored":
        before = kept({name: row._mapping[name] for name in values})
        change(connection, stored, UPDATED, "updated: text, in review", None, {}, **before)
    return arrived.id


def reject(connection: Connection, row: Row[Any]) -> None:
    """Take a memory out of recall, held or current: it stays quarantined; `undo` takes that back."""
    change(connection, row, REJECTED, "rejected in review", None, {"status": QUARANTINED})


def _doubt(row: Mapping[str, Any], disagrees: bool, suspect: str) -> str:
    """Return why a person should look at a found fact, quoting nothing; empty where nothing speaks against it."""
    reasons = [f"it was not said for sure (confidence {row['confidence']:.2f})"] if row["confidence"] < UNSURE else []
    reasons += [f"it {suspect}"] if suspect else []
    return "; ".join([*reasons, *(["it disagrees with what is known"] if disagrees else [])])


def _row(connection: Connection, seq: int) -> Row[Any]:
    return connection.execute(select(memories).where(memories.c.seq == seq)).one()
