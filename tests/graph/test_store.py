"""The store over memory, asked what LangGraph's own tests ask of its stores.

What they check was taken from `libs/checkpoint/tests/test_store.py`, `test_inmemory_store_dotted_filters.py` and
`libs/checkpoint-sqlite/tests/{test_store,test_ttl}.py` of langchain-ai/langgraph, and written anew: order of batches,
gets, puts, deletes, searches by prefix, filter, words and page, listings of namespaces, patterns, time to live. Not
taken, because they ask for what is SQLite's or a vector table's alone: names of tables, migrations, the text of
queries, kinds of distance, scores equal to a cosine. Expired items are never returned here, which there is a setting.
"""

import asyncio
import math
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from random import Random
from typing import Any

import pytest
from langgraph.store.base import (
    GetOp,
    InvalidNamespaceError,
    Item,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchOp,
)
from langgraph.store.base.batch import AsyncBatchedBaseStore
from langgraph.store.memory import InMemoryStore

from hippograph.bench.hashed import hashed
from hippograph.graph.store import HippographStore, label
from hippograph.memory import Memory
from hippograph.memory.items import items as module
from hippograph.state import BadInput

SPACES = (f"s{n}" for n in count())


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """One memory for all tests; each has a space of its own."""
    with Memory.open(tmp_path_factory.mktemp("home"), hashed(), reranker="fusion", extractor="none") as opened:
        yield opened


@pytest.fixture
def store(home: Memory) -> HippographStore:
    """An empty store."""
    return HippographStore(home, space=next(SPACES))


def filled(store: HippographStore, *namespaces: tuple[str, ...]) -> None:
    store.batch([PutOp(namespace, "k", {"v": 1}) for namespace in namespaces])


def keys(found: list[Any]) -> list[str]:
    return [each.key for each in found]


def test_an_item_comes_back_as_it_was_put_and_is_replaced_and_deleted(store: HippographStore) -> None:
    namespace, value = ("test", "documents"), {"title": "Test", "content": "Hello", "n": [1, 2.5, None, {"b": True}]}
    store.put(namespace, "doc1", value)
    item = store.get(namespace, "doc1")
    assert item is not None
    assert (item.namespace, item.key, item.value) == (namespace, "doc1", value)
    store.put(namespace, "doc1", {"title": "Other"})
    again = store.get(namespace, "doc1")
    assert again is not None
    assert again.value == {"title": "Other"}
    assert again.created_at == item.created_at
    assert again.updated_at > item.updated_at
    assert store.get(("test", "other"), "doc1") is None
    store.delete(namespace, "doc1")
    assert store.get(namespace, "doc1") is None
    store.put(namespace, "doc1", value)
    assert store.get(namespace, "doc1") is not None, "what was deleted may be put again"


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"": {"": []}},
        {"big": 10**40, "small": 5e-324, "pi": math.pi, "inf": math.inf},
        {"half": "\ud83d", "nul": "a\x00b", "line": "\u2028\r\n", "emoji": "👩‍👩‍👧", "zh": "这是中文"},
        {"deep": [[[[[{"a": [None, False, 0, 0.0, ""]}]]]]]},
        {"12": 1, "a.b": {"$gt": 3}, "text": "  spaces  "},
    ],
)
def test_any_json_comes_back_letter_by_letter(store: HippographStore, value: dict[str, Any]) -> None:
    store.put(("exact",), "k\x1f 键", value)
    item = store.get(("exact",), "k\x1f 键")
    assert item is not None
    assert repr(item.value) == repr(value)


def test_what_json_has_no_form_for_is_put_as_other_stores_put_it_or_refused(store: HippographStore) -> None:
    store.put(("odd",), "k", {"at": datetime(2026, 5, 1, tzinfo=UTC), "pair": (1, 2)})
    item = store.get(("odd",), "k")
    assert item is not None
    assert item.value == {"at": "2026-05-01T00:00:00+00:00", "pair": [1, 2]}
    with pytest.raises(BadInput, match="cannot be stored as JSON"):
        store.put(("odd",), "k", {"x": object()})
    assert store.get(("odd",), "k") == item, "a put that is refused changes nothing"


