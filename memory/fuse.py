"""Fusion: one score in [0, 1] for each memory out of what the legs say. Pure: no I/O, no clock but the one given.

The evidence for a memory is the weighted sum of its two legs, which are comparable between queries, plus bounded lifts:
what the neighbouring turns and the best of its thread say, a named speaker, importance and, among near-ties, recency.
The score is 1 - exp(-2 × evidence): it orders as the evidence does and stays below 1. Each part is listed in `why`.
Weights were tuned on the five LoCoMo conversations of the shared development data (turn level).
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from hippograph.state import Recollection

VECTOR, KEYWORD = 0.4, 0.6
"""Weights of the legs; a perfect keyword share is rarer than a perfect vector share."""
NEIGHBOUR = 0.2
"""How much of each neighbouring turn's evidence counts for a turn."""
THREAD = 0.2
"""How much of the mean of its thread's three best counts for a turn."""
SPEAKER = 0.15
"""Lift for the turns of the one speaker the query names."""
GIVEN = 0.12
"""Lift of what was given directly or derived: it says one thing, and has no neighbours to speak for it."""
IMPORTANCE = 0.04
"""Lift from importance 0 to 1; 0.5, the usual, lifts nothing."""
RECENCY = 0.03
"""Lift of what was said just now."""
HALF_LIFE_DAYS = 90.0
"""Age in days at which the recency lift has halved."""


def fuse(query: str, found: Sequence[Recollection], now: datetime) -> list[Recollection]:
    """Return the memories with their scores, best first; of equal scores the later said comes first.

    Args:
        query: What is asked.
        found: Candidates whose `why` holds the shares of the legs, "vector" and "keyword", in [0, 1]; missing: 0.
        now: The time of asking.
    """
    legs = {each.id: VECTOR * each.why.get("vector", 0) + KEYWORD * each.why.get("keyword", 0) for each in found}
    places = {(each.thread, each.position): legs[each.id] for each in found if each.kind == "turn"}
    threads = _best_of_threads(found, legs)
    named = {each.speaker for each in found if each.speaker and each.speaker.casefold() in query.casefold()}

    def scored(each: Recollection) -> Recollection:
        lifts = _lifts(each, places, threads, named, now)
        evidence = legs[each.id] + sum(lifts.values())
        parts = each.why | {name: round(part, 4) for name, part in lifts.items() if part}
        return replace(each, score=round(1 - math.exp(-2 * max(0.0, evidence)), 4), why=parts)

    return sorted(map(scored, found), key=lambda each: (each.score, each.said_at), reverse=True)


def _lifts(
    each: Recollection,
    places: Mapping[tuple[str, int], float],
    threads: Mapping[str, float],
    named: set[str],
    now: datetime,
) -> dict[str, float]:
    beside = [places.get((each.thread, each.position + step), 0.0) for step in (-1, 1)] if each.kind == "turn" else []
    days = max(0.0, (now - each.said_at).total_seconds() / 86_400)
    return {
        "neighbours": NEIGHBOUR * sum(beside),
        "thread": THREAD * threads.get(each.thread, 0.0),
        "speaker": SPEAKER if named == {each.speaker} else 0.0,
        "given": 0.0 if each.kind == "turn" else GIVEN,
        "important": IMPORTANCE * (each.importance - 0.5),
        "recent": RECENCY * 0.5 ** (days / HALF_LIFE_DAYS),
    }


def _best_of_threads(found: Sequence[Recollection], legs: Mapping[str, float]) -> dict[str, float]:
    """Return for each thread the mean evidence of its three best turns, as far as it has three."""
    by_thread = defaultdict[str, list[float]](list)
    for each in found:
        if each.kind == "turn":
            by_thread[each.thread].append(legs[each.id])
    return {thread: sum(sorted(values)[-3:]) / 3 for thread, values in by_thread.items()}
