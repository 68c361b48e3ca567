"""Why a search answered as it did: what each score is made of, and what was cut. Pure: no I/O, no clock.

A memory's `why` holds three things, told apart by the names in `weights`: shares of legs, which count by their weight;
parts of lifts, weighed already; and what changed the score after fusion ("newest": by how much, "reranker": the score
it gave).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hippograph.memory.search.understanding import Understood
from hippograph.memory.search.weights import GAINED, LEGS, WEIGHTS
from hippograph.state import Recollection

Shares = Mapping[str, Sequence[float]]
"""A leg's name to its shares in the candidates that it speaks for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leg:
    """What one leg says for a memory."""

    name: str
    share: float
    """In [0, 1]."""
    weight: float
    adds: float
    """share × weight."""
    rank: int | None
    """Place among the candidates by this leg's share, from 1; equal shares have one place. None: not known."""
    of: int | None
    """How many candidates the leg speaks for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What a score is made of: 1 - exp(-evidence), and what changed that afterwards."""

    legs: tuple[Leg, ...]
    """Those that say something, the largest part first."""
    lifts: dict[str, float]
    """What is added or taken beside them, the largest first."""
    evidence: float
    """The sum of both, at least 0."""
    fused: float
    """That as a score, in [0, 1)."""
    later: dict[str, float]
    """What came after fusion, in its order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A memory that was returned."""

    memory: Recollection
    parts: Parts
    doubt: str | None
    """Why a turn would keep it out of its prompt; None where it would not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unshown:
    """A candidate that was not returned."""

    memory: Recollection
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """One search, explained."""

    understood: Understood
    degraded: list[str]
    """Legs and rerankers that could not be asked, with the reason."""
    shown: list[Shown]
    """Best first."""
    cut: list[Unshown]
    """Best first."""


def explain(
    understood: Understood, ranked: Sequence[Recollection], k: int, doubts: Mapping[str, str], degraded: Sequence[str]
) -> Explanation:
    """Return why the `k` best of some candidates are these.

    Args:
        understood: The query.
        ranked: All candidates, best first.
        k: How many of them are returned.
        doubts: Ids of those that a turn would leave out, each with the reason.
        degraded: What could not be asked.
    """
    shares = {leg: [each.why[leg] for each in ranked if each.why.get(leg)] for leg in LEGS}
    reread = any("reranker" in each.why for each in ranked)
    return Explanation(
        understood=understood,
        degraded=list(degraded),
        shown=[
            Shown(memory=each, parts=parts(each, shares, reread=reread), doubt=doubts.get(each.id))
            for each in ranked[:k]
        ],
        cut=[Unshown(memory=each, reason=doubts.get(each.id, below(k))) for each in ranked[k:]],
    )


def below(k: int) -> str:
    """Return the reason for which the rest is cut once there are enough."""
    return f"below the best {k}"


def parts(memory: Recollection, shares: Shares | None = None, *, reread: bool = False) -> Parts:
    """Return what a ranked memory's score is made of.

    Args:
        memory: With its `why`.
        shares: Those of all candidates, for the ranks; without them, ranks are not known.
        reread: Whether a reranker read the best candidates; one that it did not read counts as scored 0.
    """
    why = memory.why
    legs = sorted((_leg(name, why[name], shares) for name in LEGS if why.get(name)), key=lambda leg: -leg.adds)
    lifts = {name: part for name, part in why.items() if name in GAINED or (name in WEIGHTS and name not in LEGS)}
    later = {name: change for name, change in why.items() if name not in WEIGHTS and name not in GAINED}
    evidence = max(0.0, sum(leg.adds for leg in legs) + sum(lifts.values()))
    return Parts(
        legs=tuple(legs),
        lifts=dict(sorted(lifts.items(), key=lambda lift: -abs(lift[1]))),
        evidence=round(evidence, 4),
        fused=round(1 - math.exp(-evidence), 4),
        later=later if "reranker" in later or not reread else {**later, "reranker": 0.0},
    )


def _leg(name: str, share: float, shares: Shares | None) -> Leg:
    among = None if shares is None else shares[name]
    return Leg(
        name=name,
        share=share,
        weight=WEIGHTS[name],
        adds=round(share * WEIGHTS[name], 4),
        rank=None if among is None else 1 + sum(other > share for other in among),
        of=None if among is None else len(among),
    )