def test_a_batch_answers_in_its_order_reads_before_it_writes_and_keeps_the_last_of_a_key(
    store: HippographStore,
) -> None:
    store.put(("test", "foo"), "key1", {"data": "value1"})
    store.put(("test", "bar"), "key2", {"data": "value2"})
    got, put, found, listed, none = store.batch(
        [
            GetOp(("test", "foo"), "key1"),
            PutOp(("test", "bar"), "key2", {"data": "new"}),
            SearchOp(("test",), {"data": "value1"}),
            ListNamespacesOp(),
            GetOp(("test",), "key3"),
        ]
    )
    assert isinstance(got, Item)
    assert got.value == {"data": "value1"}
    assert put is None
    assert keys(found) == ["key1"]  # type: ignore[arg-type]
    assert listed == [("test", "bar"), ("test", "foo")]
    assert none is None
    before, *_ = store.batch(
        [
            GetOp(("test", "bar"), "key2"),
            PutOp(("test", "bar"), "key2", {"data": "first"}),
            PutOp(("test",), "key3", {"data": "value3"}),
            PutOp(("test", "bar"), "key2", {"data": "last"}),
            PutOp(("test",), "key3", None),
        ]
    )
    assert isinstance(before, Item)
    assert before.value == {"data": "new"}
    after = store.get(("test", "bar"), "key2")
    assert after is not None
    assert after.value == {"data": "last"}
    assert store.get(("test",), "key3") is None


def test_searches_are_bound_by_prefix_filter_limit_and_offset(store: HippographStore) -> None:
    store.put(("test", "docs"), "doc1", {"title": "First", "author": "Alice", "tags": ["important"]})
    store.put(("test", "docs"), "doc2", {"title": "Second", "author": "Bob", "tags": ["draft"]})
    store.put(("test", "images"), "img1", {"title": "Image", "author": "Alice", "tags": ["final"]})
    assert keys(store.search(("test",))) == ["img1", "doc2", "doc1"], "those put last come first"
    assert keys(store.search(("test", "docs"))) == ["doc2", "doc1"]
    assert keys(store.search(("test",), filter={"author": "Alice"})) == ["img1", "doc1"]
    assert keys(store.search(("test",), filter={"tags": ["draft"]})) == ["doc2"]
    assert keys(store.search(("test",), limit=2)) == ["img1", "doc2"]
    assert keys(store.search(("test",), offset=2)) == ["doc1"]
    assert keys(store.search(("test",), filter={"author": "Alice"}, limit=1, offset=1)) == ["doc1"]
    assert keys(store.search(("te",))) == []
    assert keys(store.search(())) == ["img1", "doc2", "doc1"]
    assert all(each.score is None for each in store.search(()))


