"""The shelf: documents in the ledger, each piece a memory; a document stored again takes the place of what it was."""

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import PurePath
from typing import Any

from sqlalchemy import Connection, Row, select, update

from hippograph.memory.erasure.returning import let_return, returning
from hippograph.memory.exchange import rows
from hippograph.memory.exchange.documents import Document, Piece
from hippograph.memory.exchange.imported import Imported
from hippograph.memory.language import language
from hippograph.memory.ledger import Fields, Ledger
from hippograph.memory.life.changes import ARCHIVED, SUPERSEDED, change
from hippograph.memory.schema import memories
from hippograph.memory.times import now

_LIFE = ("status", "valid_until", "superseded_by", "superseded_because", "superseded_at")
"""Columns that say whether a memory still holds."""
REVIVED = "revived"
"""What happens to a piece that its document has again, as `changes.what`."""


class Shelf:
    """The documents of one ledger."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def put(self, space: str, document: Document, *, restore_forgotten: bool = False) -> Imported:
        """Store a document in one transaction: new pieces are added, those it has no longer end, all others stay.

        Args:
            space: Whose it is.
            document: What was read.
            restore_forgotten: Store also what was forgotten in this space.
        """
        with self._ledger.write() as connection:
            known = _known(connection, space, document.origin)
            said = {piece.id: [piece.text] for piece in document.pieces if piece.id not in known}
            if restore_forgotten:
                let_return(connection, space, said)
            left_out = returning(connection, space, said)
            pieces = [piece for piece in document.pieces if piece.id not in left_out]
            current = [row.id for row in known.values() if row.status == "current"]
            ids = [piece.id for piece in pieces]
            fresh = [(place, piece) for place, piece in enumerate(pieces, 1) if piece.id not in known]
            rows.put(connection, [_row(space, document, piece, place) for place, piece in fresh])
            _placed(connection, known, ids)
            back = [known[each] for each in ids if each in known and _ended_here(known[each], known)]
            _revive(connection, back, document)
            rows.index(connection, {row.seq: space for row in back if not row.vectors})
            gone = _replaced(current, ids)
            _end(connection, [(known[id_], by) for id_, by in gone.items()], document)
        stored = len(fresh) + len(back)
        return Imported(
            stored=stored,
            known=len(pieces) - stored,
            gone=len(gone),
            forgotten=len(left_out),
            notes=document.notes,
        )


def _known(connection: Connection, space: str, origin: str) -> dict[str, Row[Any]]:
    """Return what is stored of a document by id, in its order."""
    query = select(memories).where(
        memories.c.space == space,
        memories.c.origin == origin,
        memories.c.kind == "document",
        memories.c.status != "forgotten",
    )
    return {row.id: row for row in connection.execute(query.order_by(memories.c.position, memories.c.seq))}


def _row(space: str, document: Document, piece: Piece, place: int) -> Fields:
    return {
        "space": space,
        "id": piece.id,
        "kind": "document",
        "status": "current",
        "text": piece.text,
        "thread": document.origin,
        "position": place,
        "topic": piece.topic,
        "origin": document.origin,
        "said_at": document.said_at,
        "valid_from": document.said_at,
        "recorded_at": now(),
        "language": language(piece.text),
    }


def _placed(connection: Connection, known: Mapping[str, Row[Any]], ids: Sequence[str]) -> None:
    """Give pieces that were there the places they have now."""
    for place, id_ in enumerate(ids, 1):
        if id_ in known and known[id_].position != place:
            connection.execute(update(memories).where(memories.c.seq == known[id_].seq).values(position=place))


def _replaced(before: Sequence[str], after: Sequence[str]) -> dict[str, str | None]:
    """Return for each piece that is no longer there the one that stands in its place, None where none does."""
    gone: dict[str, str | None] = {}
    for what, first, end, start, stop in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if what in ("replace", "delete"):
            there = after[start:stop]
            for n, id_ in enumerate(before[first:end]):
                gone[id_] = there[min(n, len(there) - 1)] if there else None
    staying = {*after}
    return {id_: by for id_, by in gone.items() if id_ not in staying}


def _ended_here(row: Row[Any], known: Mapping[str, Row[Any]]) -> bool:
    """Tell whether a piece ended because its document had it no longer, not because upkeep put it away."""
    if row.status == "superseded":
        return row.superseded_by in known
    return bool(row.status == "archived" and row.superseded_by is None)


def _end(connection: Connection, gone: Sequence[tuple[Row[Any], str | None]], document: Document) -> None:
    name = PurePath(document.origin).name
    for row, by in gone:
        because = f"{name}, imported again, {'has another text there' if by else 'has it no longer'}"
        values = {
            "status": "superseded" if by else "archived",
            "valid_until": max(document.said_at, row.valid_from),
            "superseded_by": by,
            "superseded_because": because,
            "superseded_at": now(),
        }
        change(connection, row, SUPERSEDED if by else ARCHIVED, because, by, values)


def _revive(connection: Connection, back: Sequence[Row[Any]], document: Document) -> None:
    because = f"{PurePath(document.origin).name}, imported again, has it again"
    for row in back:
        change(connection, row, REVIVED, because, None, {**dict.fromkeys(_LIFE), "status": "current"})
