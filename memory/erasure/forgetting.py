"""Forgetting: what goes, and that it is gone from every place that holds it.

The ledger comes first: from the moment its transaction is on disk, nothing can be recalled of what was forgotten. The
same transaction notes what is left to do elsewhere, without a word of what it was: vectors by number, conversations by
name. Killed at any point, the rest is done when the home is next opened, or with the next forgetting.
"""

import json
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Row, select

from hippograph.memory.about import noted, remembered
from hippograph.memory.erasure import pruning
from hippograph.memory.erasure.choosing import Meant, batches, checked, meant
from hippograph.memory.erasure.erasing import Erased, erase
from hippograph.memory.ledger import Ledger, queue_again
from hippograph.memory.schema import memories
from hippograph.memory.times import now
from hippograph.memory.vectors.index import Index
from hippograph.memory.work.queue import Queue
from hippograph.memory.work.writer import Writer
from hippograph.state import Choice, HomeUnusable, Receipt

log = logging.getLogger(__name__)

UNDER_WAY, COMPACT = "forgetting", "compact"
"""What the ledger notes: what is still to be taken out of other stores, and whether files are to be compacted."""
DUE, LATER, DONE = "due", "later", "done"
"""Compacting is due at once, or left to `compact`."""

Purge = Callable[[str, Sequence[str], Sequence[str], bool], int]
"""Takes memories of a space, by id, out of a further store, with the short-term memory of some threads, or (True) all
of the space; returns of how many of its items they went."""


@dataclass(frozen=True, slots=True)
class Rest:
    """What of a forgetting is still to be done outside the ledger."""

    space: str
    everything: bool
    seqs: Sequence[int]
    """Numbers of memories whose vectors go for good."""
    again: Sequence[int]
    """Numbers of turns whose vectors go because they were made with words of what is forgotten."""
    threads: Sequence[str]
    ids: Sequence[str]


@dataclass(frozen=True, slots=True)
class Cleared:
    """What went outside the ledger."""

    vectors: int = 0
    checkpoints: int = 0
    snapshots: int = 0


