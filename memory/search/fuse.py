"""Fusion: one score in [0, 1] for each memory out of all that speaks for it. Pure: no I/O, no clock but the one given.

The evidence for a memory is the weighted sum of its signals, in [0, 1] and comparable between queries: what the legs
say for it, what they say for the turns around it and for its thread, whether it is said by whom the query names, and
bounded lifts for importance, use and recency, which reorder near-ties and bury no exact match. The score is
1 - exp(-evidence): it orders as the evidence does and stays below 1. `why` lists every part.
"""

import math
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from hippograph.memory.dates.periods import windows
from hippograph.memory.decay import freshness
from hippograph.memory.facts import SELF
from hippograph.memory.search.folding import Place, folded, is_derived, standing_for
from hippograph.memory.search.newest import LOOKED_AT, after_successors, ended_last, newest_first
from hippograph.memory.search.properties import about, asked_for, fits, is_open, said_in
from hippograph.memory.search.relatives import is_of_others, named_in, relatives
from hippograph.memory.search.tense import asks_for_what_was
from hippograph.memory.search.understanding import names
from hippograph.memory.search.weights import LEGS, WEIGHTS
from hippograph.memory.tokens import holds, identifiers
from hippograph.state import Recollection

Signals = dict[str, float]
"""A signal's name (of WEIGHTS) to its value, in [0, 1]; "important" in [-0.5, 0.5]."""

ONE_OF_MANY = 0.5
"""What it counts that a memory tells one of the properties asked for, such as one of several opinions."""
DERIVED = 0.5
"""What a subject counts of a fact taken from a turn: the turn's own speaker is matched already."""
_ASKS = re.compile(r"[?？]\W*\Z")
_LAST = 40
"""Characters at the end of a text in which its question mark stands, if it ends with a question."""
_YOURS = re.compile(
    r"\b(?:you|yours?|we|our|advi[cs]e\w*|suggest\w*|recommend\w*)\b|[你您]|咱们|我们|建议|推荐", re.IGNORECASE
)
"""It asks for what the assistant said; else an assistant's turn only repeats what was said to it, often wrongly."""
_SLIGHT = re.compile(
    r"(?!.*(?:\b(?:i|my|mine|me|we|our)\b|[我咱]))(?:[^\d\u2e80-\U0010ffff]{0,23}|[^\d]{0,11})",
    re.IGNORECASE | re.DOTALL,
)
"""Less than 24 Latin or 12 Chinese characters, no number, nothing of the one who speaks: "Noted.", 好的，知道了。"""
_Places = Mapping[tuple[str, int], Recollection]


def fuse(
    query: str, found: Sequence[Recollection], now: datetime, *, lifts: bool = True, most: int | None = None
) -> list[Recollection]:
    """Return the memories with their scores, best first; of equal scores the later said comes first.

    Args:
        query: What is asked.
        found: Candidates whose `why` holds the shares of the legs, in [0, 1]; missing: 0.
        now: The time of asking.
        lifts: Whether more counts than the legs.
        most: How many are wanted; None: all.
    """
    counted = WEIGHTS if lifts else {leg: WEIGHTS[leg] for leg in LEGS}
    present = not asks_for_what_was(query, windows(query, now), now)
    of = signals(query, found, now)
    evidence = [sum(weight * each[name] for name, weight in counted.items()) for each in of]
    asked = [each["property"] > 0 for each in of]
    places = folded(found, evidence, asked, present=present, query=query)
    places.sort(key=lambda place: (place.evidence, place.memory.said_at), reverse=True)
    kept = places if most is None else places[: max(most, LOOKED_AT)]
    ranked = [_scored(each, of[each.at], counted) for each in kept]
    if lifts:
        ranked = newest_first(query, ranked, now)
    if present:
        wanted = {each.memory.id for each in kept if asked[each.at]}
        ranked = after_successors(ranked, wanted, standing_for(places))
        ranked = ended_last(query, ranked, _told(found, places), now)
    return ranked[:most]


