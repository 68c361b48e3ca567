"""`hippograph forget`: shows what goes, asks, and prints the receipt."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from hippograph.cli.lines import counted, numbered, receipt_json, receipt_lines
from hippograph.cli.options import ME, HomeOption, JsonOption, UserOption, YesOption, named
from hippograph.cli.prompt import forget_typed, history_path
from hippograph.cli.screen import confirm, note, say, say_json
from hippograph.cli.store import open_memory
from hippograph.state import BadInput, Receipt, Recollection

if TYPE_CHECKING:
    from hippograph.memory import Memory

SHOWN = 20


def forget(
    ids: Annotated[
        list[str] | None, typer.Argument(help="Ids of memories, as `memories` and `recall` print them.")
    ] = None,
    query: Annotated[str | None, typer.Option(help="Forget what contains this text.")] = None,
    thread: Annotated[str | None, typer.Option(metavar="NAME", help="Forget a whole conversation.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Forget all of the user's memories.")] = False,
    yes: YesOption = False,
    user: UserOption = ME,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Forget memories for good: text, vectors, keywords and the threads' checkpoints.

    \b
    hippograph forget 3f82447024d9d29d9200106402f0faad
    hippograph forget --query lychee
    hippograph forget --all --yes --user ann
    """
    user = named(user, "--user")
    if sum((bool(ids), query is not None, thread is not None, everything)) != 1:
        raise BadInput("Say what to forget with one of: IDS, --query TEXT, --thread NAME, --all.")
    for option, value in (("--query", query), ("--thread", thread)):
        if value is not None and not value.strip():
            raise BadInput(f"{option} is empty, so nothing is forgotten: name what to forget, or use --all.")
    with open_memory(home) as memory:
        found = memory.meant(user, ids=ids or None, query=query, thread=thread, all=everything)
        receipt = forget_shown(memory, user, found, thread=thread, everything=everything, sure=yes)
        if receipt is None:
            raise typer.Exit(1)
        if as_json:
            say_json(receipt_json(receipt))
        else:
            say("\n".join(receipt_lines(receipt)))


def forget_shown(
    memory: "Memory",
    user: str,
    found: Sequence[Recollection],
    *,
    thread: str | None = None,
    everything: bool = False,
    sure: bool = False,
) -> Receipt | None:
    """Show what goes, ask unless `sure`, and forget it; None where nothing was forgotten."""
    if not found and thread is None and not everything:
        note("Nothing to forget: no memory contains that.")
        return None
    note(f"This forgets {counted(len(found), 'memory')} of {user} for good:")
    for line in numbered(found[:SHOWN]):
        note(line)
    if len(found) > SHOWN:
        note(f"  … and {len(found) - SHOWN:,} more")
    if not sure and not confirm("Forget?"):
        note("Nothing was forgotten.")
        return None
    if everything or thread is not None:
        receipt = memory.forget(user, thread=thread, all=everything)
    else:
        receipt = memory.forget(user, ids=[recollection.id for recollection in found])
    typed = history_path(memory.home, user)
    if everything:
        typed.unlink(missing_ok=True)
    else:
        forget_typed(typed, [recollection.text for recollection in found])
    return receipt
