from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from hippograph.memory.search.newest import COMPARABLE, LOOKED_AT, newest_first
from hippograph.memory.search.tense import asks_for_what_is
from hippograph.state import Recollection

NOW = datetime(2026, 6, 1, tzinfo=UTC)


def turn(
    text: str, score: float, days: int, *, thread: str = "", role: str = "user", speaker: str = ""
) -> Recollection:
    return Recollection(
        id=text,
        text=text,
        kind="turn",
        said_at=NOW - timedelta(days=days),
        score=score,
        thread=thread or text,
        role=role,
        speaker=speaker,
    )


def fact(text: str, score: float, days: int, subject: str, attribute: str) -> Recollection:
    return replace(turn(text, score, days, thread="-"), kind="fact", role="", subject=subject, attribute=attribute)


def order(query: str, *ranked: Recollection) -> list[str]:
    return [each.text for each in newest_first(query, ranked, NOW)]


OLD_EN, NEW_EN = (
    "My best score in the charity race is 124 points.",
    "My best score in the charity race is 132 points now.",
)
OLD_ZH, NEW_ZH = "我的马拉松最好成绩是四小时十分。", "我的马拉松最好成绩是三小时五十分了。"

CURRENT = [
    "What is my best score in the charity race?",
    "How many points is my best score?",
    "What is Ann's current best score in the race?",
    "我的马拉松最好成绩是多少？",
    "她现在的马拉松最好成绩是多少？",
]
PAST = [
    "What was my best score in the charity race before?",
    "What was my first best score in the charity race?",
    "When did I get my best score in the charity race?",
    "我以前的马拉松最好成绩是多少？",
    "我最初的马拉松最好成绩是多少？",
    "我什么时候跑出了马拉松最好成绩？",
]


@pytest.mark.parametrize("query", CURRENT)
def test_a_question_for_what_is_gets_the_newer_of_one_matter_first(query: str) -> None:
    assert asks_for_what_is(query)
    old, new = (OLD_ZH, NEW_ZH) if "马" in query else (OLD_EN, NEW_EN)
    assert order(query, turn(old, 0.8, 30), turn(new, 0.75, 3)) == [new, old]
    assert order(query, turn(new, 0.8, 3), turn(old, 0.75, 30)) == [new, old]


@pytest.mark.parametrize("query", PAST)
def test_a_question_for_what_was_keeps_the_order(query: str) -> None:
    assert not asks_for_what_is(query)
    old, new = (OLD_ZH, NEW_ZH) if "马" in query else (OLD_EN, NEW_EN)
    assert order(query, turn(old, 0.8, 30), turn(new, 0.75, 3)) == [old, new]


def test_two_undated_facts_of_one_subject_and_attribute_put_the_later_said_first_whatever_is_asked() -> None:
    """Case U05."""
    old, new = (
        fact("Ann lives in Oslo", 0.8, 30, "Ann", "home"),
        fact("Ann's flat is in Bergen", 0.75, 3, "Ann", "home"),
    )
    for query in ("Where does Ann live?", "Ann", "安住在哪里？"):
        assert order(query, old, new) == [new.text, old.text]


def test_another_subject_is_no_newer_state() -> None:
    """Case U03."""
    mine = fact("My favourite player is Messi", 0.8, 30, "me", "favourite player")
    his = fact("My brother's favourite player is Ronaldo", 0.75, 3, "my brother", "favourite player")
    assert order("Who is my favourite player?", mine, his) == [mine.text, his.text]


def test_another_attribute_is_no_newer_state() -> None:
    """Case U04."""
    works = fact("X works at the company", 0.8, 30, "X", "employer")
    role = fact("X administers the GitHub organisation", 0.75, 3, "X", "role")
    assert order("What does X do now at the company?", works, role) == [works.text, role.text]


@pytest.mark.parametrize("other", [{"speaker": "Bo"}, {"role": "assistant"}, {"thread": OLD_EN}])
def test_another_person_and_the_same_conversation_replace_nothing(other: dict[str, str]) -> None:
    found = order(CURRENT[0], turn(OLD_EN, 0.8, 30), turn(NEW_EN, 0.75, 3, **other))
    assert found == [OLD_EN, NEW_EN]


def test_another_matter_replaces_nothing() -> None:
    other = "I adopted a kitten."
    assert order(CURRENT[0], turn(OLD_EN, 0.8, 30), turn(other, 0.79, 3)) == [OLD_EN, other]


def test_a_newer_memory_that_fits_much_worse_stays_behind() -> None:
    for old, new in [
        (turn(OLD_EN, 0.8, 30), turn(NEW_EN, 0.8 * COMPARABLE - 0.01, 3)),
        (fact("Ann: Oslo", 0.8, 30, "Ann", "home"), fact("Ann: Bergen", 0.8 * COMPARABLE - 0.01, 3, "Ann", "home")),
    ]:
        assert order(CURRENT[0], old, new) == [old.text, new.text]


def test_the_newest_of_three_is_first_and_scores_still_fall() -> None:
    texts = [f"My best score in the charity race is {n} points." for n in (110, 124, 132)]
    found = newest_first(CURRENT[0], [turn(text, 0.8 - 0.01 * n, 30 - n) for n, text in enumerate(texts)], NOW)
    assert found[0].text == texts[2]
    assert [each.score for each in found] == pytest.approx([0.8, 0.79, 0.78])
    assert found[0].why["newest"] == pytest.approx(0.02)
    assert sum(each.why.get("newest", 0) for each in found) == pytest.approx(0)


def test_of_one_moment_none_is_newer() -> None:
    assert order(CURRENT[0], turn(OLD_EN, 0.8, 3), turn(NEW_EN, 0.79, 3)) == [OLD_EN, NEW_EN]


def test_what_is_far_down_stays_there_and_nothing_is_no_error() -> None:
    far = [turn(f"{OLD_EN} {n}", 0.8, 30 + n, thread="t") for n in range(LOOKED_AT)]
    assert order(CURRENT[0], *far, turn(NEW_EN, 0.79, 3))[-1] == NEW_EN
    assert newest_first(CURRENT[0], [], NOW) == []
