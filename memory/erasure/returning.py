"""What an import would bring back although it was forgotten."""

from collections.abc import Mapping

from sqlalchemy import Connection

from hippograph.memory.erasure.tombstones import buried, lift


def returning(connection: Connection, space: str, texts: Mapping[str, str]) -> set[str]:
    """Return the ids of those memories, given with their texts, that were forgotten in a space by id or by text."""
    ids, said = buried(connection, space, ids=texts), buried(connection, space, texts={*texts.values()})
    return {id_ for id_, text in texts.items() if id_ in ids or text in said}


def let_return(connection: Connection, space: str, texts: Mapping[str, str]) -> None:
    """Let memories, given by id with their texts, be stored again although they were forgotten."""
    if back := returning(connection, space, texts):
        lift(connection, space, ids=back, texts={texts[id_] for id_ in back})
