from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from hippograph.nodes.confidence import confidence
from hippograph.nodes.grounds import Grounds
from hippograph.state import Recollection
from hippograph.state.turn import Confidence

Make = Callable[..., Recollection]


def trust(answer: str, question: str, *memories: Recollection, **options: Any) -> Confidence:
    notes = [f"[{n}] ({each.said_at:%Y-%m-%d}, user) {each.text}" for n, each in enumerate(memories, start=1)]
    grounds = Grounds(notes=notes, question=question, shown=[], now=datetime(2025, 12, 1, tzinfo=UTC))
    return confidence(answer, grounds, memories, **options)


@pytest.mark.parametrize(
    ("note", "question", "right", "wrong"),
    [
        ("My sister Ada lives in Lisbon.", "Where does Ada live?", "Ada lives in Lisbon.", "Ada lives in Porto."),
        ("我妹妹小美住在成都。", "小美住在哪里？", "小美住在成都。", "小美住在上海浦东。"),
    ],
)
def test_what_the_notes_say_is_trusted_and_what_they_do_not_is_less(
    note: str, question: str, right: str, wrong: str, found: Make
) -> None:
    memory = found(note, score=0.85)
    assert trust(right, question, memory)["level"] == "high"
    assert trust(wrong, question, memory)["score"] < trust(right, question, memory)["score"] - 0.3


def test_a_year_that_stands_nowhere_makes_it_low_and_is_named(found: Make) -> None:
    given = trust("Ada moved to Lisbon in 2019.", "When did Ada move?", found("Ada moved to Lisbon.", score=0.9))
    assert given["level"] == "low"
    assert given["why"][0] == "not in the notes: 2019"


def test_weak_evidence_lowers_it(found: Make) -> None:
    strong, weak = (found("Ada lives in Lisbon.", score=score) for score in (0.9, 0.3))
    question, answer = "Where does Ada live?", "Ada lives in Lisbon."
    assert trust(answer, question, weak)["score"] < trust(answer, question, strong)["score"]
    assert "the evidence fits hardly" in trust(answer, question, weak)["why"]


def test_notes_that_disagree_lower_it(found: Make) -> None:
    about = {"kind": "fact", "subject": "Ada", "attribute": "home", "score": 0.9}
    lisbon = found("Ada lives in Lisbon.", value="Lisbon", **about)
    porto = found("Ada lives in Porto.", value="Porto", **about)
    alone, both = (trust("Ada lives in Lisbon.", "Where does Ada live?", *m) for m in ((lisbon,), (lisbon, porto)))
    assert "memories disagree about it" in both["why"]
    assert both["score"] < alone["score"]


def test_an_answer_that_does_not_know_is_low_and_one_without_memory_is_in_between() -> None:
    assert trust("I don't know, you haven't told me yet.", "Where does Ada live?") == {
        "level": "low",
        "score": 0.0,
        "why": ["it says that it does not know"],
    }
    assert trust("Paris is the capital of France.", "What is the capital of France?")["level"] == "medium"


def test_an_answer_cut_short_is_trusted_half(found: Make) -> None:
    memory = found("Ada lives in Lisbon.", score=0.9)
    whole, part = (trust("Ada lives in Lisbon.", "Where?", memory, interrupted=each) for each in (False, True))
    assert part["score"] == pytest.approx(whole["score"] / 2, abs=0.001)


@pytest.mark.parametrize(
    ("note", "question", "answer"),
    [
        ("I live in Bremen.", "Where do I live?", "You do not live in Bremen."),
        ("I am not allergic to nuts.", "Am I allergic to nuts?", "You are allergic to nuts."),
        ("我住在成都。", "我住在哪里？", "你不住在成都。"),
        ("我对花生不过敏。", "我对花生过敏吗？", "你对花生过敏。"),
    ],
)
def test_the_contrary_of_the_notes_is_low(note: str, question: str, answer: str, found: Make) -> None:
    given = trust(answer, question, found(note, score=0.9))
    assert given["level"] == "low"
    assert given["why"][0] == "the notes say the contrary"


@pytest.mark.parametrize(
    ("note", "question", "with_it", "without"),
    [
        (
            "I moved to Bremen in 2019.",
            "When did I move to Bremen?",
            "You moved to Bremen in 2019.",
            "You moved to Bremen.",
        ),
        ("我2019年搬到成都。", "我哪年搬到成都？", "你2019年搬到成都。", "你搬到成都。"),
    ],
)
def test_an_answer_without_the_figure_asked_for_is_trusted_less(
    note: str, question: str, with_it: str, without: str, found: Make
) -> None:
    told, silent = (trust(answer, question, found(note, score=0.9)) for answer in (with_it, without))
    assert silent["score"] < told["score"]
    assert "a figure was asked for, and it has none" in silent["why"]