PRICES = {"item1": 10, "item2": 20, "item3": 30, "item4": -10}


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({"price": 10}, {"item1"}),
        ({"price": {"$eq": 20}}, {"item2"}),
        ({"price": {"$ne": 20}}, {"item1", "item3", "item4"}),
        ({"price": {"$gt": 10}}, {"item2", "item3"}),
        ({"price": {"$gte": 10, "$lt": 30}}, {"item1", "item2"}),
        ({"price": {"$lt": 0}}, {"item4"}),
        ({"price": {"$lte": 10**100}}, {*PRICES}),
        ({"price": {"$lt": math.inf}}, {*PRICES}),
        ({"price": {"$gt": -math.inf}}, {*PRICES}),
        ({"price": {"$eq": math.nan}}, set()),
        ({"price": {"$gt": "ten"}}, set()),
        ({"absent": {"$gt": 1}}, set()),
        ({"absent": None}, {*PRICES}),
        ({"on": True}, {"item1"}),
        ({"on": 1}, set()),
        ({"maker": {"name": "Ann"}}, {"item1"}),
        ({"maker.name": "Ann"}, {"item1"}),
        ({"maker": {"name": {"$ne": "Bo"}}}, {"item1"}),
        ({"a-b": "public", "12c": {"$eq": "ok"}}, {"item2"}),
        ({"made.on": "here"}, {"item3"}),
        ({"made": {"$gte": "2026-02-01"}}, {"item3"}),
        ({"tags": ["x", {"$gt": 1}]}, {"item4"}),
        ({"price') = 1 OR '1'='1": "x"}, set()),
        ({"note": "x' OR '1'='1"}, set()),
        ({"note": "O'Brien's"}, {"item4"}),
        ({"note": "x\x00' --"}, set()),
    ],
)
def test_filters_compare_as_json_does_and_no_key_or_value_is_a_query(
    home: Memory, wanted: dict[str, Any], found: set[str]
) -> None:
    store = HippographStore(home, space="filters")
    more: dict[str, dict[str, Any]] = {
        "item1": {"on": True, "maker": {"name": "Ann", "town": "Oslo"}},
        "item2": {"a-b": "public", "12c": "ok"},
        "item3": {"made.on": "here", "made": "2026-03-01"},
        "item4": {"note": "O'Brien's", "tags": ["x", 2]},
    }
    if not store.list_namespaces():
        store.batch([PutOp(("items",), key, {"price": price, **more[key]}) for key, price in PRICES.items()])
    assert {*keys(store.search(("items",), filter=wanted))} == found


def test_an_unknown_operator_is_told(store: HippographStore) -> None:
    filled(store, ("a",))
    with pytest.raises(ValueError, match=r"\$in"):
        store.search(("a",), filter={"v": {"$in": [1]}})


def test_labels_are_whole_and_mean_only_themselves(store: HippographStore) -> None:
    pairs = [("star*", "starX"), ("q?m", "qXm"), ("br[ack]et", "brXacXket"), ("u_1", "uX1"), ("a%b", "axxb")]
    pairs += [
        ("Foo", "foo"),
        ("foo", "foobar"),
        ("alice", "alice\n"),
        ('quo"te', "quo"),
        ("back\\", "back"),
        ("键", "k"),
    ]
    filled(store, *((each,) for each in {each for pair in pairs for each in pair}))
    filled(store, *((each, "child", "deep") for each, _ in pairs))
    for each, decoy in pairs:
        mine = {(each,), (each, "child", "deep")}
        assert {found.namespace for found in store.search((each,), limit=99)} == mine
        assert {*store.list_namespaces(prefix=(each,))} == mine
        assert (decoy,) not in mine
    assert store.search(("fo",)) == []


NAMESPACES = [
    ("a", "b", "c"),
    ("a", "b", "d", "e"),
    ("a", "b", "d", "i"),
    ("a", "b", "f"),
    ("a", "c", "f"),
    ("b", "a", "f"),
    ("users", "123"),
    ("users", "456", "settings"),
    ("admin", "users", "789"),
    ("uid", "a", "malice"),
    ("uid", "alice"),
]


