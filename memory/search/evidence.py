"""What speaks for each candidate: the legs' shares and those of the turns around it. Pure: no I/O.

Shares lie in [0, 1] and can be compared between queries; `fuse` weighs them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from hippograph.memory.dates.periods import Window
from hippograph.memory.keywords import bm25

NEAR = 0.6
"""What a word is worth that stands in the turn before or after; its square one turn further off."""
REACH = 2
"""Turns before and after that lend their words."""
_STEPS = [(step, NEAR**distance) for distance in range(1, REACH + 1) for step in (-distance, distance)]
SOON, LATER = timedelta(days=7), timedelta(days=31)
"""What happened in a stretch of time is mostly told in it, sometimes some days after, seldom a month after."""
SHORT = timedelta(days=11)
"""Up to this length a stretch is also told of a week before: plans."""
LONG = timedelta(days=93)
"""A longer stretch says little about when something was told."""


@dataclass(frozen=True, slots=True)
class Said:
    """Where a candidate stands, and what it has of the words asked for."""

    place: tuple[str, int] | None
    """Thread and position of a turn; None for other memories."""
    counts: Mapping[str, int]
    """How often it has each word that is asked for and that it has."""
    length: int
    """How many words it has."""


def keyword_shares(weights: Mapping[str, float], said: Mapping[int, Said]) -> dict[int, float]:
    """Return each candidate's BM25 share of a part's words, those without any left out."""
    shares = {seq: bm25(weights, each.counts, each.length) for seq, each in said.items() if each.counts}
    return {seq: share for seq, share in shares.items() if share > 0}


def context_shares(weights: Mapping[str, float], said: Mapping[int, Said]) -> dict[int, float]:
    """Return which share of a part's words each candidate and the turns around it hold, by their weight.

    A word counts once, where it stands nearest: in the candidate itself wholly, one turn away NEAR, two turns NEAR².
    "Yes, on the 17th!" after "When is the wedding?" thus answers a question about the wedding.
    """
    total = sum(weights.values())
    held = {seq: weights.keys() & each.counts.keys() for seq, each in said.items()}
    at = {each.place: held[seq] for seq, each in said.items() if each.place and held[seq]}
    shares = {}
    for seq, each in said.items():
        best = dict.fromkeys(held[seq], 1.0)
        if each.place and len(best) < len(weights):
            thread, position = each.place
            for step, worth in _STEPS:
                for word in at.get((thread, position + step), ()):
                    best.setdefault(word, worth)
        if best and total > 0:
            shares[seq] = sum([weights[word] * worth for word, worth in best.items()]) / total
    return shares


def time_share(said_at: datetime, windows: Sequence[Window]) -> float:
    """Return how well a time fits the best of some stretches: 1 within, less a little before or after, else 0."""
    return max((_fit(said_at, each) for each in windows), default=0.0)


def valid_share(start: datetime, end: datetime | None, windows: Sequence[Window]) -> float:
    """Return how well the time in which something was so fits the best of some stretches: 1 where it covers one.

    What was so in part of a stretch fits by that part, and at least by half: it may be what is meant.
    """
    return max((_covered(start, end, each) for each in windows), default=0.0)


def _covered(start: datetime, end: datetime | None, window: Window) -> float:
    first, last = max(start, window.start), window.end if end is None else min(end, window.end)
    if first >= last:
        return 0.0
    return 0.5 + 0.5 * ((last - first) / (window.end - window.start))


def _fit(said_at: datetime, window: Window) -> float:
    length = window.end - window.start
    worth = 1.0 if length <= LONG else 0.3
    if window.start <= said_at < window.end:
        return worth
    if window.end <= said_at < window.end + SOON:
        return 0.4 * worth
    if window.end <= said_at < window.end + LATER:
        return 0.1 * worth
    return 0.3 * worth if length <= SHORT and window.start - SOON <= said_at < window.start else 0.0
