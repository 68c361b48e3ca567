"""`history`, `undo` and `update`."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.cli.conftest import Command


def test_what_replaced_what_is_told_and_taken_back(command: "Command", new_home: Callable[[], Path]) -> None:
    """Cases U01 and U05."""
    home = new_home()
    old, new = (command.json("remember", f"My name is {each}.", "--home", home)["id"] for each in ("Anna", "Ana"))
    steps = command.json("history", old, "--home", home)
    assert [(step["what"], step["memory"], step["by"]) for step in steps] == [
        ("stored", old, None),
        ("stored", new, None),
        ("superseded", old, new),
    ]
    assert command.json("undo", old, "--home", home)["status"] == "current"
    listed = [memory["id"] for memory in command.json("memories", "--home", home)]
    assert listed == [old]
    told = command("history", new, "--home", home).stdout
    assert "archived: what it had taken the place of was put back" in told


def test_a_memory_is_put_right_and_the_wrong_id_is_said(command: "Command", new_home: Callable[[], Path]) -> None:
    home = new_home()
    id_ = command.json("remember", "The spare key is under the fern.", "--home", home)["id"]
    changed = command.json("update", id_, "--text", "The spare key is in the shed.", "--pin", "--home", home)
    assert changed["text"] == "The spare key is in the shed."
    assert "no memory 'nope'" in command.fails("undo", "nope", "--home", home)
    assert "nothing to change" in command.fails("update", id_, "--home", home)
