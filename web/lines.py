"""Memories as lines of a list: by day, with what was searched for marked, and what speaks for each."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import NamedTuple

from hippograph.memory.listing import Card
from hippograph.memory.search.explain import parts
from hippograph.memory.tokens import CJK, STOP_WORDS
from hippograph.state import Recollection

MOST_MARKED = 12
"""Different words of a search that are marked."""
_WORD = re.compile(rf"[{CJK}]+|[^\W_{CJK}]+(?:[-_.][^\W_{CJK}]+)*")


class Piece(NamedTuple):
    """A part of a text."""

    text: str
    marked: bool


class Share(NamedTuple):
    """What a leg or a boost adds to a score."""

    name: str
    adds: float
    """Evidence; below 0 for what speaks against it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One memory in a list."""

    card: Card
    pieces: Sequence[Piece]
    score: float | None = None
    """How well it fits what was searched for, in [0, 1]; None where the list is in the order of time."""
    why: Sequence[Share] = ()

    @property
    def who(self) -> str:
        """Who said it by name; else the role, whose word the page knows."""
        return self.card.speaker or self.card.role


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """Lines of one day."""

    day: date
    """In this machine's zone."""
    lines: Sequence[Line]
    goes_on: bool
    """Whether the stretch before ended within this day."""


def in_time(cards: Sequence[Card], query: str, after: date | None = None) -> list[Day]:
    """Return cards in the order of time as lines by day.

    Args:
        cards: In order.
        query: What was searched for.
        after: The day with which the stretch before ended.
    """
    lines = [Line(card=card, pieces=marked(card.text, query)) for card in cards]
    by_day = groupby(lines, key=lambda line: line.card.said_at.astimezone().date())
    return [Day(day=day, lines=[*found], goes_on=day == after) for day, found in by_day]


def ranked(cards: Sequence[Card], found: Sequence[Recollection], query: str) -> list[Line]:
    """Return what recall found as lines in its order; what is gone meanwhile is left out."""
    by_id: Mapping[str, Card] = {card.id: card for card in cards}
    return [
        Line(
            card=by_id[each.id],
            pieces=marked(by_id[each.id].text, query),
            score=each.score,
            why=_why(each),
        )
        for each in found
        if each.id in by_id
    ]


def _why(found: Recollection) -> list[Share]:
    """Return what a score is made of, what adds most first."""
    made = parts(found)
    shares = [Share(leg.name, leg.adds) for leg in made.legs] + [Share(*lift) for lift in made.lifts.items()]
    return sorted(shares, key=lambda share: -share.adds)


def marked(text: str, query: str) -> list[Piece]:
    """Cut a text where words of a query stand in it, whatever their case; words too common to tell are not marked."""
    words = dict.fromkeys(word.casefold() for word in _WORD.findall(query))
    telling = [re.escape(word) for word in words if word not in STOP_WORDS][:MOST_MARKED]
    if not telling:
        return [Piece(text, False)]
    longest_first = sorted(telling, key=len, reverse=True)
    pattern = re.compile("|".join(rf"\b{word}" if word.isascii() else word for word in longest_first), re.IGNORECASE)
    pieces, at = list[Piece](), 0
    for match in pattern.finditer(text):
        pieces += [Piece(text[at : match.start()], False), Piece(match.group(), True)]
        at = match.end()
    return [piece for piece in (*pieces, Piece(text[at:], False)) if piece.text]


def quoted(text: str, start: int, end: int, around: int = 160) -> list[Piece]:
    """Return a quote, marked, with at most `around` characters before and after it, "…" where more was said."""
    first, last = max(0, start - around), min(len(text), end + around)
    before = ("…" if first else "") + text[first:start]
    after = text[end:last] + ("…" if last < len(text) else "")
    pieces = Piece(before, False), Piece(text[start:end], True), Piece(after, False)
    return [piece for piece in pieces if piece.text]
