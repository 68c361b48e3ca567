"""How facts take part in recall: one place for a fact and its turn, what is out of date, what was so when."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from hippograph.bench.hashed import hashed
from hippograph.memory import Memory
from hippograph.memory.facts import SELF
from hippograph.memory.search.recall import LEGS
from hippograph.state import Recollection, Turn

SPACE = "ann"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """One that reads no facts by itself: the tests say what was found."""
    with Memory.open(tmp_path / "home", hashed(), extractor="none") as opened:
        yield opened


@pytest.fixture
def reading(tmp_path: Path) -> Iterator[Memory]:
    """One that reads facts by rules."""
    with Memory.open(tmp_path / "home", hashed(), extractor="rules") as opened:
        yield opened


def tell(memory: Memory, text: str, said_at: str, role: str = "user", thread: str = "") -> str:
    return memory.add_turns(SPACE, thread or said_at, [Turn(role=role, text=text, said_at=said_at)])[0]


def know(memory: Memory, turn: str, quote: str, attribute: str, value: str, **fields: Any) -> str:
    """Store a fact as extraction finds it."""
    said_at = memory.get(turn, SPACE).said_at
    fields = {"subject": SELF, "said_at": said_at, "text": f"{attribute}: {value}", **fields}
    return memory.remember(
        SPACE, fields.pop("text"), attribute=attribute, value=value, sources=[(turn, quote)], **fields
    )


def supersede(memory: Memory, old: str, new: str, until: str) -> None:
    with memory._ledger.write() as connection:
        connection.exec_driver_sql(
            "UPDATE memories SET status = 'superseded', superseded_by = ?, valid_until = ? WHERE id = ?",
            (new, f"{until} 00:00:00.000000", old),
        )


def ids(found: list[Recollection]) -> list[str]:
    return [each.id for each in found]


@pytest.fixture
def moved(memory: Memory) -> dict[str, str]:
    """Lived in Oslo from January, in Bergen from April 2026; 地址 likewise."""
    made = dict[str, str]()
    for name, text, quote, attribute, value, day in (
        ("oslo", "I live in Oslo.", "I live in Oslo", "residence", "Oslo", "2026-01-10"),
        ("bergen", "I moved to Bergen.", "I moved to Bergen", "residence", "Bergen", "2026-04-02"),
        (
            "旧",
            "我的地址是西湖区文三路 5 号。",
            "我的地址是西湖区文三路 5 号",
            "address",
            "西湖区文三路 5 号",
            "2026-01-11",
        ),
        (
            "新",
            "我搬家了，新地址是滨江区江南大道 88 号",
            "新地址是滨江区江南大道 88 号",
            "address",
            "滨江区江南大道 88 号",
            "2026-04-03",
        ),
    ):
        made[f"{name} turn"] = tell(memory, text, day)
        made[name] = know(memory, made[f"{name} turn"], quote, attribute, value, text=text)
    supersede(memory, made["oslo"], made["bergen"], "2026-04-02")
    supersede(memory, made["旧"], made["新"], "2026-04-03")
    tell(memory, "The weather in Bergen is awful.", "2026-05-01")
    return made


@pytest.mark.parametrize(
    ("query", "new", "old"),
    [
        ("Where do I live?", "bergen", "oslo"),
        ("Which city do I live in now?", "bergen", "oslo"),
        ("What is my address?", "新", "旧"),
        ("我的地址是什么？", "新", "旧"),
        ("我现在的地址", "新", "旧"),
    ],
)
def test_a_question_for_the_present_is_given_only_what_holds(
    memory: Memory, moved: dict[str, str], query: str, new: str, old: str
) -> None:
    """Case U07."""
    found = memory.recall(SPACE, query, asked_at="2026-06-01")
    assert found[0].id == moved[new]
    assert not {moved[old], moved[f"{old} turn"]} & {*ids(found)}


@pytest.mark.parametrize(
    ("query", "was", "now"),
    [
        ("Where did I live in March?", "oslo", "bergen"),
        ("Where did I live before Bergen?", "oslo", "bergen"),
        ("Where did I live before?", "oslo", "bergen"),
        ("我三月住在哪里？", "oslo", "bergen"),
        ("我以前住哪？", "oslo", "bergen"),
        ("我三月的地址是什么？", "旧", "新"),
        ("我以前的地址是什么？", "旧", "新"),
    ],
)
def test_a_question_for_the_past_is_answered_from_what_was_so_then(
    memory: Memory, moved: dict[str, str], query: str, was: str, now: str
) -> None:
    found = memory.recall(SPACE, query, asked_at="2026-06-01")
    assert found[0].id in (moved[was], moved[f"{was} turn"])
    assert found[0].status == "superseded"
    assert found[0].valid_until == memory.get(moved[was]).valid_until
    assert found[0].superseded_by == moved[now]


def test_what_held_at_a_time_is_found_and_nothing_later(memory: Memory, moved: dict[str, str]) -> None:
    then = memory.recall(SPACE, "Where do I live?", at="2026-02-01")
    assert then[0].id == moved["oslo"]
    assert not {moved["bergen"], moved["bergen turn"]} & {*ids(then)}
    assert memory.recall(SPACE, "我的地址是什么？", at="2026-02-01")[0].value == "西湖区文三路 5 号"
    assert memory.recall(SPACE, "Where do I live?", at="2026-05-01")[0].id == moved["bergen"]
    assert memory.recall(SPACE, "Where do I live?", at="2025-01-01") == []


def test_what_was_learned_late_held_early(memory: Memory, moved: dict[str, str]) -> None:
    """Two clocks: said in June, true in 2024."""
    turn = tell(memory, "Back in 2024 I lived in Rome.", "2026-06-05")
    rome = know(
        memory, turn, "in 2024 I lived in Rome", "residence", "Rome", valid_from="2024-01-01", valid_until="2025-01-01"
    )
    assert memory.recall(SPACE, "Where do I live?", at="2024-06-01")[0].id == rome
    assert memory.recall(SPACE, "Where did I live in June 2024?", asked_at="2026-07-01")[0].id in (rome, turn)
    assert rome not in ids(memory.recall(SPACE, "Where do I live?", asked_at="2026-07-01"))
    known_then = {"said_at": {"$lt": "2026-06-01"}}
    assert rome not in ids(memory.recall(SPACE, "Where do I live?", at="2024-06-01", where=known_then))


def test_a_fact_and_its_turn_take_one_place_and_name_all_turns(memory: Memory) -> None:
    first, second = tell(memory, "I am a glazier.", "2026-01-01"), tell(memory, "I work as a glazier.", "2026-02-01")
    fact = know(memory, first, "I am a glazier", "occupation", "glazier", text="The user is a glazier.")
    with memory._ledger.write() as connection:
        connection.exec_driver_sql(
            "INSERT INTO sources SELECT facts.seq, turns.seq, turns.text, 0, length(turns.text) "
            "FROM memories AS facts, memories AS turns WHERE facts.id = ? AND turns.id = ?",
            (fact, second),
        )
    found = memory.recall(SPACE, "What is my occupation as a glazier?")
    assert ids(found) == [fact]
    assert {*found[0].source_ids} == {first, second}
    assert found[0].why["property"] > 0
    told = memory.recall(SPACE, "glazier")
    assert len({*ids(told)} & {fact, first}) == 1
    assert {*told[0].source_ids} >= {first}


def test_a_fact_lifts_the_turn_that_says_more(memory: Memory) -> None:
    text = "Yesterday the kiln broke, the cat ran off, the roof leaked and I began to work as a glazier in Narvik."
    turn = tell(memory, text, "2026-01-01")
    fact = know(memory, turn, "work as a glazier", "occupation", "glazier", text="The user's occupation is glazier.")
    found = memory.recall(SPACE, "What is my occupation?")
    assert ids(found) == [turn]
    assert found[0].why["fact"] > 0
    assert memory.get(fact).id == fact


def test_a_turn_that_says_more_than_what_is_out_of_date_stays_behind_what_holds(memory: Memory) -> None:
    text = "I live in Oslo, and on Sundays three of us go rowing on the fjord with grandfather's old boat."
    old, new = tell(memory, text, "2026-01-01"), tell(memory, "I live in Bergen.", "2026-04-01")
    oslo = know(memory, old, "I live in Oslo", "residence", "Oslo")
    bergen = know(memory, new, "I live in Bergen", "residence", "Bergen")
    supersede(memory, oslo, bergen, "2026-04-01")
    found = ids(memory.recall(SPACE, "Where do I live, in Oslo on the fjord?"))
    assert found == [bergen, old]
    assert ids(memory.recall(SPACE, "Who goes rowing on Sundays?"))[0] == old


@pytest.mark.parametrize(
    "query", ["When did I say that I live in Oslo?", "我什么时候说过 Oslo？", "Did I ever live in Oslo?"]
)
def test_what_is_out_of_date_stays_for_questions_about_the_past(
    memory: Memory, moved: dict[str, str], query: str
) -> None:
    found = ids(memory.recall(SPACE, query, asked_at="2026-06-01"))
    assert {moved["oslo"], moved["oslo turn"]} & {*found}
    assert memory.get(moved["oslo turn"]).text == "I live in Oslo."


def test_undoing_a_supersession_brings_the_turn_back(memory: Memory, moved: dict[str, str]) -> None:
    with memory._ledger.write() as connection:
        connection.exec_driver_sql(
            "UPDATE memories SET status = 'current', superseded_by = NULL, valid_until = NULL WHERE id = ?",
            (moved["oslo"],),
        )
    found = ids(memory.recall(SPACE, "Where do I live?", asked_at="2026-06-01"))
    assert {moved["oslo"], moved["oslo turn"]} & {*found}


def test_an_answer_that_only_repeats_what_is_out_of_date_goes_with_it(memory: Memory, moved: dict[str, str]) -> None:
    echo = tell(memory, "Noted: Oslo.", "2026-01-10T00:00:05", role="assistant", thread="2026-01-10")
    assert echo not in ids(memory.recall(SPACE, "Where do I live?", asked_at="2026-06-01", k=20))
    assert echo in ids(memory.recall(SPACE, "Where did I live before? Oslo", asked_at="2026-06-01", k=20))


def test_one_turn_out_of_date_takes_no_other_with_it(memory: Memory, moved: dict[str, str]) -> None:
    other = tell(memory, "Oslo has a fine opera house.", "2026-03-01")
    assert other in ids(memory.recall(SPACE, "What do I know of Oslo?", asked_at="2026-06-01"))


def test_a_note_that_took_anothers_place_takes_no_turn_with_it(memory: Memory) -> None:
    old, new = (
        tell(memory, "The kiln opens at nine.", "2026-01-01"),
        tell(memory, "The kiln has a new door.", "2026-02-01"),
    )
    first = know(memory, old, "The kiln opens at nine.", "note the kiln", "The kiln opens at nine.")
    supersede(memory, first, know(memory, new, "The kiln has a new door.", "note the kiln", "a new door"), "2026-02-01")
    assert old in ids(memory.recall(SPACE, "When does the kiln open?", asked_at="2026-06-01"))
    assert old in ids(memory.recall(SPACE, "the kiln", asked_at="2026-06-01"))


def test_archived_and_expired_memories_come_back_only_when_asked_for(memory: Memory) -> None:
    old = memory.remember(SPACE, "The boat is painted green.", id="old")
    memory.remember(
        SPACE, "The boat ticket is on the fridge.", id="brief", said_at="2020-01-01", expires_at="2020-05-01"
    )
    with memory._ledger.write() as connection:
        connection.exec_driver_sql("UPDATE memories SET status = 'archived' WHERE id = 'old'")
    assert memory.recall(SPACE, "boat") == []
    assert ids(memory.recall(SPACE, "boat", archived=True)) == [old]
    assert ids(memory.recall(SPACE, "boat", archived=True, kinds=["fact"])) == [old]
    assert ids(memory.recall(SPACE, "boat", at="2020-02-01")) == ["brief"]
    assert memory.list(SPACE) == []
    assert ids(memory.list(SPACE, archived=True)) == [old]
    assert memory.get(old).status == "archived"


@pytest.mark.parametrize(
    ("query", "attribute", "value"),
    [
        ("What is my diet?", "diet", "vegan"),
        ("我的饮食习惯是什么？", "diet", "vegan"),
        ("What do I do for a living?", "occupation", "glazier"),
        ("我是做什么工作的？", "occupation", "glazier"),
        ("How old am I?", "age", "41"),
        ("What's my dog called?", "pet rex", "Rex"),
        ("What is my favorite color?", "favourite colour", "teal"),
    ],
)
def test_a_fact_is_found_by_its_property_whatever_its_words(
    memory: Memory, query: str, attribute: str, value: str
) -> None:
    turn = tell(memory, f"{value}, as of today!", "2026-01-01")
    fact = know(memory, turn, f"{value}", attribute, value)
    memory.remember(SPACE, f"Bo says {value}.", subject="Bo", attribute=attribute, value="other")
    found = memory.recall(SPACE, query, legs=["subject"])
    assert ids(found) == [fact]
    assert found[0].why["property"] > 0


@pytest.mark.parametrize("leg", [each for each in LEGS if each != "entity"])
def test_a_fact_just_stored_is_found_by_every_leg(memory: Memory, leg: str) -> None:
    turn = tell(memory, "I keep a goat.", datetime.now(UTC).isoformat())
    know(memory, turn, "a goat", "pet goat", "goat", text="The user keeps a goat.")
    assert memory.recall(SPACE, "Which pet goat do I keep today?", legs=[leg], kinds=["fact"])[0].value == "goat"


def test_entities_and_what_is_related_to_them_are_found_by_their_leg(memory: Memory) -> None:
    for name in ("Priya leads Heron.", "It runs on Fridays.", "The canteen is shut."):
        memory.remember(SPACE, name, id=name[:4])
    with memory._ledger.write() as connection:
        run = connection.exec_driver_sql
        run("INSERT INTO entities (seq, space, key, name, kind) VALUES (1, 'ann', 'priya', 'Priya', 'person')")
        run("INSERT INTO entities (seq, space, key, name, kind) VALUES (2, 'ann', '鹭项目', '鹭项目', '')")
        run("INSERT INTO mentions SELECT 1, seq FROM memories WHERE id = 'Priy'")
        run("INSERT INTO mentions SELECT 2, seq FROM memories WHERE id = 'It r'")
        run(
            "INSERT INTO relations (head, relation, tail, memory) "
            "SELECT 1, 'leads', 2, seq FROM memories WHERE id = 'Priy'"
        )
    found = memory.recall(SPACE, "What about Priya's work?", legs=["entity"])
    assert ids(found) == ["Priy", "It r"]
    assert found[0].why["entity"] > found[1].why["entity"]
    assert {*ids(memory.recall(SPACE, "鹭项目怎么样？", legs=["entity"]))} == {"Priy", "It r"}
    assert memory.recall("bo", "Priya", legs=["entity"]) == []
    assert memory.recall(SPACE, "Priyanka", legs=["entity"]) == []


@pytest.mark.parametrize(
    ("first", "then", "query", "past", "old", "new"),
    [
        (
            "我的地址是西湖区文三路 5 号。",
            "我搬家了，新地址是滨江区江南大道 88 号",
            "我的地址是什么？",
            "我以前的地址是什么？",
            "文三路",
            "江南大道",
        ),
        (
            "My address is 5 Quay Street.",
            "My new address is 88 Mill Lane.",
            "What is my address?",
            "What was my address in February?",
            "Quay",
            "Mill",
        ),
        ("I live in Oslo.", "I moved to Bergen.", "Where do I live?", "Where did I live before?", "Oslo", "Bergen"),
    ],
)
def test_what_is_said_anew_is_given_and_what_was_said_before_only_for_the_past(
    reading: Memory, first: str, then: str, query: str, past: str, old: str, new: str
) -> None:
    """Case U07, and W05: nothing is waited for."""
    tell(reading, first, "2026-01-10")
    assert old in reading.recall(SPACE, query, asked_at="2026-03-01")[0].text
    tell(reading, then, "2026-04-02")
    found = reading.recall(SPACE, query, asked_at="2026-06-01")
    assert new in found[0].text
    assert not [each.text for each in found if old in each.text]
    then_ = reading.recall(SPACE, past, asked_at="2026-06-01")[0]
    assert (old in then_.text, then_.status) == (True, "superseded")
    assert old in reading.recall(SPACE, query, at="2026-02-01")[0].text


@pytest.mark.parametrize(
    ("told", "asked", "more"),
    [
        (
            "My favourite programming language is OCaml, because its type inference catches my mistakes.",
            "What is my favourite programming language, and why?",
            "type inference",
        ),
        (
            "Our project's next milestone is on 30 June, and its goal is to finish the login module.",
            "When is our project's next milestone, and what is its goal?",
            "login module",
        ),
        ("我最喜欢的编程语言是 OCaml，因为它的类型推断替我把关。", "我最喜欢的编程语言是什么？为什么？", "类型推断"),
    ],
)
def test_a_question_for_more_than_a_property_gets_the_turn_that_says_more(
    reading: Memory, told: str, asked: str, more: str
) -> None:
    turn = tell(reading, told, "2026-05-01")
    assert reading.flush(60)
    first = reading.recall(SPACE, asked, k=1)[0]
    assert turn in first.source_ids
    assert more in first.text
