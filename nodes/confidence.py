"""How far an answer is to be trusted: computed from the evidence, the part of it that the notes say, their agreement.

No model is asked: a small one is as sure of what it makes up as of what it read.
"""

from collections.abc import Sequence

from hippograph.memory.language import language
from hippograph.nodes.doubts import disagreeing
from hippograph.nodes.grounds import ABSTAINS, Grounds, uncited
from hippograph.nodes.rerank import FLOOR, SURE
from hippograph.state import Recollection
from hippograph.state.turn import Confidence, Level

HIGH, MEDIUM = 0.8, 0.5
"""Lowest scores of the levels."""
COVERAGE, FIT, EVIDENCE, AGREEMENT = 0.3, 0.35, 0.2, 0.15
"""What each part counts; together 1. What a 0.5B model answered right and wrong (LoCoMo) told their order of weight."""
NO_FIGURE = 0.5
"""What is left of the score of an answer without a figure to a question for one."""
UNFOUNDED = 0.3
"""Most that an answer scores which tells a number, a date or a name that stands nowhere, or denies what notes say."""
GENERAL = 0.5
"""What an answer scores that rests on no memory."""
ALONE = "no memory was used: it is what the model itself knows"
"""Why it scores so."""


def confidence(
    answer: str, grounds: Grounds, memories: Sequence[Recollection], *, interrupted: bool = False
) -> Confidence:
    """Return how far an answer is to be trusted, and why.

    Args:
        answer: As the model gave it.
        grounds: What it was shown.
        memories: Those behind the notes, in the order of their numbers.
        interrupted: Whether it was stopped before its end.
    """
    text = uncited(answer).strip()
    if not text or ABSTAINS.search(text):
        return Confidence(
            level="low", score=0.0, why=["it says that it does not know" if text else "there is no answer"]
        )
    unfounded = grounds.unfounded(text) if grounds.notes or grounds.shown else []
    score, why = _grounded(text, grounds, memories) if grounds.notes or grounds.shown else (GENERAL, [ALONE])
    if grounds.misses_figure(text):
        score *= NO_FIGURE
        why.append("a figure was asked for, and it has none")
    if grounds.contradicts(text):
        score = min(score, UNFOUNDED)
        why.insert(0, "the notes say the contrary")
    if unfounded:
        score = min(score, UNFOUNDED)
        why.insert(0, f"not in the notes: {', '.join(unfounded[:5])}")
    if interrupted:
        score *= 0.5
        why.append("it was stopped before its end")
    return Confidence(level=_level(score), score=round(score, 3), why=why)


def _grounded(text: str, grounds: Grounds, memories: Sequence[Recollection]) -> tuple[float, list[str]]:
    """Return the score of an answer that has something to rest on, and what speaks for and against it."""
    covered = grounds.coverage(text)
    bearing = grounds.bearing(text)
    behind = [memories[number - 1] for number in bearing if number <= len(memories)]
    evidence = _evidence(behind or memories, grounds.question) if memories else covered
    agreement, notes = _agreement(behind or memories, memories)
    why = [f"{covered:.0%} of it stands in the notes" if memories else f"{covered:.0%} of it was said before"]
    if memories:
        why.append(f"the evidence fits {_word(evidence)}")
    score = COVERAGE * covered + FIT * grounds.fit(text) + EVIDENCE * evidence + AGREEMENT * agreement
    return score, [*why, *notes]


def _evidence(memories: Sequence[Recollection], question: str) -> float:
    """Return how well the best memory fits, in [0, 1]: 0.7 where it is clearly about the question."""
    spoken = language(question)
    best, floor, clear = max(each.score for each in memories), FLOOR[spoken], SURE[spoken]
    if best < clear:
        return max(0.0, 0.7 * (best - floor) / (clear - floor))
    return min(1.0, 0.7 + 0.3 * (best - clear) / (1 - clear))


def _agreement(behind: Sequence[Recollection], memories: Sequence[Recollection]) -> tuple[float, list[str]]:
    """Return how far the notes agree, in [0, 1], with what speaks for it or against it."""
    ids = {each.id for each in behind}
    pairs = [pair for pair in disagreeing(memories) if ids & {each.id for each in pair}]
    if pairs:
        return 0.0, ["memories disagree about it"]
    if behind and all(each.status == "superseded" or each.superseded_by for each in behind):
        return 0.2, ["what it rests on is out of date"]
    turns = {source for each in behind for source in each.source_ids}
    if len(behind) > 1 and len(turns) > 1:
        return 1.0, [f"{len(turns)} sources say so"]
    return 0.8, []


def _word(evidence: float) -> str:
    return "well" if evidence >= 0.7 else "somewhat" if evidence >= 0.35 else "hardly"


def _level(score: float) -> Level:
    return "high" if score >= HIGH else "medium" if score >= MEDIUM else "low"
