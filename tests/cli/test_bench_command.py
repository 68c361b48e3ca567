"""`hippograph bench`: small runs of what is measured at full size by hand."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

from talks import locomo

if TYPE_CHECKING:
    from tests.cli.conftest import Command

METRICS = {
    "added_ms_p50",
    "embed_query_ms_p50",
    "write_back_ms_p50",
    "start_to_model_s",
    "start_to_graph_s",
    "peak_rss_mb",
    "model_server_peak_rss_mb",
}
QA = [
    {"question": "What is Ann allergic to?", "answer": "lychee", "evidence": ["D1:1"], "category": 4},
    {"question": "What is Ben's cat called?", "answer": "Ben has no cat", "evidence": ["D1:2"], "category": 5},
]
SAID = [("Ann", "Please no lychees for me, I am allergic to lychee."), ("Ben", "My gecko is called Quetzal.")]


def test_smoke_writes_a_report_of_what_memory_adds(command: "Command", tmp_path: Path) -> None:
    out = tmp_path / "docs" / "smoke.json"
    done = command("bench", "smoke", "--turns", 100, "--n", 2, "--starts", 1, "--json", out)
    assert done.returncode == 0, done.stderr
    assert "added_ms_p50" in done.stdout
    report = json.loads(out.read_text())
    assert set(report) >= {"metrics", "machine", "models", "n", "stages"}
    assert set(report["metrics"]) >= METRICS
    assert report["n"] == 2
    assert report["metrics"]["found_share"] > 0
    assert report["models"]["small"].startswith("local:")
    assert "respond" in report["stages"]


def test_questions_are_asked_of_an_imported_conversation(command: "Command", tmp_path: Path) -> None:
    turns = [{"speaker": who, "text": text, "dia_id": f"D1:{n}"} for n, (who, text) in enumerate(SAID, start=1)]
    talk = {"speaker_a": "Ann", "speaker_b": "Ben", "session_1": turns, "session_1_date_time": "1:56 pm on 8 May, 2023"}
    data = tmp_path / "locomo.json"
    data.write_text(json.dumps([{"sample_id": "conv-0", "conversation": talk, "qa": QA}]))
    done = command("bench", "questions", "--data", data, "--sample", "conv-0", "--n", 5, "--json", "-")
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(done.stdout)["questions"]
    assert row["question"] == QA[0]["question"]
    assert "D1:1" in row["cited"]
    assert "lychee" in row["answer"].lower()
    assert "conv-9" in command.fails("bench", "questions", "--data", data, "--sample", "conv-9")


def test_trigger_counts_where_memory_is_searched(command: "Command", tmp_path: Path) -> None:
    (tmp_path / "cri").mkdir()
    (tmp_path / "cri" / "ground_truth.json").write_text('{"query_relevance_pairs": [{"query": "Where is Ann?"}]}')
    done = command("bench", "trigger", "--data", tmp_path, "--split", "dev", "--json", "-")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["metrics"]["recall"] > 0.9
    assert "none of the data sets" in command.fails("bench", "trigger", "--data", tmp_path / "nowhere")


def test_a_small_model_is_asked_with_our_block_without_memory_and_with_plain_retrieval(
    command: "Command", tmp_path: Path
) -> None:
    data, out = locomo(tmp_path / "data"), tmp_path / "out" / "answers.json"
    options = ["--data", data, "--n", 3, "--cache", tmp_path / "cache", "--answer", 48, "--json", out]
    done = command("bench", "answers", *options, "--arms", "extract,none,rag", "--failures", 5, timeout=900)
    assert done.returncode == 0, done.stderr
    assert "longmemeval is not in" in done.stderr
    report = json.loads(out.read_text())
    assert report["partial"] is False
    assert report["n"] == 4
    metrics = report["metrics"]
    assert metrics["uplift_points"] > 0, metrics
    assert 0 < metrics["injected_tokens_p50"] <= 1000
    assert metrics["unsupported_in_prompt"] == 0
    assert {"over_rag_points", "extract_f1", "rag_ms_p50", "none_false_answers"} <= {*metrics}
    assert len(out.with_suffix(".jsonl").read_text("utf-8").splitlines()) == 12
    assert "do not hold the gold answer" in out.with_suffix(".failures.md").read_text("utf-8")
    assert "contained" in done.stdout
    assert "choose from" in command.fails("bench", "answers", *options, "--arms", "ours")
    assert "--data" in command.fails("bench", "answers", "--data", tmp_path / "nowhere")
