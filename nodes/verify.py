"""Check a model's sentences against their sources, without a model.

A sentence passes where its numbers, dates and names stand in its sources by value, it says no contrary of them and
swaps nobody in them, and tells of little else. Meant to be strict: a sentence turned away costs nothing but its
wording, as the source's own words take its place. What is not seen is told in docs/architecture.md.
"""

from collections.abc import Sequence

from hippograph.nodes.checks import dates, names, negations, numbers, pairings, questions, roles, wording
from hippograph.nodes.checks.clauses import clauses, told
from hippograph.state import Recollection


def supported(text: str, sources: Sequence[Recollection]) -> bool:
    """Tell whether a sentence follows from its sources, as far as can be told without a model."""
    return fault(text, sources) is None


def fault(text: str, sources: Sequence[Recollection]) -> str | None:
    """Return in words what of a sentence its sources do not bear out; None where they bear it out.

    The day a source was said counts as standing in it, as do those since and until when it was so.
    """
    if not sources:
        return "no source"
    if not questions.tells_of_asking(text):
        sources = [questions.answered(each) for each in sources]
        if not any(each.text for each in sources):
            return "a question told as a fact"
    evidence = " ".join(f"{each.text}" for each in sources)
    speakers = " ".join(f"{each.speaker} {each.subject}" for each in sources)
    if found := dates.wrong(text, sources):
        return f"date: {found}"
    if found := numbers.wrong(dates.without(text, sources), evidence):
        return f"number: {found}"
    if found := names.wrong(text, f"{speakers} {evidence}"):
        return f"name: {found}"
    said, given = clauses(text), told(sources)
    if negations.flipped(said, given):
        return "negation"
    if negations.hardened(said, given):
        return "a wish or plan told as a fact"
    if roles.swapped(said, given):
        return "who did what"
    if pairings.crossed(said, given):
        return "what goes with what"
    if found := wording.opposite(text, evidence):
        return f"opposite: {found}"
    found = wording.new(text, f"{speakers} {evidence}")
    return f"not there: {found}" if found else None
