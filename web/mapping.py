"""The graph of entities as a page shows it: the names most is known of, or one name and what is around it."""

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from hippograph.memory.entities import key
from hippograph.memory.network import TOGETHER, Edge, Entity, Network
from hippograph.web.placing import Point, ringed, spread

MOST = 48
"""Names of an overview."""
NEAR, FAR = 24, 24
"""Names shown in the first and the second ring around one."""
DRAWN = 4
"""Strongest connections of each name that an overview draws: all of them would be a thicket."""
BEHIND = 2
"""Memories that are shown for each connection, the newest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A name on a map."""

    number: int
    name: str
    kind: str
    """person, place, organisation, thing, or ""."""
    memories: int
    """How many living memories mention it."""
    at: Point
    radius: float
    middle: bool = False
    far: bool = False
    """Whether it is in the second ring."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What connects two names on a map."""

    one: Node
    other: Node
    relations: Sequence[str]
    """Attributes that relate them; none where one memory names both."""
    memories: int
    width: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Map:
    """Names with what connects them, and the stretch of the plane they lie in."""

    nodes: Sequence[Node]
    lines: Sequence[Line]
    box: tuple[float, float, float, float]
    """Left, top, width, height."""
    left_out: int
    """Names that are not shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """A name that is connected to another."""

    number: int
    name: str
    kind: str
    relations: Sequence[tuple[str, bool]]
    """Attributes that relate the two, each with whether this one is its value; none where one memory names both."""
    memories: Sequence[int]
    """Numbers of the memories that say so, the newest first."""


def overview(graph: Network, most: int = MOST) -> Map:
    """Return the map of the names that most memories mention."""
    ranked = sorted(graph.entities, key=lambda number: (-len(graph.entities[number].memories), number))
    numbers = ranked[:most]
    pairs = _pairs(graph, {*numbers})
    radii = [_radius(graph.entities[number]) for number in numbers]
    place = {number: index for index, number in enumerate(numbers)}
    strongest = max((len(behind) for _, behind in pairs.values()), default=1)
    links = {(place[a], place[b]): math.sqrt(len(seqs) / strongest) for (a, b), (_, seqs) in pairs.items()}
    points = spread(radii, links)
    nodes = {number: _node(graph, number, at) for number, at in zip(numbers, points, strict=True)}
    return _map(nodes, _strongest(pairs), len(ranked) - len(numbers))


def around(graph: Network, number: int, hops: int = 1) -> Map:
    """Return the map of one name, of what is connected to it, and, with two hops, of what is connected to that."""
    near = neighbours(graph, number)
    shown = [each.number for each in near[:NEAR]]
    outer, left_out = dict[int, list[int]](), len(near) - len(shown)
    if hops > 1:
        behind = _behind(graph, shown, {number, *(each.number for each in near)})
        left_out += sum(map(len, behind.values()))
        outer = _fair(behind, FAR)
        left_out -= sum(map(len, outer.values()))
    order = [*shown, *(far for each in shown for far in outer.get(each, ()))]
    place = {each: index for index, each in enumerate(order)}
    points = ringed(len(shown), {place[each]: [place[far] for far in found] for each, found in outer.items()})
    nodes = {number: _node(graph, number, Point(0, 0), middle=True)}
    for each, at in zip(order, points, strict=True):
        nodes[each] = _node(graph, each, at, far=each not in shown)
    spokes = {(number, each) for each in shown} | {(each, far) for each, found in outer.items() for far in found}
    drawn = {(min(pair), max(pair)) for pair in spokes}
    pairs = _pairs(graph, nodes.keys())
    return _map(nodes, {pair: what for pair, what in pairs.items() if pair in drawn}, left_out)


def neighbours(graph: Network, number: int) -> list[Neighbour]:
    """Return what is connected to a name: what facts relate first, then what most memories name with it."""
    edges = defaultdict[int, list[Edge]](list)
    for edge, other in graph.around(number):
        edges[other].append(edge)
    found = [_neighbour(graph, other, between) for other, between in edges.items()]
    return sorted(found, key=lambda each: (not each.relations, -len(each.memories), each.name))


def known(graph: Network, name: str) -> int | None:
    """Return the entity of a name, or None where no memory mentions it."""
    return graph.known.get(key(name))


def _neighbour(graph: Network, other: int, between: Sequence[Edge]) -> Neighbour:
    told = dict.fromkeys((edge.relation, edge.tail == other) for edge in between if edge.relation != TOGETHER)
    behind = {seq for edge in between for seq in graph.edges[edge]}
    entity = graph.entities[other]
    return Neighbour(
        number=other, name=entity.name, kind=entity.kind, relations=[*told], memories=sorted(behind, reverse=True)
    )


def _behind(graph: Network, near: Sequence[int], taken: Collection[int]) -> dict[int, list[int]]:
    """Return for each near name those connected to it that no other has taken, the strongest first."""
    gone, found = {*taken}, dict[int, list[int]]()
    for each in near:
        found[each] = [other.number for other in neighbours(graph, each) if other.number not in gone]
        gone |= {*found[each]}
    return found


def _fair(behind: Mapping[int, Sequence[int]], most: int) -> dict[int, list[int]]:
    """Return the first of each list in turn until there are `most`."""
    found = defaultdict[int, list[int]](list)
    left = {each: [*others] for each, others in behind.items()}
    while most > 0 and any(left.values()):
        for each, others in left.items():
            if others and most > 0:
                found[each].append(others.pop(0))
                most -= 1
    return dict(found)


Pairs = dict[tuple[int, int], tuple[list[str], set[int]]]
"""Two names to what relates them, and to the memories that say so."""


def _pairs(graph: Network, numbers: Collection[int]) -> Pairs:
    found: Pairs = {}
    for edge, behind in graph.edges.items():
        if edge.head in numbers and edge.tail in numbers:
            pair = min(edge.head, edge.tail), max(edge.head, edge.tail)
            relations, seqs = found.setdefault(pair, ([], set()))
            seqs |= behind
            if edge.relation != TOGETHER and edge.relation not in relations:
                relations.append(edge.relation)
    return found


def _strongest(pairs: Pairs) -> Pairs:
    """Return of each name its DRAWN strongest pairs, those that facts relate first."""
    ranked = sorted(pairs, key=lambda pair: (not pairs[pair][0], -len(pairs[pair][1]), pair))
    drawn = Counter[int]()
    kept: Pairs = {}
    for pair in ranked:
        if min(drawn[each] for each in pair) < DRAWN:
            kept[pair] = pairs[pair]
            drawn.update(pair)
    return kept


def _map(nodes: Mapping[int, Node], pairs: Pairs, left_out: int) -> Map:
    lines = [
        Line(
            one=nodes[a],
            other=nodes[b],
            relations=relations,
            memories=len(behind),
            width=round(min(5.0, 0.8 + 0.6 * math.log2(len(behind))), 1),
        )
        for (a, b), (relations, behind) in pairs.items()
    ]
    shown = [*nodes.values()]
    return Map(nodes=shown, lines=lines, box=_box(shown), left_out=left_out)


def _box(nodes: Iterable[Node], margin: float = 60.0) -> tuple[float, float, float, float]:
    """Return the stretch of the plane that nodes and their names lie in."""
    points = [(each.at.x, each.at.y, each.radius + margin) for each in nodes]
    if not points:
        return 0.0, 0.0, 1.0, 1.0
    left, top = min(x - r for x, _, r in points), min(y - r for _, y, r in points)
    right, bottom = max(x + r for x, _, r in points), max(y + r for _, y, r in points)
    return round(left, 1), round(top, 1), round(right - left, 1), round(bottom - top, 1)


def _node(graph: Network, number: int, at: Point, *, middle: bool = False, far: bool = False) -> Node:
    entity = graph.entities[number]
    radius = _radius(entity) + 6 * middle
    return Node(
        number=number,
        name=entity.name,
        kind=entity.kind,
        memories=len(entity.memories),
        at=at,
        radius=radius,
        middle=middle,
        far=far,
    )


def _radius(entity: Entity) -> float:
    """Return the radius of a name's circle: 5 for one memory, some more each time they double, up to 20."""
    return round(min(20.0, 5 + 2.0 * math.log2(max(1, len(entity.memories)))), 1)
