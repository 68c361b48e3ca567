"""How firing is counted, and that the kept report still is what the rules do."""

import json
from pathlib import Path

import pytest

from hippograph.bench import trigger
from hippograph.state import BadInput

TOP = Path(__file__).parents[2]
QUERIES = {"query_relevance_pairs": [{"query": "Where does Marcus live?"}, {"query": "What is thunder?"}]}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "cri").mkdir()
    (tmp_path / "cri" / "ground_truth.json").write_text(json.dumps(QUERIES))
    return tmp_path


def test_recall_precision_and_false_alarms_are_counted_per_half_and_source(data: Path) -> None:
    told = list[str]()
    report = trigger.run(data, trigger.halves("both"), told.append, mistakes=True)
    rows = {tuple(name.split()): row for name, row in report["rows"].items()}
    cri = [row for key, row in rows.items() if key[1:] == ("cri", "all")]
    assert sum(int(str(row["positives"])) for row in cri) == 2
    assert any("[cri, query] 'What is thunder?'" in line for line in told)
    for half in ("dev", "test"):
        row = rows[half, "all", "all"]
        recall, alarms = float(str(row["recall"])), float(str(row["false_alarm_rate"]))
        assert row["precision"] == round(recall / (recall + alarms), 3)
    assert report["metrics"]["recall"] == rows["test", "all", "all"]["recall"]
    assert report["metrics"]["dev_recall"] == rows["dev", "all", "all"]["recall"]
    assert any("Not there: locomo" in note for note in report["notes"])


def test_our_own_turns_reach_the_goals_of_the_dev_half(data: Path) -> None:
    metrics = trigger.run(data, trigger.halves("dev"), lambda _: None)["metrics"]
    assert (metrics["recall"] or 0) >= trigger.GOALS["recall"]
    assert (metrics["precision"] or 0) >= trigger.GOALS["precision"]


def test_only_dev_test_and_both_are_halves() -> None:
    assert trigger.halves("dev") == ("dev",)
    with pytest.raises(BadInput, match="dev, test or both"):
        trigger.halves("train")


def test_the_kept_report_meets_the_goals_on_the_test_half() -> None:
    metrics = json.loads((TOP / "docs" / "benchmarks" / "trigger.json").read_text("utf-8"))["metrics"]
    assert metrics["recall"] >= trigger.GOALS["recall"]
    assert metrics["precision"] >= trigger.GOALS["precision"]
