"""Why answers with our block were wrong: what was not recalled, what the block left out, what the reader missed."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

from hippograph.bench.answers.arms import Outcome
from hippograph.bench.answers.containing import contains

Cause = Literal["recall", "summary", "reader", "unknown"]
CAUSES: dict[Cause, str] = {
    "recall": "a piece of evidence is not among the memories that recall and rerank returned",
    "summary": "it is among them, but does not stand in the block",
    "reader": "all evidence stands in the block, and the answer is wrong",
    "unknown": "the data names no evidence",
}


def failed(outcomes: Sequence[Outcome], arm: str = "extract") -> list[Outcome]:
    """Return the answers of one arm to questions with an answer that do not hold it."""
    return [
        each
        for each in outcomes
        if each.arm == arm and each.asked.answerable and not each.skipped and not each.scores.contained
    ]


def cause(outcome: Outcome) -> Cause:
    """Return the first step at which a piece of evidence was lost."""
    evidence = outcome.asked.evidence
    if not evidence:
        return "unknown"
    if any(group.isdisjoint(outcome.found) for group in evidence):
        return "recall"
    return "summary" if any(group.isdisjoint(outcome.shown) for group in evidence) else "reader"


def counts(outcomes: Sequence[Outcome], arm: str = "extract") -> dict[str, int]:
    """Return how many answers failed for each cause."""
    found = Counter(cause(each) for each in failed(outcomes, arm))
    return {name: found[name] for name in CAUSES}


def page(outcomes: Sequence[Outcome], number: int, arm: str = "extract") -> Iterator[str]:
    """Return the analysis as lines of Markdown: counts of all failures, then at most `number` of them in full.

    Each cause gets its share of those in full.
    """
    wrong = failed(outcomes, arm)
    asked = sum(each.arm == arm and each.asked.answerable and not each.skipped for each in outcomes)
    yield f"# {len(wrong)} of {asked} answers of the arm {arm} do not hold the gold answer"
    yield ""
    yield "| cause | answers | meaning |"
    yield "|---|---|---|"
    for name, number_of in counts(outcomes, arm).items():
        yield f"| {name} | {number_of} | {CAUSES[name]} |"  # type: ignore[index]
    silent = sum(each.scores.abstained for each in wrong)
    told = sum(contains(each.context, each.asked.gold) for each in wrong)
    yield ""
    yield f"{silent} of them abstained; in {told} the block holds the gold answer's words."
    for each in listed(wrong, number):
        yield from _one(each)


def listed(wrong: Sequence[Outcome], number: int) -> list[Outcome]:
    """Return at most `number` failures, of each cause in proportion, at least one."""
    parts = [[each for each in wrong if cause(each) == name] for name in CAUSES]
    shares = [-(-number * len(part) // max(1, len(wrong))) for part in parts]
    while sum(shares) > max(number, 0):
        shares[shares.index(max(shares))] -= 1
    kept = [each for part, share in zip(parts, shares, strict=True) for each in part[:share]]
    return sorted(kept, key=wrong.index)


def _one(outcome: Outcome) -> Iterator[str]:
    asked = outcome.asked
    yield ""
    yield f"## {asked.set} {asked.id} (category {asked.category}): {cause(outcome)}"
    yield ""
    yield f"- question: {asked.text}"
    yield f"- gold: {asked.gold}"
    yield f"- answer: {' '.join(outcome.answer.split())}"
    yield f"- evidence: {', '.join(' or '.join(sorted(group)) for group in asked.evidence)}"
    yield f"- in the block: {', '.join(outcome.shown)}"
    yield ""
    yield from (f"    {line}" for line in outcome.context.splitlines())
