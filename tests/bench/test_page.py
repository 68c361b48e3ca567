"""The benchmark of the page, at a size that takes seconds."""

import json
from pathlib import Path

from typer.testing import CliRunner

from hippograph.bench.page import SECTIONS
from hippograph.cli.bench import app
from hippograph.cli.paging import found


def test_each_section_and_a_turn_are_timed_with_what_is_stored(tmp_path: Path) -> None:
    out = tmp_path / "page.json"
    done = CliRunner().invoke(app, ["page", "--turns", "100", "--n", "1", "--json", str(out)])
    assert done.exit_code == 0, done.output
    report = json.loads(out.read_text("utf-8"))
    figures, stages = report["metrics"], report["stages"]
    assert figures["memories"] > 100
    assert {f"{name}, html" for name in SECTIONS} <= stages.keys()
    assert {f"{name}_first_ms" for name in SECTIONS} <= figures.keys()
    assert figures["html_p95_ms"] == max(each["p95"] for name, each in stages.items() if name.endswith("html"))
    if found():
        assert {f"{name}, load" for name in SECTIONS} <= stages.keys()
        assert 0 < figures["token_p50_ms"] <= figures["turn_p50_ms"]
