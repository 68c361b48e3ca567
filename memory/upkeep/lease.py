"""The right to do upkeep: one run at a time holds it.

It stands in the ledger beside the memories, with its owner and an end on the owner's own clock that never goes back. As
one process owns a home at a time, a right of any other owner is left over from a process that ended.
"""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

from sqlalchemy import Connection

from hippograph.memory.about import noted, remembered
from hippograph.memory.ledger import Ledger

SECONDS = 60.0
"""How long a run may take from one step to the next, after which it counts as cancelled; a step takes what it takes."""
NAME = "upkeep lease"


class LeaseLost(Exception):
    """A run has no right any more to change memories: another has it, or the home was restored meanwhile."""


class Leases:
    """Gives and takes the right to do upkeep of one open home."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._owner = uuid4().hex
        self._at_work = set[str]()
        """Leases under which a step is being done: they last."""

    def take(self) -> str | None:
        """Return a new lease, or None while another run of this process has one."""
        lease = uuid4().hex
        return lease if self._put(lease, "") else None

    def renew(self, lease: str) -> bool:
        """Begin a lease's time anew; False where it is not there any more."""
        return self._put(lease, lease)

    @contextmanager
    def working(self, lease: str) -> Iterator[None]:
        """Keep a lease while a step is done, however long that takes, and some time after it."""
        self._at_work.add(lease)
        try:
            yield
            self._put(lease, lease)
        finally:
            self._at_work.discard(lease)

    def check(self, connection: Connection, lease: str) -> None:
        """Make sure, in a transaction that writes, that a lease is still held; raises LeaseLost."""
        held = remembered(connection, NAME)
        if held is None or json.loads(held)["lease"] != lease:
            raise LeaseLost

    def give_back(self, lease: str) -> None:
        """End a lease; one that is not held any more is left alone."""
        with self._ledger.write() as connection:
            held = remembered(connection, NAME)
            if held and json.loads(held)["lease"] == lease:
                noted(connection, **{NAME: None})

    def _put(self, lease: str, expected: str) -> bool:
        with self._ledger.write() as connection:
            held = json.loads(remembered(connection, NAME) or "null")
            mine = held is not None and held["lease"] == expected
            if not mine and (expected or (held is not None and self._lasts(held))):
                return False
            value = json.dumps({"owner": self._owner, "lease": lease, "until": time.monotonic() + SECONDS})
            noted(connection, **{NAME: value})
            return True

    def _lasts(self, held: dict[str, object]) -> bool:
        until = held["until"]
        assert isinstance(until, float)
        return held["owner"] == self._owner and (held["lease"] in self._at_work or until > time.monotonic())
