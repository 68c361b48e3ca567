"""Forgetting: what goes, and that it is gone from every place that holds it."""

import logging
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import Row, select

from hippograph.memory import keywords
from hippograph.memory.index import Index
from hippograph.memory.ledger import BATCH, Ledger, living
from hippograph.memory.schema import memories, sources
from hippograph.memory.writer import Writer
from hippograph.state import BadInput, HomeUnusable, Receipt, space_hash, thread_key

log = logging.getLogger(__name__)

CHECKPOINTS = "checkpoints.db"
"""The home's short-term memory: the conversation graph's checkpoints."""

_OWNED = "SELECT DISTINCT thread_id FROM checkpoints WHERE instr(checkpoint, CAST(? AS BLOB)) > 0"
"""Threads with a checkpoint whose state names an owner: the graph writes the owner's hash into each."""
_LATEST_OWNED = (
    "SELECT thread_id FROM checkpoints WHERE thread_id = ?1 AND instr(checkpoint, CAST(?2 AS BLOB)) > 0 "
    "AND checkpoint_id = (SELECT max(checkpoint_id) FROM checkpoints WHERE thread_id = ?1)"
)


class Forgetting:
    """Takes memories out of one home."""

    def __init__(self, ledger: Ledger, index: Index, writer: Writer, home: Path) -> None:
        self._ledger = ledger
        self._index = index
        self._writer = writer
        self._home = home

    def forget(
        self,
        space: str,
        ids: Sequence[str] | None,
        query: str | None,
        thread: str | None,
        *,
        everything: bool,
    ) -> Receipt:
        """Take memories out, with all that was derived from them and the short-term memory of their threads.

        The ledger's rows go last: killed in between, it still knows what has to go when it is asked again.

        Raises:
            BadInput: Not exactly one way of choosing is given, or an id is not there; nothing is forgotten.
        """
        with self._writer.paused():  # else the writer may store a vector of what is being forgotten
            rows = self.meant(space, ids, query, thread, everything)
            threads = {row.thread for row in rows if row.thread} | ({thread} if thread else set())
            vectors = self._index.remove(space, [row.seq for row in rows])
            if everything:
                self._index.drop(space)
            self._forget_threads(space, sorted(threads), everything)
            if rows:
                self._ledger.note(compact="due")
            words = self._erase([row.seq for row in rows])
        self.finish()
        return Receipt(
            space=space,
            ids=tuple(row.id for row in rows),
            threads=tuple(sorted(threads)),
            vectors=vectors,
            keywords=words,
        )

    def finish(self) -> None:
        """Take the bytes of what was erased out of the ledger's file, if that is still to be done.

        It needs as much free disk as the ledger takes; where there is none, it is left to the next start.
        """
        if self._ledger.remembered("compact") != "due":
            return
        try:
            self._ledger.compact()
        except HomeUnusable as error:
            log.warning("The bytes of what was forgotten stay in the file until the next start: %s", error)
        else:
            self._ledger.note(compact="done")

    def meant(
        self, space: str, ids: Sequence[str] | None, query: str | None, thread: str | None, everything: bool
    ) -> list[Row[Any]]:
        """Return what `forget` would take, with all that rests on it."""
        rows = self._chosen(space, ids, query, thread, everything)
        return rows + self._derived(space, [row.seq for row in rows])

    def _chosen(
        self, space: str, ids: Sequence[str] | None, query: str | None, thread: str | None, everything: bool
    ) -> list[Row[Any]]:
        if sum((ids is not None, query is not None, thread is not None, everything)) != 1:
            raise BadInput("Say what to forget by exactly one of ids, query, thread or all.")
        if any(each is not None and not each.strip() for each in (query, thread)):
            raise BadInput("The text or thread to forget is empty, so nothing is forgotten: name it, or say all.")
        with self._ledger.read() as connection:
            rows = list(connection.execute(living(space)))
        if ids is not None:
            if unknown := sorted(set(ids) - {row.id for row in rows}):
                raise BadInput(f"No memory {unknown[0]!r}, so nothing is forgotten: see `hippograph memories`.")
            return [row for row in rows if row.id in set(ids)]
        if query is not None:
            return [row for row in rows if query.strip().casefold() in row.text.casefold()]
        return rows if everything else [row for row in rows if row.thread == thread]

    def _derived(self, space: str, seqs: Sequence[int]) -> list[Row[Any]]:
        """Return the memories that rest on some turns, however indirectly."""
        known, found, wave = set(seqs), list[Row[Any]](), list(seqs)
        while wave:
            rows = [row for batch in _batches(wave) for row in self._resting_on(space, batch)]
            fresh = {row.seq: row for row in rows if row.seq not in known}
            known |= fresh.keys()
            found += fresh.values()
            wave = list(fresh)
        return found

    def _resting_on(self, space: str, seqs: Sequence[int]) -> Sequence[Row[Any]]:
        query = (
            select(memories)
            .join(sources, sources.c.memory == memories.c.seq)
            .where(memories.c.space == space, sources.c.turn.in_(seqs))
        )
        with self._ledger.read() as connection:
            return connection.execute(query).all()

    def _erase(self, seqs: Sequence[int]) -> int:
        words = 0
        with self._ledger.write() as connection:
            for batch in _batches(seqs):
                words += keywords.remove(connection, batch)
                self._ledger.erase(connection, batch)
        return words

    def _forget_threads(self, space: str, threads: Sequence[str], everything: bool) -> None:
        """Delete checkpoints: those of some threads, or all that were marked as the space's."""
        path = self._home / CHECKPOINTS
        if not path.exists():
            return
        with closing(sqlite3.connect(path, timeout=30)) as connection:
            connection.execute("PRAGMA secure_delete=ON")
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if "checkpoints" not in tables:
                return
            owner = space_hash(space)
            named = {thread for (thread,) in connection.execute(_OWNED, (owner,))} if everything else {*threads}
            # A plain thread name may by now be another user's: only one whose latest checkpoint is this user's goes.
            keys = {key for key in named if connection.execute(_LATEST_OWNED, (key, owner)).fetchone()}
            keys |= {thread_key(space, thread) for thread in threads}
            for table in ("checkpoints", "writes"):
                connection.executemany(f"DELETE FROM {table} WHERE thread_id = ?", [(key,) for key in keys])
            earlier = "SELECT thread_id, checkpoint_ns, checkpoint_id FROM checkpoints WHERE thread_id = ?1 "
            earlier += "AND instr(checkpoint, CAST(?2 AS BLOB)) > 0"
            for table in ("writes", "checkpoints"):
                connection.executemany(
                    f"DELETE FROM {table} WHERE (thread_id, checkpoint_ns, checkpoint_id) IN ({earlier})",
                    [(key, owner) for key in named - keys],
                )
            connection.commit()
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _batches(seqs: Sequence[int]) -> Iterable[Sequence[int]]:
    return (seqs[start : start + BATCH] for start in range(0, len(seqs), BATCH))
