"""What speaks against a memory: it hardly fits, it was only guessed at, it gives orders, another one disagrees."""

from collections.abc import Sequence
from itertools import combinations

from hippograph.memory.life.supersession import Claim, compare
from hippograph.nodes.guarding import order, plain
from hippograph.nodes.rerank import sure
from hippograph.state import Recollection

UNSURE = 0.75
"""Confidence below which a derived memory is doubtful; what was said with a "maybe" has 0.7."""


def doubts(memories: Sequence[Recollection], question: str) -> dict[str, list[str]]:
    """Return the reasons to have a person look at each of a question's memories, by id; those without any are left out.

    Args:
        memories: What is to be injected, the best first.
        question: That hardly any fits is a reason only where none clearly does.
    """
    pairs = disagreeing(memories)
    weak = bool(memories) and not sure(max(each.score for each in memories), question)
    found = dict[str, list[str]]()
    for each in memories:
        others = [other for pair in pairs for other in pair if each in pair and other is not each]
        reasons = [f"another one disagrees: {other.text}" for other in others]
        if what := order(plain(each.text)):
            reasons.append(f"it {what}")
        if each.confidence < UNSURE:
            reasons.append(f"it was not said for sure (confidence {each.confidence:.2f})")
        if weak:
            reasons.append(f"it hardly fits the question (score {each.score:.2f})")
        if reasons:
            found[each.id] = reasons
    return found


def disagreeing(memories: Sequence[Recollection]) -> list[tuple[Recollection, Recollection]]:
    """Return the pairs of current memories of one subject and attribute that cannot both be so, the earlier first."""
    told = sorted(
        (each for each in memories if each.status == "current" and each.attribute and not each.superseded_by),
        key=lambda each: each.said_at,
    )
    return [
        (one, other)
        for one, other in combinations(told, 2)
        if compare(_claim(one), _claim(other)).relation == "supersedes"
    ]


def _claim(memory: Recollection) -> Claim:
    return Claim(
        kind=memory.kind,
        text=memory.text,
        subject=memory.subject,
        attribute=memory.attribute,
        value=memory.value,
        negated=memory.negated,
        said_at=memory.said_at,
        valid_from=memory.valid_from or memory.said_at,
        valid_until=memory.valid_until,
    )
