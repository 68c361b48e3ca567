"""Forgetting: what goes, and that it is gone from every place that holds it.

The ledger comes first: from the moment its transaction is on disk, nothing can be recalled of what was forgotten. The
same transaction notes what is left to do elsewhere, without a word of what it was: vectors by number, conversations by
name. Every step that is done is noted too. Killed at any point, or kept from a disk that is away, the rest is done when
the home is next opened, or with the next forgetting. Snapshots can take minutes: vectors are made meanwhile.
"""

import logging
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Row, select

from hippograph.memory.about import noted, remembered
from hippograph.memory.costs.erasing import Scrubbed, forget_costs
from hippograph.memory.erasure import pruning
from hippograph.memory.erasure.choosing import Meant, batches, checked, meant
from hippograph.memory.erasure.erasing import Erased, erase
from hippograph.memory.erasure.rest import CHECKPOINTS, VECTORS, Rest, leave, left
from hippograph.memory.ledger import Ledger, living, queue_again
from hippograph.memory.schema import memories
from hippograph.memory.times import now
from hippograph.memory.vectors.index import Index
from hippograph.memory.work.queue import Queue
from hippograph.memory.work.writer import Writer
from hippograph.state import Choice, HomeUnusable, Receipt

log = logging.getLogger(__name__)

COMPACT = "compact"
DUE, LATER, DONE = "due", "later", "done"
"""What the ledger notes of compacting: it is due at once, or left to `compact`."""

Purge = Callable[[Rest], int]
"""Takes what is forgotten out of a store; returns of how many of its items it went."""


