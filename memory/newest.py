"""Newest over stale, before any supersession has run.

"My best score is 124" and, two weeks later, "I just got my best score, 132" answer "What is my best score?" equally
well, and a small model takes the first it reads. Where a question asks for a state of affairs, of memories that speak
of the same matter the one said last goes first; where it asks for what was, the order stays. Memories with one subject
and one attribute are of the same matter in any case.
"""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

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

_NOW = re.compile(
    r"\b(?:current(?:ly)?|now(?:adays)?|latest|most recent(?:ly)?|newest|so far|still|these days|at the moment|"
    r"any ?more|up to date|usual(?:ly)?)\b|现在|目前|当前|如今|眼下|最近一次|最新|至今|还是|一般|通常",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:first|initial(?:ly)?|original(?:ly)?|previous(?:ly)?|former(?:ly)?|earlier|before|used to|back then|"
    r"at the time)\b|以前|之前|最初|原来|原先|当初|第一次|过去|曾经|那时",
    re.IGNORECASE,
)
_MINE = re.compile(r"\b(?:i|my|mine|me|we|our)\b|我|咱", re.IGNORECASE)
_COUNT = re.compile(r"\bhow (?:many|much|often)\b|多少|几[次个本部家台]", re.IGNORECASE)
_EVENT = re.compile(
    r"\b(?:did|was|were|had|when)\b|什么时候|哪[天年月]|几[号点]|过[吗的？?]|了[吗？?]|那[天次]|上次", re.IGNORECASE
)
_STATE = re.compile(r"\b(?:do|does|am|is|are|have|has)\b|['’]s\b|[\u4e00-\u9fff]", re.IGNORECASE)


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


def asks_for_what_is(query: str) -> bool:
    """Tell whether a question asks how things are, not how they were: in words, or about oneself in the present."""
    if _PAST.search(query):
        return False
    if _NOW.search(query):
        return True
    if not _MINE.search(query):
        return False
    return bool(_COUNT.search(query)) or (bool(_STATE.search(query)) and not _EVENT.search(query))


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
