"""`hippograph review`, and how `ask` and `chat` have a person look at doubtful memories."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from hippograph.cli.lines import memory_json, memory_line, shortened
from hippograph.cli.options import ME, HomeOption, JsonOption, UserOption, named
from hippograph.cli.screen import note, say, say_json
from hippograph.cli.store import open_memory
from hippograph.state import BadInput, Doubtful, Review

if TYPE_CHECKING:
    from hippograph.memory.reviewing import Held

ReviewOption = Annotated[
    bool, typer.Option("--review", help="Ask about doubtful memories before they are used or, once found, recalled.")
]
WIDTH = 160
CHOICES = {"a": "approve", "e": "edit", "r": "reject", "n": "reject it for good", "A": "approve all", "R": "reject all"}
"""What may be typed."""
PROMPT = ", ".join(f"{key} {what}" for key, what in CHOICES.items())


def review(
    id: Annotated[  # noqa: A002
        str | None, typer.Argument(metavar="ID", help="Of one that waits; without it, all that wait are listed.")
    ] = None,
    approve: Annotated[
        bool, typer.Option("--approve", help="Let it in; it takes the place of what it disagrees with.")
    ] = False,
    edit: Annotated[str | None, typer.Option("--edit", metavar="TEXT", help="Let it in, with these words.")] = None,
    reject: Annotated[
        bool, typer.Option("--reject", help="Keep it, or any memory, out of recall; `undo` takes it back.")
    ] = False,
    user: UserOption = ME,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """List what was found in reviewed turns and waits for a word: unsure, or at odds with what is known; or give it.

    \b
    hippograph review
    hippograph review 3f82447024d9d29d9200106402f0faad --approve
    hippograph review 3f82447024d9d29d9200106402f0faad --edit "The user lives in Bremen."
    """
    user = named(user, "--user")
    chosen = [approve, edit is not None, reject].count(True)
    if chosen != (id is not None):
        raise BadInput("Give an ID with one of --approve, --edit and --reject, or nothing to list what waits.")
    with open_memory(home, stores=True) as memory:
        if id is None:
            _list(memory.held(user), as_json=as_json)
            return
        now = memory.reject(id, user) if reject else memory.approve(id, user, text=edit)
    if as_json:
        say_json(memory_json(now))
    else:
        say(f"{now.id}  {now.status}  {memory_line(now)}")


def _list(waiting: "list[Held]", *, as_json: bool) -> None:
    if as_json:
        say_json(
            [
                {**memory_json(each.memory), "because": each.because, "other": each.other and memory_json(each.other)}
                for each in waiting
            ]
        )
        return
    for each in waiting:
        say(f"{each.memory.id}  {memory_line(each.memory)}")
        say(f"    {each.because}{f': {shortened(each.other.text, WIDTH)}' if each.other else ''}")
    note("Nothing waits." if not waiting else "hippograph review ID --approve | --edit TEXT | --reject")


def require_terminal() -> None:
    """Make sure that there is somebody to ask.

    Raises:
        BadInput: Input or messages do not go to a terminal.
    """
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise BadInput("--review asks on the terminal, and there is none: leave it out, or run it in one.")


def ask_about(memory: Doubtful) -> Review:
    """Ask on the terminal what becomes of a memory; at the input's end or at Ctrl-C, it and the rest are left out."""
    with _interruptible():
        try:
            return _asked(memory)
        except KeyboardInterrupt:
            note("")
            return Review(action="reject", rest=True)


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let Ctrl-C end what waits for a line: while an answer is written, it only sets an event."""
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)


def _asked(memory: Doubtful) -> Review:
    note(f"  review {memory['number']}/{memory['of']}: {shortened(memory['text'], WIDTH)}  ({memory['said_at'][:10]})")
    for reason in memory["reasons"]:
        note(f"    {shortened(reason, WIDTH)}")
    while True:
        note(f"    {PROMPT}: ", end="")
        line = sys.stdin.readline()
        if not line:
            return Review(action="reject", rest=True)
        if found := _read(line.strip()):
            return found


def _read(typed: str) -> Review | None:
    """Return what was typed, by its first letter; after e, the new words may follow."""
    key, text = typed[:1], typed[1:].strip()
    match key:
        case "a":
            return Review(action="approve")
        case "r":
            return Review(action="reject")
        case "n":
            return Review(action="reject", scope="always")
        case "A" | "R":
            return Review(action="approve" if key == "A" else "reject", rest=True)
        case "e":
            if not text:
                note("    new text: ", end="")
                text = sys.stdin.readline().strip()
            return Review(action="edit", text=text) if text else None
    return None
