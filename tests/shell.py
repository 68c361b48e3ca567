"""Lines of shell taken apart, and the command lines in them read as the command does, without running it."""

import re
import shlex
from typing import Any

from typer.core import TyperGroup
from typer.main import get_command

from hippograph.cli.app import app

ENDS = {"&&", "||", ";", "|", "&", "(", ")"}
SETS = re.compile(r"^[A-Za-z_]\w*=")
HELP = {"--help", "-h"}
COMPLETION = {"--install-completion", "--show-completion"}


def commands(line: str) -> list[list[str]]:
    """The commands of a line of shell, as their words, without what sets a variable and where they write to."""
    lexer = shlex.shlex(line.removeprefix("$ "), posix=True, punctuation_chars="();&|<>")
    lexer.whitespace_split = True
    found = list[list[str]]([[]])
    for word in lexer:
        if word in ENDS:
            found.append([])
        else:
            found[-1].append(word)
    return [bare for words in found if (bare := _bare(words))]


def _bare(words: list[str]) -> list[str]:
    while words and SETS.match(words[0]):
        words = words[1:]
    cut = next((at for at, word in enumerate(words) if word.startswith(("<", ">"))), len(words))
    return words[:cut]


def parse(arguments: list[str]) -> None:
    """Read a command line as the command does, without running it."""
    command: Any = get_command(app)
    name, context = "hippograph", None
    if not arguments or arguments[0] in COMPLETION:
        return
    arguments = [each for each in arguments if each not in HELP]
    while True:
        context = command.make_context(name, list(arguments), parent=context)
        rest = [*context._protected_args, *context.args]
        if not isinstance(command, TyperGroup) or not rest:
            return
        name, command, arguments = command.resolve_command(context, rest)
