"""The second look: a reranker reads the best of what fusion ranked, and its scores are blended in."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from hippograph.memory.search.newest import newest_first
from hippograph.memory.tokens import holds, identifiers, words
from hippograph.models import Reranker
from hippograph.state import ModelError, Recollection

RESCORED = 20
"""How many of the best are looked at again: what a reranker costs grows with them."""
WEIGHT = 0.5
"""Share of the reranker's score in the final one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """Memories in order."""

    found: list[Recollection]
    """Best first, with scores in [0, 1]."""
    degraded: list[str]
    """The reranker, with the reason, where it failed and fusion's order stands."""


def look_again(reranker: Reranker, query: str, fused: Sequence[Recollection], now: datetime) -> Ranked:
    """Return fused memories with a reranker's scores blended in, or unchanged where it fails."""
    try:
        scores = reranker.scores(query, [passage(each) for each in fused[:RESCORED]])
    except ModelError as error:
        return Ranked(found=list(fused), degraded=[f"reranker: {error}"])
    return Ranked(found=newest_first(query, blend(query, fused, scores), now), degraded=[])


def passage(memory: Recollection) -> str:
    """Return what a reranker reads of a memory."""
    return f"{memory.speaker}: {memory.excerpt}" if memory.speaker else memory.excerpt


def blend(
    query: str, fused: Sequence[Recollection], scores: Sequence[float], weight: float = WEIGHT
) -> list[Recollection]:
    """Return fused memories by (1 - weight) × their score + weight × the reranker's, best first. Pure.

    A memory that holds all identifiers of the query, or all its words, is never scored lower than
    fusion did: another one passes it only if its own blend is higher than that. What the reranker did not see counts as
    scored 0, and so stays below the rest.

    Args:
        query: What is asked.
        fused: Best first, scores in [0, 1].
        scores: The reranker's for the first of them, in [0, 1].
        weight: In [0, 1]; 0 leaves all as it is.
    """
    named, said = identifiers(query), frozenset(words(query))
    seen = [
        _blended(each, score, weight, exact=_exact(each, named, said))
        for each, score in zip(fused, scores, strict=False)
    ]
    rest = [replace(each, score=round((1 - weight) * each.score, 4)) for each in fused[len(scores) :]]
    return [*sorted(seen, key=lambda each: -each.score), *rest]


def _blended(memory: Recollection, score: float, weight: float, *, exact: bool) -> Recollection:
    counted = max(score, memory.score) if exact else score
    blended = (1 - weight) * memory.score + weight * counted
    return replace(memory, score=round(blended, 4), why={**memory.why, "reranker": round(score, 4)})


def _exact(memory: Recollection, named: frozenset[str], said: frozenset[str]) -> bool:
    return holds(memory.text, named) or (bool(said) and said <= {*words(memory.text)})
