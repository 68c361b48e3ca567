"""Short-term memory, pruned: the checkpoints of conversations in which something was said that is to be forgotten."""

import re
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from hippograph.memory.ledger import READERS_MAY_TAKE, translated
from hippograph.state import HomeUnusable, space_hash, thread_key

FILE = "checkpoints.db"
"""The home's short-term memory: the conversation graph's checkpoints."""
TABLES = ("writes", "checkpoints")
TIMEOUT = 30.0
"""Seconds that a graph in the middle of a step is waited for."""
FEW = 200
"""Ids that are looked for one by one; of more, those made by `uuid4`, and any other conversation goes with them."""

_OWNED = "SELECT DISTINCT thread_id FROM checkpoints WHERE instr(checkpoint, CAST(? AS BLOB)) > 0"
"""Threads with a checkpoint whose state names an owner: the graph writes the owner's hash into each."""
_LATEST_OWNED = (
    "SELECT thread_id FROM checkpoints WHERE thread_id = ?1 AND instr(checkpoint, CAST(?2 AS BLOB)) > 0 "
    "AND checkpoint_id = (SELECT max(checkpoint_id) FROM checkpoints WHERE thread_id = ?1)"
)
_EARLIER = (
    "DELETE FROM {table} WHERE (thread_id, checkpoint_ns, checkpoint_id) IN (SELECT thread_id, checkpoint_ns, "
    "checkpoint_id FROM checkpoints WHERE thread_id = ?1 AND instr(checkpoint, CAST(?2 AS BLOB)) > 0)"
)
_UUID = re.compile(rb"[0-9a-f]{32}")


def prune(home: Path, space: str, threads: Sequence[str], ids: Sequence[str], *, everything: bool) -> int:
    """Delete checkpoints: those of some threads, those that hold a memory of given ids, or all of a space.

    An answer and a rolling summary rest on what was recalled for them: a conversation whose checkpoints hold a memory
    loses all of its short-term state, wherever the memory was said. Another user's of the same name is spared.

    Returns:
        How many checkpoints went.
    """
    with _opened(home) as connection:
        if connection is None:
            return 0
        owner = space_hash(space)
        owned = {thread for (thread,) in connection.execute(_OWNED, (owner,))}
        named = owned if everything else {*threads} | _holding(connection, owned, ids)
        # A plain thread name may by now be another user's: only one whose latest checkpoint is this user's goes.
        keys = {key for key in named if connection.execute(_LATEST_OWNED, (key, owner)).fetchone()}
        keys |= {thread_key(space, thread) for thread in threads}
        there = "SELECT count(*) FROM checkpoints"
        before = connection.execute(there).fetchone()[0]
        for table in TABLES:
            connection.executemany(f"DELETE FROM {table} WHERE thread_id = ?", [(key,) for key in keys])
            connection.executemany(_EARLIER.format(table=table), [(key, owner) for key in named - keys])
        connection.commit()
        return int(before - connection.execute(there).fetchone()[0])


def compact(home: Path) -> None:
    """Give the space of deleted checkpoints back, so that their bytes are nowhere in the files.

    Raises:
        HomeUnusable: Somebody reads or writes them just now, or the disk is full.
    """
    with _opened(home) as connection:
        if connection is None:
            return
        connection.execute("VACUUM")
        for wait in READERS_MAY_TAKE:
            busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if not busy:
                return
            time.sleep(wait)
    raise HomeUnusable(f"{home / FILE} is being read, so what was erased is still in its log.")


@contextmanager
def _opened(home: Path) -> Iterator[sqlite3.Connection | None]:
    """Give a connection to the checkpoints; None where there are none."""
    path = home / FILE
    if not path.exists():
        yield None
        return
    with translated(path), closing(sqlite3.connect(path, timeout=TIMEOUT)) as connection:
        connection.execute("PRAGMA secure_delete=ON")
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        yield connection if tables >= {*TABLES} else None


def _holding(connection: sqlite3.Connection, owned: set[str], ids: Sequence[str]) -> set[str]:
    """Return those of a space's threads whose short-term state holds a memory of given ids."""
    wanted, found = [each.encode() for each in ids], set[str]()
    uuids = {each for each in wanted if _UUID.fullmatch(each)}
    others = [packed for each in wanted if each not in uuids for packed in _packed(each)]
    if len(others) > 2 * FEW:
        return owned
    for table, column in (("checkpoints", "checkpoint"), ("writes", "value")):
        for thread, state in connection.execute(f"SELECT thread_id, {column} FROM {table}"):
            if thread in owned and thread not in found and state:
                held = not uuids.isdisjoint(_UUID.findall(state)) or any(each in state for each in others)
                found |= {thread} if held else set()
    return found


def _packed(id_: bytes) -> Sequence[bytes]:
    """Return how an id of another kind ("1") stands in a state, as MessagePack and as JSON, apart from longer texts."""
    length = len(id_)
    head = bytes([0xA0 | length]) if length < 32 else bytes([0xD9, length]) if length < 256 else b""
    return head + id_, b'"' + id_ + b'"'
