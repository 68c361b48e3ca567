"""`hippograph history`, `undo` and `update`: what became of a memory, taking that back, and putting it right."""

from typing import Annotated

import typer

from hippograph.cli.lines import memory_json, memory_line, shortened
from hippograph.cli.options import HomeOption, JsonOption, UserOption, named, text_given
from hippograph.cli.remembering import GivenKind
from hippograph.cli.screen import say, say_json
from hippograph.cli.store import open_memory
from hippograph.state import BadInput, Recollection, Step

IdArgument = Annotated[str, typer.Argument(metavar="ID", help="Of the memory, as `memories` and `recall` print it.")]


def history(
    id: IdArgument,  # noqa: A002
    user: UserOption = "",
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Tell what became of a memory and of those before and after it in its place, the oldest first.

    \b
    hippograph history 3f82447024d9d29d9200106402f0faad
    """
    with open_memory(home) as memory:
        steps = memory.history(id, _space(user))
    if as_json:
        say_json([step.to_record() for step in steps])
    else:
        say("\n".join(_line(step) for step in steps))


def undo(
    id: IdArgument,  # noqa: A002
    both: Annotated[bool, typer.Option("--both", help="Keep what stands in its place current too.")] = False,
    user: UserOption = "",
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take back the last change of a memory: that another took its place, a merger, an update.

    What stands in its place is archived then. Of a memory that took another's place, undo gives the place back.

    \b
    hippograph undo 3f82447024d9d29d9200106402f0faad
    """
    with open_memory(home, stores=True) as memory:
        found = memory.undo(id, _space(user), both=both)
        because = memory.history(id, _space(user))[-1].because
    _print(found, f"{id}: {because}", as_json=as_json)


def update(
    id: IdArgument,  # noqa: A002
    text: Annotated[str | None, typer.Option(help="What it says from now on; - reads it from stdin.")] = None,
    kind: Annotated[GivenKind | None, typer.Option(help="What it is.")] = None,
    importance: Annotated[float | None, typer.Option(help="From 0 to 1.")] = None,
    pin: Annotated[bool | None, typer.Option("--pin/--unpin", help="Whether upkeep leaves it alone.")] = None,
    user: UserOption = "",
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Put a memory right; its history keeps how it was.

    \b
    hippograph update 3f82447024d9d29d9200106402f0faad --text "The spare key is in the shed."
    hippograph update 3f82447024d9d29d9200106402f0faad --pin
    """
    given = {
        "text": text_given(text) if text is not None else None,
        "kind": kind,
        "importance": importance,
        "pinned": pin,
    }
    fields = {name: value for name, value in given.items() if value is not None}
    if not fields:
        raise BadInput("There is nothing to change: give --text, --kind, --importance, --pin or --unpin.")
    with open_memory(home, stores=True) as memory:
        found = memory.update(id, _space(user), **fields)
    _print(found, f"{id}: {memory_line(found)}", as_json=as_json)


def _space(user: str) -> str | None:
    """Return whose memory is meant; None where nobody is named: the id tells."""
    return named(user, "--user") if user else None


def _print(memory: Recollection, line: str, *, as_json: bool) -> None:
    if as_json:
        say_json(memory_json(memory))
    else:
        say(line)


def _line(step: Step) -> str:
    """Return a step as text: when, what, of which memory, why, by which turns."""
    why = f": {step.because}" if step.because else ""
    by = (
        f" (by {step.by}" + (f", turn {', '.join(step.by_turns)})" if step.by_turns != (step.by,) else ")")
        if step.by
        else ""
    )
    return (
        f"{step.at.astimezone():%Y-%m-%d %H:%M:%S}  {step.memory}  {step.what}{why}{by}  “{shortened(step.text, 100)}”"
    )
