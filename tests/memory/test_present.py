"""What recall gives for questions about the present: of several facts of one turn, of the outdated, of others."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from hippograph.bench.hashed import hashed
from hippograph.memory import Memory
from hippograph.memory.dates.periods import windows
from hippograph.memory.search.relatives import is_of_others, relatives
from hippograph.memory.search.tense import asks_for_what_was
from hippograph.memory.times import local, now
from hippograph.state import Turn

SPACE = "ann"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(tmp_path / "home", hashed(), extractor="rules") as opened:
        yield opened


def recalled(memory: Memory, told: Sequence[str], query: str) -> list[str]:
    """Return the texts recalled after some were said a month apart."""
    for month, text in enumerate(told, 1):
        memory.add_turns(SPACE, f"{month}", [Turn(role="user", text=text, said_at=f"2026-0{month}-01")])
    return [each.text for each in memory.recall(SPACE, query, asked_at="2026-06-01", k=8)]


@pytest.mark.parametrize(
    ("text", "query", "answer"),
    [
        ("My brother Xylophonius lives in Quetzaltenango.", "Where does my brother live?", "Quetzaltenango"),
        ("My sister Ann works at Acme.", "Where does my sister work?", "Acme"),
        ("I live in Oslo and I work at Acme.", "Where do I live?", "Oslo"),
        ("I live in Oslo and I work at Acme.", "Where do I work?", "Acme"),
        ("我住在上海，在腾讯上班。", "我在哪里工作？", "腾讯"),
    ],
)
def test_a_fact_takes_no_other_fact_of_its_turn_away(memory: Memory, text: str, query: str, answer: str) -> None:
    assert answer in recalled(memory, [text], query)[0]


def test_nothing_that_a_turn_tells_is_lost_where_one_of_its_facts_is_asked_for(memory: Memory) -> None:
    told = " ".join(recalled(memory, ["I live in Oslo and I work at Acme."], "Where do I live?"))
    assert "Oslo" in told
    assert "Acme" in told


@pytest.mark.parametrize(
    ("first", "then", "query", "old", "new"),
    [
        (
            "My dentist appointment is on 5 June at 3pm.",
            "My dentist appointment is now on 12 June at 4pm.",
            "When is my dentist appointment?",
            "5 June",
            "12 June",
        ),
        ("I'm 30 years old.", "I turned 31 today.", "How old am I?", "30", "31"),
        ("项目截止日期是3月3日。", "项目截止日期推迟到3月17日。", "项目截止日期是哪天？", "3月3日", "3月17日"),
        ("我的航班是15点。", "不对，我的航班是16点。", "我的航班几点？", "15点", "16点"),
        ("周会是周一上午九点。", "周会改到周二上午十点了。", "周会是什么时候？", "周一", "周二"),
    ],
)
def test_a_question_when_something_is_is_not_given_what_was_planned_before(
    memory: Memory, first: str, then: str, query: str, old: str, new: str
) -> None:
    found = recalled(memory, [first, then], query)
    assert new in found[0]
    assert not [each for each in found if old in each]


@pytest.mark.parametrize(
    ("query", "past"),
    [
        ("When is my dentist appointment?", False),
        ("How old am I?", False),
        ("我什么时候看牙医？", False),
        ("我的周会是哪天？", False),
        ("When did I see the dentist?", True),
        ("When was my appointment?", True),
        ("What is my old address?", True),
        ("我什么时候去的北京？", True),
        ("我哪天看了牙医？", True),
    ],
)
def test_when_something_is_is_no_question_about_the_past(query: str, past: bool) -> None:
    asked_at = local(now())
    assert asks_for_what_was(query, windows(query, asked_at), asked_at) is past


@pytest.mark.parametrize(
    ("told", "query", "holds"),
    [
        (["I live in Oslo.", "I used to live in Bergen."], "Where do I live?", "Oslo"),
        (["我住在北京。", "我不住北京了，现在住在上海。"], "我住在哪里？", "上海"),
    ],
)
def test_what_is_not_so_any_more_is_behind_what_is(memory: Memory, told: list[str], query: str, holds: str) -> None:
    assert holds in recalled(memory, told, query)[0]


@pytest.mark.parametrize(
    ("told", "query", "answer"),
    [
        (["I live in Turku.", "My brother moved to Bergen."], "Where does my brother live?", "Bergen"),
        (["我住在北京。", "我哥住在上海。"], "我哥住在哪里？", "上海"),
        (["I live in Turku.", "Ann lives in Rome."], "Where does Ann live?", "Rome"),
        (["My brother lives in Bergen.", "I live in Turku."], "Where do I live?", "Turku"),
    ],
)
def test_a_question_about_one_is_not_answered_with_another(
    memory: Memory, told: list[str], query: str, answer: str
) -> None:
    assert answer in recalled(memory, told, query)[0]


def test_a_question_tells_whether_it_is_about_oneself() -> None:
    assert relatives("Where does my elder brother live?") == {"brother"}
    assert relatives("我的姐姐住哪？") == {"sister"}
    others = ["Where does my brother live?", "我哥住哪？", "Where does Ann live?"]
    assert all(is_of_others(each) for each in others)
    mine = ["Where do I live?", "Where do my brother and I live?", "我住哪？", "住哪？", "Where is the user's home?"]
    assert not any(is_of_others(each) for each in mine)
