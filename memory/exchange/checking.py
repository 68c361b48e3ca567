"""Look through an exported space before any of it is stored: what is bad, what is there, what was forgotten."""

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, select

from hippograph.memory.erasure.returning import returning
from hippograph.memory.exchange.carried import Carried, carried
from hippograph.memory.ledger import BATCH
from hippograph.memory.schema import memories
from hippograph.state import BadInput

SHOWN = 10
"""Bad lines that are named."""


class Checking:
    """What is known of a file's lines so far."""

    def __init__(self, connection: Connection, space: str, *, restore_forgotten: bool) -> None:
        """Begin with nothing; `restore_forgotten` leaves nothing out."""
        self.ids = set[str]()
        """Of all memories in the file."""
        self.left_out = set[str]()
        """Ids of what was forgotten in the space, and of what rests on nothing else."""
        self._connection, self._space = connection, space
        self._restore = restore_forgotten
        self._bad: list[str] = []
        self._lines = 0
        self._items = set[tuple[str, str]]()
        self._sources: dict[str, tuple[int, list[str]]] = {}
        self._after: dict[str, tuple[int, str]] = {}

    def take(self, lines: Sequence[tuple[int, str]]) -> None:
        """Look at some lines, given with their numbers."""
        read = dict[int, Carried]()
        for number, line in lines:
            try:
                read[number] = carried(line)
            except BadInput as error:
                self._bad.append(f"line {number}: {error}")
        self._lines += len(lines)
        there = texts(self._connection, self._space, [each.id for each in read.values()])
        if not self._restore:
            new = {each.id: each.forms for each in read.values() if each.id not in there}
            self.left_out |= returning(self._connection, self._space, new)
        for number, each in read.items():
            if each.id in self.ids:
                self._bad.append(f"line {number}: another line has the id {each.id!r} too")
            elif each.item is None and there.get(each.id, each.row["text"]) != each.row["text"]:
                self._bad.append(f"line {number}: there is a memory {each.id!r} already, with another text")
            if each.item is not None:
                self._places(number, (each.item["namespace"], each.item["key"]))
            self.ids.add(each.id)
            if each.sources:
                self._sources[each.id] = number, [source["id"] for source in each.sources]
            if each.row["superseded_by"]:
                self._after[each.id] = number, each.row["superseded_by"]

    def end(self, lines: int) -> list[str]:
        """Return what speaks against storing the file, in words.

        Args:
            lines: How many there should have been.
        """
        bad = [*self._bad, *self._without_source(), *self._without_successor()]
        if self._lines != lines:
            bad.append(f"it should have {lines:,} memories and has {self._lines:,}: it was cut short or changed")
        self._follow()
        return [*bad[:SHOWN], f"… and {len(bad) - SHOWN:,} more"] if len(bad) > SHOWN else bad

    def _places(self, number: int, place: tuple[str, str]) -> None:
        if place in self._items:
            self._bad.append(f"line {number}: another line has an item under {place[1]!r} in {place[0]} too")
        self._items.add(place)

    def _without_source(self) -> list[str]:
        """Return the memories that rest on something which is neither in the file nor in the space."""
        elsewhere = {each for _, ids in self._sources.values() for each in ids} - self.ids
        there = texts(self._connection, self._space, [*elsewhere])
        return [
            f"line {number}: it rests on {missing[0]!r}, which is not there"
            for number, ids in self._sources.values()
            if (missing := [each for each in ids if each not in self.ids and each not in there])
        ]

    def _without_successor(self) -> list[str]:
        """Return the memories whose place was taken by something that is nowhere, or by each other in a circle."""
        elsewhere = {id_ for _, id_ in self._after.values()} - self.ids
        there = texts(self._connection, self._space, [*elsewhere])
        bad, ends = list[str](), set[str]()
        for first, (number, successor) in self._after.items():
            if successor not in self.ids and successor not in there:
                bad.append(f"line {number}: it is superseded by {successor!r}, which is not there")
            line, id_ = set[str](), first
            while id_ in self._after and id_ not in line and id_ not in ends:
                line.add(id_)
                id_ = self._after[id_][1]
            if id_ in line:
                bad.append(f"line {number}: it is superseded by what it superseded itself")
            ends |= line
        return bad

    def _follow(self) -> None:
        """Leave out also what rests on nothing but what is left out."""
        while more := {
            id_ for id_, (_, ids) in self._sources.items() if id_ not in self.left_out and self.left_out.issuperset(ids)
        }:
            self.left_out |= more


def texts(connection: Connection, space: str, ids: Sequence[str]) -> Mapping[str, str]:
    """Return the texts of those of some memories that a space has, by id."""
    query = select(memories.c.id, memories.c.text).where(memories.c.space == space)
    found = dict[str, str]()
    for start in range(0, len(ids), BATCH):
        batch = connection.execute(query.where(memories.c.id.in_(ids[start : start + BATCH])))
        found |= {row.id: row.text for row in batch}
    return found
