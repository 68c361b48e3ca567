"""The inbox: what was found in reviewed turns and waits for a person's word."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from hippograph.memory import Memory
from hippograph.memory.reviewing import Held

SHOWN = 100
"""Facts on a page, the oldest first; the next ones come up as these are decided about."""

_UNSURE = re.compile(r"it was not said for sure \(confidence ([\d.]+)\)")
_DISAGREES = "it disagrees with what is known"


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """One reason why a person should look at a fact."""

    name: str
    """`unsure`, `disagrees` or `other`."""
    text: str
    """How sure it is, in [0, 1]; or the reason in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A fact that waits, as the page shows it."""

    held: Held
    doubts: Sequence[Doubt]


@dataclass(frozen=True, slots=True, kw_only=True)
class Inbox:
    """What the page tells."""

    waiting: Sequence[Waiting]
    total: int


def inbox(memory: Memory, space: str) -> Inbox:
    """Return what waits in a space."""
    held = memory.held(space)
    return Inbox(waiting=[Waiting(held=each, doubts=doubts(each.because)) for each in held[:SHOWN]], total=len(held))


def doubts(because: str) -> list[Doubt]:
    """Return the reasons that a held fact was given, each by a name that can be told in any language."""
    return [_doubt(each.strip()) for each in because.removeprefix("held for review:").split(";") if each.strip()]


def _doubt(reason: str) -> Doubt:
    if unsure := _UNSURE.fullmatch(reason):
        return Doubt(name="unsure", text=unsure[1])
    if reason == _DISAGREES:
        return Doubt(name="disagrees", text="")
    return Doubt(name="other", text=reason)
