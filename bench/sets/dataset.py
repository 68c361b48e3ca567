"""What every retrieval benchmark is made of: what was said, and questions with the ids that answer them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from hippograph.bench.contract import Contract
from hippograph.memory.exchange.transfer import Told

Group = frozenset[str]
"""Ids of which any one will do: one piece of evidence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A memory given directly, not said by anyone."""

    id: str
    text: str
    said_at: datetime


Item = Told | Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two states of one thing: the newer must rank above the older."""

    newer: Group
    older: Group


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One query and what should come back."""

    id: str
    space: str
    text: str
    gold: tuple[Group, ...] = ()
    """Pieces of evidence; R@k is the share of them in the top k. Empty: only `pairs` or `forbidden` are judged."""
    category: str = ""
    scored: bool = True
    """Whether it counts in the headline, or only in the row of its category."""
    asked_at: datetime | None = None
    """When it is asked; "last week" is relative to this."""
    at: datetime | None = None
    """Only what was known at this time may be found."""
    pairs: tuple[Pair, ...] = ()
    forbidden: tuple[Group, ...] = ()
    """Deleted, foreign or outdated evidence, which should not come back."""
    contract: Contract | None = None
    """What an answer may be made of, where the set says so and the question needs memory."""
    sessions: tuple[Group, ...] = ()
    """The evidence at session level: ids of all turns of each session that holds some."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """A benchmark's data, read."""

    name: str
    spaces: Mapping[str, Sequence[Item]]
    """Space to what it holds, in the order it was said."""
    questions: Sequence[Question]
    forgotten: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Space to the ids of what its user asked to forget, which is forgotten before anything is asked."""
    level: str = "turn"
    """What the gold ids are ids of."""
    notes: tuple[str, ...] = ()

    def limited(self, number: int | None) -> "Dataset":
        """Return the set with at most `number` questions, spread evenly over all, and the spaces they need."""
        if number is None or number >= len(self.questions):
            return self
        kept = [self.questions[index * len(self.questions) // number] for index in range(number)]
        asked = {question.space for question in kept}
        spaces = {space: items for space, items in self.spaces.items() if space in asked}
        forgotten = {space: ids for space, ids in self.forgotten.items() if space in asked}
        return replace(self, spaces=spaces, questions=kept, forgotten=forgotten)


def one(id: str) -> Group:  # noqa: A002
    """Return a piece of evidence that is a single id."""
    return frozenset((id,))
