"""Whether the dates of a sentence stand in its sources, by value; relative ones count from when the source was said."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from hippograph.memory.dates.periods import windows
from hippograph.memory.life.amounts import TIMES, amounts
from hippograph.nodes.checks.clauses import plain
from hippograph.state import Recollection

_OPENING = re.compile(
    r"\b(?:since|until|till|(?<!day )(?<!week )before|(?<!day )after|by|from|through|up\s+to|as\s+of)\b|"
    r"以来|之前|之后|以前|以后|为止|自从|截至|(?<=\d[日号月年])[起前后]",
    re.IGNORECASE,
)
"""What makes of a date a stretch without an end: the date itself is what is compared."""
_YEAR = re.compile(r"(?:19|20)\d\d")
_RELATIVE = re.compile(
    r"\b(?:last|ago|yesterday|past|this|today|tonight|next|tomorrow|coming|earlier|later|morning|night)\b|[上去昨前今这下明后本]",
    re.IGNORECASE,
)
_BARE_DAY = re.compile(r"\bthe\s+(\d{1,2})(?:st|nd|rd|th)\b|(?<![\d月])(\d{1,2})[日号](?!线)", re.IGNORECASE)
LONG = timedelta(days=800)
"""Stretches from which a sentence names no time."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Days that words name: from the first up to, but not including, the end."""

    first: date
    end: date
    words: str
    yearless: bool = False


def wrong(text: str, sources: Sequence[Recollection]) -> str | None:
    """Return a date of a sentence that its sources do not bear out; None where there is none."""
    given = [each for source in sources for each in _given(source)]
    for each in _said(text, sources):
        literal = each.yearless and any(each.words.casefold() in plain(source.text).casefold() for source in sources)
        if not literal and not any(_bears(each, other) for other in given):
            return each.words
    return _part(text, sources, given)


def without(text: str, sources: Sequence[Recollection]) -> str:
    """Return a text without the words that name a time."""
    text = plain(text)
    for each in _stretches(text, _asked(sources)):
        text = text.replace(each.words, " ")
    return text


def _said(text: str, sources: Sequence[Recollection]) -> Iterator[Stretch]:
    """Yield the times a sentence names; what is relative in it counts from when its latest source was said."""
    for each in _stretches(plain(text), _asked(sources)):
        if each.end - each.first < LONG:
            yield each


def _given(source: Recollection) -> Iterator[Stretch]:
    """Yield the times that a source names and since and until when it was so; where it names none, that it was said.

    "I moved yesterday" was not said of the day it was said.
    """
    named = [*_stretches(plain(source.text), source.said_at)]
    yield from named
    for moment in (None if named else source.said_at, source.valid_from, source.valid_until):
        if moment is not None:
            day = moment.astimezone(source.said_at.tzinfo).date()
            yield Stretch(day, day + timedelta(days=1), f"{day}")


def _stretches(text: str, said_at: datetime) -> Iterator[Stretch]:
    for window in windows(_OPENING.sub(" , ", text), said_at):
        yearless = not _YEAR.search(window.text) and not _RELATIVE.search(window.text)
        yield Stretch(window.start.date(), window.end.date(), window.text, yearless)


def _bears(said: Stretch, given: Stretch) -> bool:
    if said.yearless:
        return any(_inside(given, _moved_stretch(said, years)) for years in range(-3, 4))
    if given.yearless:
        return any(_inside(_moved_stretch(given, years), said) for years in (-1, 0, 1))
    return _inside(given, said)


def _inside(inner: Stretch, outer: Stretch) -> bool:
    return outer.first <= inner.first and inner.end <= outer.end


def _moved_stretch(each: Stretch, years: int) -> Stretch:
    return Stretch(_moved(each.first, years), _moved(each.end, years), each.words)


def _moved(day: date, years: int) -> date:
    year = min(max(day.year + years, 1), 9999)
    try:
        return day.replace(year=year)
    except ValueError:  # 29 February
        return day.replace(year=year, day=28)


def _part(text: str, sources: Sequence[Recollection], given: Sequence[Stretch]) -> str | None:
    """Return a part of a date, such as a bare year or weekday, that no time of the sources has."""
    bare = without(text, sources)
    days = [each.first for each in given] + [each.end - timedelta(days=1) for each in given]
    known = {each for source in sources for each in _parts(plain(source.text))}
    known |= {("year", day.year) for day in days} | {("weekday", day.isoweekday()) for day in days}
    known |= {("day", day.day) for day in days} | {("month", day.month) for day in days}
    return next((f"{kind} {number:g}" for kind, number in _parts(bare) if (kind, number) not in known), None)


def _parts(text: str) -> Iterator[tuple[str, float]]:
    for each in amounts(text)[0]:
        if each.dimension in TIMES and not each.dimension.startswith("clock"):
            yield each.dimension, each.number
    for english, chinese in _BARE_DAY.findall(text):
        yield "day", float(english or chinese)


def _asked(sources: Sequence[Recollection]) -> datetime:
    return max((each.said_at for each in sources), default=datetime.combine(date(2000, 1, 1), time()).astimezone())
