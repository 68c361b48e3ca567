"""The background writer: embeds queued memories in batches and puts them into the index.

The queue is in the ledger: whatever is killed, a memory stays queued until its vectors are stored, and storing them
again replaces them. A reader that needs the newest turns indexes them itself (`catch_up`), under the same lock.
"""

import logging
import threading
import time
from collections import Counter
from collections.abc import Sequence

from hippograph.memory.vectors.chroma import made_again
from hippograph.memory.vectors.index import Index, Passage
from hippograph.memory.vectors.passages import passages
from hippograph.memory.work.queue import Due, Queue, spoken
from hippograph.memory.work.worker import Worker

BATCH, BATCH_CHARS = 16, 6000
"""Memories, and their characters, embedded in one go; recall waits for one batch at most, and makes one itself."""
SLICE = 8
"""Passages embedded between two looks whether to stop."""
PATIENCE = 5.0
"""Seconds that recall waits for a batch in hand (one text may be very long) before it goes on with keywords alone."""
IDLE = 2.0
"""Seconds between looks for jobs that became due."""

log = logging.getLogger(__name__)


class Writer:
    """A worker that empties the queue into the index."""

    def __init__(self, queue: Queue, index: Index) -> None:
        self._queue = queue
        self._index = index
        self._indexing = threading.Lock()
        self._worker = Worker("hippograph-writer", self._step, IDLE)

    def start(self) -> None:
        """Begin, with whatever an earlier process left in the queue."""
        self._worker.start()

    def wake(self) -> None:
        """Say that there are new jobs."""
        self._worker.wake()

    def catch_up(self, space: str) -> bool:
        """Index a space's newest pending memories now; False where some must wait for the background."""
        fresh, failing = self._queue.waiting("index", space)
        if not fresh:
            return not failing
        if self._index.harm:
            self.wake()
            return False
        if not self._indexing.acquire(timeout=PATIENCE):
            return False
        try:
            self._index_all(self._queue.claim(BATCH, BATCH_CHARS, space))
            return self._queue.waiting("index", space) == (0, 0)
        finally:
            self._indexing.release()

    def flush(self, timeout: float | None = None) -> bool:
        """Wait until nothing new is pending; False where time ran out or what is left keeps failing."""
        deadline = None if timeout is None else time.monotonic() + timeout
        self.wake()
        while self._queue.fresh("index"):
            if not self._worker.runs or (deadline is not None and time.monotonic() >= deadline):
                return False
            time.sleep(0.01)
        return not self._queue.failing("index")

    def close(self) -> None:
        """Stop after the batch in hand; what is left stays queued."""
        self._worker.stop()

    def paused(self) -> threading.Lock:
        """Return the lock that keeps the index still while it is held."""
        return self._indexing

    def _step(self) -> bool:
        with self._indexing:
            if self._index.harm:
                self._make_again(self._index.harm)
            due = self._queue.claim(BATCH, BATCH_CHARS)
            self._index_all(due)
        return bool(due)

    def _make_again(self, harm: str) -> None:
        log.warning("%s", made_again(self._index.folder, harm))
        self._index.destroy()
        self._queue.requeue_all()

    def _index_all(self, due: Sequence[Due]) -> None:
        for space in dict.fromkeys(job.space for job in due):
            self._index_space(space, [job for job in due if job.space == space])

    def _index_space(self, space: str, due: Sequence[Due]) -> None:
        """Index some memories together; if that fails, each alone, so that one bad text holds up no other."""
        pieces = [Passage(job.seq, n, text) for job in due for n, text in enumerate(self._passages(job))]
        try:
            for start in range(0, len(pieces), SLICE):
                if self._worker.stopping:
                    return  # begun again when the home is opened
                self._index.add(space, pieces[start : start + SLICE])
            self._queue.done(Counter(piece.seq for piece in pieces))
        except Exception as error:
            if self._index.harm:
                return  # all are queued anew when the index is made again
            if len(due) == 1:
                log.warning("A memory could not be indexed and stays queued: %s", error)
                self._queue.failed("index", [due[0].seq], str(error))
            else:
                for job in due:
                    self._index_space(space, [job])

    def _passages(self, job: Due) -> list[str]:
        return passages(spoken(job.speaker, job.text), job.before, self._index.embedder.chunk_chars)
