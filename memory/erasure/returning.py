"""What an import would bring back although it was forgotten."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import Connection

from hippograph.memory.erasure.tombstones import buried, lift, placed

Forms = Mapping[str, Sequence[str]]
"""Memories by id, each with the texts of which it returns if any was forgotten."""


def forms(text: str, kind: str, said_at: datetime | None, thread: str) -> Sequence[str]:
    """Return by what texts a memory is known again.

    A turn says what others may have said too ("Yes."): it is the same one if it was said at the same time, or, where
    that is not known, in the same thread. Anything else is known by its text.
    """
    if kind != "turn":
        return [text]
    return [placed(text, said_at or thread)] if said_at or thread else []


def returning(connection: Connection, space: str, wanted: Forms) -> set[str]:
    """Return the ids of those memories that were forgotten in a space by id or by text."""
    ids = buried(connection, space, ids=wanted)
    said = buried(connection, space, texts={text for texts in wanted.values() for text in texts})
    return {id_ for id_, texts in wanted.items() if id_ in ids or not said.keys().isdisjoint(texts)}


def let_return(connection: Connection, space: str, wanted: Forms) -> None:
    """Let memories be stored again although they were forgotten."""
    if back := returning(connection, space, wanted):
        lift(connection, space, ids=back, texts={text for id_ in back for text in wanted[id_]})
