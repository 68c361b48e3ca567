"""Turns whose facts are known (bench/data/extract.jsonl), and whether a fact that was found is one of them."""

import json
from dataclasses import dataclass
from importlib.resources import files

from hippograph.bench.labelled import Split, split
from hippograph.memory.extraction.attributes import canonical
from hippograph.memory.facts import Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A fact that a turn has."""

    subject: str
    """Empty where it does not matter."""
    attribute: str
    words: str
    """Must stand in the fact's value or sentence."""
    value: str = ""
    """For opinions: likes or dislikes."""
    negated: bool = False
    optional: bool = False
    """Whether it may be left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A turn and the facts it has."""

    text: str
    labels: tuple[Label, ...]

    @property
    def split(self) -> Split:
        """The half it belongs to."""
        return split(self.text)

    @property
    def needed(self) -> list[Label]:
        """The facts that ought to be found."""
        return [each for each in self.labels if not each.optional]


def turns() -> list[Turn]:
    """Return the labelled turns."""
    lines = files("hippograph.bench").joinpath("data", "extract.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return [Turn(text=row["text"], labels=tuple(Label(**each) for each in row["facts"])) for row in rows]


def bears(label: Label, fact: Fact) -> bool:
    """Whether a label bears out a fact."""
    if label.subject and _who(label.subject) != _who(fact.subject):
        return False
    if _squeezed(label.words) not in _squeezed(f"{fact.value} {fact.text}"):
        return False
    if label.value and fact.value in ("likes", "dislikes"):
        return fact.value == label.value and not fact.negated
    return fact.negated == label.negated or label.optional


def same_key(label: Label, fact: Fact) -> bool:
    """Whether a fact has the key that a label asks for, or one of its kind: "pet rex" is a pet."""
    wanted = canonical(label.attribute)
    return fact.attribute == wanted or fact.attribute.startswith((f"{wanted} ", f"{label.attribute} "))


def _who(subject: str) -> str:
    """Return a subject without whose it is: "user's 妈妈" and "mother" are one."""
    tail = subject.casefold().removeprefix("user's ").removeprefix("the user's ").removeprefix("用户的")
    return canonical(tail)


def _squeezed(text: str) -> str:
    return "".join(text.casefold().split())
