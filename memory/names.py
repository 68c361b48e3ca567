"""Who speaks, and what memories are about: the names that a query may mention."""

from collections import defaultdict

from sqlalchemy import Connection, func, select

from hippograph.memory.schema import memories


class Names:
    """The speakers of each space, read once and then only where turns were added."""

    def __init__(self) -> None:
        self._speakers = defaultdict[str, set[str]](set)
        self._read = defaultdict[str, int](int)

    def speakers(self, connection: Connection, space: str) -> set[str]:
        """Return who speaks in a space."""
        current = memories.c.space == space, memories.c.status == "current"
        last = connection.scalar(select(func.max(memories.c.seq)).where(*current)) or 0
        if last > self._read[space]:
            new = select(memories.c.speaker).where(*current, memories.c.seq > self._read[space]).distinct()
            self._speakers[space] |= {each for each in connection.scalars(new) if each}
            self._read[space] = last
        return self._speakers[space]


def subjects(connection: Connection, space: str) -> list[str]:
    """Return what the memories of a space that name a subject are about."""
    query = select(memories.c.subject).where(memories.c.space == space, memories.c.subject.is_not(None)).distinct()
    return list(connection.scalars(query))
