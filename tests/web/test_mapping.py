"""The map of names: who is on it, where, and what connects whom."""

from itertools import combinations

from hippograph.memory.network import TOGETHER, Edge, Entity, Network
from hippograph.web.mapping import NEAR, around, known, neighbours, overview
from hippograph.web.placing import WIDE, Point, ringed, spread


def network(names: dict[str, int], edges: dict[tuple[str, str, str], int]) -> Network:
    """A graph of names with as many memories each, and of relations with as many behind each."""
    numbers = {name: number for number, name in enumerate(names, 1)}
    return Network(
        entities={
            numbers[name]: Entity(name=name, kind="person", memories={*range(count)}) for name, count in names.items()
        },
        edges={Edge(numbers[a], relation, numbers[b]): {*range(n)} for (a, relation, b), n in edges.items()},
        known={name.casefold(): number for name, number in numbers.items()},
    )


def test_an_overview_has_the_names_most_is_known_of() -> None:
    graph = network({"Ann": 3, "Bob": 9, "Cid": 1}, {("Ann", "friend", "Bob"): 2, ("Ann", TOGETHER, "Bob"): 3})
    found = overview(graph, most=2)
    assert ([node.name for node in found.nodes], found.left_out) == (["Bob", "Ann"], 1)
    [line] = found.lines
    assert (line.relations, line.memories) == (["friend"], 3)
    assert overview(network({}, {})).nodes == []


def test_around_a_name_stands_what_facts_relate_before_what_is_only_named_with_it() -> None:
    graph = network(
        {"Ann": 9, "Bob": 1, "Cid": 5, "Dee": 2},
        {("Bob", "friend", "Ann"): 1, ("Ann", TOGETHER, "Cid"): 5, ("Cid", TOGETHER, "Dee"): 1},
    )
    bob, cid = neighbours(graph, 1)
    assert (bob.name, bob.relations, cid.name, cid.relations) == ("Bob", [("friend", False)], "Cid", [])
    assert cid.memories == [4, 3, 2, 1, 0]
    near = around(graph, 1)
    assert [node.name for node in near.nodes] == ["Ann", "Bob", "Cid"]
    assert near.nodes[0].at == (0, 0)
    far = around(graph, 1, hops=2)
    assert [(node.name, node.far) for node in far.nodes] == [
        ("Ann", False),
        ("Bob", False),
        ("Cid", False),
        ("Dee", True),
    ]


def test_of_many_neighbours_the_strongest_are_shown_and_the_others_counted() -> None:
    names = {"Ann": 1} | {f"n{n}": 1 for n in range(NEAR + 5)}
    found = around(network(names, {("Ann", "friend", f"n{n}"): n + 1 for n in range(NEAR + 5)}), 1, hops=2)
    assert (len(found.nodes), found.left_out) == (NEAR + 1, 5)
    assert "n0" not in [node.name for node in found.nodes]


def test_a_name_is_known_by_any_case_and_no_other() -> None:
    graph = network({"Ann": 1}, {})
    assert (known(graph, "ANN"), known(graph, "Bob")) == (1, None)


def far(one: Point, other: Point) -> float:
    return float(((one.x - other.x) ** 2 + (one.y - other.y) ** 2) ** 0.5)


def test_linked_names_stand_nearer_than_others_and_none_covers_another() -> None:
    links = {(a, b): 1.0 for group in (range(5), range(5, 10)) for a, b in combinations(group, 2)}
    points = spread([12.0] * 10, links)
    assert points == spread([12.0] * 10, links)
    apart = {pair: far(points[pair[0]], points[pair[1]]) for pair in combinations(range(10), 2)}
    assert min(apart.values()) > 24
    linked = [length for pair, length in apart.items() if pair in links]
    other = [length for pair, length in apart.items() if pair not in links]
    assert sum(linked) / len(linked) < 0.6 * sum(other) / len(other)
    assert spread([], {}) == []
    assert spread([9.0], {}) == [Point(0.0, 0.0)]


def test_rings_keep_what_is_behind_a_name_on_its_side() -> None:
    points = ringed(4, {0: [4, 5], 2: [6]})
    assert len(points) == 7
    assert {far(Point(x / WIDE, y), Point(0, 0)) > 190 for x, y in points} == {True}
    for behind in (4, 5):
        assert far(points[behind], points[0]) < min(far(points[behind], points[each]) for each in (1, 2, 3))
    assert ringed(0, {}) == []
