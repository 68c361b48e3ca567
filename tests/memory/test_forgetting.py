"""Forgetting (promise 9): what goes, what comes back, and that no file of the home holds a word or a vector of it."""

import random
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sqlalchemy import select

from hippograph.bench.hashed import hashed
from hippograph.memory import Memory
from hippograph.memory.blocks import Wanted, Written
from hippograph.memory.erasure import pruning
from hippograph.memory.erasure.tombstones import buried, lift
from hippograph.memory.ledger import Ledger
from hippograph.memory.life.changes import ARCHIVED, SUPERSEDED, change
from hippograph.memory.schema import entities, mentions, relations
from hippograph.memory.vectors import index, scrubbing
from hippograph.memory.vectors.index import Index
from hippograph.state import BadInput, Turn


def opened(home: Path, extractor: str = "none") -> Memory:
    return Memory.open(home, hashed(), reranker="fusion", extractor=extractor)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """A memory whose embedder costs nothing."""
    with opened(tmp_path / "home") as made:
        yield made


def said(*texts: str, role: str = "user", **fields: Any) -> list[Turn]:
    return [Turn(role=role, text=text, **fields) for text in texts]


def holders(home: Path, *texts: str) -> list[str]:
    """Return the files below a home that hold any of some texts, as they are or as JSON writes them."""
    forms = {
        form for text in texts for form in (text.encode(), text.encode("unicode_escape"), text.encode("utf-16-le"))
    }
    files = [path for path in home.rglob("*") if path.is_file()]
    return [path.name for path in files if any(form in path.read_bytes() for form in forms)]


def near(home: Path, vector: Sequence[float]) -> list[str]:
    """Return the files below a home that hold a vector as float32, or one that is almost the same, at any place."""
    wanted, found = np.asarray(vector, np.float32), list[str]()
    probes = np.argsort(-np.abs(wanted))[:24]
    for path in (each for each in home.rglob("*") if each.is_file()):
        data = path.read_bytes()
        for shift in range(4):
            whole = np.frombuffer(data[shift : shift + (len(data) - shift) // 4 * 4], np.float32)
            places = np.arange(len(whole) - len(wanted) + 1)
            for probe in probes:
                with np.errstate(all="ignore"):
                    places = places[np.abs(whole[places + probe] - wanted[probe]) < 1e-4]
            found += [path.name] * bool(len(places))
    return found


def supersede(memory: Memory, old: str, new: str, what: str = SUPERSEDED) -> None:
    """Let one memory take the place of another, as intake does, or archive it into a summary, as upkeep does."""
    row, by = (memory._forgetting.meant("ann", {"ids": [each]})[0] for each in (old, new))
    because = f"said anew: {by.text}"
    values = {"status": what, "superseded_by": new, "superseded_because": because, "superseded_at": by.recorded_at}
    values |= {"valid_until": by.valid_from} if what == SUPERSEDED else {}
    with memory._ledger.write() as connection:
        change(connection, row, what, because, new, values)


def keep_block(memory: Memory, question: str, text: str, ids: Sequence[str]) -> None:
    """Keep a block that a model wrote on some memories, with the vector of the question; of none, nothing is kept."""
    evidence = [memory.get(each, "ann") for each in ids]
    wanted = Wanted(space="ann", question=question, evidence=evidence, model="m", means="", language="en", budget=9)
    assert memory.blocks.keep(wanted, {"text": text}, Written(input=1, output=1, ms=1.0)) is bool(ids)


def rows(memory: Memory, table: str) -> list[tuple[Any, ...]]:
    with sqlite3.connect(memory.home / "ledger.db") as ledger:
        return ledger.execute(f"SELECT * FROM {table}").fetchall()


# What goes


def test_each_way_takes_what_it_says_and_meant_shows_it_first(memory: Memory) -> None:
    a, b = memory.add_turns("ann", "one", said("I like TEA.", "I own a boat.", said_at="2026-05-01T10:00:00"))
    c, d = memory.add_turns("ann", "two", said("我喜欢喝茶。", "Nothing.", said_at="2026-05-31T23:59:59"))
    fact = memory.remember("ann", "Ann likes tea", sources=[(a, "")], said_at="2026-05-01")
    for choice, taken in [
        ({"query": "tea"}, {a, fact}),
        ({"query": "喝茶"}, {c}),
        ({"thread": "two"}, {c, d}),
        ({"source": a}, {a, fact}),
        ({"since": "2026-05-02"}, {c, d}),
        ({"until": "2026-05-01"}, {a, b, fact}),
        ({"since": "2026-05-31", "until": "2026-05-31"}, {c, d}),
        ({"ids": [b]}, {b}),
        ({"all": True}, {a, b, c, d, fact}),
    ]:
        assert {each.id for each in memory.meant("ann", **choice)} == taken, choice  # type: ignore[arg-type]
    receipt = memory.forget("ann", since="2026-05-31", until="2026-05-31")
    assert {*receipt.ids} == {c, d}
    assert receipt.kinds == {"turn": 2}
    assert memory.forget("ann", query="boat").ids == (b,)


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({}, "exactly one"),
        ({"ids": "abc"}, "list of ids"),
        ({"ids": ["nope"]}, "No memory 'nope'"),
        ({"ids": [], "all": True}, "exactly one"),
        ({"query": "tea", "since": "2026-01-01"}, "exactly one"),
        ({"query": "  "}, "name it"),
        ({"source": ""}, "name it"),
        ({"since": "2026-06-01", "until": "2026-05-01"}, "before it begins"),
        ({"since": "soon"}, "is not a time"),
    ],
)
def test_what_cannot_be_meant_is_refused_and_takes_nothing(memory: Memory, choice: Any, message: str) -> None:
    memory.add_turns("ann", "t", said("I like tea."))
    for ask in (memory.meant, memory.forget):
        with pytest.raises(BadInput, match=message):
            ask("ann", **choice)
    assert memory.count("ann") == 1


