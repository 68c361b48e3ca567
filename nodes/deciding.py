"""Whether a model is to distil the evidence: not where it fits the prompt as it is, and is clean.

Clean is what a small model can read without help: nothing contradicts anything, nothing is said twice over, and long
memories are not mostly about something else.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from hippograph.memory.extraction.attributes import single
from hippograph.memory.sentences import sentences
from hippograph.memory.tokens import words
from hippograph.nodes.extract import flat
from hippograph.state import Recollection

ALIKE = 0.75
"""Share of a memory's words in another one from which it repeats it."""
FEW_WORDS = 4
"""Memories of fewer words are not held against one another: short ones are alike by chance."""
LONG = 4
"""Sentences from which a memory may be mostly noise; what is shorter is read anyway."""
LOOSE = ("note", "event")
"""First words of properties under which anything may be told, side by side."""
NOISE = 0.5
"""Share of the evidence that may stand in sentences of long memories that have no word of the question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Whether to call a model, and why."""

    call: bool
    why: str
    """In words."""


def decide(
    mode: Literal["auto", "always", "never"],
    memories: Sequence[Recollection],
    question: str,
    *,
    configured: bool,
    needed: int,
    budget: int,
) -> Decision:
    """Return whether a model is to distil memories.

    Args:
        mode: What the context says.
        memories: The evidence.
        question: What it is for.
        configured: Whether any model is there to do it.
        needed: Tokens that the evidence takes as it is.
        budget: Tokens that it may take.
    """
    fits = f"{needed:,} of {budget:,} tokens"
    if mode == "never":
        return Decision(call=False, why="never: as the context says")
    if not configured:
        return Decision(call=False, why=f"no big model is configured; {fits}")
    if mode == "always":
        return Decision(call=True, why="always: as the context says")
    if needed > budget:
        return Decision(call=True, why=f"does not fit: {fits}")
    if found := clutter(memories, question):
        return Decision(call=True, why=f"fits ({fits}), but {found}")
    return Decision(call=False, why=f"fits and is clean: {fits}")


def clutter(memories: Sequence[Recollection], question: str) -> str:
    """Return what keeps evidence from being clean, in words; empty where nothing does."""
    if (found := conflict(memories)) is not None:
        return f"two memories contradict each other about {found}"
    repeated = sum(_repeats(one, other) for one, other in combinations(memories, 2))
    if repeated:
        return "a memory is said twice" if repeated == 1 else f"memories are said twice, {repeated} times"
    share = noise(memories, question)
    return f"{share:.0%} of it is hardly about the question" if share > NOISE else ""


def conflict(memories: Sequence[Recollection]) -> str | None:
    """Return the property of which two current memories tell different values though it has one; None for none."""
    told: dict[tuple[str, str], str] = {}
    for each in memories:
        if each.kind == "turn" or each.status != "current" or each.valid_until or not _is_one(each.attribute):
            continue
        key = (each.subject.casefold(), each.attribute.casefold())
        value = f"{'not ' if each.negated else ''}{each.value.casefold()}"
        if told.setdefault(key, value) != value:
            return f"{each.subject}'s {each.attribute}" if each.subject else each.attribute
    return None


def _is_one(attribute: str) -> bool:
    return bool(attribute) and not attribute.startswith(LOOSE) and single(attribute)


def noise(memories: Sequence[Recollection], question: str) -> float:
    """Return which share of evidence, in characters, stands in long memories' sentences without a word asked about."""
    asked = set(words(question))
    total = sum(len(flat(each.text)) for each in memories)
    aside = 0
    for each in memories:
        pieces = sentences(each.text)
        if len(pieces) >= LONG:
            aside += sum(len(piece) for piece in pieces if not asked & set(words(piece)))
    return aside / total if total else 0.0


def _repeats(one: Recollection, other: Recollection) -> bool:
    """Tell whether the shorter of two memories says little that the longer does not."""
    first, second = set(words(one.text)), set(words(other.text))
    shorter = min(len(first), len(second))
    return shorter >= FEW_WORDS and len(first & second) >= ALIKE * shorter
