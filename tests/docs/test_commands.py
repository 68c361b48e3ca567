"""What the pages tell people to type is understood: commands, their options, make's targets, and links to files."""

import re
from pathlib import Path
from urllib.parse import unquote

import pytest
import typer
from pages import ROOT, Block, blocks, pages
from shell import SETS, commands, parse

SHELLS = {"bash", "sh", "console", "shell"}
LINK = re.compile(
    r"(?<!!)\[[^\]]*\]\((?!https?://|mailto:|#)([^)\s#]+)(?:#[^)]*)?\)|!\[[^\]]*\]\((?!https?://)([^)\s]+)\)"
)


def shell_blocks() -> list[Block]:
    return [block for page in pages() for block in blocks(page) if block.language in SHELLS]


def lines(block: Block) -> list[str]:
    return block.text.replace("\\\n", " ").replace("$(", "( ").split("\n")


@pytest.mark.parametrize("block", shell_blocks(), ids=lambda block: block.place)
def test_commands_shown_are_understood(block: Block) -> None:
    for line in lines(block):
        for words in commands(line):
            if words[0] == "hippograph":
                parse(words[1:])
            if words[0] == "make":
                assert {each for each in words[1:] if not SETS.match(each)} <= targets(), f"{block.place}: {line}"


def targets() -> set[str]:
    return {*re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.M)}


def test_a_line_of_shell_is_taken_apart_as_a_shell_does() -> None:
    line = 'git diff | A=1 hippograph ask - --thread "a b" > out.txt && hippograph forget ID  # takes it back'
    assert commands(line) == [
        ["git", "diff"],
        ["hippograph", "ask", "-", "--thread", "a b"],
        ["hippograph", "forget", "ID"],
    ]


@pytest.mark.parametrize("arguments", [["remembre", "x"], ["recall"], ["ask", "x", "--no-such-option"]])
def test_a_command_that_is_not_there_would_be_noticed(arguments: list[str]) -> None:
    with pytest.raises(typer.BadParameter.__mro__[1]):  # its UsageError, whichever click typer has
        parse(arguments)


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_links_to_files_lead_somewhere(page: Path) -> None:
    for found in LINK.finditer(page.read_text("utf-8")):
        target = unquote(found[1] or found[2])
        assert (page.parent / target).exists(), f"{page.relative_to(ROOT)}: {target}"
