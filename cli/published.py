"""A benchmark's report, printed or kept."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hippograph.cli.screen import note, say, say_json

if TYPE_CHECKING:
    from hippograph.bench.report import Report

OutOption = Annotated[
    Path | None, typer.Option("--json", metavar="OUT", help="Also write the report here, as JSON; - prints it instead.")
]
STDOUT = Path("-")


def publish(report: "Report", out: Path | None, goals: Mapping[str, float] | None = None) -> None:
    """Print the report's figures, or its JSON where `out` is "-"; keep it where `out` is a file."""
    from hippograph.bench import report as reports

    if out == STDOUT:
        say_json(report)
        return
    for line in reports.lines(report, goals):
        say(line)
    if out is not None:
        reports.write(report, out)
        note(f"Written to {out}.")