@pytest.mark.parametrize(
    ("asked", "listed"),
    [
        ({}, sorted(NAMESPACES)),
        ({"prefix": ("a", "b")}, NAMESPACES[:4]),
        ({"suffix": ("f",)}, NAMESPACES[3:6]),
        ({"prefix": ("a",), "suffix": ("f",)}, NAMESPACES[3:5]),
        ({"prefix": ("a", "b"), "max_depth": 3}, [("a", "b", "c"), ("a", "b", "d"), ("a", "b", "f")]),
        ({"prefix": ("a", "b"), "limit": 2}, NAMESPACES[:2]),
        ({"prefix": ("a", "b"), "offset": 2}, NAMESPACES[2:4]),
        ({"prefix": ("a", "b"), "limit": 1, "offset": 3}, NAMESPACES[3:4]),
        ({"prefix": ("a", "*", "f")}, NAMESPACES[3:5]),
        ({"suffix": ("*", "f")}, NAMESPACES[3:6]),
        ({"suffix": ("*", "settings")}, NAMESPACES[7:8]),
        ({"prefix": ("users", "*")}, NAMESPACES[6:8]),
        ({"prefix": ("users", "123")}, NAMESPACES[6:7]),
        ({"prefix": ("*", "users"), "suffix": ("*", "settings")}, []),
        ({"prefix": ("none",)}, []),
        ({"suffix": ("alice",)}, [("uid", "alice")]),
        ({"max_depth": 1}, [("a",), ("admin",), ("b",), ("uid",), ("users",)]),
    ],
)
def test_namespaces_are_listed_by_prefix_suffix_pattern_depth_and_page(
    home: Memory, asked: dict[str, Any], listed: list[tuple[str, ...]]
) -> None:
    store = HippographStore(home, space="namespaces")
    if not store.list_namespaces():
        filled(store, *NAMESPACES)
    assert store.list_namespaces(**asked) == listed


def test_several_conditions_of_one_kind_all_hold(store: HippographStore) -> None:
    filled(store, ("a", "b"), ("a", "c"), ("b", "b"))
    conditions = (MatchCondition("prefix", ("a",)), MatchCondition("prefix", ("*", "b")))
    assert store.batch([ListNamespacesOp(conditions)]) == [[("a", "b")]]


async def test_bad_namespaces_are_refused_and_the_rest_of_the_word_langgraph_is_not(store: HippographStore) -> None:
    for namespace in ((), ("the", "thing.about"), ("some", "fun", ""), ("langgraph", "foo")):
        with pytest.raises(InvalidNamespaceError):
            store.put(namespace, "foo", {"foo": "bar"})
        with pytest.raises(InvalidNamespaceError):
            await store.aput(namespace, "foo", {"foo": "bar"})
    await store.aput(("foo", "langgraph", "foo"), "bar", {"foo": "bar"})
    item = await store.aget(("foo", "langgraph", "foo"), "bar")
    assert item is not None
    assert item.value == {"foo": "bar"}
    await store.adelete(("foo", "langgraph", "foo"), "bar")
    assert await store.asearch(("foo", "langgraph", "foo")) == []
    await store.abatch([PutOp(("langgraph", "foo"), "bar", {"foo": "bar"})])
    assert keys(await store.asearch(("langgraph",))) == ["bar"]
    assert store.get((), "bar") is None
    with pytest.raises(BadInput, match="namespace"):
        store.batch([PutOp((), "bar", {"foo": "bar"})])


def test_words_find_items_best_first_in_any_language(store: HippographStore) -> None:
    texts = {
        "1": "这是中文，我喜欢荔枝。",
        "2": "これは日本語です",
        "3": "Это русский язык",
        "4": "Ann keeps bees in Oslo.",
    }
    store.batch([PutOp(("user_123", "memories"), key, {"text": text}) for key, text in texts.items()])
    for key, text in texts.items():
        found = store.search(("user_123",), query=text)
        assert found[0].key == key
        assert {*keys(found)} == {*texts}, "what fits little comes too, behind"
        scores = [each.score for each in found]
        assert all(score is not None and 0 <= score <= 1 for score in scores)
        assert scores == sorted(scores, key=lambda score: -(score or 0))
    assert keys(store.search(("user_123",), query="Where are the bees?", limit=1)) == ["4"]


def test_an_item_that_is_replaced_is_found_by_its_new_words_alone(store: HippographStore) -> None:
    store.put(("test",), "doc1", {"text": "zany zebra Xerxes"})
    store.put(("test",), "doc2", {"text": "something about cats"})
    first = store.search(("test",), query="Zany Xerxes")[0]
    assert first.key == "doc1"
    store.put(("test",), "doc1", {"text": "new text about dogs"})
    after = {each.key: each.score or 0 for each in store.search(("test",), query="Zany Xerxes")}
    assert after["doc1"] < (first.score or 0)
    assert keys(store.search(("test",), query="new text about dogs"))[0] == "doc1"
    store.put(("test",), "doc3", {"text": "new text about dogs"}, index=False)
    assert "doc3" not in keys(store.search(("test",), query="new text about dogs"))
    assert "doc3" in keys(store.search(("test",)))
    store.put(("test",), "doc1", {"text": "new text about dogs"}, index=False)
    assert keys(store.search(("test",), query="new text about dogs")) == ["doc2"]


