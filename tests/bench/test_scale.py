"""Recall at growing numbers of turns, at sizes that take seconds."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hippograph.bench import scale
from hippograph.bench.hashed import hashed, vectors
from hippograph.bench.probes import KINDS, probes
from hippograph.bench.turns import conversations, sample
from hippograph.cli.bench import app
from hippograph.memory import Memory
from hippograph.state import BadInput

FIGURES = (
    *("recall_p50_ms", "recall_p95_ms", "first_recall_ms", "open_ms", "indexed_per_s"),
    *("ledger_mb", "chroma_mb", "rss_mb", "found_share", "ann_recall"),
)


def test_the_command_writes_every_figure_for_every_size(tmp_path: Path) -> None:
    out = tmp_path / "scale.json"
    done = CliRunner().invoke(app, ["scale", "--sizes", "200,400", "--n", "10", "--json", str(out)])
    assert done.exit_code == 0, done.output
    report = json.loads(out.read_text("utf-8"))
    assert [*report["metrics"]] == [f"{name}_{size}" for size in (200, 400) for name in FIGURES]
    assert all(value > 0 for value in report["metrics"].values())
    assert [*report["stages"]] == [f"{kind}, {size}" for size in (200, 400) for kind in KINDS]
    assert report["n"] == 10
    assert report["models"] == {"embeddings": "hashed"}
    for size in (200, 400):
        assert report["metrics"][f"found_share_{size}"] > 0.9
        assert report["metrics"][f"ann_recall_{size}"] > 0.98
    assert report["metrics"]["ledger_mb_400"] > report["metrics"]["ledger_mb_200"]


def test_what_is_not_stored_is_not_found(tmp_path: Path) -> None:
    """The guards can fail: half of the facts were never told, and the index holds none of the nearest."""
    said = conversations(200)
    asking, facts = probes(said.facts, 200, 10), sample(said.facts, 20)
    gone = {fact.turn_id for fact in facts[::2]}
    with Memory.open(tmp_path, hashed(), reranker="fusion") as memory:
        for thread, turns in said.threads.items():
            memory.add_turns(scale.SPACE, thread, [turn for turn in turns if turn.get("id") not in gone])
    asked = scale.ask(tmp_path, asking, [1.01] * len(asking), facts)
    assert asked.found == pytest.approx(0.5, abs=0.1)
    assert asked.nearest == 0
    assert len(asked.ms) == 10


def test_the_floor_of_a_query_is_the_cosine_of_its_tenth_nearest() -> None:
    stored = vectors([f"cat {'dog ' * (n > 4)}{'bird ' * (n > 11)}" for n in range(15)])
    assert scale._floors(stored, vectors(["cat"])) == pytest.approx([2**-0.5], abs=0.1)


def test_sizes_are_numbers_of_turns() -> None:
    assert scale.sizes("10000, 200,200") == [10000, 200]
    for written in ("", "1e4", "50", "200,,400"):
        with pytest.raises(BadInput, match="--sizes"):
            scale.sizes(written)
