"""Calls that may take only so long: one that is late is left to itself, and not waited for.

Time limits of HTTP clients do not do: they count from the last byte, and a server may send one now and then for ever.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable
from contextvars import copy_context
from typing import Generic, TypeVar

from hippograph.state import ModelUnavailable

T = TypeVar("T")

MOST_LATE = 4
"""Calls of one model that may still run though nobody waits for them; while there are as many, no other begins."""
POLL_SECONDS = 0.05
"""How soon a wait sees that it is to stop."""

_lock = threading.Lock()
_late = Counter[str]()


class Interrupted(Exception):
    """The wait was told to stop."""


def _never() -> bool:
    return False


def within(seconds: float, call: Callable[[], T], spec: str, stopping: Callable[[], bool] = _never) -> T:
    """Return what a call returns, if it does in time.

    It runs in a thread of its own, in the caller's context, which ends with the process.

    Args:
        seconds: The longest wait.
        call: What to do.
        spec: The model that it calls.
        stopping: Asked again and again; true ends the wait.

    Raises:
        ModelUnavailable: It is late, or too many late ones of this model still run.
        Interrupted: It was told to stop.
        Exception: What the call raises.
    """
    if _late[spec] >= MOST_LATE:
        raise ModelUnavailable(f"{spec} has not answered {MOST_LATE} earlier calls yet; see what its server does.")
    job = _Job(call, spec)
    threading.Thread(target=copy_context().run, args=(job.run,), name="hippograph-call", daemon=True).start()
    end = time.monotonic() + seconds
    while not job.done.wait(max(0.0, min(POLL_SECONDS, end - time.monotonic()))):
        late = time.monotonic() >= end
        if (late or stopping()) and job.leave():
            if not late:
                raise Interrupted
            raise ModelUnavailable(
                f"{spec} did not answer within {seconds:g} s; use a faster model, or raise HIPPOGRAPH_DEADLINE."
            )
    return job.result()


class _Job(Generic[T]):
    def __init__(self, call: Callable[[], T], spec: str) -> None:
        self.done = threading.Event()
        self._call, self._spec = call, spec
        self._left = False
        self._value: list[T] = []
        self._error: BaseException | None = None

    def run(self) -> None:
        try:
            self._value.append(self._call())
        except BaseException as error:  # handed to the one who waits
            self._error = error
        with _lock:
            self.done.set()
            _late[self._spec] -= self._left

    def leave(self) -> bool:
        """Stop waiting; tell whether the call still runs."""
        with _lock:
            self._left = not self.done.is_set()
            _late[self._spec] += self._left
            return self._left

    def result(self) -> T:
        if self._error is not None:
            raise self._error
        return self._value[0]