def test_words_and_filters_work_together(store: HippographStore) -> None:
    docs = {
        "doc1": {"text": "red apple", "color": "red", "score": 4.5},
        "doc2": {"text": "red car", "color": "red", "score": 3.0},
        "doc3": {"text": "green apple", "color": "green", "score": 4.0},
        "doc4": {"text": "blue car", "color": "blue", "score": 3.5},
    }
    store.batch([PutOp(("test",), key, value) for key, value in docs.items()])
    assert keys(store.search(("test",), query="apple", filter={"color": "red"})) == ["doc1", "doc2"]
    assert keys(store.search(("test",), query="car", filter={"color": "red"})) == ["doc2", "doc1"]
    some = store.search(("test",), query="blue", filter={"score": {"$gt": 3.2}})
    assert some[0].key == "doc4"
    assert {*keys(some)} == {"doc1", "doc3", "doc4"}
    assert keys(store.search(("test",), query="apple", filter={"score": {"$gte": 4}, "color": "green"})) == ["doc3"]


def test_pages_of_a_search_by_words_neither_overlap_nor_miss_anything(home: Memory, store: HippographStore) -> None:
    store.batch([PutOp(("test",), f"doc{n}", {"text": f"test document number {n}"}) for n in range(60)])
    home.flush()  # what is indexed meanwhile changes the order
    every = keys(store.search(("test",), query="test document", limit=100))
    assert {*every} == {f"doc{n}" for n in range(60)}
    pages = [keys(store.search(("test",), query="test document", limit=7, offset=at)) for at in range(0, 21, 7)]
    assert len({key for page in pages for key in page}) == 21


@pytest.mark.parametrize("query", ["", "   ", None, "test " * 100, "test!@#$%^&*()", '"', "\x00"])
def test_odd_queries_are_answered(home: Memory, query: str | None) -> None:
    store = HippographStore(home, space="odd queries")
    store.put(("test",), "doc1", {"text": "test document"})
    assert keys(store.search(("test",), query=query)) == ["doc1"]


def test_only_the_fields_that_are_named_are_searched(home: Memory) -> None:
    store = HippographStore(home, space=next(SPACES), fields=["title", "notes[*].text", "absent"])
    store.put(("t",), "a", {"title": "Beekeeping", "notes": [{"text": "hives in spring"}], "secret": "submarine"})
    store.put(("t",), "b", {"title": "Submarines", "notes": [{"text": "periscope"}], "secret": "honey"})
    assert keys(store.search(("t",), query="submarine"))[0] == "b"
    assert keys(store.search(("t",), query="hives"))[0] == "a"
    store.put(("t",), "c", {"title": "Tea", "secret": "oolong and pu-erh"}, index=["secret"])
    assert keys(store.search(("t",), query="pu-erh oolong"))[0] == "c"
    store.put(("t",), "d", {"other": "nothing of the fields"})
    assert "d" not in keys(store.search(("t",), query="nothing of the fields"))
    item = store.get(("t",), "d")
    assert item is not None
    assert item.value == {"other": "nothing of the fields"}


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[timedelta]:
    """What the items take for the present is later by the sum of this."""
    later = [timedelta()]
    for name in ("items.items", "filters"):
        monkeypatch.setattr(f"hippograph.memory.{name}.now", lambda: datetime.now(UTC) + later[0])
    return later


