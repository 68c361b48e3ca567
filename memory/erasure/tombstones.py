"""What is left of what was forgotten: digests that tell when it comes again, and nothing about what it was.

A digest is keyed by a secret of the home (RFC 2104), so that nobody who has the table alone can try texts against it.
An import asks `buried` before it stores, and extraction `unread`: a fact that was forgotten itself is not read out of
its turn again. What is said anew, in a new turn, is stored: it is not the old one returning.
"""

import hmac
import re
import secrets
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Row, select
from sqlalchemy.dialects.sqlite import insert

from hippograph.memory.about import noted, remembered
from hippograph.memory.keywords import space_key
from hippograph.memory.schema import tombstones

SECRET = "secret"
"""Name of the home's key among what is known of the home."""

BATCH = 300
"""Digests asked for, or stored, in one statement."""

_SPACE = re.compile(r"\s+")


def bury(connection: Connection, space: str, rows: Sequence[Row[Any]], at: datetime, read: Iterable[str] = ()) -> int:
    """Leave tombstones for memories that are being forgotten; returns how many are new.

    Args:
        connection: Of a transaction that writes.
        space: Whose memories.
        rows: What is forgotten: their ids and texts.
        at: When.
        read: Ids under which turns that stay would tell of them again.
    """
    key, stones = _key(connection), _Stones(space)
    digests = {stones.of_id(key, row.id) for row in rows}
    digests |= {stones.of_text(key, text) for row in rows if row.text for text in _texts(row)}
    digests |= {stones.of_reading(key, each) for each in read}
    new = 0
    for batch in _batches(sorted(digests)):
        values = [{"space": space_key(space), "digest": digest, "at": at} for digest in batch]
        new += connection.execute(insert(tombstones).values(values).on_conflict_do_nothing()).rowcount
    return new


def placed(text: str, place: datetime | str) -> str:
    """Return a turn's text as it is known with when it was said, or in which thread."""
    return f"{place.astimezone(UTC).isoformat() if isinstance(place, datetime) else place}\0{text}"


def _texts(row: Row[Any]) -> Sequence[str]:
    """Return the texts by which a memory is known again."""
    return [row.text, placed(row.text, row.said_at), placed(row.text, row.thread)] if row.kind == "turn" else [row.text]


def buried(
    connection: Connection, space: str, ids: Iterable[str] = (), texts: Iterable[str] = ()
) -> dict[str, datetime]:
    """Return those of some ids and texts that were forgotten in a space, as given, each with when (UTC)."""
    if (secret := remembered(connection, SECRET)) is None:
        return {}
    key, stones, found = bytes.fromhex(secret), _Stones(space), dict[str, datetime]()
    asked = {stones.of_id(key, each): each for each in ids} | {stones.of_text(key, each): each for each in texts}
    for batch in _batches([*asked]):
        query = select(tombstones).where(tombstones.c.space == space_key(space), tombstones.c.digest.in_(batch))
        found |= {asked[row.digest]: row.at for row in connection.execute(query)}
    return found


def unread(connection: Connection, space: str, ids: Sequence[str]) -> set[str]:
    """Return those ids of facts, as reading a turn gives them, that were forgotten themselves, not with the turn."""
    if (secret := remembered(connection, SECRET)) is None:
        return set()
    key, stones, found = bytes.fromhex(secret), _Stones(space), set[str]()
    asked = {stones.of_reading(key, each): each for each in ids}
    for batch in _batches([*asked]):
        query = select(tombstones.c.digest).where(tombstones.c.space == space_key(space))
        found |= {asked[each] for each in connection.scalars(query.where(tombstones.c.digest.in_(batch)))}
    return found


def resent(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> set[str]:
    """Return the ids of those rows that were forgotten with this id and this text: they are sent again, not said anew.

    Args:
        connection: To the ledger.
        rows: Rows to be, of one space, with `space`, `id` and `text`.
    """
    if not rows:
        return set()
    known = buried(connection, rows[0]["space"], (row["id"] for row in rows), (row["text"] for row in rows))
    return {row["id"] for row in rows if row["id"] in known and row["text"] in known} if known else set()


def lift(connection: Connection, space: str, ids: Iterable[str] = (), texts: Iterable[str] = ()) -> int:
    """Take tombstones away, so that what lies under them may be stored again; returns how many there were."""
    key, stones = _key(connection), _Stones(space)
    ids = [*ids]
    digests = {of(key, each) for of in (stones.of_id, stones.of_reading) for each in ids}
    digests |= {stones.of_text(key, each) for each in texts}
    gone = 0
    for batch in _batches(sorted(digests)):
        lifted = tombstones.delete().where(tombstones.c.space == space_key(space), tombstones.c.digest.in_(batch))
        gone += connection.execute(lifted).rowcount
    return gone


class _Stones:
    """The digests of one space: those of different spaces, and of ids and texts, never meet."""

    def __init__(self, space: str) -> None:
        self._space = space_key(space)

    def of_id(self, key: bytes, id_: str) -> str:
        return self._digest(key, "id", id_)

    def of_reading(self, key: bytes, id_: str) -> str:
        return self._digest(key, "reading", id_)

    def of_text(self, key: bytes, text: str) -> str:
        return self._digest(key, "text", _SPACE.sub("", unicodedata.normalize("NFKC", text).casefold()))

    def _digest(self, key: bytes, what: str, said: str) -> str:
        return hmac.digest(key, f"{self._space} {what} {said}".encode("utf-8", "replace"), "sha256").hex()[:32]


def _key(connection: Connection) -> bytes:
    """Return the home's secret, made when it is first needed."""
    if (known := remembered(connection, SECRET)) is None:
        known = secrets.token_hex(32)
        noted(connection, secret=known)
    return bytes.fromhex(known)


def _batches(digests: Sequence[str]) -> Iterable[Sequence[str]]:
    return (digests[start : start + BATCH] for start in range(0, len(digests), BATCH))
