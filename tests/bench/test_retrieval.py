"""A data set fed to a real memory, asked and judged beside the floors."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from hippograph.bench import retrieval, table
from hippograph.bench.report import Report, lines
from hippograph.bench.sets import Dataset, Fact, Pair, Question, one
from hippograph.memory.exchange.transfer import Told
from hippograph.state import Settings, Turn

SAID = [
    "我家的猫叫小橘。",
    "我下周去成都出差。",
    "The invoice PRJ-4821 is overdue.",
    "Ann plays the cello.",
    "Rain again.",
]
ASKED = {"猫叫什么名字？": 1, "What is overdue?": 3, "Who plays the cello?": 4}


def day(number: int) -> datetime:
    return datetime(2025, 1, number, tzinfo=UTC)


def dataset(name: str = "own") -> Dataset:
    told = [
        Told("talk", Turn(role="user", text=text, said_at=day(number), id=f"t{number}"))
        for number, text in enumerate(SAID, 1)
    ]
    fact = Fact(id="f1", text="Ben is allergic to lychee.", said_at=day(1))
    questions = [
        Question(id=text, space="ann", text=text, gold=(one(f"t{number}"),), category="talk")
        for text, number in ASKED.items()
    ]
    questions += [
        Question(id="f", space="ben", text="What is Ben allergic to?", gold=(one("f1"),), category="fact"),
        Question(id="past", space="ann", text="Who plays the cello?", gold=(one("t1"),), at=day(3), scored=False),
        Question(
            id="pair", space="ann", text="cello", pairs=(Pair(newer=one("t4"), older=one("t1")),), category="pair"
        ),
    ]
    return Dataset(name=name, spaces={"ann": told, "ben": [fact]}, questions=questions, notes=("made up",))


@pytest.fixture(scope="module")
def stages() -> dict[str, tuple[int, int]]:
    return {}


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def report(cache: Path, stages: dict[str, tuple[int, int]]) -> Report:
    def progress(stage: str, done: int, total: int) -> None:
        stages[stage] = (done, total)

    return retrieval.run(Settings.from_env(), dataset(), retrieval.Plan(each_leg=True), cache, None, progress)


def test_turns_and_facts_are_found_by_every_arm(report: Report) -> None:
    rows = report["rows"]
    assert [*rows] == ["hippograph", *(f"{leg} alone" for leg in retrieval.LEGS), "bm25", "vectors", "rrf", "chroma"]
    assert rows["hippograph"]["R@5"] == 1
    assert all(row["R@10"] == 1 for name, row in rows.items() if not name.endswith("alone"))
    assert report["metrics"] == rows["hippograph"]
    assert report["n"] == 5


def test_each_question_is_kept_with_its_gold_and_what_was_found(report: Report) -> None:
    kept = {str(each["id"]): each for each in report["questions"]}
    assert kept["f"]["gold"] == ["f1"]
    assert kept["f"]["found"] == ["f1"]
    assert kept["f"]["R@1"] == 1
    assert kept["pair"]["newest_above_stale"] == 1
    assert "R@1" not in kept["pair"]
    assert kept["past"]["scored"] is False
    found = kept["past"]["found"]
    assert isinstance(found, list)
    assert set(found) == {"t1", "t2", "t3"}, "what was said later cannot be found"


def test_recall_by_k_and_category_and_stages_are_reported(report: Report) -> None:
    curve = report["curves"]["hippograph"]
    assert len(curve) == retrieval.DEPTH
    assert curve == sorted(curve)
    assert curve[-1] == 1
    assert report["categories"]["bm25"]["fact"]["R@1"] == 1
    assert {*report["stages"]} == {"embed", "recall"}
    assert report["stages"]["embed"]["p50"] > 0


def test_every_stage_tells_how_far_it_is(report: Report, stages: dict[str, tuple[int, int]]) -> None:
    assert {*stages} == {"Storing", "Indexing", "Floors", *report["rows"]}
    assert all(done == total for done, total in stages.values())


def test_a_kept_home_is_used_again_and_sets_in_it_do_not_mix(cache: Path, tmp_path: Path) -> None:
    plan = retrieval.Plan(k=3, floors=False, legs=["vector", "keyword"])
    first, again, other = (
        retrieval.run(Settings.from_env(), each, plan, cache, tmp_path / "home", lambda *_: None)
        for each in (dataset(), dataset(), dataset("other"))
    )
    assert [*first["rows"]] == ["hippograph vector+keyword"]
    found = [[each["found"] for each in report["questions"]] for report in (first, again, other)]
    assert found[0] == found[1] == found[2]


def test_the_table_has_a_line_for_each_arm_and_the_categories(report: Report) -> None:
    printed = table.lines(report)
    assert sum(line.startswith("bm25 ") for line in printed) == 3
    assert printed[0].split() == ["n", "R@1", "R@5", "R@10", "hit@1", "hit@5", "hit@10", "all@10", "MRR", "nDCG@10"]
    assert "R@10 by category" in printed
    assert any("made up" in line for line in lines(report))
