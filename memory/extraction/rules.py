"""The extractor without a model: grammar of Chinese and English statements."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from hippograph.memory.extraction import chinese_facts, chinese_plausible, english_facts, english_plausible
from hippograph.memory.extraction.clauses import Clause, clauses, plain
from hippograph.memory.extraction.correcting import corrected
from hippograph.memory.extraction.dating import Dates, dated
from hippograph.memory.extraction.entities import entities
from hippograph.memory.extraction.feeling import sentiment
from hippograph.memory.extraction.found import Found
from hippograph.memory.extraction.keeping import kept
from hippograph.memory.facts import SELF, Extracted, Fact, Heard

MOST = 24
"""Facts of one turn."""
_TIMELESS = frozenset(("name", "birthday", "age", "origin"))
_THIRD = re.compile(r"^(?:user|.*'s )")


class Rules:
    """Finds facts by patterns, in well under a millisecond a turn."""

    spec = "rules"
    instant = True

    def extract(self, turns: Sequence[Heard], before: Sequence[Heard] = ()) -> Extracted:
        """Return the facts in what users and tools said; `before` is what corrections refer to."""
        facts: list[Fact] = []
        for at, turn in enumerate(turns):
            told = list(_facts(turn))[:MOST]
            if not told and turn.role == "user":
                told = corrected(turn, _told_before([*before, *turns[:at]], turn.thread))
            facts += told
        return Extracted(facts=facts)


def _told_before(turns: Sequence[Heard], thread: str) -> list[Fact]:
    """Return the facts of the last turn before that told any, last two of the user's."""
    for turn in [each for each in reversed(turns) if each.role == "user" and each.thread == thread][:2]:
        if told := list(_facts(turn)):
            return told
    return []


def _facts(turn: Heard) -> Iterator[Fact]:
    """Yield what a turn tells, each fact once."""
    if turn.role not in ("user", "tool"):
        return
    seen = set[tuple[str, str, str, bool]]()
    for clause, found in _found(turn):
        key = (found.subject, found.attribute, found.value.casefold(), found.negated)
        if key in seen or (turn.role == "tool" and _THIRD.match(found.subject)):
            continue
        fact = _fact(turn, clause, found)
        if fact:
            seen.add(key)
            yield fact


def _found(turn: Heard) -> Iterator[tuple[Clause, Found]]:
    text = plain(turn.text)
    taken: list[tuple[int, int]] = []
    for clause, found in kept(text, turn.subject):
        taken.append((clause.start, clause.start + len(clause.text)))
        yield clause, found
    sentence, last = -1, None
    for clause in clauses(turn.text):
        if any(start <= clause.start < end for start, end in taken):
            continue
        elided = clause.sentence == sentence
        if clause.sentence > sentence + 1:
            last = None
        sentence = clause.sentence
        zh = clause.language == "zh"
        read = chinese_facts.read if zh else english_facts.read
        plausible = chinese_plausible.plausible if zh else english_plausible.plausible
        told, last = read(clause.text, turn.subject, last, elided=elided)
        for found in told:
            if can_be := plausible(found, clause.text):
                yield clause, can_be


def _fact(turn: Heard, clause: Clause, found: Found) -> Fact | None:
    start, end = clause.start, clause.start + len(clause.text)
    when = Dates() if found.attribute in _TIMELESS else dated(clause.text, turn.said_at, future=found.future)
    if found.dated and not when.start:
        return None
    fact = Fact(
        text=found.text,
        kind=found.kind,
        subject=found.subject,
        attribute=found.attribute,
        value=found.value,
        negated=found.negated,
        turn=turn.id,
        quote=turn.text[start:end],
        start=start,
        end=end,
        valid_from=when.start,
        valid_until=when.end,
        importance=found.importance,
        confidence=found.confidence,
        sentiment=sentiment(clause.text),
        entities=entities(found.text),
    )
    if fact.negated and fact.kind != "event" and fact.valid_from and fact.valid_from > turn.said_at:
        return replace(fact, valid_from=None)
    return fact


__all__ = ["SELF", "Rules"]
