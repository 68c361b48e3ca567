"""The snapshot benchmark, at a size that takes seconds."""

import json
from pathlib import Path

from typer.testing import CliRunner

from hippograph.cli.bench import app


def test_the_command_measures_and_finds_every_restore_exact(tmp_path: Path) -> None:
    out = tmp_path / "snapshots.json"
    done = CliRunner().invoke(app, ["snapshots", "--days", "4", "--turns", "3", "--json", str(out)])
    assert done.exit_code == 0, done.output
    report = json.loads(out.read_text("utf-8"))
    figures = report["metrics"]
    assert report["n"] == 4
    assert figures["exact_share"] == 1
    assert figures["full_mb"] > figures["full_compressed_mb"] > figures["differential_mb"] > 0
    assert 0.6 < figures["saved_share"] < 1
    assert figures["saved_share_compressed"] < figures["saved_share"]
    assert figures["forgetting_s"] > 0
