"""The graph of a space's entities: who is related to whom, and which living memories say so.

What was forgotten, superseded or cleaned away counts no more: the tables are joined with the ledger whenever they
are read.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

from sqlalchemy import Connection, select

from hippograph.memory.entities import EntityKind, key
from hippograph.memory.schema import entities, memories, mentions, relations
from hippograph.memory.tokens import is_cjk

TOGETHER = "mentioned with"
"""The relation of two entities that one memory names and no fact relates."""
CROWD = 12
"""A memory that names more entities than this says nothing of any two of them."""
LIVING = (memories.c.status == "current") | ((memories.c.status == "archived") & memories.c.superseded_by.is_not(None))
"""What counts: what is current, and what went into a summary."""


@dataclass(slots=True, kw_only=True)
class Entity:
    """An entity with all its names."""

    name: str
    """The fullest one."""
    kind: EntityKind
    aliases: list[str] = field(default_factory=list)
    """Others it is called by."""
    memories: set[int] = field(default_factory=set)
    """Numbers of the living memories that mention it."""


class Edge(NamedTuple):
    """How one entity is related to another, by their numbers."""

    head: int
    relation: str
    tail: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """A space's entities and what relates them."""

    entities: Mapping[int, Entity]
    edges: Mapping[Edge, set[int]]
    """The living memories behind each edge; those of TOGETHER have the earlier entity as head."""
    known: Mapping[str, int]
    """Key of any name to its entity."""

    def around(self, number: int) -> Iterator[tuple[Edge, int]]:
        """Yield the edges at an entity, each with the entity at its other end."""
        for edge in self.edges:
            if number in (edge.head, edge.tail):
                yield edge, edge.tail if edge.head == number else edge.head


def network(connection: Connection, space: str) -> Network:
    """Read a space's graph as its living memories make it."""
    living = (memories.c.space == space) & LIVING
    named = select(entities).where(entities.c.space == space).order_by(entities.c.seq)
    found = {row.seq: Entity(name=row.name, kind=row.kind) for row in connection.execute(named)}
    mentioned = defaultdict[int, list[int]](list)
    query = select(mentions).join(memories, memories.c.seq == mentions.c.memory).where(living)
    for entity, memory in connection.execute(query):
        mentioned[memory].append(entity)
        found[entity].memories.add(memory)
    found = {number: each for number, each in found.items() if each.memories}
    one = _aliases(found)
    edges = defaultdict[Edge, set[int]](set)
    for row in connection.execute(select(relations).join(memories, memories.c.seq == relations.c.memory).where(living)):
        edge = Edge(one.get(row.head, row.head), row.relation, one.get(row.tail, row.tail))
        if edge.head != edge.tail:
            edges[edge].add(row.memory)
    _together(edges, mentioned, one)
    known = {key(part): numbers[0] for part, numbers in _longer(found).items() if len(numbers) == 1}
    known |= {key(each.name): one.get(number, number) for number, each in found.items()}
    for alias, number in one.items():
        _join(found[number], found[alias])
    return Network(
        entities={number: each for number, each in found.items() if number not in one}, edges=edges, known=known
    )


def _together(edges: dict[Edge, set[int]], mentioned: Mapping[int, Iterable[int]], one: Mapping[int, int]) -> None:
    """Relate the entities that one memory mentions, where it does not say how they are related."""
    said = defaultdict[int, set[frozenset[int]]](set)
    for edge, behind in edges.items():
        for memory in behind:
            said[memory].add(frozenset((edge.head, edge.tail)))
    for memory, named in mentioned.items():
        numbers = sorted({one.get(each, each) for each in named})
        for head, tail in combinations(numbers, 2) if len(numbers) <= CROWD else ():
            if frozenset((head, tail)) not in said[memory]:
                edges[Edge(head, TOGETHER, tail)].add(memory)


def _aliases(found: Mapping[int, Entity]) -> dict[int, int]:
    """Return which entities are others under a shorter name, where only one longer name can be meant.

    "Ann" is "Ann Lee" as long as there is no "Ann Wu"; only people are called by parts of their names.
    """
    longer = _longer(found)
    one = dict[int, int]()
    for number, each in found.items():
        meant = longer.get(each.name.casefold(), [])
        if len(meant) == 1 and each.kind in ("person", "") and "person" in (each.kind, found[meant[0]].kind):
            one[number] = meant[0]
    return {alias: number for alias, number in one.items() if number not in one}


def _longer(found: Mapping[int, Entity]) -> dict[str, list[int]]:
    """Return for each part of a person's full name who may be meant by it."""
    longer = defaultdict[str, list[int]](list)
    for number, each in found.items():
        if each.kind in ("person", ""):
            for part in _parts(each.name):
                longer[part].append(number)
    return longer


def _parts(name: str) -> set[str]:
    """Return the shorter names that a person of a full name goes by."""
    if any(map(is_cjk, name)):
        return {name[1:]} if len(name) == len("陆明强") else set()
    words = name.casefold().split()
    return {words[0], words[-1]} if len(words) > 1 else set()


def _join(entity: Entity, alias: Entity) -> None:
    entity.aliases.append(alias.name)
    entity.memories |= alias.memories
    entity.kind = entity.kind or alias.kind
