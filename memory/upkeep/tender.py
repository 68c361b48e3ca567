"""Upkeep in the background: after every so many writes, in a thread of its own, never in a turn's path."""

import threading
from collections.abc import Callable

from sqlalchemy import func, select

from hippograph.memory.ledger import Ledger
from hippograph.memory.schema import memories
from hippograph.memory.worker import Worker

IDLE = 3600.0
"""Seconds between looks whether there is something to do after all."""
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
        self._worker = Worker("hippograph-upkeep", self._step, IDLE)

    def start(self, every: int) -> None:
        """Begin to count; 0: upkeep runs only when it is called for."""
        self._every = every
        if every:
            self._writes = self._last() - int(self._ledger.remembered(_MARK) or 0)

    def wrote(self, count: int) -> None:
        """Say that memories were stored."""
        if not self._every:
            return
        with self._counting:
            self._writes += count
            if self._writes >= self._every:
                if self._worker.runs:
                    self._worker.wake()
                elif not self._worker.stopping:
                    self._worker.start()

    def close(self) -> None:
        """Stop after the batch in hand; what is left is done the next time."""
        self._worker.stop(PATIENCE)

    def _step(self) -> bool:
        with self._counting:
            if self._writes < self._every:
                return False
            self._writes = 0
        through = self._last()
        if self._run(lambda: self._worker.stopping):
            self._ledger.note(**{_MARK: str(through)})
        return False

    def _last(self) -> int:
        with self._ledger.read() as connection:
            return connection.scalar(select(func.max(memories.c.seq))) or 0
