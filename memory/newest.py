"""Newest over stale, before any supersession has run.

"My best score is 124" and, two weeks later, "I just got my best score, 132" answer "What is my best score?" equally
well, and a small model takes the first it reads. Where a question asks for a state of affairs, of memories that speak
of the same matter the one said last goes first; where it asks for what was, the order stays. Memories with one subject
and one attribute are of the same matter in any case.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from hippograph.memory.tense import asks_for_what_is
from hippograph.memory.tokens import words
from hippograph.state import Recollection

LOOKED_AT = 20
"""Memories from the top that may move up."""
PASSED = 2
"""Places from the top that a newer memory may take."""
COMPARABLE = 0.85
"""Share of the older one's score that the newer one needs."""
ALIKE, ASKED = 0.12, 0.3
"""Shares of the shorter text's words, and of the question's that either has, that both must have, by their weight."""

def newest_first(query: str, ranked: Sequence[Recollection]) -> list[Recollection]:
    """Return ranked memories with newer ones before the older ones of the same matter, scores in falling order.

    Args:
        query: What is asked.
        ranked: Best first.
    """
    top = ranked[:LOOKED_AT]
    current = asks_for_what_is(query)
    said = [frozenset(words(each.text)) for each in top] if current else []
    weights = _weights(said)
    asked = frozenset(words(query)) if current else frozenset()

    def replaces(new: int, old: int) -> bool:
        newer, older = top[new], top[old]
        if newer.said_at <= older.said_at or newer.score < COMPARABLE * older.score:
            return False
        if newer.subject and newer.attribute:
            return (newer.subject, newer.attribute) == (older.subject, older.attribute)
        return current and _same_talker(newer, older) and _same_matter(said[new], said[old], asked, weights)

    order: list[int] = []
    for new in range(len(top)):
        stale = (place for place, old in enumerate(order[:PASSED]) if replaces(new, old))
        order.insert(next(stale, len(order)), new)
    scores = [each.score for each in top]
    moved = [_scored(top[each], score) for each, score in zip(order, scores, strict=True)]
    return [*moved, *ranked[LOOKED_AT:]]


def _same_talker(newer: Recollection, older: Recollection) -> bool:
    """Tell whether one person said both, in two conversations."""
    return (newer.role, newer.speaker) == (older.role, older.speaker) and newer.thread != older.thread


def _same_matter(
    newer: frozenset[str], older: frozenset[str], asked: frozenset[str], weights: Mapping[str, float]
) -> bool:
    both = newer & older
    shorter = min(_weight(newer, weights), _weight(older, weights))
    answering = _weight(asked & (newer | older), weights)
    return (
        answering > 0
        and _weight(both, weights) >= ALIKE * shorter
        and _weight(both & asked, weights) >= ASKED * answering
    )


def _weights(said: Sequence[frozenset[str]]) -> dict[str, float]:
    """Return for each word how much it tells these texts apart: log(1 + texts / texts with it)."""
    counts = Counter(word for each in said for word in each)
    return {word: math.log(1 + len(said) / count) for word, count in counts.items()}


def _weight(chosen: frozenset[str], weights: Mapping[str, float]) -> float:
    return sum(weights.get(word, 0.0) for word in chosen)


def _scored(memory: Recollection, score: float) -> Recollection:
    """Return a memory with the score of the place it took; `why` says by how much that is more or less."""
    if memory.score == score:
        return memory
    return replace(memory, score=score, why={**memory.why, "newest": round(score - memory.score, 4)})