def test_a_fact_stays_while_another_source_says_all_of_it(memory: Memory) -> None:
    first, second, third = memory.add_turns(
        "ann", "t", said("I live in Oslo, at Fjordgata 5.", "As I said, in Oslo I live.", "Oslo it is: I live there.")
    )
    stays = memory.remember("ann", "Ann lives in Oslo", subject="ann", sources=[(first, ""), (second, ""), (third, "")])
    goes = memory.remember("ann", "Ann lives in Oslo, at Fjordgata 5", sources=[(first, ""), (second, "")])
    summary = memory.remember("ann", "She lives in Oslo.", "summary", sources=[(first, ""), (second, "")])
    assert memory.flush(60)
    receipt = memory.forget("ann", ids=[first])
    assert {*receipt.ids} == {first, goes, summary}
    assert (receipt.derived, receipt.revised) == (2, (stays,))
    assert {each.id for each in memory.get(stays).sources} == {second, third}
    assert holders(memory.home, "Fjordgata") == []
    assert {*memory.forget("ann", ids=[second, third]).ids} == {second, third, stays}


def test_what_rests_on_what_rests_on_it_goes_too(memory: Memory) -> None:
    turn, other = memory.add_turns("ann", "t", said("My pin is zanzibar.", "I like tea."))
    fact = memory.remember("ann", "pin: zanzibar", sources=[(turn, "")])
    summary = memory.remember("ann", "Her pin and tea.", "summary", sources=[(fact, ""), (other, "")])
    assert {*memory.forget("ann", source=turn).ids} == {turn, fact, summary}
    assert [each.id for each in memory.list("ann")] == [other]


# What comes back


def test_what_the_forgotten_had_superseded_holds_again(memory: Memory) -> None:
    old = memory.remember("ann", "Ann lives in Oslo", subject="ann", attribute="residence", valid_from="2026-01-01")
    new = memory.remember("ann", "Ann lives in Zanzibar", subject="ann", attribute="residence", valid_from="2026-03-01")
    assert memory.flush(60)
    supersede(memory, old, new)
    assert memory.recall("ann", "Where does Ann live?", legs=["keyword"])[0].id == new
    receipt = memory.forget("ann", ids=[new])
    assert receipt.revived == (old,)
    again = memory.recall("ann", "Where does Ann live?")[0]
    assert (again.id, again.status, again.valid_until, again.superseded_by) == (old, "current", None, None)
    assert holders(memory.home, "Zanzibar", new) == []
    assert [each[3] for each in rows(memory, "changes")] == ["revived"]


