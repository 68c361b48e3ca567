"""`hippograph import`: all of a transcript or nothing of it; twice is as good as once."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from doubles import listed

if TYPE_CHECKING:
    from doubles import Ollama

    from tests.cli.conftest import Command

LINES = [
    {"role": "user", "text": "My locker number is 731.", "said_at": "2025-03-01T09:00:00", "thread": "gym"},
    {"role": "assistant", "text": "Noted, locker 731.", "said_at": "2025-03-01T09:00:00", "thread": "gym"},
    {"role": "user", "text": "我对荔枝过敏。", "said_at": "2025-03-02T09:00:00+08:00"},
]
DATA = Path(__file__).parents[3] / "shared" / "data" / "locomo" / "locomo_dev5.json"


def written(path: Path, lines: list[object]) -> Path:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines)
    path.write_text(text + "\n", encoding="utf-8")
    return path


def test_a_transcript_is_stored_once_however_often_it_is_imported(
    command: "Command", new_home: Callable[[], Path], tmp_path: Path
) -> None:
    home, file = new_home(), written(tmp_path / "chats.jsonl", list(LINES))
    first = command("import", file, "--home", home)
    assert first.returncode == 0, first.stderr
    assert "3 stored, 0 already there" in first.stdout
    again = command("import", file, "--home", home)
    assert "0 stored, 3 already there" in again.stdout
    stored = command.json("memories", "--kind", "turn", "--home", home)
    assert sorted(memory["text"] for memory in stored) == sorted(str(line["text"]) for line in LINES)


def test_a_longer_transcript_of_the_same_chat_adds_only_what_is_new(
    command: "Command", new_home: Callable[[], Path], tmp_path: Path
) -> None:
    home = new_home()
    command("import", written(tmp_path / "chats.jsonl", list(LINES)), "--home", home)
    more = [
        *LINES,
        {"role": "user", "text": "And my bike is green.", "thread": "gym", "said_at": "2025-03-03T08:00:00"},
    ]
    done = command("import", written(tmp_path / "chats.jsonl", more), "--home", home)
    assert "1 stored, 3 already there" in done.stdout


def test_bad_lines_are_named_by_number_and_nothing_is_stored(
    command: "Command", new_home: Callable[[], Path], tmp_path: Path
) -> None:
    home = new_home()
    bad = [LINES[0], "not json", LINES[1], {"role": "user"}, {"role": "user", "text": "x", "said_at": "yesterday"}]
    line = command.fails("import", written(tmp_path / "bad.jsonl", bad), "--home", home)
    for number in (2, 4, 5):
        assert str(number) in line
    assert command.json("memories", "--home", home) == []


def test_a_missing_or_empty_file_is_said_plainly(
    command: "Command", new_home: Callable[[], Path], tmp_path: Path
) -> None:
    home = new_home()
    assert "nowhere.jsonl" in command.fails("import", tmp_path / "nowhere.jsonl", "--home", home)
    assert "empty.jsonl" in command.fails("import", written(tmp_path / "empty.jsonl", []), "--home", home)
    assert str(tmp_path) in command.fails("import", tmp_path, "--home", home)


@pytest.mark.skipif(not DATA.exists(), reason="the LoCoMo development file is not beside this checkout")
def test_a_real_conversation_keeps_its_turn_ids_speakers_and_dates(
    command: "Command", new_home: Callable[[], Path], ollama: "Ollama"
) -> None:
    ollama.models.append(listed("tiny-embed", family="bert"))
    home = new_home()
    command = command.changed(OLLAMA_HOST=ollama.url, HIPPOGRAPH_EMBEDDINGS="ollama:tiny-embed")
    done = command("import", DATA, "--format", "locomo", "--sample", "conv-26", "--home", home, timeout=300)
    assert "419 stored, 0 already there" in done.stdout, done.stderr
    found = command.json("recall", "When did Caroline go to the LGBTQ support group?", "--home", home)
    assert any("D1:3" in source["id"] for memory in found for source in memory["sources"])
    assert "conv-99" in command.fails("import", DATA, "--format", "locomo", "--sample", "conv-99", "--home", home)


def test_a_file_that_is_not_there_is_named_as_such(command: "Command", new_home: Callable[[], Path]) -> None:
    assert "/nonexistent does not exist" in command.fails("import", "/nonexistent", "--home", new_home())


def test_an_export_of_another_program_is_told_by_its_content(
    command: "Command", new_home: Callable[[], Path], tmp_path: Path
) -> None:
    home, said = new_home(), {"uuid": "m1", "sender": "human", "text": "I keep bees in Oslo."}
    talk = {"uuid": "k1", "chat_messages": [said, {"uuid": "m2", "sender": "?", "text": "x"}]}
    with zipfile.ZipFile(tmp_path / "claude.zip", "w") as archive:
        archive.writestr("conversations.json", json.dumps([talk]))
    dump = written(tmp_path / "dump.jsonl", [{"namespace": ["ann", "n"], "key": "k", "value": {"text": "Ann rows."}}])
    done = command("import", tmp_path / "claude.zip", dump, "--user", "ann", "--home", home)
    assert done.returncode == 0, done.stderr
    assert "2 stored, 0 already there" in done.stdout
    assert "its sender is '?'" in done.stdout + done.stderr
    stored = command.json("memories", "--user", "ann", "--home", home)
    assert sorted(memory["text"] for memory in stored) == ["Ann rows.", "I keep bees in Oslo."]
    bad = written(tmp_path / "empty.json", [{"a": 1}])
    assert "nothing of mem0" in command.fails("import", bad, "--format", "mem0", "--home", home)
    bad.write_text('[{"mapping":\n {')
    assert "no JSON" in command.fails("import", bad, "--home", home)
    bad.write_text('{"a": 1}')
    assert "--format, chatgpt, claude, mem0, langgraph" in command.fails("import", bad, "--home", home)
