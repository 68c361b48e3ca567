"""A correction: "no, I meant 16", 不对，是周四. It gives the fact before another value."""

import re
from collections.abc import Sequence
from dataclasses import replace

from hippograph.memory.extraction import values
from hippograph.memory.extraction.clauses import plain
from hippograph.memory.extraction.dating import dated
from hippograph.memory.extraction.entities import entities
from hippograph.memory.facts import Fact, Heard
from hippograph.memory.language import language

_EN = re.compile(
    r"^\W*(?:(?:no|nope|wait|sorry|oops|correction|actually|hmm|ah|oh|my bad|i mean|"
    r"scratch that)\b[\s,.!:-]*)+(?:(?:i|it|that)\s+(?:meant|mean|should be|should have been|is|"
    r"was supposed to be)|it's|that's|make (?:that|it)|i'm|rather)?\s+(?P<v>[^?]{1,60}?)"
    r"(?:,?\s+not\s+(?P<old>.{1,40}?))?[.!]*$",
    re.IGNORECASE,
)
_SIGN_EN = re.compile(
    r"^\W*(?:no|nope|wait|sorry|oops|correction|actually|scratch|my bad)\b|\bmeant\b|\bmake (?:that|it)\b|"
    r"\bshould (?:be|have been)\b",
    re.IGNORECASE,
)
_ZH = re.compile(
    r"^(?:不对|不是|错了|说错了|我说错了|更正一?下?|纠正一?下?|哦不|抱歉|不好意思|"
    r"等等)[,。!\s]*(?:(?:应该)?是|我是说|我指的是|我说的是|改成|"
    r"应该是)(?P<v>[^?吗]{1,30}?)(?:[,]?(?:而)?不是(?P<old>.{1,20}?))?(?:才对)?[。!]*$"
)


def corrected(turn: Heard, before: Sequence[Fact]) -> list[Fact]:
    """Return the fact that a turn corrects, with its new value; nothing where none was told right before."""
    text = plain(turn.text).strip()
    zh = language(text) == "zh"
    found = _ZH.match(text) if zh else _EN.match(text) if _SIGN_EN.search(text) else None
    if not found or not before:
        return []
    value = found["v"].strip(" ,.") if zh else values.trimmed(found["v"]) or found["v"].strip(" ,.")
    meant = [each for each in before if found["old"] and found["old"].lower() in each.value.lower()] or [
        each for each in before if _alike(each.value, value)
    ]
    if not meant or not value or len(value) > 40 or value.lower() == meant[-1].value.lower():
        return []
    old, start = meant[-1], plain(turn.text).find(found["v"])
    if old.value not in old.text:
        return []
    when = dated(found["v"], turn.said_at, future=old.valid_from is not None and old.valid_from > turn.said_at)
    told = old.text.replace(old.value, value)
    return [
        replace(
            old,
            text=told,
            value=value,
            attribute=old.attribute.replace(old.value.lower(), value.lower()),
            turn=turn.id,
            quote=turn.text[start : start + len(found["v"])],
            start=start,
            end=start + len(found["v"]),
            valid_from=when.start or old.valid_from,
            entities=entities(told),
            confidence=0.7,
        )
    ]


def _alike(old: str, new: str) -> bool:
    """Whether two values are of one sort: figures for figures, a name for a name, as long as each other."""
    figures = any(each.isdigit() for each in old), any(each.isdigit() for each in new)
    if figures[0] != figures[1]:
        return False
    return figures[0] or (
        values.is_proper(old) == values.is_proper(new)
        and len(new.split()) <= len(old.split()) + 2
        and len(new) <= 2 * len(old) + 4
    )