def signals(query: str, found: Sequence[Recollection], now: datetime) -> list[Signals]:
    """Return for each candidate what speaks for it, unweighted, in the order given."""
    places = {(each.thread, each.position): each for each in found if each.kind == "turn"}
    threads = {leg: _best_of_threads(found, leg) for leg in ("vector", "keyword")}
    speakers = {each for each in {one.speaker for one in found} if names(query, each)}
    named, property_of = identifiers(query), _properties(query, found)
    second_hand = _YOURS.search(query) is None
    return [
        {leg: each.why.get(leg, 0.0) for leg in LEGS}
        | _around(each, places)
        | {f"thread {leg}": best.get(each.thread, 0.0) for leg, best in threads.items()}
        | {
            "speaker": float(speakers == {each.speaker}),
            "subject": _worth(each) * (each.subject not in ("", SELF) and names(query, each.subject)),
            "property": property_of(each),
            "identifier": float(holds(each.text, named)),
            "telling": min(1.0, len(each.text) / 200),
            "asking": float(_asks(each)),
            "slight": float(_slight(each)),
            "second hand": float(second_hand and each.role == "assistant" and not each.speaker),
            "given": float(each.kind != "turn" and not is_derived(each)),
            "important": each.importance - 0.5,
            "recent": freshness(each, now),
        }
        for each in found
    ]


def _told(found: Sequence[Recollection], places: Sequence[Place]) -> dict[str, list[Recollection]]:
    """Return for the id of each memory that has a place the facts that it tells, itself or in its own words."""
    facts = {each.id: each for each in found if each.subject and each.attribute and each.kind != "turn"}
    ids = ((place.memory.id, [place.memory.id, *place.stands_for]) for place in places)
    return {id_: [facts[each] for each in of if each in facts] for id_, of in ids}


def _worth(each: Recollection) -> float:
    """Return what being about whom the question names says for a memory, in [0, 1].

    Nothing where it tells some event of theirs: of many that do, extraction finds the subject of a few.
    """
    if is_open(each.attribute):
        return 0.0
    return DERIVED if is_derived(each) else 1.0


def _properties(query: str, found: Sequence[Recollection]) -> Callable[[Recollection], float]:
    """Return what tells how well a memory's property fits what is asked for: 1 if it is that, less if one of many."""
    told = any(each.subject and each.attribute for each in found)
    named, spoken, others = named_in(query, found), relatives(query), is_of_others(query)
    wanted, said = asked_for(query) if told else frozenset[str](), said_in(query) if told else frozenset[str]()

    def of_subject(each: Recollection) -> bool:
        """Who my brother is, is told of myself."""
        own = each.subject == SELF and (each.attribute.partition(" ")[0] in spoken or names(query, each.speaker))
        return own or about(each.subject, named, others=others)

    def of(each: Recollection) -> float:
        if not each.attribute or not of_subject(each) or not fits(each.attribute, wanted, said):
            return 0.0
        return 1.0 if each.attribute.casefold() in wanted else ONE_OF_MANY

    return of


def _scored(place: Place, signals: Signals, weights: Mapping[str, float]) -> Recollection:
    lifts = {name: round(weight * signals[name], 4) for name, weight in weights.items() if name not in LEGS}
    lifts |= {name: round(more, 4) for name, more in place.gained.items()}
    why = place.memory.why | {name: part for name, part in lifts.items() if part}
    return replace(place.memory, score=round(1 - math.exp(-max(0.0, place.evidence)), 4), why=why)


def _around(each: Recollection, places: _Places) -> Signals:
    """Return what speaks for the turns beside a turn; a question before it speaks for an answer to it."""
    if each.kind != "turn":
        return dict.fromkeys(("after", "asked before"), 0.0)
    before, after = (places.get((each.thread, each.position + step)) for step in (-1, 1))
    asked = before is not None and _asks(before)
    return {
        "after": after.why.get("vector", 0.0) if after else 0.0,
        "asked before": before.why.get("keyword", 0.0) if before and asked else 0.0,
    }


def _asks(each: Recollection) -> bool:
    """Tell whether a text ends with a question."""
    return _ASKS.search(each.text[-_LAST:]) is not None


def _slight(each: Recollection) -> bool:
    """Tell whether a turn is but a nod, or a reply that lives from the turns around it, such as "Noted." and 好的."""
    return each.kind == "turn" and _SLIGHT.fullmatch(each.text.strip()) is not None


def _best_of_threads(found: Sequence[Recollection], leg: str) -> dict[str, float]:
    """Return for each thread the mean share of its three best turns, as far as it has three."""
    by_thread = defaultdict[str, list[float]](list)
    for each in found:
        if each.kind == "turn":
            by_thread[each.thread].append(each.why.get(leg, 0.0))
    return {thread: sum(sorted(shares)[-3:]) / 3 for thread, shares in by_thread.items()}
