"""The labelled turns: ours, and the questions of the data sets."""

import json
from collections import Counter
from pathlib import Path

import pytest

from hippograph.bench.labelled import own, sets, split
from hippograph.bench.questions import ADVERSARIAL
from hippograph.state import BadInput


def test_our_own_turns_are_many_in_both_languages_and_halves() -> None:
    counted = Counter((each.fire, each.language) for each in own())
    assert sum(number for (fire, _), number in counted.items() if not fire) >= 450
    assert sum(number for (fire, _), number in counted.items() if fire) >= 100
    for fire in (True, False):
        assert 0.8 < counted[fire, "zh"] / counted[fire, "en"] < 1.25
    halves = Counter((each.fire, each.split) for each in own())
    assert min(halves.values()) >= 100


def test_our_own_turns_stand_there_once() -> None:
    texts = [each.text for each in own()]
    assert len(texts) == len(set(texts))


def test_the_half_a_text_is_in_never_changes() -> None:
    assert [split(text) for text in ("What do pandas eat?", "你好", "a", "b")] == ["test", "dev", "dev", "dev"]


def test_the_split_written_in_the_file_is_the_one_that_counts() -> None:
    path = Path(__file__).parents[2] / "bench" / "data" / "trigger.jsonl"
    for row in map(json.loads, path.read_text("utf-8").splitlines()):
        assert row["split"] == split(row["text"])


def test_questions_are_read_from_where_the_sets_lie(tmp_path: Path) -> None:
    (tmp_path / "locomo").mkdir()
    qa = [{"question": "Where is Ann?", "category": 1}, {"question": "Made up?", "category": ADVERSARIAL}]
    (tmp_path / "locomo" / "locomo_dev5.json").write_text(json.dumps([{"qa": qa}]))
    (tmp_path / "madial" / "ch").mkdir(parents=True)
    said = ["<BOD>\n", '<Ann>:"早"\n', '<Assistant>:"早！"\n', '<Ann>:"我好紧张。"\n', '<Assistant>:"还记得吗"\n']
    dialogue = json.dumps({"dialogue": said, "test-turn": [4]}, ensure_ascii=False)
    (tmp_path / "madial" / "ch" / "MADial-Bench-zh-dialogue.json").write_text(dialogue + "\n", "utf-8")
    found = sets(tmp_path)
    assert {name: [each.text for each in read] for name, read in found.items()} == {
        "locomo": ["Where is Ann?"],
        "madial_zh": ["我好紧张。"],
    }
    assert all(each.fire for read in found.values() for each in read)


def test_a_folder_without_any_set_and_a_broken_file_are_said_in_words(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"none of the data sets .*--data"):
        sets(tmp_path)
    (tmp_path / "cri").mkdir()
    (tmp_path / "cri" / "ground_truth.json").write_text("{}")
    with pytest.raises(BadInput, match="cri file cannot be read"):
        sets(tmp_path)
