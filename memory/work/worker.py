"""A worker: a thread that takes one step after another while there is work, and sleeps between."""

import logging
import threading
from collections.abc import Callable

log = logging.getLogger(__name__)


class Worker:
    """One thread. What it works on must survive any stop: the thread may end between two steps, or never end one."""

    def __init__(self, name: str, step: Callable[[], bool], idle: float) -> None:
        """Prepare it.

        Args:
            name: The thread's.
            step: Does a part of the work; says whether there may be more at once.
            idle: Seconds between looks for work that became due.
        """
        self._step = step
        self._idle = idle
        self._wake = threading.Event()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin, with whatever there is."""
        self._thread.start()
        self.wake()

    def wake(self) -> None:
        """Say that there is work."""
        self._wake.set()

    def stop(self, patience: float | None = None) -> None:
        """End after the step in hand; one that takes longer than `patience` seconds is not waited for."""
        self._stop.set()
        self.wake()
        if self.runs:
            self._thread.join(patience)

    @property
    def stopping(self) -> bool:
        """Whether it was told to end."""
        return self._stop.is_set()

    @property
    def runs(self) -> bool:
        """Whether the thread is alive."""
        return self._thread.is_alive()

    def rest(self, seconds: float) -> None:
        """Sleep, unless it is told to end."""
        self._stop.wait(seconds)

    def _run(self) -> None:
        while not self.stopping:
            self._wake.wait(self._idle)
            self._wake.clear()
            try:
                while not self.stopping and self._step():
                    pass
            except Exception as error:  # the ledger is unreachable: say so, keep the thread, look again later
                if not self.stopping:
                    log.warning("%s could not go on: %s", self._thread.name, error)
                self.rest(self._idle)
