"""Examples from ratings and from kept answers, evaluated by LangSmith's `evaluate` without a network."""

import json
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest
import requests

from hippograph.bench import evaluating
from hippograph.memory.rating import Rated
from hippograph.state import BadInput

NOW = datetime(2026, 5, 1, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests.Session, "request", MagicMock(side_effect=AssertionError("a request was made")))


def rated(question: str, answer: str, score: int, correction: str = "") -> Rated:
    return Rated(
        id=question,
        question=question,
        answer=answer,
        said_at=NOW,
        score=score,
        comment="",
        correction=correction,
        at=NOW,
        run=None,
        sent=False,
    )


RATED = [
    rated("Where does Ada live?", "In Lisbon.", 1),
    rated("小猫叫什么？", "叫小黑。", -1, "小猫叫小白。"),
    rated("How old is Rex?", "Rex is 3.", -1),
]
ANSWERS = {
    "Where does Ada live?": "She lives in Lisbon.",
    "小猫叫什么？": "小猫叫小白。",
    "How old is Rex?": "Rex is 3.",
}


def target(inputs: dict[str, Any]) -> dict[str, Any]:
    return {"answer": ANSWERS[inputs["question"]], "confidence": 0.5}


def test_ratings_become_examples_that_are_scored_here() -> None:
    done = evaluating.run(evaluating.from_ratings(RATED, "ann"), target)
    assert done.metrics["n"] == 3
    assert done.metrics["right"] == 1.0
    assert done.metrics["otherwise"] == 0.5
    assert done.metrics["confidence"] == 0.5
    assert done.url is None
    assert {row["question"]: row["scores"].get("right") for row in done.rows}["How old is Rex?"] is None


def test_examples_have_the_same_ids_each_time_and_other_people_others() -> None:
    first, again, others = (evaluating.from_ratings(RATED, space) for space in ("ann", "ann", "bob"))
    assert [each.id for each in first] == [each.id for each in again]
    assert not {each.id for each in first} & {each.id for each in others}


def test_an_answer_that_fails_is_told_and_counted(tmp_path: Path) -> None:
    def failing(inputs: dict[str, Any]) -> dict[str, Any]:
        raise BadInput("The model is away.")

    done = evaluating.run(evaluating.from_ratings(RATED[:1], "ann"), failing)
    assert "The model is away." in done.rows[0]["error"]
    assert "right" not in done.rows[0]["scores"]


def test_what_a_benchmark_kept_is_judged_as_it_is(tmp_path: Path) -> None:
    line = {"id": "locomo/1", "category": "4", "answerable": True, "question": "Who?", "gold": "Ada"}
    lines = [{**line, "arm": "extract", "answer": "Ada did."}, {**line, "arm": "rag", "answer": "Nobody."}]
    path = tmp_path / "details.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    for arm, right in (("extract", 1.0), ("rag", 0.0)):
        cases = evaluating.from_answers(path, arm)
        assert evaluating.run(cases, evaluating.reading(cases)).metrics["right"] == right
    twice = [{**line, "id": name, "gold": name, "arm": "rag", "answer": name} for name in ("tea", "coffee")]
    path.write_text("\n".join(map(json.dumps, [*lines, *twice])))
    cases = evaluating.from_answers(path, "rag")[1:]
    done = evaluating.run(cases, evaluating.reading(cases))
    assert [row["answer"] for row in done.rows] == ["tea", "coffee"], "questions in the same words"
    assert evaluating.reading(cases)({"question": "Who?"}) == {"answer": "coffee"}
    with pytest.raises(BadInput, match=r"no answers of the arm 'full': it has extract, rag"):
        evaluating.from_answers(path, "full")
    path.write_text("nothing")
    with pytest.raises(BadInput, match="no file of answers"):
        evaluating.from_answers(path)


def test_examples_are_written_as_langsmith_takes_them(tmp_path: Path) -> None:
    evaluating.write(evaluating.from_ratings(RATED, "ann"), tmp_path / "out.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]
    assert lines[1]["inputs"] == {"question": "小猫叫什么？"}
    assert lines[1]["outputs"] == {"answer": "小猫叫小白。", "wrong": "叫小黑。"}
    assert lines[2]["outputs"] == {"wrong": "Rex is 3."}


def test_a_dataset_gets_each_example_once() -> None:
    cases = evaluating.from_ratings(RATED, "ann")
    client = MagicMock()
    client.list_examples.return_value = [SimpleNamespace(id=cases[0].id)]
    evaluating.upload(client, cases, "mine")
    (sent,) = client.create_examples.call_args_list
    assert [each["id"] for each in sent.kwargs["examples"]] == [each.id for each in cases[1:]]


def test_nothing_to_evaluate_and_nobody_to_upload_to_are_said_in_words() -> None:
    with pytest.raises(BadInput, match="rate some answers first"):
        evaluating.run([], target)
    client = MagicMock()
    client.has_dataset.side_effect = ConnectionError("no network")
    with pytest.raises(BadInput, match="set LANGSMITH_API_KEY"):
        evaluating.run(evaluating.from_ratings(RATED, "ann"), target, dataset="mine", client=client)
