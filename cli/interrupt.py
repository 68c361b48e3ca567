"""Ctrl-C while an answer is written."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

STOPPING = b"\nStopping ...\n"


@contextmanager
def stoppable() -> Iterator[threading.Event]:
    """Let the first Ctrl-C set the event it gives, so that the answer ends in order; the second one interrupts."""
    stop = threading.Event()

    def on_interrupt(number: int, frame: FrameType | None) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()
        # The handler may have interrupted a write to the buffered stderr, which must not be entered twice.
        os.write(sys.stderr.fileno(), STOPPING)

    previous = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, previous)
