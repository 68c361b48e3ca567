"""When what a clause tells is true: dates resolved against the day it was said."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from hippograph.memory.dates import dates_en, dates_zh, spans
from hippograph.memory.dates.bounds import FAR, LONG_AGO
from hippograph.memory.dates.periods import Window, windows

_HINT = re.compile(
    r"\d|\b(?:today|tonight|yesterday|tomorrow|ago|last|next|this|since|until|till|(?:mon|tues|wednes|thurs|"
    r"fri|satur|sun)day|january|february|march|april|may|"
    r"june|july|august|september|october|november|december|spring|summer|autumn|fall|winter|weekend|week|"
    r"month|year|christmas|easter|morning|evening)\b|[年月日号周天晚早]|星期|礼拜|春节|国庆|中秋|元旦|端午",
    re.IGNORECASE,
)
_AHEAD_EN = re.compile(
    rf"\bin\s+(?P<count>{dates_en.COUNT})\s+(?P<unit>{dates_en.UNIT})(?!\s+of)|"
    rf"\b(?P<count2>{dates_en.COUNT})\s+(?P<unit2>{dates_en.UNIT})\s+from\s+(?:now|today)",
    re.IGNORECASE,
)
_AHEAD_ZH = re.compile(rf"(?P<count>{dates_zh.COUNT})(?P<unit>{dates_zh.UNIT})(?:之后|以后|后(?!来|面))")
_FIXED = re.compile(
    r"(?:19|20)\d\d|\b(?:last|ago|yesterday|past|this|today|next|tomorrow)\b|[上去昨前今这下明后]|以来", re.IGNORECASE
)
_WEEKDAY = re.compile(r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|周|星期|礼拜", re.IGNORECASE)
_LASTING = re.compile(r"\b(?:until|till|through|up to)\b|直到|截至|为止", re.IGNORECASE)
_SINCE = re.compile(r"\b(?:since|starting|from|as of|as from)\b|自从|从|起|以来|开始", re.IGNORECASE)
_BARE = re.compile(r"\b((?:mon|tues|wednes|thurs|fri|satur|sun)day)\b", re.IGNORECASE)
_NEXT_WEEKDAY = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Dates:
    """Since and until when; None where the clause does not say."""

    start: datetime | None = None
    end: datetime | None = None


def dated(text: str, said_at: datetime, *, future: bool = False) -> Dates:
    """Return when a clause says that it is true.

    Args:
        text: The clause.
        said_at: What relative dates count from; its days are those of UTC.
        future: Whether it tells what is to come: a bare "on Friday" is then the next one.
    """
    if not _HINT.search(text):
        return Dates()
    said_at = said_at.astimezone(UTC)
    if ahead := _ahead(text, said_at):
        return Dates(start=ahead)
    found = windows(text, said_at) or (windows(_BARE.sub(r"on \1", text, count=1), said_at) if future else [])
    if not found:
        return Dates()
    window = _next(found[0], said_at) if future else found[0]
    far, long_ago = (datetime.combine(day, time(), tzinfo=UTC) for day in (FAR, LONG_AGO))
    start = None if window.start <= long_ago else window.start
    if _LASTING.search(text) and not _SINCE.search(text):
        return Dates(end=window.end if window.end < far else None)
    return Dates(start=start)


def _ahead(text: str, said_at: datetime) -> datetime | None:
    """Read "in two weeks", 三天后."""
    for pattern, count, unit in (
        (_AHEAD_EN, dates_en.count, dates_en.unit),
        (_AHEAD_ZH, dates_zh.count, dates_zh.unit),
    ):
        if found := pattern.search(text):
            groups = found.groupdict()
            try:
                number = count(found["count"] or groups.get("count2") or "")[0]
                day = spans.moved(said_at.date(), unit(found["unit"] or groups.get("unit2") or ""), number)
            except (ValueError, OverflowError):
                continue
            return datetime.combine(day, time(), tzinfo=UTC)
    return None


def _next(window: Window, said_at: datetime) -> Window:
    """Move what was read as past to the next such day, where the words leave that open."""
    if window.start >= said_at - timedelta(days=1) or _FIXED.search(window.text):
        return window
    if _WEEKDAY.search(window.text):
        return Window(window.start + _NEXT_WEEKDAY, window.end + _NEXT_WEEKDAY, window.text)
    try:
        return Window(
            window.start.replace(year=window.start.year + 1), window.end.replace(year=window.end.year + 1), window.text
        )
    except ValueError:  # 29 February
        return window
