"""One place for one content: facts and the turns they were taken from, and what is out of date. Pure: no I/O, no clock.

A fact and its turn say one thing, so one of them stands for both, with the evidence of the better. The fact stands
where its property is asked for and the turn says little more (where other facts of it were found: nothing more), or
where something else that the turn says is out of date; else the turn, which is what was really said, as it is where
the question asks for more than a property ("…, and why?"), and the turn says more. A turn all of
which is out of date has no place where the present is asked for; what it spoke for goes to the fact that holds instead.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from hippograph.memory.tokens import words
from hippograph.state import Recollection

LONG = 300
"""Characters from which a turn is too long to stand for a fact that answers: a small model would read it all."""
SAME = 0.4
"""Share of a turn's words in a fact and its quotes from which the turn says little more than the fact."""
COVERED = 0.8
"""Share of a turn's content words in a fact's text from which the fact tells all that other facts of the turn do."""
LENT = 0.25
"""How much of a fact's lead over its turn the turn is given."""
HANDED = 0.9
"""How much of the evidence for what is out of date speaks for what holds instead."""
_MORE = re.compile(
    r"\b(?:why|how\s+come|reasons?)\b|\band\s+(?:what|who|whose|when|where|which|how)\b|为什么|为何|为啥|原因|理由|[?？].*[?？]",
    re.IGNORECASE | re.DOTALL,
)
"""The question asks for a reason, or for several things."""
Role = Literal["stands", "beside", "answers", "part"]
"""What a fact is to its turn: all of it; what is asked for, of a long turn or of a short one; or a part."""


@dataclass(slots=True, kw_only=True)
class Place:
    """A memory on its way to a place in the order."""

    memory: Recollection
    at: int
    """Which of the candidates it is."""
    evidence: float
    stands_for: list[str] = field(default_factory=list)
    """Ids of memories whose content it has."""
    gained: dict[str, float] = field(default_factory=dict)
    """What others lent it, by what they are to it: "fact", "turn", "successor"."""

    def gain(self, what: str, evidence: float) -> None:
        """Take over another's evidence where that is more."""
        more = evidence - self.evidence
        if more > 0:
            self.evidence = evidence
            self.gained[what] = self.gained.get(what, 0.0) + more


def folded(
    found: Sequence[Recollection], evidence: Sequence[float], asked: Sequence[bool], *, present: bool, query: str
) -> list[Place]:
    """Return what has a place of its own, in the order given.

    Args:
        found: Candidates.
        evidence: What speaks for each.
        asked: Whether the question asks for the property that each tells.
        present: Whether the question is about the present.
        query: The question.
    """
    places = {
        each.id: Place(memory=each, at=at, evidence=amount)
        for at, (each, amount) in enumerate(zip(found, evidence, strict=True))
    }
    if present:
        _without_outdated(places, query)
    # What is archived is there only where it was asked for: its turn, or its summary, is not what is wanted.
    facts = [each for each in places.values() if is_derived(each.memory) and each.memory.status != "archived"]
    told = Counter(id_ for each in facts for id_ in {*each.memory.source_ids})
    more = _MORE.search(query) is not None
    # What stands for its turn takes it away: all that goes into the turn goes before.
    for _, fact, role in sorted(_roles(places, facts, asked, told, more=more), key=lambda each: each[0]):
        _fold(places, fact, role)
    return [*places.values()]


def is_outdated(memory: Recollection) -> bool:
    """Tell whether a turn tells nothing but what is out of date."""
    return memory.kind == "turn" and memory.status == "superseded"


def is_partly_outdated(memory: Recollection) -> bool:
    """Tell whether some of what a turn tells is out of date, beside other things."""
    return memory.kind == "turn" and memory.status == "current" and memory.superseded_by is not None


def is_derived(memory: Recollection) -> bool:
    """Tell whether a memory was taken from a turn, not given directly."""
    return memory.kind not in ("turn", "summary") and memory.sources[:1] != () and memory.sources[0].id != memory.id


def _without_outdated(places: dict[str, Place], query: str) -> None:
    """Take out turns that are out of date, unless the question names what they tell."""
    folded = query.casefold()
    for stale in [each for each in places.values() if is_outdated(each.memory)]:
        successor = places.get(stale.memory.superseded_by or "")
        if successor is not None:
            successor.gain("successor", HANDED * stale.evidence)
        if not stale.memory.value or stale.memory.value.casefold() not in folded:
            del places[stale.memory.id]


def _roles(
    places: Mapping[str, Place], facts: Sequence[Place], asked: Sequence[bool], told: Mapping[str, int], *, more: bool
) -> Iterator[tuple[tuple[int, float], Place, Role]]:
    """Return what each fact is to the turns it was taken from, and when it has its turn: lower ones first."""
    for fact in facts:
        hosts = _hosts(places, fact)
        if not hosts:
            continue
        turn = max(hosts, key=lambda each: each.evidence).memory
        alone = not more and all(told[each.memory.id] == 1 for each in hosts)
        role = _role(fact.memory, turn, asked=asked[fact.at], alone=alone)
        updates = turn.superseded_by is not None and role == "stands"
        yield (0 if updates else 2 if role == "stands" else 1, -fact.evidence), fact, role


def _hosts(places: Mapping[str, Place], fact: Place) -> list[Place]:
    """Return the turns that a fact was taken from and that have a place."""
    return [places[id_] for id_ in dict.fromkeys(fact.memory.source_ids) if id_ in places]


def _fold(places: dict[str, Place], fact: Place, role: Role) -> None:
    """Let a fact and the turns it was taken from have one place."""
    hosts = _hosts(places, fact)
    if not hosts:
        return
    best = max(hosts, key=lambda each: each.evidence)
    if role in ("stands", "beside"):
        for host in hosts:
            fact.gain("turn", host.evidence)
            if role == "stands":
                fact.stands_for += [host.memory.id, *host.stands_for]
                del places[host.memory.id]
        return
    best.gain("fact", best.evidence + (1.0 if role == "answers" else LENT) * (fact.evidence - best.evidence))
    best.stands_for += [fact.memory.id, *fact.stands_for]
    known = {*best.memory.source_ids}
    more = tuple(each for each in fact.memory.sources if each.id not in known)
    best.memory = replace(best.memory, sources=(*best.memory.sources, *more))
    del places[fact.memory.id]


def _role(fact: Recollection, turn: Recollection, *, asked: bool, alone: bool) -> Role:
    """Return what a fact is to its turn; `alone`: no other fact of the turn was found, nor is one wanted."""
    if turn.superseded_by is not None and fact.status == "current":
        return "stands"
    if not asked or (len(turn.text) <= LONG and _shared(fact, turn) < SAME):
        return "part"
    if alone or _covers(fact, turn):
        return "stands"
    return "beside" if len(turn.text) > LONG else "answers"


def _covers(fact: Recollection, turn: Recollection) -> bool:
    """Tell whether a fact's own text has the content of its turn."""
    said = {*words(turn.text)}
    return len(said & {*words(fact.text)}) >= COVERED * len(said)


def _shared(fact: Recollection, turn: Recollection) -> float:
    """Return which share of a turn's different words a fact and its quotes from the turn have, in [0, 1]."""
    said = {*words(turn.text)}
    quoted = " ".join(each.quote for each in fact.sources if each.id == turn.id)
    return len(said & {*words(f"{fact.text} {quoted}")}) / len(said) if said else 1.0


def standing_for(places: Sequence[Place]) -> Mapping[str, str]:
    """Return for each id that has no place of its own the id of what stands for it."""
    return {id_: each.memory.id for each in places for id_ in each.stands_for}
