"""`hippograph models`: what is found, what is used for which role, and fetching the embedded ones."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hippograph.cli.options import (
    BackupOption,
    BigOption,
    EmbeddingsOption,
    JsonOption,
    RerankerOption,
    SmallOption,
    configured,
)
from hippograph.cli.screen import progress_bar, say, say_json
from hippograph.state import BadInput, Settings

if TYPE_CHECKING:
    from hippograph.models import Allowance

app = typer.Typer(rich_markup_mode=None)

MEGABYTE = 1e6


@app.callback(invoke_without_command=True)
def models(
    context: typer.Context,
    small: SmallOption = None,
    big: BigOption = None,
    backup: BackupOption = None,
    embeddings: EmbeddingsOption = None,
    reranker: RerankerOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show which models are found, which are used for which role, why, and within which window.

    A window is prompt and answer together. HIPPOGRAPH_WINDOWS="ollama:qwen3:4b=8192 local=8192" sets it.

    \b
    hippograph models
    hippograph models --small ollama:qwen3:4b --json
    hippograph models pull
    """
    if context.invoked_subcommand is not None:
        return
    from hippograph.models import allowance, choose, found

    settings = configured(None, small, big, embeddings, reranker, backup)
    roles, there = choose(settings), found(settings)
    allowed = {role.role: allowance(role.role, role.spec, settings) for role in roles}
    if as_json:
        shown = [{**asdict(role), "window": _json(allowed[role.role])} for role in roles]
        say_json({"roles": shown, "found": [asdict(each) for each in there]})
        return
    for role in roles:
        say(f"{role.role:10}  {role.spec or 'none'}: {role.why}")
        if (room := allowed[role.role]) is not None and role.problem is None:
            say(f"{'':10}  window: {room}")
        if role.problem is not None:
            say(f"{'':10}  cannot be used: {role.problem}")
    say()
    for each in there:
        state = "ready" if each.ready else f"not here yet: hippograph models pull {each.spec.removeprefix('local:')}"
        size = f"{each.size / MEGABYTE:,.0f} MB" if each.size else ""
        say(f"{each.spec:32} {size:>9}  {state}  ({each.about})")


@app.command()
def pull(
    names: Annotated[
        list[str] | None, typer.Argument(help="Embedded models. Default: what is used by default.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="All embedded models.")] = False,
    file: Annotated[
        Path | None, typer.Option(metavar="GGUF", help="Take the model from this file instead of fetching it.")
    ] = None,
) -> None:
    """Fetch embedded models once, checked against their digest; an interrupted download goes on where it stopped.

    \b
    hippograph models pull
    hippograph models pull qwen2.5-coder-1.5b
    hippograph models pull qwen2.5-coder-0.5b --file ~/Downloads/model.gguf
    """
    settings = configured()
    wanted = _wanted(names or [], every)
    if file is not None and len(wanted) != 1:
        raise BadInput("--file holds one model: name it, as in `hippograph models pull NAME --file FILE`.")
    for name in wanted:
        say(str(_pull(name, settings, file)))


def _json(allowed: "Allowance | None") -> dict[str, object] | None:
    return None if allowed is None else asdict(allowed)


def _wanted(names: Sequence[str], every: bool) -> list[str]:
    from hippograph.models import catalogue

    return catalogue.names() if every else list(names) or [catalogue.DEFAULT]


def _pull(name: str, settings: Settings, file: Path | None) -> Path:
    from hippograph.models import pull as fetch

    with progress_bar() as bar:
        task = bar.add_task(name, total=None, amount="")

        def show(done: int, total: int) -> None:
            amount = f"{done / MEGABYTE:,.0f} of {total / MEGABYTE:,.0f} MB"
            bar.update(task, completed=done, total=total, amount=amount)

        return fetch(name, settings, progress=show, file=file)
