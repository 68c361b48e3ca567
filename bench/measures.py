"""Retrieval measures over ranked ids, and how sure a difference between two runs is.

k is counted in items found. R@k: share of the pieces of evidence in the top k (also called fraction). hit@k: any of
them. all@k: all of them. They are kept apart because most published "Recall@k" are hit@k.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hippograph.bench.contract import strict_core
from hippograph.bench.sets.dataset import Group, Pair, Question

CUTS = (1, 5, 10)
RESAMPLES = 10_000


def fraction(found: Sequence[str], gold: Sequence[Group], k: int) -> float:
    """Return which share of the pieces of evidence has an id in the top k, 0 to 1."""
    top = set(found[:k])
    return sum(not top.isdisjoint(group) for group in gold) / len(gold)


def hit(found: Sequence[str], gold: Sequence[Group], k: int) -> float:
    """Return 1 if any piece of evidence is in the top k, else 0."""
    return float(fraction(found, gold, k) > 0)


def all_found(found: Sequence[str], gold: Sequence[Group], k: int) -> float:
    """Return 1 if every piece of evidence is in the top k, else 0."""
    return float(fraction(found, gold, k) == 1)


def reciprocal_rank(found: Sequence[str], gold: Sequence[Group]) -> float:
    """Return 1 / rank of the first piece of evidence, 0 where none was found."""
    wanted = frozenset().union(*gold)
    return next((1 / rank for rank, id_ in enumerate(found, 1) if id_ in wanted), 0.0)


def ndcg(found: Sequence[str], gold: Sequence[Group], k: int) -> float:
    """Return the normalised discounted cumulative gain at k with gain 1 per piece of evidence (Järvelin 2002), 0 to 1.

    A piece counts once, where its first id stands.
    """
    gain, left = 0.0, list(gold)
    for rank, id_ in enumerate(found[:k], 1):
        group = next((group for group in left if id_ in group), None)
        if group is not None:
            left.remove(group)
            gain += 1 / math.log2(rank + 1)
    return gain / sum(1 / math.log2(rank + 1) for rank in range(1, min(len(gold), k) + 1))


def newest_above_stale(found: Sequence[str], pairs: Sequence[Pair]) -> float:
    """Return which share of pairs has its newer state above its older one, 0 to 1; not found at all is no success."""
    ranks = {id_: rank for rank, id_ in reversed(list(enumerate(found)))}

    def best(group: Group) -> float:
        return min((ranks[id_] for id_ in group if id_ in ranks), default=math.inf)

    return sum(best(pair.newer) < best(pair.older) for pair in pairs) / len(pairs)


def judged(question: Question, found: Sequence[str], k: int) -> dict[str, float]:
    """Return all measures of one question that it can be judged by; cuts at 1, 5, 10 and k."""
    cuts, gold, measures = sorted({*CUTS, k}), question.gold, dict[str, float]()
    if gold:
        measures |= {f"R@{cut}": fraction(found, gold, cut) for cut in cuts}
        measures |= {f"hit@{cut}": hit(found, gold, cut) for cut in cuts}
        measures |= {f"all@{cut}": all_found(found, gold, cut) for cut in cuts}
        measures |= {"MRR": reciprocal_rank(found, gold), "nDCG@10": ndcg(found, gold, 10)}
    if question.sessions:
        measures |= {f"session R@{cut}": fraction(found, question.sessions, cut) for cut in cuts}
    if question.forbidden:
        measures[f"forbidden@{k}"] = fraction(found, question.forbidden, k)
    if question.contract:
        measures |= strict_core(question.contract, found[:k])
    if question.pairs:
        measures["newest_above_stale"] = newest_above_stale(found, question.pairs)
    return measures


def means(judgements: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return the mean of each measure over the questions that have it, to four places."""
    names = dict.fromkeys(name for each in judgements for name in each)
    values = {name: [each[name] for each in judgements if name in each] for name in names}
    return {name: round(sum(each) / len(each), 4) for name, each in values.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """By how much a second run's mean differs from a first one's, over the same questions."""

    mean: float
    low: float
    high: float
    n: int

    @property
    def sure(self) -> bool:
        """Whether the 95 % interval leaves zero out."""
        return self.low > 0 or self.high < 0


def paired(first: Sequence[float], second: Sequence[float], seed: int = 0) -> Difference:
    """Return the mean of second - first with its 95 % interval by the paired percentile bootstrap (Efron 1979).

    Args:
        first: One value a question, at least one.
        second: The other run's values, in the same order.
        seed: Of the 10,000 resamples: the same values give the same interval.
    """
    import numpy as np

    differences = np.asarray(second, float) - np.asarray(first, float)
    generator = np.random.default_rng(seed)
    resampled = [
        differences[generator.integers(0, len(differences), (500, len(differences)))].mean(axis=1)
        for _ in range(RESAMPLES // 500)
    ]
    low, high = np.quantile(np.concatenate(resampled), [0.025, 0.975])
    return Difference(mean=float(differences.mean()), low=float(low), high=float(high), n=len(differences))
