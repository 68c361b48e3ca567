"""A memory's life as a page tells it: each step in words, and whether the last one can be taken back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from hippograph.state import Step

QUIET = ("stored", "held", "approved", "undone")
"""Steps that change no column, so that there is nothing to take back."""
TOLD = ("text", "kind", "subject", "attribute", "value", "topic", "importance", "pinned", "valid_from", "valid_until")
"""Columns whose earlier values are told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One step."""

    at: datetime
    what: str
    """A key of the page's texts where it is a known one."""
    because: str
    """Why, in the ledger's words."""
    memory: str
    text: str
    mine: bool
    """Whether it happened to the memory that is shown, not to one before or after it in its place."""
    by: str
    """Id of the memory or turn that made it so; empty where it was nobody."""
    before: Sequence[tuple[str, str]]
    """Names of columns with what stood in them before."""


def events(steps: Sequence[Step], id_: str) -> list[Event]:
    """Return the steps of a memory's line, the newest first."""
    return [
        Event(
            at=step.at,
            what=step.what,
            because=reason(step.because, step.what),
            memory=step.memory,
            text=step.text,
            mine=step.memory == id_,
            by=step.by or "",
            before=_before(step.before) if step.what == "updated" else (),
        )
        for step in reversed(steps)
    ]


def undoable(steps: Sequence[Step], id_: str, line: Sequence[str]) -> bool:
    """Tell whether `undo` of a memory finds something: a step not yet taken back, or others' places that it has.

    Args:
        steps: Of its line, the oldest first.
        id_: The memory's.
        line: Ids of those whose place it took.
    """
    mine = [step.what for step in steps if step.memory == id_]
    left = sum(what not in QUIET for what in mine) - mine.count("undone")
    return left > 0 or bool(line)


def reason(because: str, what: str) -> str:
    """Return why something happened, without the word that says what; of a change by hand its columns tell."""
    if what == "updated":
        return ""
    head, colon, told = because.partition(": ")
    return told if colon and head == what else because


def _before(columns: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [(name, _shown(columns[name])) for name in TOLD if name in columns]


def _shown(value: object) -> str:
    return "—" if value is None or value == "" else str(value)
