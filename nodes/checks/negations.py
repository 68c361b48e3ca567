"""Whether a sentence says the contrary of its sources: a "not" that was dropped or added, a wish told as a fact."""

from collections.abc import Sequence

from hippograph.nodes.checks.clauses import ME, Clause

LEAST = 0.34
"""Share of a clause's words in another one from which both are about the same thing."""
LITTLE = frozenset((ME, "assist", "用户", "用", "户"))
"""Words that most clauses share."""


def flipped(said: Sequence[Clause], sources: Sequence[Clause]) -> bool:
    """Tell whether a clause says that something is so where its source says that it is not, or the reverse."""
    for clause in said:
        about = _about(clause, sources)
        if any(each.negated != clause.negated for each in about) and _decided(clause, about):
            return True
        if not about and clause.negated and not any(each.negated for each in sources):
            return True
    return False


def hardened(said: Sequence[Clause], sources: Sequence[Clause]) -> bool:
    """Tell whether a clause tells as a fact what its source only wishes, plans or thinks possible."""
    for clause in said:
        about = _about(clause, sources)
        if about and not clause.open and all(each.open for each in about):
            return True
    return False


def _decided(clause: Clause, about: Sequence[Clause]) -> bool:
    """Tell whether clauses about the same thing leave no doubt that they say the contrary: else the nearest decides."""
    return all(each.negated != clause.negated for each in about) or len({each.words for each in about}) == 1


def _about(clause: Clause, sources: Sequence[Clause]) -> list[Clause]:
    """Return the clauses that share most of a clause's words; none where they share too few."""
    own = clause.words - LITTLE or clause.words
    if not own:
        return []
    shared = [(_overlap(clause, own, each), each) for each in sources]
    best = max((amount for amount, _ in shared), default=0.0)
    return [each for amount, each in shared if amount == best] if best >= LEAST else []


def _overlap(clause: Clause, own: frozenset[str], other: Clause) -> float:
    """Return which share of a clause's words another one has; who it is about decides between equals."""
    return (len(own & other.words) + 0.5 * (ME in clause.words and ME in other.words)) / len(own)
