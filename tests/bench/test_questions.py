"""Questions of a LoCoMo file, and how answers are judged."""

import json
from pathlib import Path

import pytest

from hippograph.bench.questions import Outcome, read_questions
from hippograph.state import BadInput

QA = [
    {"question": f"Q{number}?", "answer": number, "evidence": evidence, "category": category}
    for number, (evidence, category) in enumerate(
        [(["D8:6; D9:17"], 1), (["D:11:26"], 2), (["D30:05"], 4), (["D1:1"], 5), ([], 3)]
    )
]


def outcome(gold: str, answer: str, cited: tuple[str, ...] = ()) -> Outcome:
    return Outcome(
        question="?",
        gold=gold,
        answer=answer,
        category=1,
        evidence=("D1:1", "D2:2"),
        cited=cited,
        seconds=1.0,
        degraded=(),
    )


def test_questions_are_read_whatever_way_their_evidence_is_written(tmp_path: Path) -> None:
    path = tmp_path / "locomo.json"
    path.write_text(json.dumps([{"sample_id": "conv-1", "conversation": {}, "qa": QA}]))
    questions = read_questions(path, "conv-1", 10)
    assert [question.text for question in questions] == ["Q0?", "Q1?", "Q2?", "Q4?"]
    assert [question.evidence for question in questions] == [("D8:6", "D9:17"), ("D11:26",), ("D30:5",), ()]
    assert questions[1].gold == "1"
    assert len(read_questions(path, "conv-1", 2)) == 2
    with pytest.raises(BadInput, match="conv-1"):
        read_questions(path, "conv-2", 1)


def test_an_answer_is_judged_by_the_words_it_shares_with_the_gold_one() -> None:
    assert outcome("The pink Violin", "a violin, pink!").f1 == 1
    assert outcome("clarinet", "a gecko").f1 == 0
    assert outcome("clarinet and violin", "clarinet").f1 == pytest.approx(0.5)


def test_evidence_counts_by_the_share_that_stood_in_the_prompt() -> None:
    assert outcome("x", "x", ("D1:1", "D9:9")).evidence_cited == 0.5
