"""The right to do upkeep: one run at a time holds it.

It stands in the ledger beside the memories, with its owner and an end on the owner's own clock that never goes back. As
one process owns a home at a time, a right of any other owner is left over from a process that ended.
"""

import json
import time
from uuid import uuid4

from hippograph.memory.about import noted, remembered
from hippograph.memory.ledger import Ledger

SECONDS = 900.0
"""How long a run may be silent: it takes the right anew at each step."""
_NAME = "upkeep lease"


class Leases:
    """Gives and takes the right to do upkeep of one open home."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._owner = uuid4().hex

    def take(self) -> str | None:
        """Return a new lease, or None while another run of this process has one."""
        lease = uuid4().hex
        return lease if self._put(lease, "") else None

    def renew(self, lease: str) -> bool:
        """Begin a lease's time anew; False where it ran out and another run has taken its place."""
        return self._put(lease, lease)

    def give_back(self, lease: str) -> None:
        """End a lease; one that is not held any more is left alone."""
        with self._ledger.write() as connection:
            held = remembered(connection, _NAME)
            if held and json.loads(held)["lease"] == lease:
                noted(connection, **{_NAME: None})

    def _put(self, lease: str, expected: str) -> bool:
        with self._ledger.write() as connection:
            held = remembered(connection, _NAME)
            if held and self._lasts(json.loads(held), expected):
                return False
            value = json.dumps({"owner": self._owner, "lease": lease, "until": time.monotonic() + SECONDS})
            noted(connection, **{_NAME: value})
            return True

    def _lasts(self, held: dict[str, object], expected: str) -> bool:
        until = held["until"]
        assert isinstance(until, float)
        return held["owner"] == self._owner and held["lease"] != expected and until > time.monotonic()
