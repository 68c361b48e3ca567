"""How extraction is counted, and that the kept report still is what the rules do."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hippograph.bench import extract
from hippograph.bench.known import Label, bears, turns
from hippograph.memory.facts import Fact
from hippograph.state import BadInput, Settings

TOP = Path(__file__).parents[2]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings.from_env({"HIPPOGRAPH_HOME": str(tmp_path)})


def fact(value: str, *, subject: str = "user", negated: bool = False) -> Fact:
    return Fact(
        text=f"{value}.", subject=subject, attribute="residence", value=value, negated=negated, turn="t", quote=value,
        start=0, end=len(value), valid_from=datetime(2026, 5, 6, tzinfo=UTC),
    )  # fmt: skip


def test_a_fact_is_borne_out_by_subject_words_and_negation() -> None:
    label = Label(subject="user", attribute="residence", words="Oslo")
    assert bears(label, fact("Oslo"))
    assert not bears(label, fact("Bergen"))
    assert not bears(label, fact("Oslo", subject="Ann"))
    assert not bears(label, fact("Oslo", negated=True))


def test_the_labelled_turns_are_in_both_languages_and_some_tell_nothing() -> None:
    read = turns()
    assert sum(bool(each.needed) for each in read) >= 80
    assert sum(not each.labels for each in read) >= 30
    assert {each.split for each in read} == {"dev", "test"}


def test_the_rules_make_up_nothing_on_the_dev_half(settings: Settings) -> None:
    report = extract.run(settings, ["rules"], ("dev",), lambda _: None)
    assert (report["metrics"]["precision"] or 0) >= extract.GOALS["precision"]
    assert (report["metrics"]["recall"] or 0) >= 0.9
    assert report["metrics"]["false_rate"] == 0


def test_an_extractor_that_finds_nothing_is_not_measured(settings: Settings) -> None:
    with pytest.raises(BadInput, match="finds nothing"):
        extract.run(settings, ["none"], ("dev",), lambda _: None)


def test_the_kept_report_meets_the_goal_on_the_test_half() -> None:
    metrics = json.loads((TOP / "docs" / "benchmarks" / "extract.json").read_text("utf-8"))["metrics"]
    assert metrics["precision"] >= extract.GOALS["precision"]
