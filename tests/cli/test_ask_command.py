"""`hippograph ask`: one turn, in a process of its own."""

import json
import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from doubles import listed

if TYPE_CHECKING:
    from doubles import Ollama

    from tests.cli.conftest import Command

SHAPE = {"answer", "memories", "trigger", "block", "stages", "topics", "confidence", "structured", "degraded"}
MEMORY = {"id", "text", "kind", "status", "score", "said_at", "sources"}


def test_what_one_process_is_told_another_one_knows(command: "Command", new_home: Callable[[], Path]) -> None:
    home = new_home()
    told = command.json("ask", "Please remember: my sailing boat is called Quetzal.", "--home", home)
    assert set(told) == SHAPE
    asked = command.json("ask", "What is my sailing boat called?", "--home", home)
    assert "Quetzal" in asked["answer"]
    assert asked["trigger"]["fire"] is True
    assert asked["stages"]["respond"]["tokens"] > 0
    best = asked["memories"][0]
    assert set(best) == MEMORY
    assert "Quetzal" in best["text"]
    assert 0 <= best["score"] <= 1
    assert {"id", "thread", "said_at", "quote"} <= set(best["sources"][0])
    elsewhere = command.json("ask", "What is my sailing boat called?", "--home", home, "--user", "someone else")
    assert "Quetzal" not in elsewhere["answer"]
    assert elsewhere["memories"] == []


def test_the_answer_streams_to_stdout_and_nothing_else_does(command: "Command", new_home: Callable[[], Path]) -> None:
    home = new_home()
    command("remember", "我的帆船叫青鸟号。", "--home", home)
    done = command("ask", "-", "--home", home, "--recall", "always", input="我的帆船叫什么名字？")
    assert done.returncode == 0
    assert "青鸟" in done.stdout
    assert "respond" not in done.stdout
    assert "respond" in done.stderr
    assert "青鸟号" in done.stderr


def test_without_recall_no_memory_is_used(command: "Command", new_home: Callable[[], Path]) -> None:
    home = new_home()
    command("remember", "My sailing boat is called Quetzal.", "--home", home)
    asked = command.json("ask", "What is my sailing boat called?", "--home", home, "--recall", "never")
    assert asked["memories"] == []
    assert "Quetzal" not in asked["answer"]


def test_a_process_killed_right_after_its_answer_has_stored_the_turn_once(
    command: "Command", new_home: Callable[[], Path]
) -> None:
    """W01."""
    home, said = new_home(), "My locker number is 731."
    with command.started("ask", said, "--home", home, "--json", start_new_session=True) as process:
        assert process.stdout is not None
        printed = ""
        while not printed.endswith("}\n") or printed.count("\n}") == 0:
            printed += process.stdout.readline()
        os.kill(process.pid, signal.SIGKILL)
    answer = json.loads(printed)["answer"]
    found = command.json("memories", "--kind", "turn", "--home", home)
    assert sorted(memory["text"] for memory in found) == sorted([said, answer])


def test_ctrl_c_in_mid_answer_keeps_the_question_and_what_was_answered(
    command: "Command", new_home: Callable[[], Path]
) -> None:
    home, said = new_home(), "Count from 1 to 300, one number a line, and think of lychees."
    with command.started("ask", said, "--home", home, bufsize=0, encoding=None) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        printed = process.stdout.read(1)
        process.send_signal(signal.SIGINT)
        printed += process.stdout.read()
        assert b"kept" in process.stderr.read()
        assert process.wait(60) == 130
    stored = [memory["text"] for memory in command.json("memories", "--home", home)]
    assert said in stored
    shown = printed.decode().strip()
    assert any(text.startswith(shown) for text in stored if text != said), f"{shown!r} was shown, and is in no answer"


@pytest.mark.parametrize("nothing", ["", "   ", "\n\t"])
def test_an_empty_question_is_turned_down_before_anything_loads(
    command: "Command", new_home: Callable[[], Path], nothing: str
) -> None:
    assert "empty" in command.fails("ask", nothing, "--home", new_home(), timeout=20)
    assert "empty" in command.fails("ask", "-", "--home", new_home(), input=f"{nothing}\0", timeout=20)


def test_odd_input_is_answered_and_stored_whole(
    command: "Command", new_home: Callable[[], Path], ollama: "Ollama"
) -> None:
    """W08: 60,000 characters, only emoji, NUL, a lone surrogate."""
    ollama.models.append(listed("tiny-embed", family="bert"))
    home = new_home()
    command = command.changed(OLLAMA_HOST=ollama.url, HIPPOGRAPH_EMBEDDINGS="ollama:tiny-embed")
    huge = "The grey heron stands still. " * 2100 + "What bird was that?"
    odd = {"huge": huge, "emoji": "🦀🧗🏽‍♀️🎏", "nul": "a\0b: what letters were these?"}
    for text in odd.values():
        done = command("ask", "-", "--home", home, "--json", input=text)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["answer"]
    surrogate = subprocess.run(
        [*command.arguments("ask"), b"caf\xe9 or \xed\xa0\x80?", b"--home", bytes(home), b"--json"],
        cwd=command.folder,
        env=command.env,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert surrogate.returncode == 0, surrogate.stderr
    stored = "\n".join(memory["text"] for memory in command.json("memories", "--home", home))
    assert huge in stored
    assert "🦀🧗🏽‍♀️🎏" in stored
    assert "b: what letters were these?" in stored
    assert "caf" in stored
