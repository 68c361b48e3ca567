"""What a person has a say in: found facts that wait to be approved or rejected, and memories that are rejected."""

from contextlib import suppress
from dataclasses import dataclass

from hippograph.memory.intake import space_name
from hippograph.memory.ledger import Ledger
from hippograph.memory.life.history import one
from hippograph.memory.life.review import Suspects, approve, reject, waiting
from hippograph.memory.life.settling import Settling
from hippograph.memory.reading import Reading
from hippograph.memory.search.recall import Recall
from hippograph.memory.twin import twin
from hippograph.memory.work.writer import Writer
from hippograph.state import BadInput, Recollection


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A found fact that waits for a person."""

    memory: Recollection
    because: str
    """Why, in words."""
    other: Recollection | None
    """What it disagrees with."""


class Reviewing:
    """The part of `Memory` that a person decides about."""

    _settling: Settling
    _ledger: Ledger
    _reading: Reading
    _recall: Recall
    _writer: Writer

    def suspect(self, suspects: Suspects) -> None:
        """Have facts of reviewed turns wait, too, of which `suspects` says what is wrong."""
        self._settling.suspects = suspects

    def held(self, space: str) -> list[Held]:
        """Return the facts found in a space's turns that wait for `approve` or `reject`, the oldest first."""
        with self._ledger.read() as connection:
            found = waiting(connection, space_name(space))
        memories = self._reading.recollections(found)
        return [
            Held(memory=memory, because=row.because, other=self._standing(row.other, row.space))
            for memory, row in zip(memories, found, strict=True)
        ]

    def approve(self, id: str, space: str | None = None, *, text: str | None = None) -> Recollection:  # noqa: A002
        """Let a held fact in, with other words where they are given; it then takes its place as if found now.

        Returns:
            The memory that holds it: itself, or the one that said the same.

        Raises:
            BadInput: There is no such memory, or it does not wait; or the words cannot be its.
        """
        with self._ledger.write() as connection:
            row = one(connection, id, space)
            stored = approve(connection, row, text)
        return self._decided(stored, row.space)

    def reject(self, id: str, space: str | None = None) -> Recollection:  # noqa: A002
        """Take a memory out of recall for good, held or current; `undo` takes that back.

        Raises:
            BadInput: There is no such memory.
        """
        with self._ledger.write() as connection:
            row = one(connection, id, space)
            reject(connection, row)
        return self._decided(row.id, row.space)

    def _standing(self, id: str | None, space: str) -> Recollection | None:  # noqa: A002
        if id is None:
            return None
        with suppress(BadInput):  # forgotten meanwhile
            return self._reading.get(id, space)
        return None

    def _decided(self, id: str, space: str) -> Recollection:  # noqa: A002
        self._recall.forget(space)
        self._writer.wake()
        return self._reading.get(id, space)

    aheld = twin(held)
    aapprove = twin(approve)
    areject = twin(reject)
