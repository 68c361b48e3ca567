"""Iterating over what may be slow to begin, without being bound to wait for it."""

import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from contextvars import copy_context
from queue import Empty, SimpleQueue
from typing import TypeVar

T = TypeVar("T")
Arrived = tuple[str, T | BaseException | None]
"""What came from the iterator: a piece, its end or an error; which one, and the thing itself."""

POLL_SECONDS = 0.05
LAST_SECONDS = 0.25
"""How long a piece that may be on its way is waited for once told to stop."""


class Stopped(Exception):
    """The iteration was told to stop before its end."""


def until(stopping: Callable[[], bool], pieces: Iterator[T]) -> Iterator[T]:
    """Yield what an iterator gives, until told to stop, also while it is still waiting for its first piece.

    The iterator runs in a thread of its own, in the caller's context. Once stopped, it is left at its next piece: a
    model that is still reading the prompt is not waited for.

    What has arrived when it is told to stop is still yielded, and one piece more if it comes at once: a model's
    callbacks show a piece before its iterator gives it, so it may have been seen already.

    Raises:
        Stopped: It was told to stop.
        Exception: What the iterator raises.
    """
    arrived = SimpleQueue[Arrived[T]]()
    left = threading.Event()

    def consume() -> None:
        try:
            for piece in pieces:
                if left.is_set():
                    return
                arrived.put(("piece", piece))
            arrived.put(("end", None))
        except BaseException as error:  # handed to the caller
            arrived.put(("error", error))

    threading.Thread(target=copy_context().run, args=(consume,), name="hippograph-answer", daemon=True).start()
    try:
        for kind, value in _arriving(stopping, arrived):
            if kind == "end":
                return
            if kind == "error":
                raise value  # type: ignore[misc]
            yield value  # type: ignore[misc]
        raise Stopped
    finally:
        left.set()


def _arriving(stopping: Callable[[], bool], arrived: "SimpleQueue[Arrived[T]]") -> "Iterator[Arrived[T]]":
    """Yield what arrives until told to stop, then what is there by then and what is on its way."""
    while not stopping():
        with suppress(Empty):
            yield arrived.get(timeout=POLL_SECONDS)
    for _ in range(arrived.qsize() + 1):
        with suppress(Empty):
            yield arrived.get(timeout=LAST_SECONDS)
