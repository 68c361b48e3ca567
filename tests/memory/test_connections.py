"""Who is connected to whom: case by case over a real ledger."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import networkx
import pytest
from tended import derive, later, quiet, say

from hippograph.bench.hashed import hashed
from hippograph.memory import Memory
from hippograph.memory.connections import Connected
from hippograph.memory.drawn import as_graphml, as_json
from hippograph.memory.network import TOGETHER
from hippograph.state import BadInput


@pytest.fixture(scope="module")
def empty_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("empty") / "home"
    Memory.open(home, hashed()).close()
    return home


@pytest.fixture
def memory(tmp_path: Path, empty_home: Path) -> Iterator[Memory]:
    home = shutil.copytree(empty_home, tmp_path / "home")
    with Memory.open(home, hashed(), settings=quiet()) as opened:
        yield opened


def works(memory: Memory, who: str, where: str, **fields: object) -> str:
    given = {"subject": who, "attribute": "employer", "value": where, "entities": [who, where], **fields}
    return derive(memory, f"{who} works at {where}.", **given)


def told(found: Connected) -> list[tuple[str, str, bool]]:
    return [(link.name, link.relation, link.outgoing) for link in found.links if link.relation != TOGETHER]


def test_what_facts_relate_is_found_from_both_ends_with_the_memories_behind(memory: Memory) -> None:
    fact = works(memory, "Ann Lee", "Acme")
    found = memory.connected("ann", "Ann Lee")
    assert told(found) == [("Acme", "employer", True)]
    assert [each.id for each in found.links[0].memories] == [fact]
    assert found.links[0].kind == "organisation"
    assert told(memory.connected("ann", "acme")) == [("Ann Lee", "employer", False)]


def test_chinese_names_are_connected_as_well(memory: Memory) -> None:
    derive(memory, "老唐住在昆明。", subject="老唐", attribute="residence", value="昆明")
    say(memory, "我和老唐去了大理，在云南大学门口吃了米线。")
    assert told(memory.connected("ann", "老唐")) == [("昆明", "residence", True)]
    kinds = {link.name: link.kind for link in memory.connected("ann", "老唐").links}
    assert kinds == {"昆明": "place", "大理": "place", "云南大学": "organisation"}


def test_names_in_one_turn_are_connected_by_it(memory: Memory) -> None:
    turn = say(memory, "I met Priya in Lisbon.")[0]
    [link] = memory.connected("ann", "Priya").links
    assert (link.name, link.kind, link.relation) == ("Lisbon", "place", TOGETHER)
    assert [each.id for each in link.memories] == [turn]


def test_further_hops_say_by_whom(memory: Memory) -> None:
    works(memory, "Ann Lee", "Acme")
    works(memory, "Bob", "Acme")
    derive(memory, "Bob lives in Oslo.", subject="Bob", attribute="residence", value="Oslo")
    assert [link.name for link in memory.connected("ann", "Ann Lee", hops=1).links if link.relation != TOGETHER] == [
        "Acme"
    ]
    far = memory.connected("ann", "Ann Lee", hops=3)
    assert {(link.name, link.via, link.hops) for link in far.links if link.relation != TOGETHER} == {
        ("Acme", "Ann Lee", 1),
        ("Bob", "Acme", 2),
        ("Oslo", "Bob", 3),
    }


def test_who_speaks_of_himself_is_a_name_too(memory: Memory) -> None:
    works(memory, "user", "Acme")
    assert told(memory.connected("ann", "I")) == told(memory.connected("ann", "我")) == [("Acme", "employer", True)]


def test_a_speaker_is_connected_to_what_he_names(memory: Memory) -> None:
    memory.add_turns("ann", "t", [{"role": "user", "speaker": "Melanie", "text": "We painted in Porto."}])
    assert [link.name for link in memory.connected("ann", "Melanie").links] == ["Porto"]


def test_a_part_of_a_name_is_the_whole_while_only_one_can_be_meant(memory: Memory) -> None:
    say(memory, "I met Ann Lee in Porto.", "Dinner with Ann in Faro, Ann's treat.")
    works(memory, "Ann", "Acme")
    found = memory.connected("ann", "Ann")
    assert (found.name, found.aliases) == ("Ann Lee", ("Ann",))
    assert {link.name for link in found.links} == {"Porto", "Faro", "Acme"}
    say(memory, "I met Ann Wu in Rome.")
    assert memory.connected("ann", "Ann").name == "Ann", "now it may be either"
    assert {link.name for link in memory.connected("ann", "Ann Lee").links} == {"Porto"}


def test_a_place_is_no_part_of_another_ones_name(memory: Memory) -> None:
    say(memory, "We flew to New York.", "We drove to York with Bob.")
    assert memory.connected("ann", "York").name == "York"


def test_what_is_forgotten_or_superseded_vanishes_at_once(memory: Memory) -> None:
    old = works(memory, "Ann Lee", "Acme", said_at=later(-90))
    works(memory, "Ann Lee", "Umbrella", said_at=later(-2))
    turns = [memory.get(old).source_ids[0]]
    memory.upkeep(steps=["sweep"])
    assert told(memory.connected("ann", "Ann Lee")) == [("Umbrella", "employer", True)]
    memory.forget("ann", ids=turns)
    with pytest.raises(BadInput, match="No memory names 'Acme'"):
        memory.connected("ann", "Acme")
    memory.forget("ann", all=True)
    assert memory.network("ann").entities == {}


def test_what_went_into_a_summary_still_counts(memory: Memory) -> None:
    for n, place in enumerate(("Porto", "Faro", "Braga", "Evora")):
        fields = {"subject": "Ann Lee", "topic": "trips", "attribute": f"event trip {n}", "value": f"trip to {place}"}
        derive(memory, f"Ann Lee went on a trip to {place}.", kind="event", said_at=later(n - 90), **fields)
    before = told(memory.connected("ann", "Ann Lee"))
    memory.upkeep(steps=["merge"], now=later(31))
    assert memory.list("ann", kinds=["event"]) == []
    assert told(memory.connected("ann", "Ann Lee")) == before
    assert {name for name, *_ in before} == {"Porto", "Faro", "Braga", "Evora"}


def test_a_negated_fact_relates_nothing(memory: Memory) -> None:
    fact = works(memory, "Ann Lee", "Acme")
    memory.update(fact, text="Ann Lee does not work at Acme.")
    with memory._ledger.write() as connection:
        from sqlalchemy import text

        connection.execute(text("UPDATE memories SET negated = 1 WHERE id = :id"), {"id": fact})
    assert told(memory.connected("ann", "Ann Lee")) == []


def test_a_changed_text_is_read_again(memory: Memory) -> None:
    fact = derive(memory, "The trip went to Porto.")
    assert memory.connected("ann", "Porto").kind == "place"
    memory.forget("ann", ids=[each.id for each in memory.list("ann", kinds=["turn"])][:0] or [fact])
    note = memory.remember("ann", "The trip went to Faro.")
    memory.network("ann")
    memory.update(note, text="The trip went to Braga.")
    assert memory.connected("ann", "Braga").name == "Braga"
    with pytest.raises(BadInput):
        memory.connected("ann", "Faro")


def test_users_do_not_see_each_others_graph(memory: Memory) -> None:
    works(memory, "Ann Lee", "Acme")
    with pytest.raises(BadInput):
        memory.connected("bob", "Acme")


@pytest.mark.parametrize("hops", [0, 6, "2"])
def test_hops_out_of_range_are_refused(memory: Memory, hops: int) -> None:
    with pytest.raises(BadInput, match="hops"):
        memory.connected("ann", "Acme", hops=hops)


def test_the_graph_is_read_back_by_other_programs(memory: Memory, tmp_path: Path) -> None:
    works(memory, "老唐", "云南大学")
    works(memory, "Ann & Co <3", "Acme")
    network = memory.network("ann")
    drawn = as_graphml(network)
    ElementTree.fromstring(drawn)
    (tmp_path / "graph.graphml").write_text(drawn, "utf-8")
    graph = networkx.read_graphml(tmp_path / "graph.graphml", force_multigraph=True)
    names = networkx.get_node_attributes(graph, "name")
    assert {"老唐", "云南大学", "Ann & Co <3", "Acme"} <= {*names.values()}
    edges = {(names[head], relation, names[tail]) for head, tail, relation in graph.edges(data="relation")}
    assert ("老唐", "employer", "云南大学") in edges
    read = json.loads(as_json(network, "ann"))
    assert read["user"] == "ann"
    assert len(read["nodes"]) == graph.number_of_nodes()
    assert len(read["edges"]) == graph.number_of_edges()


def test_names_of_many_new_memories_are_read_in_steps_and_none_is_left_out(memory: Memory) -> None:
    ids = say(memory, *(f"I met {name} in Kiel." for name in ("Petrov", "Ivanov", "Pavlov", "Davov", "Levov")))
    sizes = list[tuple[int, int]]()
    for _ in range(3):
        graph = memory.network("ann", most=2)
        sizes.append((sum(each.name.endswith("ov") for each in graph.entities.values()), memory.unread("ann")))
    assert sizes == [(2, 3), (4, 1), (5, 0)]
    memory.update(ids[0], "ann", topic="meetings")
    assert memory.unread("ann") == 1
    memory.network("ann", most=1)
    assert memory.unread("ann") == memory.unread("nobody") == 0
