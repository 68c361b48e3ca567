"""`hippograph remember`, `recall` and `memories`: long-term memory without a chat model."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Literal, get_args

import typer

from hippograph.cli.explaining import explanation_json, explanation_lines
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
from hippograph.state import BadInput, Kind, Recollection

if TYPE_CHECKING:
    from hippograph.memory.search.understanding import Understood

GivenKind = Literal["fact", "preference", "profile", "procedure", "event", "document"]


ArchivedOption = Annotated[
    bool, typer.Option("--archived", help="Also what upkeep archived: details that a summary stands for, and such.")
]
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
    at: Annotated[
        str | None, typer.Option("--at", metavar="TIME", help="What held then, such as 2024-05-01. Default: now.")
    ] = None,
    archived: ArchivedOption = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Also how the query was understood, what makes the scores, what was cut.")
    ] = False,
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
    hippograph recall "What did Ann say last week?" --explain
    hippograph recall "where did I live?" --at 2024-05-01
    """
    text, user = text_given(text), named(user, "--user")
    with open_memory(home, embeddings, reranker) as memory:
        asked_at = at or datetime.now().astimezone()
        candidates = memory.candidates(user, text, limit=max(LIMIT, 2 * k), at=at, asked_at=asked_at, archived=archived)
        ranked = memory.rank(text, candidates.found, max(k, len(candidates.found)), asked_at=asked_at)
    degraded = [*candidates.degraded, *ranked.degraded]
    for reason in degraded:
        note(f"degraded: {reason}")
    if explain:
        _explain(text, k, candidates.understood, ranked.found, degraded, as_json=as_json)
    elif as_json:
        say_json([memory_json(recollection) for recollection in ranked.found[:k]])
    else:
        for recollection in ranked.found[:k]:
            say(f"{recollection.score:.2f}  {recollection.id}  {memory_line(recollection)}")
    if not ranked.found and not as_json:
        note("Nothing found.")


def _explain(
    text: str,
    k: int,
    understood: "Understood",
    ranked: Sequence[Recollection],
    degraded: Sequence[str],
    *,
    as_json: bool,
) -> None:
    from hippograph.memory.search.explain import explain
    from hippograph.nodes.rerank import sift

    doubts = {each["id"]: each["reason"] for each in sift(ranked, text, k).cut}
    explanation = explain(understood, ranked, k, doubts, degraded)
    if as_json:
        say_json(explanation_json(explanation))
    else:
        say("\n".join(explanation_lines(explanation)))


def memories(
    kind: Annotated[list[str] | None, typer.Option(help="Only this kind; may be given more than once.")] = None,
    thread: Annotated[str | None, typer.Option(metavar="NAME", help="Only this conversation.")] = None,
    archived: ArchivedOption = False,
    limit: Annotated[int, typer.Option(min=1, help="How many at most.")] = 50,
    user: UserOption = ME,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the memories, newest first.

    \b
    hippograph memories --limit 10
    hippograph memories --kind fact --kind preference --json
    hippograph memories --archived
    """
    user = named(user, "--user")
    kinds = _kinds(kind or [])
    with open_memory(home) as memory:
        found = memory.list(user, kinds=kinds, thread=thread, limit=limit, archived=archived)
        if as_json:
            say_json([memory_json(recollection) for recollection in found])
            return
        for each in found:
            say(f"{each.id}  {'' if each.status == 'current' else 'archived '}{each.kind}  {memory_line(each)}")
        of = "archived ones included" if archived else f"of {counted(memory.count(user), 'memory')}"
        note(f"{len(found):,} {of}.")


def _kinds(names: list[str]) -> list[str] | None:
    for name in names:
        if name not in get_args(Kind):
            raise BadInput(f"There is no kind {name!r}: it is one of {', '.join(get_args(Kind))}.")
    return names or None
