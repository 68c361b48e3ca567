"""What the command says about itself."""

from typing import TYPE_CHECKING

import pytest

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


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_explains_itself_with_an_example(command: "Command", name: str) -> None:
    done = command(name, "--help")
    assert done.returncode == 0
    assert f"  hippograph {name}" in done.stdout


def test_a_usage_error_points_to_the_help_and_exits_with_two(command: "Command") -> None:
    done = command("recall")
    assert done.returncode == 2
    assert "--help" in done.stderr
    assert done.stdout == ""


def test_the_version_is_the_distribution_s(command: "Command") -> None:
    from importlib.metadata import version

    assert command("--version").stdout.strip() == f"hippograph {version('hippograph')}"
