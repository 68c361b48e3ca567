"""Upkeep in the background: after every so many writes, in a thread of its own, never in a turn's path."""

import threading
import time
from collections.abc import Callable

from sqlalchemy import func, select

from hippograph.memory.ledger import Ledger
from hippograph.memory.schema import memories
from hippograph.memory.work.worker import Worker

SHARE = 10
"""Of a large home, a run is due when one in so many of its memories is new: each run looks at all of them."""
PAUSE = 60.0
"""Seconds from the end of one run to the next at least, and between looks whether one is due."""
PATIENCE = 5.0
"""Seconds that closing waits for the batch in hand: a big model may be writing a summary, which is then not kept."""
_MARK = "upkeep through"
"""The home's note of the last memory that was stored before the last run in the background."""


class Tender:
    """Counts writes, those of earlier processes included, and does upkeep when there were enough."""

    def __init__(self, ledger: Ledger, run: Callable[[Callable[[], bool]], bool]) -> None:
        """Prepare; `run` does upkeep until the function it is given says to stop, and tells whether it did all."""
        self._ledger = ledger
        self._run = run
        self._counting = threading.Lock()
        self._writes = 0
        self._every = 0
        self._due = 0
        """Writes after which the next run is due."""
        self._rested = 0.0
        """When that may be at the earliest, on the clock that never goes back."""
        self._worker = Worker("hippograph-upkeep", self._step, PAUSE)

    def start(self, every: int) -> None:
        """Begin to count; 0: upkeep runs only when it is called for."""
        self._every = every
        if every:
            last = self._last()
            self._writes, self._due = last - int(self._ledger.remembered(_MARK) or 0), max(every, last // SHARE)

    def wrote(self, count: int) -> None:
        """Say that memories were stored."""
        if not self._every:
            return
        with self._counting:
            self._writes += count
            due = self._writes >= self._due
        if due and self._worker.runs:
            self._worker.wake()
        elif due and not self._worker.stopping:
            self._worker.start()

    def close(self) -> None:
        """Stop after the batch in hand; what is left is done the next time."""
        self._worker.stop(PATIENCE)

    def _step(self) -> bool:
        with self._counting:
            if self._writes < self._due or time.monotonic() < self._rested:
                return False
            self._writes = 0
        through = self._last()
        if self._run(lambda: self._worker.stopping):
            self._ledger.note(**{_MARK: str(through)})
        self._due, self._rested = max(self._every, through // SHARE), time.monotonic() + PAUSE
        return False

    def _last(self) -> int:
        with self._ledger.read() as connection:
            return connection.scalar(select(func.max(memories.c.seq))) or 0
