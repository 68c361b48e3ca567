"""`hippograph import`: a transcript becomes memories."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from hippograph.cli.options import ME, EmbeddingsOption, HomeOption, JsonOption, UserOption, named
from hippograph.cli.reindexing import index
from hippograph.cli.screen import progress_bar, say, say_json
from hippograph.cli.store import open_memory
from hippograph.state import BadInput

if TYPE_CHECKING:
    from hippograph.memory import Memory
    from hippograph.memory.transfer import Imported, Told


def import_file(
    file: Annotated[Path, typer.Argument(help="The transcript.", show_default=False)],
    written: Annotated[Literal["jsonl", "locomo"], typer.Option("--format", help="How it is written.")] = "jsonl",
    sample: Annotated[str | None, typer.Option(help="LoCoMo: which conversation, such as conv-26.")] = None,
    thread: Annotated[str | None, typer.Option(metavar="NAME", help="Thread of lines that name none.")] = None,
    user: UserOption = ME,
    home: HomeOption = None,
    embeddings: EmbeddingsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Store a transcript: all of it, or, where a line is bad, nothing; twice is as good as once.

    A line of JSONL: {"role": "user", "text": "...", "said_at": "2026-11-02T09:00", "thread": "work"};
    said_at, thread, speaker and id may be left out.

    \b
    hippograph import chats.jsonl --user ann
    hippograph import locomo.json --format locomo --sample conv-26
    """
    user = named(user, "--user")
    if written == "locomo" and sample is None:
        raise BadInput("Say which conversation of the LoCoMo file with --sample, such as --sample conv-26.")
    from hippograph.memory.transfer import read_jsonl, read_locomo

    told = read_locomo(file, sample or "") if written == "locomo" else read_jsonl(file, thread)
    with open_memory(home, embeddings, stores=True) as memory:
        done = store(memory, user, told)
        if as_json:
            say_json({"stored": done.stored, "known": done.known})
        else:
            say(f"{done.stored:,} stored, {done.known:,} already there.")


def store(memory: "Memory", user: str, told: "list[Told]") -> "Imported":
    """Store turns and wait until they are indexed, with a progress bar for each; Ctrl-C leaves a part to go on from."""
    from hippograph.memory.transfer import import_turns

    with progress_bar() as progress:
        storing = progress.add_task("Storing", total=len(told), amount="")
        done = import_turns(
            memory,
            user,
            told,
            lambda now, total: progress.update(storing, completed=now, total=total, amount=f"{now:,} of {total:,}"),
        )
        index(memory, progress)
    return done
