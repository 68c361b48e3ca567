"""Newest over stale, and what was then over what is now: the order of memories on one matter.

"My best score is 124" and, two weeks later, "I just got my best score, 132" answer "What is my best score?" equally
well, and a small model takes the first it reads. Where a question asks for a state of affairs, of memories that speak
of the same matter the one said last goes first; where it asks for what was, the order stays. Memories with one subject
and one attribute are of the same matter in any case: where the present is asked for, the one said last goes first;
where a time is named, the one that was so then; where an earlier state is asked for, what was before.
"""

import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from hippograph.memory.dates.periods import Window, windows
from hippograph.memory.search.evidence import valid_share
from hippograph.memory.search.folding import is_outdated, is_partly_outdated
from hippograph.memory.search.tense import (
    asks_for_what_is,
    asks_for_what_was,
    asks_for_what_was_before,
    asks_for_what_was_first,
)
from hippograph.memory.tokens import words
from hippograph.state import Recollection

Wanted = Callable[[Recollection], tuple[float, float]]
"""By what memories of one matter are ordered, the highest first."""
LOOKED_AT = 20
"""Memories from the top that may move up."""
PASSED = 2
"""Places from the top that a newer memory may take."""
COMPARABLE, FITTING = 0.85, 0.6
"""Share of the older one's score that the newer one needs; FITTING: what is known to hold instead of it."""
ALIKE, ASKED = 0.12, 0.3
"""Shares of the shorter text's words, and of the question's that either has, that both must have, by their weight."""


def newest_first(query: str, ranked: Sequence[Recollection], now: datetime) -> list[Recollection]:
    """Return ranked memories with those of one matter in the order that the question wants, scores in falling order.

    Args:
        query: What is asked.
        ranked: Best first.
        now: When it is asked.
    """
    meant = windows(query, now)
    wanted = _wanted(query, ranked[:LOOKED_AT], meant) if asks_for_what_was(query, meant, now) else None
    if wanted is None:
        return _newest_first(query, ranked, facts=True)
    was = _as_it_was(ranked, wanted)
    return was if meant else _newest_first(query, was, facts=False)


def after_successors(
    ranked: Sequence[Recollection], asked: Collection[str], stands_for: Mapping[str, str]
) -> list[Recollection]:
    """Return ranked memories with each that is out of date, if partly, behind what holds instead.

    Where the question is for something else that it says, and what holds instead hardly fits, it keeps its place.

    Args:
        ranked: Best first.
        asked: Ids of those that tell what the question asks for.
        stands_for: For the id of a memory that has no place of its own, the id of the one that stands for it.
    """
    order, places = [*ranked], {each.id: place for place, each in enumerate(ranked)}
    for each in ranked:
        if not is_partly_outdated(each) and not is_outdated(each):
            continue
        successor = each.superseded_by or ""
        behind = places.get(successor, places.get(stands_for.get(successor, ""), -1))
        fits = is_outdated(each) or each.id in asked or ranked[behind].score >= FITTING * each.score
        if behind > places[each.id] and fits:
            order.remove(each)
            order.insert(order.index(ranked[behind]) + 1, each)
    return [_scored(each, old.score) for each, old in zip(order, ranked, strict=True)]


def ended_last(
    query: str, ranked: Sequence[Recollection], told: Mapping[str, Sequence[Recollection]], now: datetime
) -> list[Recollection]:
    """Return ranked memories with each that tells only what is not so any more behind what is so, of one property.

    What denies a value that the question names is an answer and keeps its place.

    Args:
        query: What is asked.
        ranked: Best first.
        told: For the id of each the facts that it tells.
        now: When it is asked.
    """
    order, asked = [*ranked], query.casefold()
    for each in ranked[:LOOKED_AT]:
        facts = told.get(each.id, ())
        over = {(fact.subject, fact.attribute) for fact in facts if _ended(fact, now)}
        if not over or _holding(facts, now) or any(fact.value and fact.value.casefold() in asked for fact in facts):
            continue
        below = (other for other in order[order.index(each) + 1 :] if over & _holding(told.get(other.id, ()), now))
        if (better := next(below, None)) is not None:
            order.remove(each)
            order.insert(order.index(better) + 1, each)
    return [_scored(each, old.score) for each, old in zip(order, ranked, strict=True)]


def _ended(fact: Recollection, now: datetime) -> bool:
    return fact.negated or (fact.valid_until is not None and fact.valid_until <= now)


def _holding(facts: Sequence[Recollection], now: datetime) -> set[tuple[str, str]]:
    """Return the properties of which some facts tell what is so."""
    return {(fact.subject, fact.attribute) for fact in facts if fact.status == "current" and not _ended(fact, now)}


def _as_it_was(ranked: Sequence[Recollection], wanted: Wanted) -> list[Recollection]:
    """Return ranked memories with the first of one subject and property in the order in which the past is asked for."""
    places: dict[tuple[str, str], list[int]] = {}
    for place, each in enumerate(ranked[:LOOKED_AT]):
        if each.subject and each.attribute and each.kind != "event":
            places.setdefault((each.subject, each.attribute), []).append(place)
    order = [*ranked]
    for of in places.values():
        for place, each in zip(of, sorted((ranked[place] for place in of), key=wanted, reverse=True), strict=True):
            order[place] = each
    return [_scored(each, old.score) for each, old in zip(order, ranked, strict=True)]


def _wanted(query: str, ranked: Sequence[Recollection], meant: Sequence[Window]) -> Wanted | None:
    """Return by what states of one matter are ordered, the highest first; None where the question does not say."""
    folded = query.casefold()
    named = {each.value for each in ranked if each.value and each.value.casefold() in folded}
    until = min((_since(each) for each in ranked if each.value in named), default=math.inf)

    def then(each: Recollection) -> tuple[float, float]:
        return valid_share(each.valid_from or each.said_at, each.valid_until, meant), _since(each)

    def before(each: Recollection) -> tuple[float, float]:
        was = each.value not in named and each.valid_until is not None and _since(each) <= until
        return float(was), _since(each)

    if meant:
        return then
    if asks_for_what_was_first(query):
        return lambda each: (-_since(each), 0.0)
    return before if asks_for_what_was_before(query) else None


def _since(each: Recollection) -> float:
    return (each.valid_from or each.said_at).timestamp()


def _newest_first(query: str, ranked: Sequence[Recollection], *, facts: bool) -> list[Recollection]:
    """Return ranked memories with newer ones before older ones of one matter; `facts`: of one property too."""
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
            return facts and (newer.subject, newer.attribute) == (older.subject, older.attribute)
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
