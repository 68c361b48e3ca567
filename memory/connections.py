"""Who and what is connected to a name: the graph of entities that upkeep distils, asked."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, select

from hippograph.memory.entities import EntityKind, key
from hippograph.memory.intake import clean, space_name
from hippograph.memory.ledger import BATCH, Ledger
from hippograph.memory.network import TOGETHER, Network, network
from hippograph.memory.reading import recollected
from hippograph.memory.schema import memories
from hippograph.memory.times import now
from hippograph.memory.twin import twin
from hippograph.memory.upkeep.distilling import distil, unread
from hippograph.memory.upkeep.steps import Upkeep
from hippograph.memory.upkeep.task import Task
from hippograph.state import BadInput, Recollection
from hippograph.state.upkeep import Policy

MOST_HOPS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One entity that is connected to the one asked for."""

    name: str
    kind: EntityKind
    relation: str
    """The attribute that relates the two, or TOGETHER where one memory names both."""
    via: str
    """The entity at the other end of the relation: the one asked for, at one hop."""
    outgoing: bool
    """Whether it is the relation's value: "Acme" of "Ann, employer, Acme"."""
    hops: int
    memories: tuple[Recollection, ...]
    """The memories that say so, the newest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Connected:
    """What is connected to a name."""

    name: str
    """The entity's fullest name."""
    kind: EntityKind
    aliases: tuple[str, ...]
    """Other names it goes by."""
    links: tuple[Link, ...]
    """The nearest first; of those, what facts relate before what is only named together."""


class Connections:
    """The part of `Memory` that knows how things are connected."""

    _ledger: Ledger
    _upkeep: Upkeep

    def connected(self, space: str, name: str, hops: int = 1) -> Connected:
        """Return who and what is connected to a name, with the memories that say so.

        Args:
            space: Whose memories.
            name: A person's, place's, organisation's or thing's; "user" or "I" for whoever speaks of himself.
            hops: How many relations away at most, from 1 to MOST_HOPS.

        Raises:
            BadInput: No memory mentions the name, or hops is out of range.
        """
        if not isinstance(hops, int) or not 1 <= hops <= MOST_HOPS:
            raise BadInput(f"hops is {hops!r}: give a number from 1 to {MOST_HOPS}.")
        space = space_name(space)
        self._distil(space)
        with self._ledger.read() as connection:
            graph = network(connection, space)
            number = graph.known.get(key(clean(name)))
            if number is None:
                raise BadInput(
                    f"No memory names {name!r}: check its spelling, or see all names with `hippograph graph`."
                )
            entity = graph.entities[number]
            links = _links(connection, graph, number, hops)
        return Connected(name=entity.name, kind=entity.kind, aliases=tuple(entity.aliases), links=links)

    def network(self, space: str, *, most: int | None = None) -> Network:
        """Return the whole graph of a space.

        Args:
            space: Whose memories.
            most: How many memories are read at most of those the graph does not know yet; without it, all.
        """
        space = space_name(space)
        self._distil(space, most)
        with self._ledger.read() as connection:
            return network(connection, space)

    def unread(self, space: str) -> int:
        """Return how many memories of a space its graph does not know yet."""
        with self._ledger.read() as connection:
            return unread(connection, space_name(space))

    def _distil(self, space: str, most: int | None = None) -> None:
        """Read what was stored since the last time, so that the graph knows it."""
        distil(Task(stores=self._upkeep.stores, space=space, now=now(), policy=Policy()), most)

    aconnected = twin(connected)
    anetwork = twin(network)
    aunread = twin(unread)


def _links(connection: Connection, graph: Network, number: int, hops: int) -> tuple[Link, ...]:
    """Return what is reached from an entity, each edge once, in the direction of its end further away."""
    far, wave, found = {number: 0}, [number], list[tuple[int, int, str, int, bool, set[int]]]()
    for hop in range(1, hops + 1):
        reached = list[int]()
        for each in wave:
            for edge, other in graph.around(each):
                if far.get(other, hop) == hop:
                    outgoing = edge.tail == other
                    found.append((hop, other, edge.relation, each, outgoing, graph.edges[edge]))
                if other not in far:
                    reached.append(other)
                    far[other] = hop
        wave = reached
    behind = _recollected(connection, {seq for *_, seqs in found for seq in seqs})
    links = [
        Link(
            name=graph.entities[other].name,
            kind=graph.entities[other].kind,
            relation=relation,
            via=graph.entities[each].name,
            outgoing=outgoing,
            hops=hop,
            memories=tuple(behind[seq] for seq in sorted(seqs, reverse=True)),
        )
        for hop, other, relation, each, outgoing, seqs in found
    ]
    return tuple(sorted(links, key=lambda link: (link.hops, link.relation == TOGETHER, -len(link.memories), link.name)))


def _recollected(connection: Connection, seqs: Collection[int]) -> dict[int, Recollection]:
    numbers: Sequence[int] = sorted(seqs)
    found = dict[int, Recollection]()
    for start in range(0, len(numbers), BATCH):
        batch = numbers[start : start + BATCH]
        rows = connection.execute(select(memories).where(memories.c.seq.in_(batch))).all()
        found |= {row.seq: each for row, each in zip(rows, recollected(connection, rows, {}), strict=True)}
    return found
