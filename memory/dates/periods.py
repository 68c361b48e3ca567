"""Which stretches of time a text names: "last week", "in May 2023", "between June 3 and June 9", "上周五", "去年夏天".

Own patterns instead of a library, for precision and Chinese: dateparser.search gives points where a question means a
stretch, does not read 中旬, "the weekend before" or ranges, takes names beside a date for part of it, must be told the
language, and takes some 9 ms for a Chinese question; this takes 0.3 to 0.5 ms for either.

A text is read in four steps: every rule of its languages finds expressions (dates_en, dates_zh); of those that overlap
the longest stays; neighbours joined by "to" or "至" become ranges and lend each other year and month; words beside them
("since", "the week before", 以来, 前两天) move or open the stretch. A month or day without a year is the last one that
has begun; the time of day is ignored.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from itertools import pairwise
from typing import NamedTuple

from hippograph.memory.dates import dates_en, dates_zh
from hippograph.memory.dates.bounds import FAR, LONG_AGO, bounded
from hippograph.memory.dates.rules import FIGURES, Rule
from hippograph.memory.dates.spans import Reading, Span, days, earliest, latest

LONGEST = 2000
"""Characters of a text that are looked at from its beginning, and as many from its end."""
_HAN = re.compile(r"[\u4e00-\u9fff]")
_LATIN = re.compile(r"[A-Za-z]")
_TO = re.compile(r"\s*(?:to|until|till|through|thru|[-–—~至到])\s*(?:the\s+)?", re.IGNORECASE)
_AND = re.compile(r"\s*(?:and|or|,|&|[、和与及跟])\s*(?:the\s+)?", re.IGNORECASE)
_BETWEEN = re.compile(r"\bbetween\s+(?:the\s+)?$", re.IGNORECASE)
_AMID = re.compile(r"\s*之?间")
_BARE_DAY = re.compile(r"(\d{1,2})[日号]")
_HABIT = re.compile(
    r"[每常]|多个|通常|一般|总是|\b(?:every|each|usual(?:ly)?|often|always|typical(?:ly)?)\b", re.IGNORECASE
)


class Window(NamedTuple):
    """A stretch of time: from the start up to, but not including, the end; both with a time zone."""

    start: datetime
    end: datetime
    text: str
    """The words that name it, as NFKC."""


@dataclass(frozen=True, slots=True)
class _Found:
    at: int
    to: int
    reading: Reading | None
    weak: bool
    joined: bool = False
    """Whether it is a range, which no word beside it changes."""


def windows(text: str, asked_at: datetime) -> list[Window]:
    """Return the stretches of time a text names, in the order of their words; none for a text that names none.

    Args:
        text: A question, Chinese or English.
        asked_at: When it was asked: what "yesterday" counts from, in the zone whose days are meant (without one: UTC).

    Returns:
        Windows that begin and end at midnight in the zone of `asked_at`. An open end ("before 2023") is the beginning
        of year 2 or of year 9998; "since March" ends with the day of asking.
    """
    text = unicodedata.normalize("NFKC", text if len(text) <= 2 * LONGEST else f"{text[:LONGEST]}\n{text[-LONGEST:]}")
    zone = asked_at.tzinfo or UTC
    meant = []
    found = list(_spans(text, asked_at.date()))
    for at, to, span in found:
        if any(at >= other[0] and to <= other[1] and (at, to) != other[:2] for other in found):
            continue  # "last weekend" in "the last weekend before April 10"
        first, end = max(span.first, LONG_AGO), min(span.end, FAR)
        if first < end:
            start, stop = (datetime.combine(day, time(), tzinfo=zone) for day in (first, end))
            meant.append(Window(start, stop, text[at:to].strip()))
    return meant


class Phrase(NamedTuple):
    """An expression of time in a text."""

    at: int
    to: int
    span: Span


def phrases(text: str, today: date) -> list[Phrase]:
    """Return the expressions that mean days of their own wherever they stand, in their order.

    Those that await their year ("in May") or may mean any day ("on Friday") are left out, and words beside them
    ("since") are no part of them. A text is looked at as `windows` does, at most `2 * LONGEST` characters.
    """
    pairs = ((old, unicodedata.normalize("NFKC", old)) for old in text[: 2 * LONGEST])
    plain = "".join(new if len(new) == 1 else old for old, new in pairs)
    found = _kept(_found(plain, today))
    return [
        Phrase(each.at, each.to, each.reading) for each in found if isinstance(each.reading, Span) and not each.weak
    ]


def _spans(text: str, today: date) -> Iterator[tuple[int, int, Span]]:
    found = _joined(text, _kept(_found(text, today)), today)
    if _HABIT.search(text) or any(not each.weak for each in found):
        found = [each for each in found if not each.weak]
    for each in found:
        if not isinstance(each.reading, Span):
            continue
        if each.joined:
            yield each.at, each.to, each.reading
            continue
        try:
            yield bounded(text, each.at, each.to, each.reading, today)
        except (ValueError, OverflowError):  # before the year 1 or after 9999
            continue


def _found(text: str, today: date) -> Iterator[_Found]:
    rules: list[Rule] = [*FIGURES]
    if _LATIN.search(text):
        rules += dates_en.rules()
    if _HAN.search(text):
        rules += dates_zh.rules()
    for rule in rules:
        for match in rule.pattern.finditer(text):
            at, to = match.span("point" if "point" in rule.pattern.groupindex else 0)
            try:
                reading = rule.read(match, today)
            except (ValueError, OverflowError):  # 31 February, the year 0
                reading = None
            yield _Found(at, to, reading, rule.weak)


def _kept(found: Iterator[_Found]) -> list[_Found]:
    """Return those that overlap no longer one, in order; those that mean nothing do their overlapping first."""
    kept: list[_Found] = []
    for each in sorted(found, key=lambda each: each.at - each.to):
        if all(each.to <= other.at or each.at >= other.to for other in kept):
            kept.append(each)
    return sorted((each for each in kept if each.reading), key=lambda each: each.at)


def _joined(text: str, found: list[_Found], today: date) -> list[_Found]:
    """Settle which years are meant, and make one of the two ends of a range."""
    joints = [_joint(text, one, other) for one, other in pairwise(found)]
    settled = [_settled(each, latest, each, today) for each in found]
    for place, joint in enumerate(joints):
        one, other = settled[place].reading, settled[place + 1]
        if not joint or not isinstance(one, Span):
            continue
        if day := _BARE_DAY.fullmatch(text[other.at : other.to]):
            settled[place + 1] = replace(other, reading=_same_month(one, int(day[1])), weak=False)
        elif isinstance(found[place].reading, Span):
            lent = _settled(other, earliest, found[place + 1], one.first)
            if isinstance(lent.reading, Span) and lent.reading.first <= max(today, one.first):
                settled[place + 1] = lent
    for place, joint in reversed(list(enumerate(joints))):
        later = settled[place + 1].reading
        lends = joint == "to" or (joint and isinstance(found[place + 1].reading, Span))
        if lends and isinstance(later, Span):
            settled[place] = _settled(settled[place], latest, found[place], later.first)
    return _ranges(settled, joints)


def _settled(each: _Found, settle: Callable[[Reading, date], Span | None], found: _Found, bound: date) -> _Found:
    """Return an expression with its days; one that has them already, as it is."""
    if found.reading is None or isinstance(found.reading, Span):
        return each
    return replace(each, reading=settle(found.reading, bound))


def _ranges(settled: list[_Found], joints: list[str]) -> list[_Found]:
    found = settled[:1]
    for each, joint in zip(settled[1:], joints, strict=True):
        one = found[-1]
        if joint == "to" and isinstance(one.reading, Span) and isinstance(each.reading, Span):
            whole = Span(one.reading.first, each.reading.end)
            if whole.first < whole.end:
                found[-1] = replace(one, to=each.to, reading=whole, weak=one.weak and each.weak, joined=True)
                continue
        found.append(each)
    return found


def _joint(text: str, one: _Found, other: _Found) -> str:
    """Return "to" between the ends of a range, "and" between items of a list, else nothing."""
    between = text[one.to : other.at]
    if _TO.fullmatch(between):
        return "to"
    if not _AND.fullmatch(between):
        return ""
    return "to" if _BETWEEN.search(text[max(0, one.at - 20) : one.at]) or _AMID.match(text, other.to) else "and"


def _same_month(span: Span, day: int) -> Span | None:
    try:
        return days(span.first.replace(day=day), 1)
    except ValueError:
        return None