def test_of_a_line_only_what_no_other_stands_before_holds_again(memory: Memory) -> None:
    line = [
        memory.remember("ann", f"Ann lives in {city}", subject="ann", attribute="residence", valid_from=f"2026-0{n}-01")
        for n, city in enumerate(("Oslo", "Lima", "Rome", "Bern"), 1)
    ]
    for old, new in pairwise(line):
        supersede(memory, old, new)
    assert memory.forget("ann", ids=[line[1], line[2]]).revived == ()
    oslo = memory.get(line[0])
    assert (oslo.status, oslo.superseded_by) == ("superseded", line[3])
    assert oslo.valid_until == memory.get(line[3]).valid_from
    assert memory.forget("ann", ids=[line[3]]).revived == (line[0],)
    assert memory.get(line[0]).valid_until is None


def test_of_several_behind_one_only_the_newest_holds_again(memory: Memory) -> None:
    first, second, last = (
        memory.remember("ann", f"Ann lives in {city}", subject="ann", attribute="residence", valid_from=f"2026-0{n}-01")
        for n, city in enumerate(("Oslo", "Lima", "Rome"), 1)
    )
    supersede(memory, second, last)
    supersede(memory, first, last)
    assert memory.forget("ann", ids=[last]).revived == (second,)
    assert memory.get(first).superseded_by == second


def test_what_went_into_a_forgotten_summary_comes_back(memory: Memory) -> None:
    turns = memory.add_turns("ann", "t", said("I like oolong.", "I like zanzibar tea."))
    facts = [memory.remember("ann", f"likes tea {n}", sources=[(turn, "")]) for n, turn in enumerate(turns)]
    summary = memory.remember("ann", "She likes oolong and zanzibar tea.", "summary", sources=[(t, "") for t in turns])
    for fact in facts:
        supersede(memory, fact, summary, ARCHIVED)
    receipt = memory.forget("ann", ids=[turns[1]])
    assert {*receipt.ids} == {turns[1], facts[1], summary}
    assert receipt.revived == (facts[0],)
    assert memory.get(facts[0]).status == "current"
    assert [each.text for each in memory.recall("ann", "likes", kinds=["fact"])] == ["likes tea 0"]
    assert holders(memory.home, "zanzibar") == []


def test_names_and_relations_go_when_nothing_mentions_them_any_more(memory: Memory) -> None:
    memory.add_turns("ann", "t", said("Zanzibar knows Bo.", "Bo sails."))
    with memory._ledger.write() as connection:
        for seq, name in enumerate(("Zanzibar", "Bo"), 1):
            connection.execute(entities.insert().values(seq=seq, space="ann", key=name.lower(), name=name, kind=""))
        for entity, memory_ in ((1, 1), (2, 1), (2, 2)):
            connection.execute(mentions.insert().values(entity=entity, memory=memory_))
        connection.execute(relations.insert().values(head=1, relation="knows", tail=2, memory=1))
    receipt = memory.forget("ann", query="knows")
    assert (receipt.entities, receipt.relations) == (1, 1)
    assert [each[3] for each in rows(memory, "entities")] == ["Bo"]
    assert holders(memory.home, "anzibar") == []


# That it is gone


def test_no_file_holds_a_forgotten_text_or_its_vector(memory: Memory) -> None:
    texts = [f"topic {n} is about harbour {n * 7 % 31} and quay {n}" for n in range(60)]
    secret = "My pin is zanzibar-551 🦉 “quoted”, 密码是芝麻开门。"
    turns = memory.add_turns("ann", "t", said(*texts[:30], secret, "What did I say before?", *texts[30:]))
    memory.add_turns("bo", "t", said(*texts))
    assert memory.flush(60)
    chosen = memory._forgetting.meant("ann", {"ids": turns[29:32]})
    before, mine, after = (memory._index._read("ann", [each.seq]).of([each.seq])[0] for each in chosen)
    assert near(memory.home, mine), "else the test could not fail"
    memory.blocks._embedder = replace(memory.embedder, same=0.9)  # else no vector of the question is kept
    keep_block(memory, secret, "[1] zanzibar-551", turns[:3])
    assert near(memory.home, memory.embedder.embeddings.embed_query(secret))
    receipt = memory.forget("ann", ids=[turns[30]])
    assert receipt.blocks == 1
    assert near(memory.home, memory.embedder.embeddings.embed_query(secret)) == []
    assert (receipt.vectors, receipt.embedded_anew, receipt.compacted) == (1, 1, True)
    assert memory.flush(60)
    assert near(memory.home, mine) == []
    assert near(memory.home, after) == [], "it was embedded with the forgotten words before it"
    assert near(memory.home, before)
    assert holders(memory.home, "zanzibar", "芝麻开门", "🦉", turns[30]) == []
    assert memory._index.size("ann") == 61
    assert memory.recall("ann", "What did I say before?", legs=["vector"])[0].id == turns[31]
    for space in ("ann", "bo"):
        assert memory.recall(space, texts[40], legs=["vector"])[0].text == texts[40]