def test_what_has_outlived_its_time_is_gone_and_what_is_read_lasts_longer(home: Memory, clock: list[timedelta]) -> None:
    store = HippographStore(home, space=next(SPACES), ttl={"default_ttl": 10})
    store.put(("t",), "default", {"text": "apple"})
    store.put(("t",), "short", {"text": "apple pie"}, ttl=1)
    store.put(("t",), "kept", {"text": "apple tree"}, ttl=None)
    clock[0] = timedelta(minutes=2)
    assert store.get(("t",), "short") is None
    assert {*keys(store.search(("t",), query="apple"))} == {"default", "kept"}, "this read counts for the default"
    clock[0] = timedelta(minutes=11)
    item = store.get(("t",), "default", refresh_ttl=False)
    assert item is not None
    clock[0] = timedelta(minutes=13)
    assert keys(store.search(("t",))) == ["kept"]
    assert home.count(store.space_of(("t",))) == 3, "not deleted yet"
    assert store.sweep_ttl() == 2
    assert home.count(store.space_of(("t",))) == 1
    assert store.sweep_ttl() == 0
    store.put(("t",), "short", {"text": "apple juice"})
    again = store.get(("t",), "short")
    assert again is not None
    assert again.value == {"text": "apple juice"}


def test_what_has_expired_is_deleted_by_a_later_put(home: Memory, clock: list[timedelta]) -> None:
    store = HippographStore(home, space=next(SPACES), ttl={"sweep_interval_minutes": 0})
    store.put(("t",), "short", {"text": "apple pie"}, ttl=1)
    clock[0] = timedelta(minutes=2)
    store.put(("t",), "other", {"text": "plum"})
    assert home.count(store.space_of(("t",))) == 1


def test_reading_does_not_lengthen_where_the_store_says_so_and_pages_count_only_what_lasts(
    home: Memory, clock: list[timedelta]
) -> None:
    store = HippographStore(home, space=next(SPACES), ttl={"refresh_on_read": False})
    store.put(("page",), "c", {"k": 1}, ttl=5)
    store.put(("page",), "b", {"k": 1}, ttl=5)
    store.put(("gone",), "x", {"k": 1}, ttl=1)
    store.put(("page",), "x", {"k": 1}, ttl=1)
    store.put(("page",), "a", {"k": 1}, ttl=5)
    clock[0] = timedelta(minutes=2)
    assert keys(store.search(("page",), limit=2)) == ["a", "b"]
    assert keys(store.search(("page",), limit=2, offset=2)) == ["c"]
    assert store.list_namespaces() == [("page",)]
    clock[0] = timedelta(minutes=6)
    assert store.search(("page",)) == []
    store.put(("page",), "x", {"k": 2}, ttl=1)
    assert keys(store.search(("page",))) == ["x"], "what is put again is new"


class Batched(AsyncBatchedBaseStore):
    """What the LangGraph server puts around a store: concurrent calls become one batch."""

    def __init__(self, inner: HippographStore) -> None:
        super().__init__()
        self.inner = inner

    def batch(self, ops: Any) -> list[Any]:
        return self.inner.batch(ops)

    async def abatch(self, ops: Any) -> list[Any]:
        return await self.inner.abatch(ops)


async def test_calls_at_the_same_time_are_all_answered(store: HippographStore) -> None:
    batched = Batched(store)
    values = {f"doc{n}": {"text": f"{('red', 'blue')[n % 2]} thing {n}", "n": n} for n in range(20)}
    await asyncio.gather(*(batched.aput(("test",), key, value) for key, value in values.items()))
    await asyncio.gather(*(batched.adelete(("test",), key) for key in values))
    assert await batched.asearch(("test",)) == []
    await asyncio.gather(*(store.aput(("test",), key, value) for key, value in values.items()))
    found = await asyncio.gather(
        *(store.asearch(("test",), query="red thing", filter={"n": {"$gt": n}}, limit=30) for n in range(0, 20, 5))
    )
    assert [len(each) for each in found] == [19, 14, 9, 4]
    namespaces = await store.alist_namespaces()
    assert namespaces == [("test",)]


