"""Where text goes: results to stdout, everything else to stderr."""

import json
import logging
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def debugging() -> bool:
    """Whether HIPPOGRAPH_DEBUG asks for tracebacks and start-up marks."""
    return os.environ.get("HIPPOGRAPH_DEBUG", "").strip() not in ("", "0")


def say(text: str = "", *, end: str = "\n") -> None:
    """Print a part of the result."""
    sys.stdout.write(printable(text) + end)
    sys.stdout.flush()


def say_json(value: object) -> None:
    """Print the result as JSON."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")
    sys.stdout.flush()


def note(text: str = "", *, end: str = "\n") -> None:
    """Print what is not part of the result; dimmed on a terminal."""
    dim, plain = ("\x1b[2m", "\x1b[0m") if sys.stderr.isatty() and "NO_COLOR" not in os.environ else ("", "")
    sys.stderr.write(f"{dim}{printable(text)}{plain}{end}")
    sys.stderr.flush()


def complain(text: str) -> None:
    """Print the one line of a failed command."""
    sys.stderr.write(f"hippograph: {printable(text)}\n")
    sys.stderr.flush()


def mark(event: str) -> None:
    """Tell whoever measures the start-up (HIPPOGRAPH_DEBUG=1) that it got this far."""
    if debugging():
        sys.stderr.write(f"[mark] {event}\n")
        sys.stderr.flush()


class Noting(logging.Handler):
    """Prints what a library or a part of ours warns of as one line; tracebacks are for HIPPOGRAPH_DEBUG=1."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print it."""
        error = record.exc_info[1] if record.exc_info else None
        told = f" {type(error).__name__}: {error}" if error else ""
        note(" ".join(f"{record.getMessage()}{told}".split()))


def confirm(question: str) -> bool:
    """Ask on the terminal; without one, or at its end, the answer is no."""
    sys.stderr.write(f"{printable(question)} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes", "是", "好")


def printable(text: str) -> str:
    """Take out control characters, so that no stored text can drive the terminal."""
    return CONTROL.sub("", text)


@contextmanager
def progress_bar() -> Iterator["Progress"]:
    """A progress bar on stderr; it stays silent where stderr is no terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[amount]}"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        yield progress
