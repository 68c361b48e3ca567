"""The time at which what comes in was said, where nobody says: the machine's, but never behind what is there."""

import threading
from datetime import datetime, timedelta

from sqlalchemy import func, select

from hippograph.memory.ledger import Ledger
from hippograph.memory.schema import memories

PLAUSIBLE = timedelta(days=7)
"""A clock that was put back further had been wrong: to hold on to its time would date all that follows wrong."""
LOOKED_AT = 1000
"""Memories, those stored last, among which the newest time is looked for when a home is opened."""


class Clock:
    """A home's clock. When the machine's is put back it stands still, so that what is said later sorts later.

    Only times that a clock gave count, `recorded_at`: callers may tell turns of any day. Memories of the same moment
    are in the order in which they were stored.
    """

    def __init__(self, ledger: Ledger) -> None:
        """Go on where the home's clock stood."""
        last = select(memories.c.recorded_at).order_by(memories.c.seq.desc()).limit(LOOKED_AT).subquery()
        with ledger.read() as connection:
            self._newest: datetime | None = connection.scalar(select(func.max(last.c.recorded_at)))
        self._lock = threading.Lock()

    def __call__(self, present: datetime) -> datetime:
        """Return what time it is where the machine says `present`."""
        with self._lock:
            if self._newest is None or not present < self._newest <= present + PLAUSIBLE:
                self._newest = present
            return self._newest
