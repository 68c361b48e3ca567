"""Iterating over what may be slow to begin, without being bound to wait for it."""

import threading
from collections.abc import Callable, Iterator
from contextvars import copy_context
from queue import Empty, SimpleQueue
from typing import TypeVar

T = TypeVar("T")

POLL_SECONDS = 0.05


class Stopped(Exception):
    """The iteration was told to stop before its end."""


def until(stopping: Callable[[], bool], pieces: Iterator[T]) -> Iterator[T]:
    """Yield what an iterator gives, until told to stop, also while it is still waiting for its first piece.

    The iterator runs in a thread of its own, in the caller's context. Once stopped, it is left at its next piece: a
    model that is still reading the prompt is not waited for.

    What has arrived when it is told to stop is still yielded: a stream may have shown it already.

    Raises:
        Stopped: It was told to stop.
        Exception: What the iterator raises.
    """
    arrived = SimpleQueue[tuple[str, T | BaseException | None]]()
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
        while True:
            try:
                kind, value = arrived.get(timeout=POLL_SECONDS) if not stopping() else arrived.get_nowait()
            except Empty:
                if stopping():
                    raise Stopped from None
                continue
            if kind == "end":
                return
            if kind == "error":
                raise value  # type: ignore[misc]
            yield value  # type: ignore[misc]
    finally:
        left.set()
