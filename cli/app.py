"""The command's entry: its subcommands, and what happens when one fails."""

import sys
import traceback
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from hippograph.cli import (
    ask,
    bench,
    chat,
    demo,
    doctor,
    forgetting,
    graphing,
    jobs,
    lives,
    mcp,
    models,
    rating,
    reindexing,
    remembering,
    review,
    serve,
    snapshots,
    stats,
    status,
    tokens,
    transfer,
    upkeep,
)
from hippograph.cli.failure import explain
from hippograph.cli.screen import complain, debugging, note, say

INTERRUPTED = 130


class Commands(TyperGroup):
    """The subcommands; Ctrl-C ends any of them with a line instead of silence."""

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - typer's own signature
        """Run the subcommand."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as stop:
            note(str(stop) or "Interrupted.")
            raise typer.Exit(INTERRUPTED) from None


app = typer.Typer(
    name="hippograph",
    cls=Commands,
    help="Long-term memory for small language models.\n\n"
    "Start with `hippograph demo`, then `hippograph chat`. Memories stay on this machine.",
    add_completion=True,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["--help", "-h"]},
)
app.command("demo")(demo.demo)
app.command("chat")(chat.chat)
app.command("ask")(ask.ask)
app.command("remember")(remembering.remember)
app.command("recall")(remembering.recall)
app.command("memories")(remembering.memories)
app.command("history")(lives.history)
app.command("update")(lives.update)
app.command("review")(review.review)
app.command("undo")(lives.undo)
app.command("forget")(forgetting.forget)
app.command("import")(transfer.import_files)
app.command("export")(transfer.export)
app.command("mcp")(mcp.mcp)
app.command("upkeep")(upkeep.upkeep)
app.command("graph")(graphing.graph)
app.add_typer(models.app, name="models")
app.command("snapshot")(snapshots.snapshot)
app.command("snapshots")(snapshots.snapshots)
app.command("restore")(snapshots.restore)
app.command("reindex")(reindexing.reindex)
app.command("jobs")(jobs.jobs)
app.command("stats")(stats.stats)
app.command("status")(status.status)
app.command("doctor")(doctor.doctor)
app.command("rate")(rating.rate)
app.command("evaluate")(rating.evaluate)
app.command("serve")(serve.serve)
app.add_typer(tokens.app, name="tokens")
app.add_typer(bench.app, name="bench")


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        say(f"hippograph {version('hippograph')}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print it.")] = False,
) -> None:
    """Take the options that stand before a subcommand."""


def main() -> None:
    """Run the command line; failures become one line on stderr and an exit code."""
    try:
        _prepare_process()
        app()
    except KeyboardInterrupt:
        _leave(INTERRUPTED, "Interrupted.")
    except Exception as error:  # the one place where any error may end
        if debugging():
            traceback.print_exc()
        _leave(1, explain(error))


def _leave(code: int, line: str = "") -> None:
    if line:
        complain(line)
    raise SystemExit(code) from None


def _terminated(number: int, frame: object) -> None:
    """End as at the end of the command, so that homes are closed."""
    raise SystemExit(128 + number)


def _prepare_process() -> None:
    """Read `.env`, end in order when told to, and keep libraries from writing into the command's output."""
    import logging
    import signal
    import warnings

    signal.signal(signal.SIGTERM, _terminated)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
    if Path(".env").is_file():
        from dotenv import load_dotenv

        load_dotenv(Path(".env"), override=False)
    if debugging():
        logging.basicConfig(level=logging.INFO)
    else:
        logging.getLogger().addHandler(logging.NullHandler())
        warnings.simplefilter("ignore")
