"""A person judges summaries: question, memories and notes are shown, and three keys are asked for."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Protocol

import typer

from hippograph.cli.lines import counted
from hippograph.cli.screen import note, say
from hippograph.state import BadInput
from hippograph.state.costs import CRITERIA, Sample, Verdict

ASKED = {
    "accuracy": "Do the notes say what the memories say?",
    "relevance": "Do they say what the question needs?",
    "brevity": "Do they leave out what it does not need?",
}
GRADES = tuple("12345")
SKIP, LEAVE = ("s", " ", "\r", "\n"), ("q", "\x1b", "\x04")
NONE_WAITS = (
    "No summary waits to be judged. HIPPOGRAPH_SAMPLE=0.05 keeps one in twenty, in words until it is judged or "
    "anything of its user's is forgotten."
)


class Judged(Protocol):
    """Takes verdicts."""

    def samples(self, space: str | None = None) -> Sequence[Sample]:
        """Return what waits."""
        ...

    def judged(self, sample: int, verdict: Verdict) -> bool:
        """Store a verdict."""
        ...


def judge(account: Judged, space: str | None, key: Callable[[], str] | None = None) -> int:
    """Walk through what waits, the oldest first, until it is done or left; returns how many were judged.

    Args:
        account: What takes the verdicts.
        space: Whose summaries; None: everybody's.
        key: Gives what is typed, in place of the terminal.

    Raises:
        BadInput: There is no terminal to ask on.
    """
    if not sys.stdin.isatty():
        raise BadInput("Judging needs a terminal: run `hippograph stats --judge` in one, or name HIPPOGRAPH_JUDGE.")
    waiting = account.samples(space)
    if not waiting:
        note(NONE_WAITS)
        return 0
    with nullcontext(key) if key else _terminal() as read:
        done = _walked(account, waiting, _keys(read))
    note(f"{counted(done, 'summary')} judged, {len(waiting) - done:,} left.")
    return done


def _walked(account: Judged, waiting: Sequence[Sample], keys: Iterator[str]) -> int:
    done = 0
    for number, sample in enumerate(waiting, start=1):
        say("\n".join(sample_lines(sample, number, len(waiting))))
        try:
            verdict = _asked(keys)
        except EOFError:
            break
        done += verdict is not None and account.judged(sample.id, verdict)
    return done


@contextmanager
def _terminal() -> Iterator[Callable[[], str]]:
    """Give what is typed, key by key, until the block ends: switched for each key, it would lose what comes between."""
    if sys.platform == "win32":
        yield typer.getchar
        return
    import termios
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal)
        yield lambda: os.read(terminal, 32).decode("utf-8", "replace")
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def sample_lines(sample: Sample, number: int, count: int) -> list[str]:
    """Return a sample as it is shown."""
    return [
        "",
        f"{number} of {count}, asked on {sample.at.astimezone():%Y-%m-%d}",
        f"question  {sample.question}",
        *(f"{'memories' if place == 0 else '':9} - {text}" for place, text in enumerate(sample.evidence)),
        *(f"{'notes' if place == 0 else '':9} {line}" for place, line in enumerate(sample.block.splitlines())),
    ]


def _keys(read: Callable[[], str]) -> Iterator[str]:
    """Yield keys one by one: a terminal gives several at once where they come quickly. Arrows and the like are none."""
    while True:
        pressed = read()
        if not pressed:
            yield LEAVE[0]
        elif not (pressed.startswith("\x1b") and len(pressed) > 1):
            yield from pressed


def _asked(keys: Iterator[str]) -> Verdict | None:
    """Ask for the three grades; None where the sample is skipped, EOFError where that is all for now."""
    grades = dict[str, int]()
    for name in CRITERIA:
        say(f"{name}: {ASKED[name]} 1 (no) to 5 (yes), s: skip, q: leave ", end="")
        while (pressed := next(keys)) not in GRADES:
            if pressed in LEAVE:
                say()
                raise EOFError
            if pressed in SKIP:
                say()
                return None
        say(pressed)
        grades[name] = int(pressed)
    return Verdict(**grades)