class Forgetting:
    """Takes memories out of one home."""

    def __init__(self, ledger: Ledger, index: Index, queue: Queue, writer: Writer, home: Path) -> None:
        self._ledger = ledger
        self._index = index
        self._queue = queue
        self._writer = writer
        self._home = home
        self._one = threading.RLock()
        """Held by whoever forgets, finishes or compacts. Taken before the writer is paused, never after."""
        self.purges: Callable[[], Mapping[str, Purge]] = dict
        """Further stores that hold copies, by name: the folders of snapshots."""
        self.recorded: Callable[[], object] = bool
        """Stores what is only noted yet of turns that have ended, so that it can be forgotten too."""

    def meant(self, space: str, choice: Choice) -> list[Row[Any]]:
        """Return what `forget` would take, with all that cannot stand without it; raises as it does."""
        return self.chosen(space, choice).rows

    def chosen(self, space: str, choice: Choice) -> Meant:
        """Return all that `forget` would touch; raises as it does."""
        checked(choice)
        with self._ledger.read() as connection:
            return meant(connection, space, choice)

    def forget(self, space: str, choice: Choice, *, secure: bool = True, everywhere: bool = True) -> Receipt:
        """Take memories out, with all that was derived from them and the short-term memory of their threads.

        Args:
            space: Whose memories.
            choice: Which.
            secure: Whether the files are compacted at once, so that no byte is left in them; else by `compact`.
            everywhere: Also from the short-term memory of conversations that were shown it, and from snapshots.

        Raises:
            BadInput: Not exactly one way of choosing is given, or an id is not there; nothing is forgotten.
        """
        checked(choice)
        with self._one:
            self.recorded()
            # Paused, else the writer may store a vector of what is being forgotten.
            with self._writer.paused(), self._ledger.write() as connection:
                taken = meant(connection, space, choice)
                erased = erase(connection, space, taken, now())
                scrubbed = _scrubbed(connection, space, choice, taken)
                rest = _rest(space, choice, taken, erased)
                if not everywhere:
                    rest = replace(rest, done=dict.fromkeys([CHECKPOINTS, *self.purges()], 0))
                begun = self._note(connection, rest, secure=secure)
            cleared = self._clear()[-1] if begun else rest
            compacted = self._compact() if self._ledger.remembered(COMPACT) == DUE else not (rest.seqs or rest.reworded)
        self._writer.wake()
        if erased.after:
            self._writer.catch_up(space)
        return _receipt(cleared, taken, erased, scrubbed, compacted=compacted)

    def take(self, space: str, ids: Sequence[str], *, secure: bool = True, everywhere: bool = True) -> Receipt:
        """Forget those of some memories that are still there, as `forget` does: others may be forgetting them too."""
        with self._one:
            with self._ledger.read() as connection:
                left = [living(space).where(memories.c.id.in_(batch)) for batch in batches(ids)]
                there = [row.id for query in left for row in connection.execute(query)]
            return self.forget(space, Choice(ids=there), secure=secure, everywhere=everywhere)

    def finish(self) -> None:
        """Do what an earlier forgetting left undone; compacting too, where it was to be done at once."""
        with self._one:
            self._clear()
            if self._ledger.remembered(COMPACT) == DUE:
                self._compact()

    @contextmanager
    def finished(self) -> Iterator[None]:
        """Let nobody forget until the block ends, and finish what was begun: for the home's files to be copied.

        Raises:
            HomeUnusable: They still hold what was forgotten.
        """
        with self._one:
            self.finish()
            if self._unclean():
                raise HomeUnusable(
                    "Files still hold what was forgotten: close what uses them, free some space, and try again."
                )
            yield

    def compact(self) -> bool:
        """Take the bytes of what was erased out of the files, if that is still to be done; False where it failed."""
        with self._one:
            return not self.due() or self._compact()

    def due(self) -> bool:
        """Tell whether bytes of what was erased are still in the files."""
        return self._ledger.remembered(COMPACT) in (DUE, LATER)

    def _note(self, connection: Connection, rest: Rest, *, secure: bool) -> bool:
        """Note what is to be done, after what is left of earlier times; False where there is nothing to do."""
        if not (rest.seqs or rest.threads or rest.everything or rest.reworded):
            return False
        leave(connection, [*left(connection), rest])
        if secure or remembered(connection, COMPACT) != DUE:
            noted(connection, compact=DUE if secure else LATER)
        return True

    def _clear(self) -> list[Rest]:
        """Take out of the other stores whatever the ledger says is left; return it with what is done of it."""
        with self._ledger.read() as connection:
            rests = left(connection)
        for place in range(len(rests)):
            self._step(rests, place, VECTORS, self._vectors)
            self._step(rests, place, CHECKPOINTS, self._checkpoints)
            for name, purge in self.purges().items() if rests[place].clean else ():
                self._step(rests, place, name, purge)
        if rests:
            self._leave(rests)
        return rests

    def _step(self, rests: list[Rest], place: int, name: str, purge: Purge) -> None:
        """Do a step of one of several forgettings and note it, unless it is done or cannot be done now."""
        if name in rests[place].done:
            return
        try:
            rests[place] = rests[place].after(name, purge(rests[place]))
        except HomeUnusable as error:
            log.warning("What was forgotten can no longer be recalled, but is not out of all files: %s", error)
        else:
            self._leave(rests)

    def _leave(self, rests: list[Rest]) -> None:
        """Note those forgettings of which something is left."""
        names = self.purges().keys()
        with self._ledger.write() as connection:
            leave(connection, [each for each in rests if not each.clean or names - each.done.keys()])

    def _unclean(self) -> bool:
        """Tell whether the home's own files are still to be cleared of something."""
        with self._ledger.read() as connection:
            return any(not rest.clean for rest in left(connection))

    def _vectors(self, rest: Rest) -> int:
        with self._writer.paused():
            vectors = self._index.remove(rest.space, rest.seqs)
            self._embed_again(rest)
            if rest.everything and self._empty(rest.space):
                self._index.drop(rest.space)
        return vectors

    def _empty(self, space: str) -> bool:
        """Tell whether a space holds nothing: it may have been told something since all of it was forgotten."""
        with self._ledger.read() as connection:
            return connection.execute(living(space).limit(1)).first() is None

    def _checkpoints(self, rest: Rest) -> int:
        held = [*rest.ids, *rest.reworded]
        return pruning.prune(self._home, rest.space, rest.threads, held, everything=rest.everything)

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
        if self._unclean():
            return False
        self._ledger.note(compact=DONE)
        return True


def _scrubbed(connection: Connection, space: str, choice: Choice, taken: Meant) -> Scrubbed:
    """Take what was forgotten out of what turns cost, if anything was."""
    everything, thread = bool(choice.get("all")), choice.get("thread")
    if not (taken.rows or taken.reworded or everything or thread):
        return Scrubbed(0, 0)
    ids = [row.id for row in taken.rows]
    return forget_costs(connection, space, ids, [thread] if thread else [], everything=everything)


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
        reworded=sorted({row.id for row in taken.reworded}),
    )


def _receipt(rest: Rest, taken: Meant, erased: Erased, scrubbed: Scrubbed, *, compacted: bool) -> Receipt:
    return Receipt(
        space=rest.space,
        ids=tuple(rest.ids),
        threads=tuple(rest.threads),
        kinds=dict(sorted(Counter(row.kind for row in taken.rows).items())),
        derived=len(taken.derived),
        revived=erased.revived,
        revised=tuple(row.id for row in taken.revised),
        sources=erased.sources,
        vectors=rest.done.get(VECTORS, 0),
        keywords=erased.keywords,
        jobs=erased.jobs,
        blocks=erased.blocks,
        changes=erased.changes,
        entities=erased.entities,
        relations=erased.relations,
        checkpoints=rest.done.get(CHECKPOINTS, 0),
        snapshots=rest.snapshots,
        tombstones=erased.tombstones,
        embedded_anew=len(erased.after),
        figures=scrubbed.figures,
        samples=scrubbed.samples,
        compacted=compacted,
    )