def test_a_graph_written_to_disk_is_scrubbed_and_still_searched(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chroma saves its graph after 1,000 operations, here 60; from then on it only marks what is deleted."""
    monkeypatch.setattr(index, "HNSW", {**index.HNSW, "sync_threshold": 60, "batch_size": 20})
    texts = [f"word{n} word{n * 13 % 197} word{n * 29 % 191}" for n in range(150)]
    ids = memory.add_turns("ann", "t", said(*texts, said_at="2026-01-01"))
    gone = [3, 70, 149]
    assert memory.flush(60)
    chosen = memory._forgetting.meant("ann", {"ids": [ids[n] for n in gone]})
    vectors = [memory._index._read("ann", [row.seq]).of([row.seq])[0] for row in chosen]
    assert "data_level0.bin" in near(memory.home, vectors[0]), "else the graph was not saved"
    assert all(near(memory.home, each) for each in vectors)
    assert memory.forget("ann", ids=[ids[n] for n in gone]).vectors == 3
    assert [near(memory.home, each) for each in vectors] == [[], [], []]
    monkeypatch.setattr(index, "MIRRORED", 10)
    memory._index._mirrors.clear()
    for n in (4, 50, 148):
        assert memory.recall("ann", texts[n], legs=["vector"])[0].id == ids[n]


def test_an_index_of_unknown_format_is_made_anew_instead(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = memory.add_turns("ann", "t", said(*(f"word{n} zanzibar{n}" for n in range(20))))
    assert memory.flush(60)

    def fail(folder: Path) -> None:
        raise scrubbing.UnknownFormat("of another kind")

    monkeypatch.setattr(scrubbing, "scrub", fail)
    assert memory.forget("ann", ids=ids[:1]).compacted
    assert memory.flush(60)
    assert memory._index.size("ann") == 19
    assert holders(memory.home, "zanzibar0") == []


def test_a_quick_forgetting_leaves_compaction_to_later(memory: Memory) -> None:
    memory.add_turns("ann", "t", said("My pin is zanzibar.", "I like tea."))
    assert memory.flush(60)
    receipt = memory.forget("ann", query="zanzibar", secure=False)
    assert not receipt.compacted
    assert memory._forgetting.due()
    assert memory.recall("ann", "zanzibar", legs=["keyword"]) == []
    assert memory.compact()
    assert not memory._forgetting.due()
    assert holders(memory.home, "zanzibar") == []


def test_a_name_that_an_update_took_away_is_left_nowhere(memory: Memory) -> None:
    told = memory.remember("ann", "Zyx Quxley works at Acme.", subject="Zyx Quxley", attribute="employer", value="Acme")
    memory.network("ann")
    memory.update(told, text="Bob Miller works at Acme.", subject="Bob Miller")
    memory.network("ann")
    with memory._ledger.read() as connection:
        assert "Zyx Quxley" not in connection.scalars(select(entities.c.name)).all()
    memory.forget("ann", all=True)
    with memory._ledger.write() as connection:
        assert connection.scalars(select(entities.c.name)).all() == []
        connection.execute(entities.insert().values(space="ann", key="zyxquxley", name="Zyx Quxley"))
    memory.remember("ann", "I like tea.")
    memory.forget("ann", all=True)
    with memory._ledger.read() as connection:
        assert connection.scalars(select(entities.c.name)).all() == [], "an older version may have left it"


def test_what_a_memory_said_once_is_forgotten_and_the_memory_stays(memory: Memory) -> None:
    told = memory.remember("ann", "The code of my safe is zanzibar.", id="safe")
    memory.snapshot()
    memory.update(told, text="The code of my safe is secret.")
    memory.snapshot()
    memory.network("ann")
    memory.remember("ann", "I like tea.", value="Zanzibar blend", id="tea")
    receipt = memory.forget("ann", query="zanzibar")
    assert (receipt.ids, receipt.snapshots, receipt.compacted) == (("tea",), 2, True)
    assert [each.text for each in memory.list("ann")] == ["The code of my safe is secret."]
    assert receipt.changes == 1
    assert memory.flush(60)
    assert holders(memory.home, "zanzibar", "Zanzibar") == []
    memory.restore("latest")
    assert [each.text for each in memory.list("ann")] == ["The code of my safe is secret."]
    assert memory.forget("ann", query="user").ids == (), "a subject that is the user is no name"


def test_many_are_forgotten_at_once(memory: Memory) -> None:
    ids = memory.add_turns("ann", "t", said(*(f"zanzibar {n}" for n in range(600))))
    memory.add_turns("ann", "u", said("I like tea."))
    receipt = memory.forget("ann", ids=ids)
    assert (len(receipt.ids), receipt.keywords, receipt.tombstones) == (600, 600, 2400)
    assert memory.count("ann") == 1
    assert holders(memory.home, "zanzibar") == []


# That it stays so


STEPS: dict[str, tuple[object, str]] = {
    "vectors": (Index, "remove"),
    "checkpoints": (pruning, "prune"),
    "ledger": (Ledger, "compact"),
    "short-term": (pruning, "compact"),
    "index": (Index, "compact"),
}


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("again", ["opened", "forgotten"])
def test_a_forgetting_stopped_at_any_step_is_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, again: str
) -> None:
    class Stopped(BaseException):
        pass

    def stop(*args: object, **named: object) -> None:
        raise Stopped

    memory = opened(tmp_path)
    (turn, *_) = memory.add_turns("ann", "zanzibar thread", said("My pin is zanzibar.", "I like tea.", "I own a boat."))
    assert memory.flush(60)
    with monkeypatch.context() as patch:
        patch.setattr(*STEPS[step], stop)
        with pytest.raises(Stopped):
            memory.forget("ann", ids=[turn])
    assert memory.recall("ann", "zanzibar", legs=["keyword"]) == [], "from the ledger's transaction on it is forgotten"
    if again == "opened":
        memory.close(timeout=0)
        memory = opened(tmp_path)
    else:
        memory.forget("ann", query="boat")
    assert memory._ledger.remembered("forgetting") is None
    assert not memory._forgetting.due()
    assert memory.flush(60)
    assert memory._index.size("ann") == memory.count("ann")
    memory.add_turns("ann", "t", said("I am told of something else."))
    memory.close()
    assert holders(tmp_path, "zanzibar.", turn) == []


KILLED = """
import os, signal, sys
from pathlib import Path
from hippograph.bench.hashed import hashed
from hippograph.memory import Memory
from hippograph.memory.erasure import forgetting, pruning
home, step = Path(sys.argv[1]), sys.argv[2]
memory = Memory.open(home, hashed(), reranker="fusion", extractor="none")
turns = [{"role": "user", "text": f"My pin is zanzibar-{n}.", "id": f"z{n}"} for n in range(40)]
memory.add_turns("ann", "t", turns)
memory.add_turns("ann", "u", [{"role": "user", "text": "I like tea.", "id": "tea"}])
memory.flush()
owner, name = {"erase": (forgetting, "erase"), "prune": (pruning, "prune")}[step]
true = getattr(owner, name)
def die(*args, **named):
    true(*args, **named)
    os.kill(os.getpid(), signal.SIGKILL)
setattr(owner, name, die)
memory.forget("ann", thread="t")
"""


@pytest.mark.parametrize(("step", "left"), [("erase", 41), ("prune", 1)])
def test_a_forgetting_killed_is_done_wholly_or_not_at_all(tmp_path: Path, step: str, left: int) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path), step], capture_output=True, check=False)
    assert done.returncode == -9, done.stderr.decode()
    with opened(tmp_path) as memory:
        assert memory.count("ann") == left
        if left > 1:
            assert len(memory.forget("ann", thread="t").ids) == 40
        assert memory._index.size("ann") == 1
        assert holders(tmp_path, "zanzibar") == []


def test_what_was_forgotten_is_not_brought_back_by_sending_it_again(memory: Memory) -> None:
    old = [Turn(role="user", text="My pin is zanzibar.", id="m1"), Turn(role="user", text="I like tea.", id="m2")]
    memory.add_turns("ann", "t", old)
    memory.forget("ann", ids=["m1"])
    assert memory.add_turns("ann", "t", old) == ["m1", "m2"]
    assert [each.id for each in memory.list("ann")] == ["m2"]
    memory.add_turns("bo", "t", old)
    assert memory.count("bo") == 2, "another space forgot nothing"
    memory.add_turns("ann", "t", [Turn(role="user", text="Another thing.", id="m1")])
    memory.add_turns("ann", "t", said("My pin is zanzibar."))
    assert memory.count("ann") == 3, "what is said anew is stored"


def test_tombstones_tell_what_was_forgotten_and_hold_nothing_of_it(memory: Memory) -> None:
    memory.add_turns("ann", "t", [Turn(role="user", text="My  PIN is Zanzibar.", id="m1")])
    memory.forget("ann", ids=["m1"])
    with memory._ledger.write() as connection:
        known = buried(connection, "ann", ids=["m1", "m2"], texts=["my pin is zanzibar.", "I like tea."])
        assert {*known} == {"m1", "my pin is zanzibar."}
        assert all(isinstance(at, datetime) for at in known.values())
        assert buried(connection, "bo", ids=["m1"]) == {}
        assert lift(connection, "ann", ids=["m1"], texts=["My pin is zanzibar."]) == 2
        assert buried(connection, "ann", ids=["m1"]) == {}


def test_facts_that_were_read_in_a_turn_go_with_it(tmp_path: Path) -> None:
    with opened(tmp_path, "rules") as memory:
        (before,) = memory.add_turns("ann", "t", said("I live in Lima.", said_at="2026-01-01"))
        assert memory.flush(60)
        (turn,) = memory.add_turns("ann", "u", said("I moved to Zanzibar.", said_at="2026-03-01"))
        assert memory.flush(60)
        lives = memory.list("ann", where={"attribute": "residence"})
        assert ["Zanzibar" in each.text for each in lives] == [True]
        receipt = memory.forget("ann", ids=[turn])
        assert receipt.derived >= 1
        lives = memory.list("ann", where={"attribute": "residence"})
        assert [(each.id in receipt.revived, [*each.source_ids]) for each in lives] == [(True, [before])]
        assert memory.flush(60)
        assert holders(tmp_path, "anzibar") == []


def test_facts_of_a_turn_forgotten_while_it_is_read_are_not_stored(memory: Memory) -> None:
    from hippograph.memory.facts import Extracted, Fact
    from hippograph.memory.life.settling import Settling

    (turn,) = memory.add_turns("ann", "t", said("My pin is zanzibar."))
    seq = memory._forgetting.meant("ann", {"ids": [turn]})[0].seq
    found = Fact(
        text="pin: zanzibar", subject="user", attribute="pin", value="zanzibar", turn=turn, quote="zanzibar", start=10,
        end=18,
    )  # fmt: skip
    memory.forget("ann", ids=[turn])
    with memory._ledger.write() as connection:
        Settling().settle(connection, "ann", Extracted(facts=[found]), {turn: seq})
    assert memory.count("ann") == 0


# Whatever happens


WORDS = "otter heron 灯塔 港口 kettle 龙井 saffron 🦊 “quince” l'été violin 竹笛 ember quarry 麻雀".split()


@pytest.mark.parametrize("seed", range(3))
def test_whatever_is_told_and_forgotten_in_whatever_order_leaves_nothing(tmp_path: Path, seed: int) -> None:
    dice, marks = random.Random(seed), dict[str, str]()
    alive: list[str] = []

    def text() -> tuple[str, str]:
        mark = f"{dice.choice(WORDS)}{dice.randrange(10**9):09d}"
        return mark, f"{dice.choice(WORDS)} {mark} {dice.choice(WORDS)}，{dice.choice(WORDS)}。"

    def tell(memory: Memory) -> None:
        made = [text() for _ in range(dice.randrange(1, 6))]
        ids = memory.add_turns("ann", f"t{dice.randrange(3)}", said(*(each for _, each in made)))
        marks.update(zip(ids, (mark for mark, _ in made), strict=True))
        alive.extend(ids)

    def derive(memory: Memory) -> None:
        if alive:
            on = dice.sample(alive, min(len(alive), dice.randrange(1, 4)))
            kind = dice.choice(["fact", "summary", "preference"])
            said_of = " ".join(memory.get(each).text for each in on)
            id_ = memory.remember("ann", said_of, kind, sources=[(each, "") for each in on], subject=dice.choice("ab"),
                                  attribute="pin", value=marks[on[0]], entities=[marks[on[-1]]])  # fmt: skip
            marks[id_] = f"{id_}"
            alive.append(id_)

    def distil(memory: Memory) -> None:
        on = dice.sample(alive, min(len(alive), dice.randrange(1, 4)))
        text = " ".join(map(marks.__getitem__, on))
        keep_block(memory, f"{text}?", text, on)

    def overtake(memory: Memory) -> None:
        found = [each for each in memory.list("ann", kinds=["fact", "preference"]) if each.superseded_by is None]
        if len(found) > 1:
            old, new = dice.sample(found, 2)
            supersede(memory, old.id, new.id, dice.choice([SUPERSEDED, ARCHIVED]))

    def drop(memory: Memory) -> None:
        if not alive:
            return
        which = dice.choice(["ids", "ids", "query", "thread", "source"])
        one = memory.get(dice.choice(alive))
        choice: Any = {"ids": {"ids": dice.sample(alive, dice.randrange(1, 1 + min(4, len(alive))))},
                       "query": {"query": marks[one.id]}, "thread": {"thread": one.thread or "t0"},
                       "source": {"source": one.id}}[which]  # fmt: skip
        meant = {each.id for each in memory.meant("ann", **choice)}
        receipt = memory.forget("ann", secure=dice.random() < 0.5, **choice)
        assert {*receipt.ids} == meant
        alive[:] = [each for each in alive if each not in meant]
        assert {each.id for each in memory.list("ann", limit=None)} <= {*alive}

    acts: list[Callable[[Memory], None]] = [tell, tell, derive, overtake, distil, drop]
    with opened(tmp_path) as memory:
        for _ in range(40):
            dice.choice(acts)(memory)
            if dice.random() < 0.3:
                memory.flush(30)
        assert memory.compact()
        assert memory.flush(60)
        gone = [id_ for id_ in marks if id_ not in alive]
        assert gone
        assert holders(tmp_path, *gone, *(marks[each] for each in gone)) == []
        assert memory._index.size("ann") == len(alive)
    assert holders(tmp_path, *gone, *(marks[each] for each in gone)) == []


def test_a_forgotten_fact_does_not_come_back_where_its_turn_is_read_again(tmp_path: Path) -> None:
    """By a snapshot from before the turn was read; the turn's other fact does."""
    with opened(tmp_path / "home", "rules") as memory:
        memory.add_turns("ann", "t", said("I live in Oslo. My sister is called Ann."))
        memory.add_turns("ann", "u", said("My sister is called Ann."))
        before = memory.snapshot()
        memory.flush()
        (sister,) = [each.id for each in memory.list("ann") if each.kind != "turn" and "sister" in each.text]
        memory.forget("ann", ids=[sister])
        memory.restore(before.id)
        memory.flush()
        assert [each.text for each in memory.list("ann") if each.kind != "turn"] == ["The user lives in Oslo."]
        memory.add_turns("ann", "v", said("My sister is called Ann."))
        memory.flush()
        assert any("sister" in each.text for each in memory.list("ann") if each.kind != "turn")  # said anew


@pytest.mark.parametrize("direct_first", [True, False])
@pytest.mark.parametrize("told", ["I live in Oslo.", "I live in Oslo, Majorstuen."])
def test_what_was_also_given_directly_stays_in_the_words_it_was_given_in(
    tmp_path: Path, told: str, direct_first: bool
) -> None:
    with opened(tmp_path / "home", "rules") as memory:
        if direct_first:
            memory.remember("ann", "I live in Oslo.", said_at="2026-01-01")
        turn = memory.add_turns("ann", "t", said(told, said_at="2026-02-01"))
        memory.flush()
        if not direct_first:
            memory.remember("ann", "I live in Oslo.", said_at="2026-03-01")
        memory.forget("ann", ids=turn)
        memory.flush()
        assert ["Oslo" in each.text for each in memory.list("ann")] == [True]
        assert all(each.said_at.month != 2 for each in memory.list("ann"))
        assert holders(memory.home, "Majorstuen") == []
