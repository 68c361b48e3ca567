"""Why answers failed: the first step at which a piece of evidence was lost."""

from dataclasses import replace

import pytest

from hippograph.bench.answers.arms import Outcome
from hippograph.bench.answers.asked import Asked
from hippograph.bench.answers.failing import cause, counts, failed, listed, page
from hippograph.bench.answers.scores import Scores

ASKED = Asked(
    set="locomo",
    id="c:1",
    space="c",
    text="Who?",
    gold="Ann",
    category="1",
    answerable=True,
    evidence=(frozenset({"D1:1", "D1:2"}), frozenset({"D2:1"})),
)
WRONG = Outcome(
    asked=ASKED,
    reader="r",
    arm="extract",
    answer="Ben",
    scores=Scores(contained=False, f1=0.0, abstained=False),
    context="[1] (2023-05-08, Ben) Hello.",
    tokens=9,
    prompt_tokens=90,
    output_tokens=2,
    ms=1.0,
)


@pytest.mark.parametrize(
    ("found", "shown", "why"),
    [
        (("D1:2",), ("D1:2",), "recall"),
        (("D1:1", "D2:1"), ("D1:1",), "summary"),
        (("D1:1", "D2:1"), ("D2:1", "D1:1"), "reader"),
        ((), (), "recall"),
    ],
)
def test_the_first_step_that_loses_evidence_is_the_cause(
    found: tuple[str, ...], shown: tuple[str, ...], why: str
) -> None:
    assert cause(replace(WRONG, found=found, shown=shown)) == why


def test_without_evidence_the_cause_is_unknown() -> None:
    assert cause(replace(WRONG, asked=replace(ASKED, evidence=()))) == "unknown"


def test_only_wrong_answers_to_questions_that_have_one_count() -> None:
    right = replace(WRONG, scores=Scores(contained=True, f1=1.0, abstained=False))
    others = [right, replace(WRONG, arm="rag"), replace(WRONG, asked=replace(ASKED, answerable=False))]
    assert failed([WRONG, *others]) == [WRONG]
    assert counts([WRONG, *others]) == {"recall": 1, "summary": 0, "reader": 0, "unknown": 0}


def test_the_page_counts_all_and_lists_some_of_each_cause() -> None:
    recall = [replace(WRONG, asked=replace(ASKED, id=f"c:{number}")) for number in range(30)]
    reader = [replace(WRONG, found=("D1:1", "D2:1"), shown=("D1:1", "D2:1"), context="Ann said so.")]
    shown = listed([*recall, *reader], 5)
    assert len(shown) == 5
    assert {cause(each) for each in shown} == {"recall", "reader"}
    text = "\n".join(page([*recall, *reader], 5))
    assert "31 of 31" in text
    assert "| recall | 30 |" in text
    assert "in 1 the block holds the gold answer's words" in text
    assert text.count("- question: Who?") == 5
