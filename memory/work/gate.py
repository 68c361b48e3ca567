"""A gate that many pass together, or one alone."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from hippograph.state import HomeUnusable


class Gate:
    """Lets users of a thing pass together, and now and then one who must have it alone. A user may pass twice."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._inside = 0
        self._alone = False

    @contextmanager
    def shared(self) -> Iterator[None]:
        """Pass, after whoever is alone inside."""
        with self._changed:
            self._changed.wait_for(lambda: not self._alone)
            self._inside += 1
        try:
            yield
        finally:
            with self._changed:
                self._inside -= 1
                self._changed.notify_all()

    @contextmanager
    def alone(self, patience: float) -> Iterator[None]:
        """Pass alone, once all others have left; not to be asked for from inside.

        Raises:
            HomeUnusable: They did not leave within `patience` seconds.
        """
        with self._changed:
            if not self._changed.wait_for(lambda: not (self._inside or self._alone), patience):
                raise HomeUnusable("The vector index is in use all the time: try again when less is asked of it.")
            self._alone = True
        try:
            yield
        finally:
            with self._changed:
                self._alone = False
                self._changed.notify_all()
