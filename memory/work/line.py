"""A line: a lock that is handed on in the order in which it was asked for."""

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager


class Line:
    """As `threading.Lock`, which may go again and again to whoever lets go of it last, while others wait."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._line = deque[object]()
        """Whoever holds it, and behind him those who wait."""

    def acquire(self, timeout: float | None = None) -> bool:
        """Wait for one's turn; False where it did not come within so many seconds."""
        me = object()
        with self._changed:
            self._line.append(me)
            come = False
            try:
                come = self._changed.wait_for(lambda: self._line[0] is me, timeout)
            finally:
                if not come:
                    self._line.remove(me)
                    self._changed.notify_all()
        return come

    def release(self) -> None:
        """Let the next one pass."""
        with self._changed:
            self._line.popleft()
            self._changed.notify_all()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Let go of it in the block, and take it again behind those who wait then."""
        self.release()
        try:
            yield
        finally:
            self.acquire()

    def __enter__(self) -> None:
        self.acquire()

    def __exit__(self, *raised: object) -> None:
        self.release()
