"""`hippograph upkeep`: keeps the memories few, true and in order, and says what it did."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hippograph.cli.options import BigOption, HomeOption, JsonOption, configured, named
from hippograph.cli.screen import note, say, say_json
from hippograph.cli.store import finish
from hippograph.state import BadInput

if TYPE_CHECKING:
    from hippograph.state.upkeep import StepReport

NOTHING = "nothing to do"
NAMES = "expire, sweep, decay, clean, merge, entities, compact"


def upkeep(
    step: Annotated[
        list[str] | None,
        typer.Option("--step", metavar="NAME", help=f"Only this step: {NAMES}. May be given more than once."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only tell what would be done; change nothing.")] = False,
    user: Annotated[str | None, typer.Option("--user", metavar="NAME", help="Only this user's. Default: all.")] = None,
    big: BigOption = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Expire, sweep, fade, clean, merge and distil memories; it also runs by itself in the background.

    Nothing said is lost: what leaves recall is archived and stays there by its id.

    \b
    hippograph upkeep --dry-run
    hippograph upkeep --step merge --step entities --user ann
    """
    only = None if user is None else named(user, "--user")
    settings = configured(home, big=big)
    from hippograph.graph.upkeep import build_upkeep
    from hippograph.memory import Memory
    from hippograph.state.upkeep import STEPS, UpkeepContext

    if unknown := [each for each in step or () if each not in STEPS]:
        raise BadInput(f"There is no step {unknown[0]!r} of upkeep: name some of {', '.join(STEPS)}.")
    context = UpkeepContext.model_validate({"steps": step or STEPS, "dry_run": dry_run, "user_id": only})
    memory = Memory.open(settings.home, settings=settings)
    reports, why = list["StepReport"](), ""
    try:
        graph = build_upkeep(memory=memory, settings=settings)
        parts: Iterator[Any] = graph.stream({}, context=context, stream_mode=["custom", "values"])
        for mode, part in parts:
            if mode == "custom":
                reports.append(part)
                if not as_json:
                    say(report_line(part, dry_run=dry_run))
            else:
                why = part.get("note", "")
        finish(memory)
    finally:
        memory.close(timeout=0)
    if as_json:
        say_json({"dry_run": dry_run, "steps": reports, "note": why})
    elif why:
        note(why)


def report_line(report: "StepReport", *, dry_run: bool) -> str:
    """Return a step's report on one line: `merge     2 summaries, 9 merged  (12 ms)`."""
    did = ", ".join(f"{count:,} {name}" for name, count in report["counts"].items()) or NOTHING
    would = "would be: " if dry_run and report["counts"] else ""
    remark = f"; {report['note']}" if report["note"] else ""
    return f"{report['step']:<9} {would}{did}{remark}  ({report['ms']:,.0f} ms)"
