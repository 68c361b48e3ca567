"""Items as memories: recalled, forgotten, exported, kept in snapshots, kept up; in one space each."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from hippograph.bench.hashed import hashed
from hippograph.memory import Memory, Put
from hippograph.memory.items.item import readable
from hippograph.state import BadInput
from hippograph.state.upkeep import Policy

NOTES = ("ann", "notes")


def opened(home: Path) -> Memory:
    return Memory.open(home, hashed(), reranker="fusion", extractor="none")


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with opened(tmp_path / "home") as made:
        yield made


def note(said: str, key: str = "k", space: str = "ann", **more: Any) -> Put:
    return Put(space=space, namespace=(space, "notes"), key=key, value={"text": said}, **more)


def texts(memory: Memory, query: str, space: str = "ann") -> list[str]:
    return [each.text for each in memory.recall(space, query)]


def holders(home: Path, *words: str) -> list[str]:
    """Return the files below a home that hold any of some words, as they are or as JSON writes them."""
    forms = {form for word in words for form in (word.encode(), word.encode("unicode_escape"))}
    files = [path for path in home.rglob("*") if path.is_file()]
    return [path.name for path in files if any(form in path.read_bytes() for form in forms)]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"content": "Ann likes tea."}, "Ann likes tea."),
        ({"kind": "Memory", "content": {"content": "安喜欢喝茶。"}}, "kind: Memory\n安喜欢喝茶。"),
        (
            {"title": "Tea", "tags": ["a", 2, True, None], "by": {"name": "Bo"}},
            "title: Tea\ntags: a, 2, true\nname: Bo",
        ),
        ({"rows": [{"text": "one"}, {"text": "two"}]}, "one\ntwo"),
        ({"a": None, "b": "", "c": {}, "d": [], "e": float("nan")}, ""),
    ],
)
def test_a_value_is_read_as_a_person_would_read_it(value: dict[str, Any], said: str) -> None:
    assert readable(value) == said


def test_an_item_is_recalled_by_its_words_and_tells_its_kind(memory: Memory) -> None:
    memory.items.put(
        note("The gate code is 4711."), note("门的密码是二八七五。", "zh"), note("Nothing.", "quiet", text="")
    )
    (found,) = (each for each in memory.recall("ann", "What is the gate code?") if "4711" in each.text)
    assert (found.kind, found.status, found.source_ids) == ("item", "current", [found.id])
    assert texts(memory, "门的密码是多少？")[0] == "门的密码是二八七五。"
    assert "Nothing." not in texts(memory, "Nothing.")
    assert memory.recall("bo", "What is the gate code?") == []
    assert [each.text for each in memory.list("ann", kinds=["item"], archived=True)] != []


def test_numbers_that_no_database_takes_are_brought_within_bounds(memory: Memory) -> None:
    memory.items.put(note("Ann likes tea."))
    assert len(memory.items.search(("ann",), limit=10**30)) == 1
    assert memory.items.search(("ann",), offset=10**30) == []
    assert memory.items.namespaces(limit=10**30) == [NOTES]


def test_what_an_item_was_before_is_not_recalled_and_leaves_no_vector(memory: Memory) -> None:
    memory.items.put(note("The gate code is 4711. " * 200))
    memory.flush()
    assert memory.status().memories == 1
    many = memory._index.size("ann")
    memory.items.put(note("The gate is painted green."))
    memory.flush()
    assert texts(memory, "gate code 4711") == ["The gate is painted green."]
    assert memory._index.size("ann") == 1 < many
    memory.items.put(note("The gate is painted green.", text=""))
    assert texts(memory, "gate painted green") == []
    assert memory._index.size("ann") == 0


def test_threads_that_put_under_the_same_keys_leave_one_item_each_with_its_last_words(memory: Memory) -> None:
    def put(thread: int) -> None:
        for n in range(6):
            key = f"k{(n + thread) % 3}"
            memory.items.put(note(f"Ann saw {n} herons, told thread {thread}.", key))
            memory.items.get("ann", NOTES, key)
            if n % 3 == 2:
                memory.items.put(replace(note("", key), value=None))

    with ThreadPoolExecutor(3) as threads:
        [*threads.map(put, range(3))]
    last = [note(f"Ann saw {n} cranes in the end.", f"k{n}") for n in range(3)]
    memory.items.put(*last)
    memory.flush()
    assert sorted(each.text for each in memory.list("ann")) == [f"Ann saw {n} cranes in the end." for n in range(3)]
    assert memory._index.size("ann") == 3
    assert all("cranes" in each for each in texts(memory, "How many herons did Ann see?"))
    assert memory.status().failing == memory.status().dead == 0


def test_the_same_put_again_changes_nothing_that_was_made_of_it(memory: Memory) -> None:
    assert memory.items.put(note("The gate code is 4711.")) == 1
    memory.flush()
    (before,) = memory.list("ann")
    assert memory.items.put(note("The gate code is 4711.")) == 0
    (after,) = memory.list("ann")
    assert (after.id, after.version) == (before.id, before.version)
    assert after.said_at > before.said_at
    assert memory.status().pending == 0
    assert memory.items.put(note("The gate code is 4712.")) == 1
    assert [step.what for step in memory.history(before.id)] == ["stored", "updated"]
    assert all("4711" not in json.dumps(step.before) for step in memory.history(before.id))


def test_an_item_is_changed_by_putting_it_alone(memory: Memory) -> None:
    memory.items.put(note("The gate code is 4711."))
    (item,) = memory.list("ann")
    for change in ({"text": "x"}, {"expires_at": "2026-01-01"}, {"kind": "fact"}):
        with pytest.raises(BadInput, match="put the item again"):
            memory.update(item.id, **change)
    assert memory.update(item.id, importance=0.9, pinned=True).importance == 0.9
    memory.items.put(note("The gate code is 4712."))
    with pytest.raises(BadInput, match="Nothing is kept of what an item was"):
        memory.undo(item.id)
    with pytest.raises(BadInput, match="kind of memory that is given"):
        memory.remember("ann", "x", kind="item")


def test_a_fact_that_says_the_same_does_not_become_part_of_an_item(memory: Memory) -> None:
    memory.items.put(note("Ann's gate code is 4711."))
    id_ = memory.remember("ann", "Ann's gate code is 4711.")
    assert memory.get(id_).kind == "fact"
    memory.items.put(Put(space="ann", namespace=NOTES, key="k", value=None))
    assert memory.get(id_).text == "Ann's gate code is 4711."


@pytest.mark.parametrize("choice", [{"query": "quetzal"}, {"all": True}, {"source": "/dump.json"}])
def test_forgetting_an_item_leaves_no_byte_of_it(memory: Memory, tmp_path: Path, choice: Any) -> None:
    hidden = Put(
        space="ann", namespace=("ann", "aviary"), key="plumage", text="A bird.", origin="/dump.json",
        value={"title": "A bird.", "species": {"quetzal": "resplendent 凤尾绿咬鹃"}},
    )  # fmt: skip
    memory.items.put(hidden)
    memory.items.put(note("The macaw is the quetzal's neighbour.", origin="/dump.json"))
    memory.flush()
    memory.snapshot("with birds")
    memory.items.put(note("The kakapo is the quetzal's neighbour.", origin="/dump.json"))
    memory.items.put(note("Bo has a goldfish.", space="bo"))
    receipt = memory.forget("ann", **choice)
    assert receipt.kinds == {"item": 2}
    assert receipt.snapshots == 1
    assert memory.items.search(("ann",)) == []
    assert memory.items.namespaces() == [("bo", "notes")]
    words = ("quetzal", "plumage", "aviary", "凤尾绿咬鹃", "macaw", "kakapo", "A bird.")
    memory.close()
    assert holders(tmp_path / "home", *words) == []


def test_deleting_an_item_takes_it_from_every_search_at_once_and_from_the_files_when_compacted(
    memory: Memory, tmp_path: Path
) -> None:
    memory.items.put(note("The quetzal sings at dawn."), note("The gate is green.", "other"))
    memory.flush()
    assert memory.items.put(Put(space="ann", namespace=NOTES, key="k", value=None)) == 1
    assert memory.items.put(Put(space="ann", namespace=NOTES, key="k", value=None)) == 0
    assert memory.items.get("ann", NOTES, "k") is None
    assert texts(memory, "quetzal dawn") == ["The gate is green."]
    assert memory.status().uncompacted
    assert memory.compact()
    memory.close()
    assert holders(tmp_path / "home", "quetzal") == []


def test_what_was_deleted_and_put_again_is_in_an_export_that_another_home_takes(memory: Memory, tmp_path: Path) -> None:
    memory.items.put(note("The gate code is 4711."), note("Other.", "k2"))
    memory.items.put(replace(note(""), value=None), replace(note("", "k2"), value=None))
    memory.items.put(note("The gate code is 4711."), note("Third.", "k2"))
    memory.items.put(note("Other.", "k2"))
    memory.export(tmp_path / "ann.jsonl", "ann")
    with opened(tmp_path / "other") as other:
        assert other.load(tmp_path / "ann.jsonl").stored == 2


@pytest.mark.parametrize(
    "wrong",
    [
        {"ttl": -1.0},
        {"ttl": 1e300},
        {"ttl": float("nan")},
        {"ttl": "5"},
        {"namespace": ()},
        {"namespace": ("a", 1)},
        {"namespace": "ann"},
        {"value": [1]},
        {"space": " "},
    ],
)
def test_what_cannot_be_put_is_refused_in_words_and_nothing_is_stored(memory: Memory, wrong: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match=r"time to live|namespace|JSON object|space"):
        memory.items.put(note("Fine."), replace(note("Not fine.", "other"), **wrong))
    assert memory.count() == 0


def test_a_namespace_is_forgotten_with_all_in_it_and_the_one_beside_stays(memory: Memory) -> None:
    memory.items.put(note("One."), note("Two.", "k2"))
    memory.items.put(Put(space="ann", namespace=("ann", "other"), key="k", value={"text": "Three."}))
    assert len(memory.items.forget("ann", NOTES).ids) == 2
    assert [each.value for each in memory.items.search()] == [{"text": "Three."}]
    assert memory.items.forget("ann", ("ann", "other"), "k").compacted


def test_an_export_has_items_and_another_home_has_them_as_they_were(memory: Memory, tmp_path: Path) -> None:
    put_at = datetime(2025, 3, 1, tzinfo=UTC)
    odd = {"text": "Tea \ud83d\x00", "n": [1.5, None]}
    memory.items.put(Put(space="ann", namespace=NOTES, key="odd", value=odd, ttl=60.0, at=put_at))
    memory.items.put(note("Unseen.", "quiet", text=""), note("The gate code is 4711."))
    file = tmp_path / "ann.jsonl"
    memory.export(file, "ann")
    before = memory.items.search(("ann",), refresh=False)
    with opened(tmp_path / "other") as other:
        assert other.load(file).stored == 3
        assert other.load(file).known == 3
        assert other.items.search(("ann",), refresh=False) == before
        assert texts(other, "gate code")[0] == "The gate code is 4711."
        assert "Unseen." not in texts(other, "Unseen.")
        assert other.load(file, "bo").stored == 3
        assert {each.namespace for each in other.items.search(space="bo")} == {("bo", "notes")}
        other.items.put(note("Another code."))
        assert other.load(file).known == 3
        assert other.items.get("ann", NOTES, "k").value == {"text": "Another code."}  # type: ignore[union-attr]
    with opened(tmp_path / "third") as third:
        third.items.put(note("My own code."))
        loaded = third.load(file)
        assert (loaded.stored, loaded.known) == (2, 1)
        assert "value of their own" in loaded.notes[0]


def test_an_export_without_items_is_one_that_older_versions_read(memory: Memory, tmp_path: Path) -> None:
    memory.remember("ann", "Ann likes tea.")
    memory.export(tmp_path / "ann.jsonl", "ann")
    assert json.loads((tmp_path / "ann.jsonl").read_text().splitlines()[0])["hippograph"] == 1


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"namespace": "no json"}, "item"),
        ({"namespace": "[]"}, "namespace"),
        ({"value": "[1]"}, "JSON object"),
        ({"value": '{"a":' + "[" * 100_000}, "nested too deeply"),
        ({"ttl": "soon"}, "number"),
        ({"ttl": 1e300}, "time to live"),
        ({"created_at": "soon"}, "time"),
        ({"key": 3}, "text"),
    ],
)
def test_a_bad_item_in_a_file_is_named_and_nothing_is_stored(
    memory: Memory, tmp_path: Path, change: dict[str, Any], told: str
) -> None:
    memory.items.put(note("The gate code is 4711."))
    file = tmp_path / "ann.jsonl"
    memory.export(file, "ann")
    head, line = file.read_text().splitlines()
    found = json.loads(line)
    found["item"][0] |= change
    file.write_text(f"{head}\n{json.dumps(found)}\n")
    with opened(tmp_path / "other") as other:
        with pytest.raises(BadInput, match=f"(?s)line 2.*{told}"):
            other.load(file)
        assert other.count() == 0


def test_a_key_twice_in_a_file_or_a_namespace_on_a_fact_is_refused(memory: Memory, tmp_path: Path) -> None:
    memory.items.put(note("One."))
    memory.remember("ann", "Ann likes tea.")
    file = tmp_path / "ann.jsonl"
    memory.export(file, "ann")
    head, *lines = file.read_text().splitlines()
    item, fact = map(json.loads, lines)
    twin = {**item, "memory": {**item["memory"], "id": "twin"}}
    for wrong in ([item, twin], [item, {**fact, "item": item["item"]}], [{**item, "item": []}, fact]):
        file.write_text("\n".join([head, *map(json.dumps, wrong)]))
        with opened(tmp_path / "other") as other, pytest.raises(BadInput, match="line"):
            other.load(file)


def test_a_snapshot_brings_items_back(memory: Memory) -> None:
    memory.items.put(note("The gate code is 4711."))
    memory.flush()
    taken = memory.snapshot()
    memory.items.put(note("Overwritten."))
    memory.items.put(Put(space="ann", namespace=("ann", "later"), key="k", value={"text": "Later."}))
    memory.restore(taken.id)
    assert [each.value for each in memory.items.search()] == [{"text": "The gate code is 4711."}]
    assert texts(memory, "gate code") == ["The gate code is 4711."]


def test_upkeep_deletes_what_has_expired_and_neither_merges_nor_cleans_items(memory: Memory) -> None:
    memory.items.put(*(note(f"Ann walked to stall {n} of the market.", f"k{n}") for n in range(6)))
    memory.items.put(note("Short-lived.", "ttl", ttl=1))
    later = datetime.now(UTC) + timedelta(days=400)
    memory.upkeep("ann", now=later, policy=Policy(merge_kinds=("fact", "item"), merge_alike=0.0))
    assert memory.items.get("ann", NOTES, "ttl") is None
    assert len(memory.items.search(("ann",))) == 6
    assert memory.count("ann") == 6


def test_names_in_items_are_in_the_graph_until_the_item_says_otherwise(memory: Memory) -> None:
    memory.items.put(note("Priya Raman leads the Falcon project in Oslo."))
    memory.upkeep("ann")
    assert memory.connected("ann", "Priya Raman").links
    memory.items.put(note("Nobody leads it any more."))
    memory.upkeep("ann")
    with pytest.raises(BadInput):
        memory.connected("ann", "Priya Raman")


async def test_items_have_async_twins(memory: Memory) -> None:
    assert await memory.items.aput(note("Tea.")) == 1
    item = await memory.items.aget("ann", NOTES, "k")
    assert item is not None
    assert await memory.items.asearch(("ann",)) == [item]
    assert await memory.items.anamespaces() == [NOTES]
    assert await memory.items.asweep() == 0
    assert len((await memory.items.aforget("ann", NOTES)).ids) == 1
