"""Upkeep in the background: after every so many writes, in a thread of its own, never in a turn's path."""

import logging
import threading
from collections.abc import Callable

from sqlalchemy import func, select

from hippograph.memory.ledger import Ledger
from hippograph.memory.schema import memories

_MARK = "upkeep through"
"""The home's note of the last memory that was stored before the last full run."""

log = logging.getLogger(__name__)


class Tender:
    """One thread that sleeps until there were enough writes, those of earlier processes included."""

    def __init__(self, ledger: Ledger, run: Callable[[Callable[[], bool]], bool]) -> None:
        """Prepare; `run` does upkeep until the function it is given says to stop, and tells whether it did all."""
        self._ledger = ledger
        self._run = run
        self._counting = threading.Lock()
        self._writes = 0
        self._every = 0
        self._wake = threading.Event()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, every: int) -> None:
        """Begin to count; 0: upkeep runs only when it is called for."""
        self._every = every
        if every:
            self._writes = self._last() - int(self._ledger.remembered(_MARK) or 0)

    def wrote(self, count: int) -> None:
        """Say that memories were stored."""
        if not self._every or self._stop.is_set():
            return
        with self._counting:
            self._writes += count
            if self._writes < self._every:
                return
            self._writes = 0
            if self._thread is None:
                self._thread = threading.Thread(target=self._loop, name="hippograph-upkeep", daemon=True)
                self._thread.start()
        self._wake.set()

    def close(self) -> None:
        """Stop after the batch in hand; what is left is done the next time."""
        self._stop.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join()

    def ran(self, through: int) -> None:
        """Note that a full run saw all memories up to a number."""
        self._ledger.note(**{_MARK: str(through)})

    def _loop(self) -> None:
        while not self._stop.is_set():
            self._wake.wait()
            self._wake.clear()
            if self._stop.is_set():
                return
            try:
                through = self._last()
                if self._run(self._stop.is_set):
                    self.ran(through)
            except Exception as error:  # the ledger is unreachable, or a bug: memories are safe, the next run may do
                log.warning("Upkeep in the background could not go on: %s", error)

    def _last(self) -> int:
        with self._ledger.read() as connection:
            return connection.scalar(select(func.max(memories.c.seq))) or 0
