"""Who speaks, and what memories are about: the names that a query may mention."""

import threading

from sqlalchemy import Connection, bindparam, func, select

from hippograph.memory.schema import memories

_CURRENT = (memories.c.space == bindparam("space")) & (memories.c.status == "current")
_LAST = select(func.max(memories.c.seq)).where(_CURRENT)
_SPEAKERS = select(memories.c.speaker).where(_CURRENT, memories.c.seq > bindparam("read")).distinct()
_SUBJECTS = (
    select(memories.c.subject).where(memories.c.space == bindparam("space"), memories.c.subject.is_not(None)).distinct()
)


class Names:
    """The speakers of each space, read once and then only where turns were added. Safe to use from several threads."""

    def __init__(self) -> None:
        self._reading = threading.Lock()
        self._known: dict[str, tuple[frozenset[str], int]] = {}
        """For each space its speakers, and the last memory that was read."""

    def speakers(self, connection: Connection, space: str) -> frozenset[str]:
        """Return who speaks in a space."""
        with self._reading:
            known, read = self._known.get(space, (frozenset[str](), 0))
            last = connection.scalar(_LAST, {"space": space}) or 0
            if last > read:
                new = connection.scalars(_SPEAKERS, {"space": space, "read": read}).all()
                known |= {each for each in new if each}
                self._known[space] = known, last
            return known

    def forget(self, space: str) -> None:
        """Read a space's speakers anew when they are asked for next."""
        with self._reading:
            self._known.pop(space, None)


def subjects(connection: Connection, space: str, query: str) -> list[str]:
    """Return those of what the memories of a space are about that stand in a query, if only as part of a word."""
    folded = query.casefold()
    return [each for each in connection.scalars(_SUBJECTS, {"space": space}).all() if each.casefold() in folded]
