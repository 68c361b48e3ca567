"""Figures and how they are kept."""

import json
from pathlib import Path

import pytest

from hippograph.bench import machine
from hippograph.bench.report import Report, lines, median, percentile, write

REPORT = Report(
    metrics={"added_ms_p50": 12.5, "children_mb": None},
    machine=machine.describe(),
    models={"small": "local:x"},
    n=3,
    stages={"retrieve": {"p50": 1.0, "p95": 2.0}},
    notes=["quick"],
)


@pytest.mark.parametrize(("share", "expected"), [(0.0, 1), (0.5, 5), (0.9, 9), (0.95, 10), (1.0, 10)])
def test_a_percentile_is_a_measured_value(share: float, expected: int) -> None:
    assert percentile([10, 9, 8, 7, 6, 5, 4, 3, 2, 1], share) == expected


def test_the_median_of_an_even_number_lies_between() -> None:
    assert median([4, 1, 3, 2]) == 2.5


def test_a_report_is_kept_as_json_in_a_folder_made_for_it(tmp_path: Path) -> None:
    write(REPORT, tmp_path / "docs" / "smoke.json")
    assert json.loads((tmp_path / "docs" / "smoke.json").read_text()) == REPORT


def test_lines_name_machine_models_figures_goals_and_stages() -> None:
    text = "\n".join(lines(REPORT, {"added_ms_p50": 40}))
    for part in ("local:x", "n = 3", "added_ms_p50", "12.5", "goal 40", "retrieve", "note: quick"):
        assert part in text


def test_the_machine_is_described_with_what_it_has() -> None:
    described = machine.describe()
    assert described["cores"] >= 1
    assert described["cpu"]
    assert machine.peak_rss_mb() > 1
