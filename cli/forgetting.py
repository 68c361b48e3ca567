"""`hippograph forget`: shows what goes, asks, and prints the receipt."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from hippograph.cli.lines import counted, memory_line, numbered, receipt_lines
from hippograph.cli.options import ME, HomeOption, JsonOption, UserOption, YesOption, named
from hippograph.cli.prompt import forget_typed, history_path
from hippograph.cli.screen import confirm, note, say, say_json
from hippograph.cli.store import open_memory
from hippograph.state import BadInput, Choice, Receipt, Recollection

if TYPE_CHECKING:
    from hippograph.memory import Memory

SHOWN = 20
NEAR = 3
"""Memories shown where none contains what was asked for."""


def forget(
    ids: Annotated[
        list[str] | None, typer.Argument(help="Ids of memories, as `memories` and `recall` print them.")
    ] = None,
    query: Annotated[str | None, typer.Option(help="Forget what contains this text.")] = None,
    thread: Annotated[str | None, typer.Option(metavar="NAME", help="Forget a whole conversation.")] = None,
    source: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Forget what came from this file, or all that rests on this turn."),
    ] = None,
    since: Annotated[
        str | None, typer.Option(metavar="TIME", help="Forget what was said at or after this time.")
    ] = None,
    until: Annotated[
        str | None, typer.Option(metavar="TIME", help="… at or before this time; of a date, its whole day. UTC.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Forget all of the user's memories.")] = False,
    secure: Annotated[
        bool,
        typer.Option(
            "--secure/--no-vacuum",
            help="Take the bytes out of the files at once, or leave that to `hippograph upkeep`.",
        ),
    ] = True,
    yes: YesOption = False,
    user: UserOption = ME,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Forget memories for good: text, vectors, keywords and the threads' checkpoints.

    \b
    hippograph forget 3f82447024d9d29d9200106402f0faad
    hippograph forget --query lychee
    hippograph forget --since 2026-05-01 --until 2026-05-31
    hippograph forget --all --yes --user ann
    """
    user = named(user, "--user")
    texts = {"--query": query, "--thread": thread, "--source": source, "--since": since, "--until": until}
    ranged = since is not None or until is not None
    ways = bool(ids), query is not None, thread is not None, source is not None, ranged, everything
    if sum(ways) != 1:
        raise BadInput(
            "Say what to forget with one of: IDS, --query TEXT, --thread NAME, --source NAME, --since/--until TIME, "
            "--all."
        )
    for option, value in texts.items():
        if value is not None and not value.strip():
            raise BadInput(f"{option} is empty, so nothing is forgotten: name what to forget, or use --all.")
    given = Choice(ids=ids or None, query=query, thread=thread, source=source, since=since, until=until, all=everything)
    with open_memory(home) as memory:
        receipt = forget_shown(memory, user, given, sure=yes, secure=secure)
        if receipt is None:
            raise typer.Exit(1)
        if as_json:
            say_json(asdict(receipt))
        else:
            say("\n".join(receipt_lines(receipt)))


def forget_shown(
    memory: "Memory", user: str, given: Choice, *, sure: bool = False, secure: bool = True
) -> Receipt | None:
    """Show what goes, ask unless `sure`, and forget exactly that; None where nothing was forgotten."""
    found = memory.meant(user, **given)
    whole = given.get("thread") is not None or bool(given.get("all"))
    reworded = memory.reworded(user, **given)
    if not found and not whole and not reworded:
        note("Nothing to forget: no memory contains that.")
        _suggest(memory, user, given.get("query"))
        return None
    note(f"This forgets {counted(len(found), 'memory')} of {user} for good:")
    for line in numbered(found[:SHOWN]):
        note(line)
    if len(found) > SHOWN:
        note(f"  … and {len(found) - SHOWN:,} more")
    if reworded:
        ids = ", ".join(sorted(reworded)[:SHOWN])
        note(f"It also forgets what {counted(len(reworded), 'memory')} said before an update: {ids}")
    if not sure and not confirm("Forget?"):
        note("Nothing was forgotten.")
        return None
    shown = given if whole or reworded else Choice(ids=[recollection.id for recollection in found])
    receipt = memory.forget(user, secure=secure, **shown)
    _forget_typed(memory, user, found, everything=bool(given.get("all")))
    return receipt


def _suggest(memory: "Memory", user: str, query: str | None) -> None:
    """Name what is near to a text that no memory contains; it is never taken for that alone."""
    near = memory.recall(user, query, NEAR) if query else []
    if near:
        note("Nearest to it, to be forgotten by id:")
    for recollection in near:
        note(f"  {recollection.id}  {memory_line(recollection, 100)}")


def _forget_typed(memory: "Memory", user: str, found: Sequence[Recollection], *, everything: bool) -> None:
    typed = history_path(memory.home, user)
    if everything:
        typed.unlink(missing_ok=True)
    else:
        forget_typed(typed, [recollection.text for recollection in found])
