"""`hippograph remember`, `recall` and `memories`: long-term memory without a chat model."""

from typing import Annotated, Literal, get_args

import typer

from hippograph.cli.lines import counted, memory_json, memory_line
from hippograph.cli.options import (
    ME,
    EmbeddingsOption,
    HomeOption,
    JsonOption,
    RerankerOption,
    UserOption,
    named,
    text_given,
)
from hippograph.cli.screen import note, say, say_json
from hippograph.cli.store import open_memory
from hippograph.state import BadInput, Kind

GivenKind = Literal["fact", "preference", "profile", "procedure", "document"]


LIMIT = 40
"""Candidates of each leg."""


def remember(
    text: Annotated[str, typer.Argument(help="What to remember; - reads it from stdin.")],
    kind: Annotated[GivenKind, typer.Option(help="What it is.")] = "fact",
    user: UserOption = ME,
    home: HomeOption = None,
    embeddings: EmbeddingsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Store a memory, and print its id.

    \b
    hippograph remember "Our team prefers GitLab because the company hosts it."
    hippograph remember "我对荔枝过敏" --kind profile --user ann
    """
    text, user = text_given(text), named(user, "--user")
    with open_memory(home, embeddings, stores=True) as memory:
        stored = memory.remember(user, text, kind=kind)
        if as_json:
            say_json({"id": stored})
        else:
            say(stored)


def recall(
    text: Annotated[str, typer.Argument(help="What to look for; - reads it from stdin.")],
    k: Annotated[int, typer.Option("-k", min=1, max=1000, help="How many memories at most.")] = 8,
    user: UserOption = ME,
    home: HomeOption = None,
    embeddings: EmbeddingsOption = None,
    reranker: RerankerOption = None,
    as_json: JsonOption = False,
) -> None:
    """Search the memories, best first.

    \b
    hippograph recall "which git platform?"
    hippograph recall 荔枝 -k 3 --json
    """
    text, user = text_given(text), named(user, "--user")
    with open_memory(home, embeddings, reranker) as memory:
        candidates = memory.candidates(user, text, limit=max(LIMIT, 2 * k))
        ranked = memory.rank(text, candidates.found, k)
        found = ranked.found
        for reason in [*candidates.degraded, *ranked.degraded]:
            note(f"degraded: {reason}")
        if as_json:
            say_json([memory_json(recollection) for recollection in found])
            return
        for recollection in found:
            say(f"{recollection.score:.2f}  {recollection.id}  {memory_line(recollection)}")
        if not found:
            note("Nothing found.")


def memories(
    kind: Annotated[list[str] | None, typer.Option(help="Only this kind; may be given more than once.")] = None,
    thread: Annotated[str | None, typer.Option(metavar="NAME", help="Only this conversation.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="How many at most.")] = 50,
    user: UserOption = ME,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the memories, newest first.

    \b
    hippograph memories --limit 10
    hippograph memories --kind fact --kind preference --json
    """
    user = named(user, "--user")
    kinds = _kinds(kind or [])
    with open_memory(home) as memory:
        found = memory.list(user, kinds=kinds, thread=thread, limit=limit)
        if as_json:
            say_json([memory_json(recollection) for recollection in found])
            return
        for recollection in found:
            say(f"{recollection.id}  {recollection.kind}  {memory_line(recollection)}")
        note(f"{len(found):,} of {counted(memory.count(user), 'memory')}.")


def _kinds(names: list[str]) -> list[str] | None:
    for name in names:
        if name not in get_args(Kind):
            raise BadInput(f"There is no kind {name!r}: it is one of {', '.join(get_args(Kind))}.")
    return names or None