class Forgetting:
    """Takes memories out of one home."""

    def __init__(self, ledger: Ledger, index: Index, queue: Queue, writer: Writer, home: Path) -> None:
        self._ledger = ledger
        self._index = index
        self._queue = queue
        self._writer = writer
        self._home = home
        self.purges: list[Purge] = []
        """Further stores that hold copies: snapshots."""

    def meant(self, space: str, choice: Choice) -> list[Row[Any]]:
        """Return what `forget` would take, with all that cannot stand without it; raises as it does."""
        checked(choice)
        with self._ledger.read() as connection:
            return meant(connection, space, choice).rows

    def forget(self, space: str, choice: Choice, *, secure: bool = True) -> Receipt:
        """Take memories out, with all that was derived from them and the short-term memory of their threads.

        Args:
            space: Whose memories.
            choice: Which.
            secure: Whether the files are compacted at once, so that no byte is left in them; else by `compact`.

        Raises:
            BadInput: Not exactly one way of choosing is given, or an id is not there; nothing is forgotten.
        """
        checked(choice)
        with self._writer.paused():  # else the writer may store a vector of what is being forgotten
            with self._ledger.write() as connection:
                taken = meant(connection, space, choice)
                erased = erase(connection, space, taken, now())
                rest = _rest(space, choice, taken, erased)
                self._note(connection, rest, secure=secure)
            cleared = self._clear(rest)
        compacted = self._compact() if self._ledger.remembered(COMPACT) == DUE else not taken.rows
        self._writer.wake()
        if erased.after:
            self._writer.catch_up(space)
        return _receipt(rest, taken, erased, cleared, compacted=compacted)

    def finish(self) -> None:
        """Do what an earlier forgetting left undone; compacting too, where it was to be done at once."""
        with self._writer.paused():
            self._clear()
        if self._ledger.remembered(COMPACT) == DUE:
            self._compact()

    def compact(self) -> bool:
        """Take the bytes of what was erased out of the files, if that is still to be done; False where it failed."""
        return not self.due() or self._compact()

    def due(self) -> bool:
        """Tell whether bytes of what was erased are still in the files."""
        return self._ledger.remembered(COMPACT) in (DUE, LATER)

    def _note(self, connection: Connection, rest: Rest, *, secure: bool) -> None:
        """Note what is to be done, with what is left of earlier times."""
        if not (rest.seqs or rest.threads or rest.everything):
            return
        left = json.loads(remembered(connection, UNDER_WAY) or "[]")
        noted(connection, forgetting=json.dumps([*left, asdict(rest)]))
        if secure or remembered(connection, COMPACT) != DUE:
            noted(connection, compact=DUE if secure else LATER)

    def _clear(self, mine: Rest | None = None) -> Cleared:
        """Take out of the other stores whatever the ledger says is left; return what went of `mine`."""
        cleared, undone = Cleared(), list[Rest]()
        left = [Rest(**each) for each in json.loads(self._ledger.remembered(UNDER_WAY) or "[]")]
        for rest in left:
            try:
                found = self._cleared(rest)
            except HomeUnusable as error:
                log.warning("What was forgotten can no longer be recalled, but is not out of all files: %s", error)
                undone.append(rest)
            else:
                cleared = found if rest == mine else cleared
        if left:
            self._ledger.note(forgetting=json.dumps([asdict(each) for each in undone]) if undone else None)
        return cleared

    def _cleared(self, rest: Rest) -> Cleared:
        vectors = self._index.remove(rest.space, rest.seqs)
        self._embed_again(rest)
        if rest.everything:
            self._index.drop(rest.space)
        pruned = pruning.prune(self._home, rest.space, rest.threads, rest.ids, everything=rest.everything)
        purged = sum(purge(rest.space, rest.ids, rest.threads, rest.everything) for purge in self.purges)
        return Cleared(vectors, pruned, purged)

    def _embed_again(self, rest: Rest) -> None:
        """Take out vectors made with forgotten words, and queue their turns: some may have new vectors already."""
        self._index.remove(rest.space, rest.again)
        with self._ledger.write() as connection:
            for batch in batches(rest.again):
                there = select(memories.c.seq).where(memories.c.seq.in_(batch), memories.c.status != "forgotten")
                queue_again(connection, rest.space, [*connection.scalars(there)], now())

    def _compact(self) -> bool:
        """Take the bytes of what was erased out of the files.

        It needs as much free disk as the ledger takes; where there is none, it is left to the next start.
        """
        try:
            self._ledger.compact()
            pruning.compact(self._home)
            with self._writer.paused():
                if not self._index.compact():
                    self._index.destroy()
                    self._queue.requeue_all()
        except HomeUnusable as error:
            log.warning("The bytes of what was forgotten stay in the files until the next start: %s", error)
            self._ledger.note(compact=DUE)
            return False
        self._ledger.note(compact=DONE)
        return True


def _rest(space: str, choice: Choice, taken: Meant, erased: Erased) -> Rest:
    thread = choice.get("thread")
    threads = {row.thread for row in taken.rows if row.thread} | ({thread} if thread else set())
    return Rest(
        space=space,
        everything=bool(choice.get("all")),
        seqs=[row.seq for row in taken.rows],
        again=[*erased.after],
        threads=sorted(threads),
        ids=[row.id for row in taken.rows],
    )


def _receipt(rest: Rest, taken: Meant, erased: Erased, cleared: Cleared, *, compacted: bool) -> Receipt:
    return Receipt(
        space=rest.space,
        ids=tuple(rest.ids),
        threads=tuple(rest.threads),
        kinds=dict(sorted(Counter(row.kind for row in taken.rows).items())),
        derived=len(taken.derived),
        revived=erased.revived,
        revised=tuple(row.id for row in taken.revised),
        sources=erased.sources,
        vectors=cleared.vectors,
        keywords=erased.keywords,
        jobs=erased.jobs,
        changes=erased.changes,
        entities=erased.entities,
        relations=erased.relations,
        checkpoints=cleared.checkpoints,
        snapshots=cleared.snapshots,
        tombstones=erased.tombstones,
        embedded_anew=len(erased.after),
        compacted=compacted,
    )
