"""A lock that a worker takes again and again, and lets all others go first."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType


class Turnstile:
    """A lock; whoever holds it `behind` others takes it when none of them waits.

    Python's own goes to whoever asks at the right instant: a worker that releases one and takes it at once keeps
    everybody else waiting for as long as it has work.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._free = threading.Condition()
        self._waiting = 0

    @property
    def wanted(self) -> bool:
        """Whether anybody waits for it."""
        return self._waiting > 0

    def acquire(self, *, timeout: float = -1) -> bool:
        """Take it; False where that took longer than `timeout` seconds. Below 0, it takes as long as it takes."""
        with self._free:
            self._waiting += 1
        try:
            return self._lock.acquire(timeout=timeout)
        finally:
            with self._free:
                self._waiting -= 1
                self._free.notify_all()

    def release(self) -> None:
        """Give it back."""
        self._lock.release()

    def __enter__(self) -> "Turnstile":
        self.acquire()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    @contextmanager
    def behind(self) -> Iterator[None]:
        """Hold it once nobody else waits for it."""
        with self._free:
            self._free.wait_for(lambda: not self._waiting)
        with self._lock:
            yield
