"""Who speaks, and what memories are about: the names that a query may mention."""

from collections import defaultdict

from sqlalchemy import Connection, bindparam, func, select

from hippograph.memory.schema import memories

_CURRENT = (memories.c.space == bindparam("space")) & (memories.c.status == "current")
_LAST = select(func.max(memories.c.seq)).where(_CURRENT)
_SPEAKERS = select(memories.c.speaker).where(_CURRENT, memories.c.seq > bindparam("read")).distinct()
_SUBJECTS = (
    select(memories.c.subject).where(memories.c.space == bindparam("space"), memories.c.subject.is_not(None)).distinct()
)


class Names:
    """The speakers of each space, read once and then only where turns were added."""

    def __init__(self) -> None:
        self._speakers = defaultdict[str, set[str]](set)
        self._read = defaultdict[str, int](int)

    def speakers(self, connection: Connection, space: str) -> set[str]:
        """Return who speaks in a space."""
        last = connection.scalar(_LAST, {"space": space}) or 0
        if last > self._read[space]:
            new = connection.scalars(_SPEAKERS, {"space": space, "read": self._read[space]})
            self._speakers[space] |= {each for each in new.all() if each}
            self._read[space] = last
        return self._speakers[space]


def subjects(connection: Connection, space: str, query: str) -> list[str]:
    """Return those of what the memories of a space are about that stand in a query, if only as part of a word."""
    folded = query.casefold()
    return [each for each in connection.scalars(_SUBJECTS, {"space": space}).all() if each.casefold() in folded]
