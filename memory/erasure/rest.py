"""What of a forgetting is left to do outside the ledger, as the ledger notes it: without a word of what it was."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace

from sqlalchemy import Connection

from hippograph.memory.about import noted, remembered
from hippograph.memory.times import now

UNDER_WAY = "forgetting"
"""Name of the note among what is known of the home."""
VECTORS, CHECKPOINTS = "vectors", "checkpoints"
"""Steps in the home's own files; every folder of snapshots is one more, by its path."""


@dataclass(frozen=True, slots=True)
class Rest:
    """What of a forgetting is still to be done, and what is done: no step is done twice.

    Done again later, a step would take what was stored since: new vectors of an emptied space, new checkpoints of a
    thread.
    """

    space: str
    everything: bool
    seqs: Sequence[int]
    """Numbers of memories whose vectors go for good."""
    again: Sequence[int]
    """Numbers of turns whose vectors go because they were made with words of what is forgotten."""
    threads: Sequence[str]
    ids: Sequence[str]
    reworded: Sequence[str] = ()
    """Ids of memories that stay, and once had other words, which go."""
    done: Mapping[str, int] = field(default_factory=dict)
    """Steps that are done, each with how many vectors, checkpoints or snapshots went."""
    clean: str = ""
    """When the home's own files were done (UTC, ISO 8601): what was copied since then holds nothing of it."""

    @property
    def snapshots(self) -> int:
        """How many snapshots it was taken out of."""
        return sum(gone for step, gone in self.done.items() if step not in (VECTORS, CHECKPOINTS))

    def after(self, step: str, gone: int) -> "Rest":
        """Return what is left once a step is done, by which so many items went."""
        done = {**self.done, step: gone}
        cleared = VECTORS in done and CHECKPOINTS in done
        return replace(self, done=done, clean=self.clean or (now().isoformat() if cleared else ""))


def left(connection: Connection) -> list[Rest]:
    """Return what is left of all forgettings, the oldest first."""
    return [Rest(**each) for each in json.loads(remembered(connection, UNDER_WAY) or "[]")]


def leave(connection: Connection, rests: Sequence[Rest]) -> None:
    """Note what is left of all forgettings."""
    noted(connection, **{UNDER_WAY: json.dumps([asdict(each) for each in rests]) if rests else None})
