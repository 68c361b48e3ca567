"""`hippograph chat`, driven through a terminal as a person drives it."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pexpect
import pytest

if TYPE_CHECKING:
    from doubles import Ollama

    from tests.cli.conftest import Command

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")

PROMPT = r">[^\r\n]*\x1b\[\?25h"
"""The prompt's sign, and the cursor shown after it."""
CTRL_C = "\x03"
CTRL_D = "\x04"
COUNT = "Count from 1 to 300, one number a line, and think of lychees."


def chatting(command: "Command", home: Path, *args: str) -> pexpect.spawn:
    """Start the chat in a terminal and wait for its prompt."""
    program, *arguments = command.arguments("chat", "--home", home, *args)
    # Nobody answers cursor position requests here.
    env = {**command.env, "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"}
    chat = pexpect.spawn(program, arguments, cwd=command.folder, env=env, encoding="utf-8", timeout=120, echo=False)
    chat.setwinsize(50, 200)
    chat.expect(PROMPT)
    return chat


def left(chat: pexpect.spawn) -> int:
    """Wait for its end; return the exit code."""
    chat.expect(pexpect.EOF)
    chat.close()
    return chat.exitstatus


def test_what_is_told_in_one_thread_is_known_in_the_next_and_after_a_restart(
    command: "Command", new_home: Callable[[], Path]
) -> None:
    home = new_home()
    chat = chatting(command, home)
    chat.sendline("Please remember: my sailing boat is called Quetzal.")
    chat.expect(r"check_trigger [\d.]+ ms")
    chat.expect(r"write_back [\d.]+ ms")
    chat.expect(PROMPT)
    chat.sendline("/new")
    chat.expect(r"New thread chat-\w+")
    chat.sendline("What is my sailing boat called?")
    chat.expect(r"retrieve [\d.]+ ms")
    chat.expect("Quetzal")
    chat.expect(r"respond [\d.]+ ms, \d+ tokens")
    chat.expect(PROMPT)
    chat.sendline("/why")
    chat.expect("Memory searched: ")
    chat.expect("The message asks, or wants something kept")
    chat.expect_exact("Searched for: What is my sailing boat called?")
    chat.expect(r"0\.\d\d  \[1\]  [^\r]*Quetzal")
    chat.expect(r"vector 0\.\d\d × 0\.\d\d = 0\.\d\d")
    chat.expect("In the prompt")
    chat.expect(PROMPT)
    chat.sendline("/memories")
    chat.expect(r"(\d) memories of \1, newest first")  # what was told, the answers, and facts read by then
    chat.sendline("/topics")
    chat.expect(r"sailing boat[^\r]*: \w+, 1 turn")
    chat.sendline("/quit")
    assert left(chat) == 0

    chat = chatting(command, home, "--thread", "main")
    assert "thread main (2 messages so far)" in chat.before
    chat.sendline("/help")
    chat.expect("/forget")
    chat.sendline("/nonsense")
    chat.expect("There is no /nonsense")
    chat.sendline(CTRL_D)
    assert left(chat) == 0


def test_ctrl_c_stops_the_answer_and_at_the_prompt_twice_the_chat(
    command: "Command", new_home: Callable[[], Path]
) -> None:
    home = new_home()
    chat = chatting(command, home)
    chat.sendline(COUNT)
    chat.expect("2")
    chat.send(CTRL_C)
    chat.expect("the question and the part of the answer above are kept")
    chat.expect(PROMPT)
    chat.send(CTRL_C)
    chat.expect("Ctrl-C again, or /quit, to leave")
    chat.expect(PROMPT)
    chat.send(CTRL_C)
    assert left(chat) == 0
    stored = [memory["text"] for memory in command.json("memories", "--home", home)]
    assert stored[-1] == COUNT
    assert len(stored) <= 2  # The question, and what was answered of it, if anything.


def test_forgetting_in_the_chat_shows_asks_and_empties_what_the_prompt_offers_again(
    command: "Command", new_home: Callable[[], Path], ollama: "Ollama"
) -> None:
    home = new_home()
    said = "I am allergic to lychee."
    chat = chatting(command.changed(OLLAMA_HOST=ollama.url), home)
    chat.sendline(said)
    chat.expect(r"write_back [\d.]+ ms")
    chat.expect(PROMPT)
    assert any(said in path.read_text() for path in (home / "history").iterdir())
    chat.sendline("/forget allergic to lychee")
    chat.expect("allergic to lychee")
    chat.expect_exact("[y/N]")
    chat.sendline("n")
    chat.expect("Nothing was forgotten")
    chat.expect(PROMPT)
    chat.sendline("/forget lychee")
    chat.expect_exact("[y/N]")
    chat.sendline("y")
    chat.expect("Forgotten: ")
    chat.expect(PROMPT)
    chat.sendline("/forget lychee")
    chat.expect("no memory contains that")
    chat.sendline("/quit")
    assert left(chat) == 0
    assert not any("lychee" in memory["text"] for memory in command.json("memories", "--home", home))
    assert not any("lychee" in path.read_text() for path in (home / "history").iterdir())


def test_without_a_terminal_it_reads_plain_lines(command: "Command", new_home: Callable[[], Path]) -> None:
    home = new_home()
    done = command("chat", "--home", home, input="记住：我的帆船叫青鸟号。\n/why\n我的帆船叫什么？\n")
    assert done.returncode == 0
    assert "青鸟" in done.stdout.split("Memory ")[1]
    assert "respond" in done.stderr


def test_why_tells_what_was_cut_and_why(command: "Command", new_home: Callable[[], Path], ollama: "Ollama") -> None:
    lines = ["我的帆船叫青鸟号。", "/new", "我的帆船叫什么？", "/new", "我的帆船叫什么？", "/why"]
    quick = command.changed(OLLAMA_HOST=ollama.url)
    done = quick("chat", "--home", new_home(), input="".join(f"{line}\n" for line in lines))
    assert "青鸟号" in done.stdout.partition("Found and cut")[0]
    cut = done.stdout.partition("Found and cut, the best of it:")[2].partition("In the prompt")[0]
    assert "says nothing" in cut
    assert "我的帆船叫什么？" in cut
