"""Summaries that are sampled, judged by a model or a person, and let go of."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from accounts import NOON, Book, block, taken
from scripted import Scripted, chat

from hippograph.bench.hashed import hashed
from hippograph.memory import Memory
from hippograph.memory.costs import samples
from hippograph.memory.costs.judge import Judge, grade, judge, read
from hippograph.memory.costs.judging import Judging
from hippograph.memory.intake import memory_row, turn_rows
from hippograph.state import BadInput, ModelUnavailable, Settings
from hippograph.state.costs import Verdict

GOOD = {"accuracy": 5, "relevance": 4, "brevity": 3}


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    opened = Book(tmp_path)
    opened.recorder.sample = 1.0
    yield opened
    opened.ledger.close()


def said(book: Book, *turns: str, space: str = "ann") -> None:
    """Store turns, and the memory that blocks are made of."""
    given: Any = [{"role": "user", "text": f"What did the cello cost, {each}?", "id": each} for each in turns]
    rows = turn_rows(space, "main", given, lambda present: NOON)
    row = memory_row(space, "The cello cost 1,250 euros.", "fact", {"id": "m1"}, lambda present: NOON)
    book.ledger.add([*rows, row])


def judging(book: Book, reply: Any) -> tuple[Judging, Scripted]:
    model = Scripted(structured=lambda prompt: reply)
    made = Judging(book.ledger, book.recorder)
    made.judge = Judge("given:judge", lambda: chat(model, spec="given:judge"))
    return made, model


def test_a_sample_is_judged_by_what_its_memories_say_and_its_words_are_let_go_of(book: Book) -> None:
    said(book, "t1")
    book.enter(taken("t1"))
    (sample,) = book.account.samples()
    assert (sample.question, sample.evidence) == ("What did the cello cost?", ["The cello cost 1,250 euros."])
    made, model = judging(book, GOOD)
    assert made.all() == 1
    assert all(part in model.text() for part in (sample.question, sample.block, sample.evidence[0]))
    assert book.account.samples() == []
    assert book.column("judgements", "question || block || evidence") == ["[]"]
    quality = book.account.stats().quality
    assert (quality.judged, quality.accuracy, quality.brevity, quality.by) == (1, 5, 3, {"given:judge": 1})
    assert [(week.begins, week.n) for week in quality.weeks] == [("2026-05-11", 1)]


def test_what_the_judge_costs_is_recorded_as_the_judge_s(book: Book) -> None:
    said(book, "t1")
    book.enter(taken("t1"))
    judging(book, GOOD)[0].all()
    book.enter()
    spent = book.account.stats("ann", by="stage").groups["judge"].roles["judge"]
    assert (spent.calls, spent.money) == (1, None)
    assert spent.input > 100


def test_a_share_is_sampled_and_the_same_turns_always(book: Book) -> None:
    turns = [taken(f"t{n}") for n in range(1000)]
    few = {each.turn for each in turns if samples.chosen(each, 0.1)}
    assert 60 < len(few) < 140
    assert few == {each.turn for each in turns if samples.chosen(each, 0.1)}
    assert few < {each.turn for each in turns if samples.chosen(each, 0.2)}
    assert not any(samples.chosen(each, 0.0) for each in turns)
    assert all(samples.chosen(each, 1.0) for each in turns)


@pytest.mark.parametrize("more", [{"remembered": False}, {"block": None}, {"block": block("")}, {"failed": True}])
def test_a_turn_that_is_not_remembered_failed_or_had_no_summary_is_never_sampled(more: dict[str, Any]) -> None:
    assert not samples.chosen(taken(**more), 1.0)


def test_what_was_forgotten_meanwhile_is_not_sampled(book: Book) -> None:
    said(book, "t1")
    book.enter(taken("gone"), taken("t1", evidence=[{"id": "gone", "text": "x"}]), taken("t1", space="bo"))
    assert book.account.samples() == []
    assert book.total().turns == 3


def test_only_so_many_wait_the_newest(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(samples, "MOST", 3)
    said(book, *"abcde")
    book.enter(*(taken(each) for each in "abcde"))
    assert [each.id for each in book.account.samples()] == [3, 4, 5]


@pytest.mark.parametrize(
    ("said_so", "means"),
    [
        (4, 4), (4.0, 4), ("4", 4), (" 4/5 ", 4), ("4 out of 5", 4), ("5分", 5), (True, 5), (False, 1),
        ("CORRECT", 5), ("INCORRECT", 1), ("Incorrect.", 1), ("**correct**", 5), ("正确", 5), ("不正确", 1),
        ("错误", 1), ("部分正确", 3), ("pass", 5), ("FAIL", 1),
        (0, None), (6, None), (4.5, None), ("45", None), ("not correct", None), ("correct or incorrect", None),
        ("4/10", None), ("", None), (None, None), ([5], None), (float("nan"), None),
    ],
)  # fmt: skip
def test_a_grade_is_read_exactly_or_not_at_all(said_so: object, means: int | None) -> None:
    assert grade(said_so) == means


@pytest.mark.parametrize(
    "reply",
    [
        {"accuracy": 5, "relevance": 4, "brevity": 3},
        {"Accuracy": "5/5", "relevance": "4", "brevity": 3.0, "more": "x"},
        {"准确性": 5, "相关性": "4分", "简洁": 3},
        '```json\n{"accuracy": 5, "relevance": 4, "brevity": 3}\n```',
        "accuracy: 5\n- **relevance**: 4/5\nbrevity = 3.",
        "准确：5\n相关：4\n简洁：3",
    ],
)
def test_a_verdict_is_read_from_json_and_from_lines(reply: object) -> None:
    assert read(reply) == Verdict(accuracy=5, relevance=4, brevity=3)


@pytest.mark.parametrize("reply", [None, "", "INCORRECT", "5 4 3", [5, 4, 3], {"accuracy": 5, "relevance": 4}, {}])
def test_what_is_no_verdict_is_none(reply: object) -> None:
    assert read(reply) is None


def test_an_unreadable_verdict_is_asked_for_three_times_and_then_left_to_a_person(book: Book) -> None:
    said(book, "t1")
    book.enter(taken("t1"))
    made, model = judging(book, "no idea")
    assert [made.all() for _ in range(5)] == [0] * 5
    assert len(model.prompts) == samples.ATTEMPTS
    (sample,) = book.account.samples()
    assert book.account.judged(sample.id, Verdict(accuracy=2, relevance=2, brevity=2))
    assert not book.account.judged(sample.id, Verdict(accuracy=5, relevance=5, brevity=5))
    assert book.account.stats().quality.by == {"person": 1}


def test_a_judge_that_is_away_loses_no_sample(book: Book) -> None:
    said(book, "t1")
    book.enter(taken("t1"))
    made, _ = judging(book, ModelUnavailable("no server"))
    for _ in range(5):
        with pytest.raises(ModelUnavailable):
            made.all()
    made, _ = judging(book, GOOD)
    assert made.all() == 1


def test_a_grade_out_of_range_is_refused(book: Book) -> None:
    with pytest.raises(BadInput, match="not 1, 2, 3, 4 or 5"):
        book.account.judged(1, Verdict(accuracy=0, relevance=5, brevity=5))


def test_the_question_s_language_is_the_judge_s(book: Book) -> None:
    said(book, "t1")
    book.enter(taken("t1", question="大提琴花了多少钱？"))
    made, model = judging(book, GOOD)
    made.all()
    assert "你给笔记打分" in model.text()


def test_the_judge_is_the_one_named_else_the_big_model_else_nobody() -> None:
    settings = Settings.from_env({})
    assert judge(settings) is None
    big = judge(settings.override(big="ollama:big"))
    own = judge(settings.override(big="ollama:big", judge="openai:own"))
    assert (big and big.spec, own and own.spec) == ("ollama:big", "openai:own")
    with pytest.raises(BadInput):
        judge(settings.override(judge="nonsense"))


def test_samples_of_one_user_are_not_told_to_another(book: Book) -> None:
    said(book, "t1")
    said(book, "t1", space="bo")
    book.enter(taken("t1"), taken("t1", space="bo"))
    assert [len(book.account.samples(each)) for each in ("ann", "bo", "cy", None)] == [1, 1, 0, 2]


@pytest.mark.parametrize("other", ["bo", "李雷"])
def test_only_the_summaries_of_the_user_who_is_named_are_judged(book: Book, other: str) -> None:
    said(book, "t1")
    said(book, "t2", space=other)
    book.enter(taken("t1"), taken("t2", space=other))
    made, _ = judging(book, GOOD)
    assert made.all(space=other) == 1
    assert (len(book.account.samples("ann")), len(book.account.samples(other))) == (1, 0)


def test_nothing_is_judged_while_a_turn_is_under_way_however_long_it_takes(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    said(book, "t1")
    book.enter(taken("t1"))
    made, model = judging(book, GOOD)
    monkeypatch.setattr("hippograph.memory.costs.judging.IDLE", -1.0)
    with made.talking():
        made._step()
        assert not model.prompts
    made._step()
    assert model.prompts


def test_a_judge_whose_name_is_none_is_told_of_and_the_home_opens(tmp_path: Path) -> None:
    settings = Settings.from_env().override(home=tmp_path / "home", judge="no:such:thing/")
    with Memory.open(tmp_path / "home", hashed(), extractor="none", settings=settings) as memory:
        assert any("not judged" in each for each in memory.notices)
