"""What the command says about itself."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import shell
from typer.main import get_command

from hippograph.cli.app import app

if TYPE_CHECKING:
    from tests.cli.conftest import Command

COMMANDS = (
    "demo chat ask remember recall memories history update undo forget import export snapshot snapshots restore "
    "models jobs stats status doctor"
).split()


def test_help_names_every_command(command: "Command") -> None:
    done = command("--help")
    assert done.returncode == 0
    for name in [*COMMANDS, "bench"]:
        assert f"  {name} " in done.stdout


def commands(command: Any, path: tuple[str, ...] = ("hippograph",)) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command with what is typed to call it."""
    if len(path) > 1:
        yield path, command
    for name, below in getattr(command, "commands", {}).items():
        yield from commands(below, (*path, name))


def test_each_command_explains_itself_with_an_example() -> None:
    found = dict(commands(get_command(app)))
    assert len(found) > 30
    lacking = [" ".join(path) for path, each in found.items() if f"\n{' '.join(path)}" not in (each.help or "")]
    assert lacking == []


def test_examples_of_the_help_are_understood() -> None:
    """An option that was renamed would still stand in them."""
    for _, each in commands(get_command(app)):
        for line in (each.help or "").splitlines():
            for words in shell.commands(line) if line.startswith(("hippograph ", "git ")) else []:
                if words[0] == "hippograph":
                    shell.parse(words[1:])


def test_an_example_is_shown_as_it_is_typed(command: "Command") -> None:
    done = command("ask", "--help")
    assert done.returncode == 0
    assert "\n  hippograph ask" in done.stdout
    assert "\b" not in done.stdout


def test_tab_completes_commands_as_the_documentation_says(command: "Command") -> None:
    asked = command.changed(_HIPPOGRAPH_COMPLETE="complete_bash", COMP_WORDS="hippograph rec", COMP_CWORD="1")
    assert asked().stdout.split() == ["recall"]


def test_a_usage_error_points_to_the_help_and_exits_with_two(command: "Command") -> None:
    done = command("recall")
    assert done.returncode == 2
    assert "--help" in done.stderr
    assert done.stdout == ""


def test_the_version_is_the_distribution_s(command: "Command") -> None:
    from importlib.metadata import version

    assert command("--version").stdout.strip() == f"hippograph {version('hippograph')}"
