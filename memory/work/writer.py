"""The background writer: embeds queued memories in batches and puts them into the index.

The queue is in the ledger: whatever is killed, a memory stays queued until its vectors are stored, and storing them
again replaces them. A reader that needs the newest turns indexes them itself (`catch_up`), under the same lock. A text
longer than a batch is embedded without that lock, and nobody waits for it.
"""

import logging
import time
from collections import Counter
from collections.abc import Sequence

from hippograph.memory.vectors.chroma import made_again
from hippograph.memory.vectors.index import Index, Passage
from hippograph.memory.vectors.passages import passages
from hippograph.memory.work.line import Line
from hippograph.memory.work.outage import AWAY, Outage
from hippograph.memory.work.queue import Due, Queue, spoken
from hippograph.memory.work.worker import Worker
from hippograph.state import ModelError

BATCH, BATCH_CHARS = 16, 6000
"""Memories, and their characters, embedded in one go; recall waits for one batch at most, and makes one itself."""
SLICE = 8
"""Passages embedded between two looks whether to stop."""
PATIENCE = 5.0
"""Seconds that recall waits for a batch in hand before it goes on with keywords alone."""
IDLE = 2.0
"""Seconds between looks for jobs that became due."""

log = logging.getLogger(__name__)


class Writer:
    """A worker that empties the queue into the index."""

    def __init__(self, queue: Queue, index: Index) -> None:
        self._queue = queue
        self._index = index
        self._indexing = Line()
        self._outage = Outage()
        self._worker = Worker("hippograph-writer", self._step, IDLE)

    def start(self) -> None:
        """Begin, with whatever an earlier process left in the queue."""
        self._worker.start()

    def wake(self) -> None:
        """Say that there are new jobs."""
        self._worker.wake()

    def hurry(self) -> None:
        """Say that the model is to be asked now, though it was away."""
        self._outage.hurry()
        self.wake()

    def catch_up(self, space: str) -> bool:
        """Index a space's newest pending memories now; False where some must wait for the background."""
        fresh, failing = self._queue.waiting("index", space)
        if not fresh:
            return not failing
        if self._index.harm:
            self.wake()
            return False
        if self._outage.lasts:
            return False
        if not self._indexing.acquire(timeout=PATIENCE):
            return False
        try:
            self._index_all(self._queue.claim(BATCH, BATCH_CHARS, space))
            return self._queue.waiting("index", space) == (0, 0)
        finally:
            self._indexing.release()

    def flush(self, timeout: float | None = None) -> bool:
        """Wait until nothing new is pending; False where time ran out, the model is away or some keep failing."""
        deadline = None if timeout is None else time.monotonic() + timeout
        outages = self._outage.times
        self.hurry()
        while self._queue.fresh("index"):
            over = deadline is not None and time.monotonic() >= deadline
            if over or self._outage.times > outages or not self._worker.runs:
                return False
            time.sleep(0.01)
        return not self._queue.failing("index")

    def close(self) -> None:
        """Stop after the batch in hand; what is left stays queued."""
        self._worker.stop()

    def paused(self) -> Line:
        """Return the lock that keeps the index still while it is held; a long text may be in it by half."""
        return self._indexing

    def _step(self) -> bool:
        with self._indexing:
            if self._index.harm:
                self._make_again(self._index.harm)
            if self._outage.lasts:
                return False
            due = self._queue.claim(BATCH, BATCH_CHARS)
            return self._index_all(due)

    def _make_again(self, harm: str) -> None:
        log.warning("%s", made_again(self._index.folder, harm))
        self._index.destroy()
        self._queue.requeue_all()

    def _index_all(self, due: Sequence[Due]) -> bool:
        """Index what was claimed; returns whether there is sense in going on at once."""
        try:
            for space in dict.fromkeys(job.space for job in due):
                self._index_space(space, [job for job in due if job.space == space])
        except AWAY as error:
            self._away([job.seq for job in due], error)
            return False
        if due:
            self._outage.over()
        return bool(due)

    def _index_space(self, space: str, due: Sequence[Due]) -> None:
        """Index some memories together; if that fails, each alone, so that one bad text holds up no other.

        Raises:
            ModelError: The model is away: one of AWAY.
        """
        try:
            self._store(space, due)
        except Exception as error:
            if self._index.harm:
                return  # all are queued anew when the index is made again
            if isinstance(error, AWAY) and not self._outage.is_theirs([job.seq for job in due]):
                raise
            if len(due) == 1:
                log.warning("A memory could not be indexed and stays queued: %s", error)
                self._queue.failed("index", [due[0].seq], str(error))
            else:
                for job in due:
                    self._index_space(space, [job])

    def _store(self, space: str, due: Sequence[Due]) -> None:
        pieces = [Passage(job.seq, n, text) for job in due for n, text in enumerate(self._passages(job))]
        is_long = len(due[0].text) > BATCH_CHARS  # it is alone then, and in the background's hands
        for start in range(0, len(pieces), SLICE):
            if self._worker.stopping:
                return  # begun again when the home is opened
            some = pieces[start : start + SLICE]
            if not is_long:
                self._index.add(space, some)
            elif not self._store_aside(due[0], some):
                return
        self._queue.done(Counter(piece.seq for piece in pieces))

    def _store_aside(self, job: Due, some: Sequence[Passage]) -> bool:
        """Store passages of a long text; nobody waits while they are embedded. False where it is no longer in hand."""
        with self._indexing.aside():
            vectors = self._index.embedded(some)
        if not self._queue.in_hand(job):  # forgotten or reworded meanwhile, with all that was stored of it
            return False
        self._queue.done({job.seq: some[-1].n + 1}, wholly=False)
        self._index.add(job.space, some, vectors)
        return True

    def _away(self, seqs: Sequence[int], error: ModelError) -> None:
        """Put what is left of a batch back, and ask the model for nothing until it may be there again."""
        pause, given_up = self._outage.pause, self._outage.is_given_up
        if not self._outage.is_on:
            log.warning("Memories wait to be indexed: %s", error)
        self._queue.postponed("index", seqs, str(error), pause, given_up=given_up)
        self._outage.noticed(seqs, pause)

    def _passages(self, job: Due) -> list[str]:
        return passages(spoken(job.speaker, job.text), job.before, self._index.embedder.chunk_chars)