async def test_nothing_blocks_the_loop_of_the_server(store: HippographStore, no_blocking: None) -> None:
    await store.aput(("test",), "k", {"text": "tea"})
    assert keys(await store.asearch(("test",), query="tea")) == ["k"]
    await store.adelete(("test",), "k")


def test_an_item_is_its_first_labels_and_no_other_space_sees_it(home: Memory) -> None:
    store = HippographStore(home)
    store.put(("zoe", "memories"), "1", {"content": "Zoe hides the key under the blue pot."})
    store.put(("yan", "memories"), "1", {"content": "Yan 把钥匙藏在花盆下。"})
    HippographStore(home, space="mallory").put(("zoe", "memories"), "2", {"content": "The key is in the river."})
    assert keys(store.search(("zoe",), query="Where is the key?")) == ["1"]
    assert keys(store.search(("zoe",))) == ["1"], "another space's items are not Zoe's, whatever their namespace"
    assert [each.text for each in home.recall("zoe", "Where is the key?")] == ["Zoe hides the key under the blue pot."]
    assert [each.text for each in home.recall("yan", "钥匙在哪里？")] == ["Yan 把钥匙藏在花盆下。"]
    assert ("zoe", "memories") in store.list_namespaces()
    by_user = HippographStore(home, space=label(1))
    by_user.put(("memories", "zoe"), "3", {"content": "Zoe rows."})
    assert "Zoe rows." in [each.text for each in home.recall("zoe", "Who rows?")]
    with pytest.raises(BadInput, match="does not say whose"):
        by_user.put(("memories",), "3", {"content": "Zoe rows."})
    assert by_user.search(("memories",), query="rows")[0].value == {"content": "Zoe rows."}


def test_the_store_takes_a_memory_that_is_opened_later(home: Memory) -> None:
    store = HippographStore(lambda: home, space=next(SPACES))
    store.put(("a",), "k", {"v": 1})
    assert keys(store.search(())) == ["k"]
    assert module.Items is type(store.items)


@pytest.mark.parametrize("seed", [1, 2])
def test_whatever_is_done_in_whatever_order_langgraphs_own_store_answers_the_same(
    store: HippographStore, seed: int
) -> None:
    chance, other = Random(seed), InMemoryStore()
    labels = ["ann", "bo", "键", "a*", "x y"]

    def namespace() -> tuple[str, ...]:
        return tuple(chance.choices(labels, k=chance.randint(1, 3)))

    def operation() -> Any:
        key, number = chance.choice("abc"), chance.randint(0, 3)
        fitting: dict[str, Any] = chance.choice([{}, {"n": number}, {"n": {"$gte": number}}, {"in": {"n": number}}])
        path = tuple(chance.choices([*labels, "*"], k=chance.randint(0, 2)))
        return chance.choice(
            [
                PutOp(namespace(), key, {"n": number, "in": {"n": number}, "text": f"{chance.random()}"}, index=False),
                PutOp(namespace(), key, {"n": number}, index=False),
                PutOp(namespace(), key, None) if chance.random() < 0.4 else GetOp(namespace(), key),
                GetOp(namespace(), key),
                SearchOp(namespace()[: chance.randint(0, 2)], fitting, limit=99),
                ListNamespacesOp(
                    (MatchCondition(chance.choice(("prefix", "suffix")), path),), chance.choice([None, 1, 2])
                ),
            ]
        )

    def plain(result: Any) -> Any:
        if isinstance(result, Item):
            return (result.namespace, result.key, result.value)
        if isinstance(result, list):
            return sorted((plain(each) for each in result), key=repr)
        return result

    for _ in range(12):
        for empty in [each for each, held in other._data.items() if not held]:
            del other._data[empty]  # it lists namespaces that hold nothing, too, and makes one of each that is read
        wanted = (operation() for _ in range(10))
        ops = [each for each in wanted if not isinstance(each, GetOp) or each.namespace in other._data]
        assert [*map(plain, store.batch(ops))] == [*map(plain, other.batch(ops))], ops
