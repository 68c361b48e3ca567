"""`hippograph status` and `doctor`: what the home holds, and what stands in the way."""

from dataclasses import asdict

import typer
from typing_extensions import TypedDict

from hippograph.cli.lines import counted
from hippograph.cli.options import (
    BigOption,
    EmbeddingsOption,
    HomeOption,
    JsonOption,
    RerankerOption,
    SmallOption,
    configured,
)
from hippograph.cli.screen import say, say_json
from hippograph.cli.store import open_memory
from hippograph.state import HippographError, Settings


def status(home: HomeOption = None, embeddings: EmbeddingsOption = None, as_json: JsonOption = False) -> None:
    """Show what the home holds: memories, what waits to be indexed, the embedding model.

    \b
    hippograph status
    hippograph status --home ~/hippograph --json
    """
    with open_memory(home, embeddings) as memory:
        health = memory.status()
    if as_json:
        say_json(asdict(health))
        return
    say(f"home        {health.home}")
    say(f"memories    {health.memories:,}")
    say(f"to index    {health.pending:,}; {health.failing:,} failed and are tried again, {health.dead:,} given up")
    say(f"embeddings  {health.embeddings}, {health.dimension} dimensions")


def doctor(
    home: HomeOption = None,
    small: SmallOption = None,
    big: BigOption = None,
    embeddings: EmbeddingsOption = None,
    reranker: RerankerOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check that the home opens and each model can be used; exit code 1 when something stands in the way.

    \b
    hippograph doctor
    """
    settings = configured(home, small, big, embeddings, reranker)
    checks = [*_models(settings), _home(settings)]
    if as_json:
        say_json(checks)
    else:
        for check in checks:
            say(f"{check['name']:11} {'ok' if check['ok'] else 'PROBLEM':8} {check['text']}")
    if not all(check["ok"] for check in checks):
        raise typer.Exit(1)


class Check(TypedDict):
    """One thing `doctor` looked at."""

    name: str
    ok: bool
    text: str
    """What is used, or what is wrong and how to mend it."""


def _models(settings: Settings) -> list[Check]:
    from hippograph.models import choose

    return [
        Check(
            name=role.role,
            ok=role.problem is None,
            text=role.problem or f"{role.spec or 'none'} ({role.why})",
        )
        for role in choose(settings)
    ]


def _home(settings: Settings) -> Check:
    try:
        with open_memory(settings.home, settings.embeddings) as memory:
            health = memory.status()
    except HippographError as error:
        return Check(name="home", ok=False, text=str(error))
    given_up = f"; {health.dead:,} could not be indexed" if health.dead else ""
    return Check(name="home", ok=not health.dead, text=f"{health.home}, {counted(health.memories, 'memory')}{given_up}")
