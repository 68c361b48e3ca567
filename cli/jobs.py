"""`hippograph jobs`: what the background has still to do, and what it gave up."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hippograph.cli.lines import counted, shortened
from hippograph.cli.options import HomeOption, JsonOption, configured
from hippograph.cli.screen import note, say, say_json
from hippograph.cli.store import finish, open_memory
from hippograph.state import HomeInUse

if TYPE_CHECKING:
    from hippograph.memory import Job

WIDTH = 60
"""Characters shown of a memory's text, and of an error."""


def jobs(
    ids: Annotated[list[str] | None, typer.Argument(help="Only what is to be done for these memories.")] = None,
    again: Annotated[bool, typer.Option("--retry", help="Try what failed or was given up again now.")] = False,
    dead: Annotated[bool, typer.Option("--dead", help="Only what was given up.")] = False,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """List what is still to be indexed or read for facts, what failed and what was given up; also while a server runs.

    \b
    hippograph jobs
    hippograph jobs --dead --json
    hippograph jobs --retry
    hippograph jobs --retry 3f82447024d9d29d9200106402f0faad
    """
    folder = configured(home).home
    if again:
        retried = _retried(folder, ids or None, dead)
        say_json({"retried": retried}) if as_json else say(f"{counted(retried, 'job')} tried again.")
        return
    chosen = [job for job in _listed(folder, dead) if not ids or job.id in ids]
    if as_json:
        say_json([{**asdict(job), "due_at": job.due_at.isoformat()} for job in chosen])
    else:
        say("\n".join(map(_line, chosen)) or "Nothing is left to do.")


def _listed(home: Path, dead: bool) -> "list[Job]":
    from hippograph.memory.ledger import Ledger
    from hippograph.memory.work.backlog import listed

    path = home / "ledger.db"
    if not path.exists():
        return []
    with Ledger(path) as ledger:
        return listed(ledger, dead=dead)


def _retried(home: Path, ids: Sequence[str] | None, dead: bool) -> int:
    """Try jobs again here, or leave that to the process that has the home open."""
    from hippograph.memory.ledger import Ledger
    from hippograph.memory.work.backlog import retry

    try:
        with open_memory(home) as memory:
            retried = memory.retry(ids, dead=dead)
            finish(memory)
            return retried
    except HomeInUse:
        with Ledger(home / "ledger.db") as ledger:
            retried = retry(ledger, ids, dead=dead)
        note("The home is in use: the process that has it open tries them within a minute.")
        return retried


def _line(job: "Job") -> str:
    kind = {"index": "to index", "extract": "to read"}.get(job.kind, job.kind)
    failed = f", {counted(job.attempts, 'failure')}: {shortened(job.error or '', WIDTH)}" if job.attempts else ""
    due = f", next {job.due_at.astimezone():%Y-%m-%d %H:%M:%S}" if job.state == "failing" else ""
    return f"{job.state:8} {kind:9} {job.id}  {shortened(job.text, WIDTH)}{failed}{due}"
