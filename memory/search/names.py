"""Who speaks, and what memories are about: the names and properties that a query may mention."""

import threading
from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, select

from hippograph.memory.schema import changes, memories

_CURRENT = (memories.c.space == bindparam("space")) & (memories.c.status == "current")
_LAST = select(func.max(memories.c.seq)).where(memories.c.space == bindparam("space"))
_LAST_CURRENT = select(func.max(memories.c.seq)).where(_CURRENT)
_LAST_CHANGE = select(func.max(changes.c.seq))
_SPEAKERS = select(memories.c.speaker).where(_CURRENT, memories.c.seq > bindparam("read")).distinct()
_TOLD = (
    select(memories.c.subject, memories.c.attribute)
    .where(memories.c.space == bindparam("space"), memories.c.subject.is_not(None), memories.c.seq > bindparam("read"))
    .distinct()
)

Told = Mapping[str, frozenset[str]]
"""What memories are about, each with the properties that they tell of it; of some, only the name is known."""


class Names:
    """The speakers and subjects of each space, read once and then only what was added. For several threads."""

    def __init__(self) -> None:
        self._reading = threading.Lock()
        self._known: dict[str, tuple[frozenset[str], int]] = {}
        """For each space its speakers, and the last memory that was read."""
        self._told: dict[str, tuple[Told, int, int]] = {}
        """For each space its subjects, and the last memory and the last change that were read."""

    def speakers(self, connection: Connection, space: str) -> frozenset[str]:
        """Return who speaks in a space."""
        with self._reading:
            known, read = self._known.get(space, (frozenset[str](), 0))
            last = connection.scalar(_LAST_CURRENT, {"space": space}) or 0
            if last > read:
                new = connection.scalars(_SPEAKERS, {"space": space, "read": read}).all()
                known |= {each for each in new if each}
                self._known[space] = known, last
            return known

    def told(self, connection: Connection, space: str) -> Told:
        """Return what the memories of a space are about."""
        with self._reading:
            told, read, changed = self._told.get(space, (dict[str, frozenset[str]](), 0, 0))
            last_change = connection.scalar(_LAST_CHANGE) or 0
            if last_change != changed:
                told, read = {}, 0
            last = connection.scalar(_LAST, {"space": space}) or 0
            if last > read:
                told = _added(told, connection.execute(_TOLD, {"space": space, "read": read}))
            self._told[space] = told, last, last_change
            return told

    def forget(self, space: str) -> None:
        """Read a space's speakers and subjects anew when they are asked for next."""
        with self._reading:
            self._known.pop(space, None)
            self._told.pop(space, None)


def subjects(known: Iterable[str], query: str) -> list[str]:
    """Return those of some names that stand in a query, if only as part of a word."""
    folded = query.casefold()
    return [each for each in known if each.casefold() in folded]


def _added(told: Told, new: Iterable[Row[Any]]) -> Told:
    more = {subject: {*attributes} for subject, attributes in told.items()}
    for row in new:
        more.setdefault(row.subject, set()).update([row.attribute] if row.attribute else [])
    return {subject: frozenset(attributes) for subject, attributes in more.items()}
