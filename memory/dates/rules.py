"""What a rule of reading time is, and the rules for dates in figures, which no language owns."""

import re
from collections.abc import Callable
from datetime import date
from typing import NamedTuple

from hippograph.memory.dates import spans
from hippograph.memory.dates.spans import Reading

Read = Callable[[re.Match[str], date], Reading | None]


class Rule(NamedTuple):
    """A pattern, and what a match of it means on a day; None: it is no time, whatever else it looks like."""

    pattern: re.Pattern[str]
    """Its group `point`, if it has one, is the expression; the rest is what must stand beside."""
    read: Read
    weak: bool = False
    """Whether it counts only where nothing else in the text names a time, as "on Friday", which may be any Friday."""


def compiled(pattern: str) -> re.Pattern[str]:
    """Compile an English pattern, in which "~" stands for white space."""
    return re.compile(pattern.replace("~", r"\s{1,3}"), re.IGNORECASE | re.ASCII)


def _year_first(found: re.Match[str], today: date) -> Reading:
    return spans.day(int(found["year"]), int(found["month"]), int(found["day"]))


def _year_last(found: re.Match[str], today: date) -> Reading:
    """Read 5/7/2023 as May 7, and 25/7/2023 as July 25."""
    one, other = int(found["one"]), int(found["other"])
    month, day = (other, one) if one > 12 else (one, other)
    return spans.day(int(found["year"]), month, day)


def _month(found: re.Match[str], today: date) -> Reading:
    return spans.month(int(found["year"]), int(found["month"]))


def _no_year(found: re.Match[str], today: date) -> Reading:
    return lambda year: spans.day(year, int(found["month"]), int(found["day"]))


_YEAR = r"(?P<year>(?:19|20)\d\d)"
_END = r"(?!\d|[-/.]\d)"
FIGURES = [
    Rule(
        compiled(rf"(?<![\w./-]){_YEAR}(?P<sep>[-/.])(?P<month>\d\d?)(?P=sep)(?P<day>\d\d?)(?!\d|[-/.]\d)"), _year_first
    ),
    Rule(
        compiled(rf"(?<![\w./-])(?P<one>\d\d?)(?P<sep>[-/.])(?P<other>\d\d?)(?P=sep){_YEAR}(?!\d|[-/.]\d)"), _year_last
    ),
    Rule(compiled(rf"(?<![\w./-]){_YEAR}[-/](?P<month>0[1-9]|1[0-2])(?![\d/-])"), _month),
    Rule(
        compiled(
            r"\b(?:(?:on|since|until|till|by|before|after|from|dated)~(?:the~)?|the~(?=\d+/(?:1[3-9]|[23]\d)))"
            r"(?P<point>(?P<month>1[0-2]|0?[1-9])/(?P<day>[12]\d|3[01]|0?[1-9]))"
            r"(?![\d/]|\.\d|~?(?:cups?|inch|tsp|tbsp|of)\b)"
        ),
        _no_year,
    ),
]
"""Tried all, as those of every language; of two that overlap the longer is kept, of two equally long the earlier."""
