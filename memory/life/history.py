"""A memory's life as it was written down: its own, and of those before and after it in its place."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, select

from hippograph.memory.ledger import Ledger, living, sources_of
from hippograph.memory.schema import changes, memories
from hippograph.state import BadInput, Step


class History:
    """Tells the lives of one home's memories."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def of(self, id: str, space: str | None) -> list[Step]:  # noqa: A002
        """Return what happened to a memory and to all of its line, the oldest first; BadInput if there is none."""
        with self._ledger.read() as connection:
            line = _line(connection, one(connection, id, space))
            turns = _turns(connection, line)
            told = [_stored(row, turns) for row in line.values()]
            query = select(changes).where(changes.c.memory.in_(line)).order_by(changes.c.seq)
            told += [_changed(each, line[each.memory], turns) for each in connection.execute(query)]
        return sorted(told, key=lambda step: step.at)


def one(connection: Connection, id: str, space: str | None) -> Row[Any]:  # noqa: A002
    """Return the row of one memory that is not forgotten, whatever its status.

    Raises:
        BadInput: There is none, or several spaces have one of this id and `space` does not say which.
    """
    rows = connection.execute(living(space).where(memories.c.id == id)).all()
    if not rows:
        raise BadInput(f"There is no memory {id!r}: `hippograph memories` lists those there are.")
    if len(rows) > 1:
        raise BadInput(f"{len(rows)} spaces have a memory {id!r}: say which with space=.")
    return rows[0]


def _line(connection: Connection, row: Row[Any]) -> dict[int, Row[Any]]:
    """Return a memory with all that took its place or whose place it took, however indirectly, in order of storing."""
    found, wave = {row.seq: row}, [row]
    while wave:
        ids = [each.id for each in wave]
        after = [each.superseded_by for each in wave if each.superseded_by]
        near = memories.c.superseded_by.in_(ids) | memories.c.id.in_(after)
        rows = connection.execute(living(row.space).where(near)).all()
        wave = [each for each in rows if each.seq not in found]
        found |= {each.seq: each for each in wave}
    return dict(sorted(found.items()))


def _turns(connection: Connection, line: Mapping[int, Row[Any]]) -> dict[str, tuple[str, ...]]:
    """Return for each memory's id the turns it rests on; its own id where it was given directly."""
    quotes = sources_of(connection, [*line])
    return {row.id: _ids(quotes.get(seq, ())) or (row.id,) for seq, row in line.items()}


def _ids(quotes: Iterable[Row[Any]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.id for each in quotes))


def _stored(row: Row[Any], turns: Mapping[str, Sequence[str]]) -> Step:
    return _step(row, turns, at=row.recorded_at, what="stored")


def _changed(each: Row[Any], row: Row[Any], turns: Mapping[str, Sequence[str]]) -> Step:
    by_turns = turns.get(each.by, (each.by,)) if each.by else ()
    return _step(
        row,
        turns,
        at=each.at,
        what=each.what,
        because=each.because,
        by=each.by,
        by_turns=tuple(by_turns),
        before=each.before,
    )


def _step(row: Row[Any], turns: Mapping[str, Sequence[str]], **told: Any) -> Step:  # noqa: ANN401 - a step's fields
    return Step(
        memory=row.id, text=row.text, status=row.status, said_at=row.said_at, turns=tuple(turns[row.id]), **told
    )
