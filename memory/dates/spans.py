"""Stretches of whole days and the arithmetic of calendars; pure, without time zones.

Everything is proleptic Gregorian, weeks begin on Monday (ISO 8601), seasons are the meteorological ones of the northern
hemisphere. What leaves the years 1 to 9999 raises ValueError or OverflowError, which the caller takes for "no date".
"""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Literal, NamedTuple

Unit = Literal["day", "week", "month", "year"]
Part = Literal["early", "mid", "late", "first half", "second half"]


class Span(NamedTuple):
    """Whole days from the first up to, but not including, the end."""

    first: date
    end: date


Yearless = Callable[[int], Span]
"""The span a yearless expression means in a year; ValueError where that year has none (29 February)."""
Reading = Span | Yearless
"""What an expression means: days, or days that await their year."""

Count = tuple[int, int]
"""The least and the most that a number means: (3, 3) for "three"."""
FEW = (2, 6)

_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}


def day(year: int, month: int, number: int) -> Span:
    """Return one day."""
    return days(date(year, month, number), 1)


def days(first: date, count: int) -> Span:
    """Return some days from the first on."""
    return Span(first, first + timedelta(days=count))


def week(today: date, away: int = 0) -> Span:
    """Return the week of a day, Monday to Sunday, or one some weeks away."""
    return days(today + timedelta(days=7 * away - today.weekday()), 7)


def weekend(today: date, away: int = 0) -> Span:
    """Return Saturday and Sunday of the week of a day, or of one some weeks away."""
    return days(week(today, away).first + timedelta(days=5), 2)


def month(year: int, number: int, count: int = 1) -> Span:
    """Return some calendar months; the number may lie outside 1 to 12 and then counts into other years."""
    begin, end = year * 12 + number - 1, year * 12 + number - 1 + count
    return Span(date(begin // 12, begin % 12 + 1, 1), date(end // 12, end % 12 + 1, 1))


def year(number: int) -> Span:
    """Return one calendar year."""
    return month(number, 1, 12)


def season(number: int, name: str) -> Span:
    """Return the three months of a season that begins in a year; winter ends in the next."""
    return month(number, _SEASONS[name], 3)


def part(whole: Span, name: Part) -> Span:
    """Return a part of a month (ends on days 10 and 20, half on 15), of a year or a season (on its quarters)."""
    length = (whole.end - whole.first).days
    if length > 300:
        low, middle, high = (whole.first.replace(month=number) for number in (4, 7, 10))
    else:
        cuts = (10, 15, 20) if length < 40 else (length // 4, length // 2, length - length // 4)
        low, middle, high = (whole.first + timedelta(days=cut) for cut in cuts)
    return {
        "early": Span(whole.first, low),
        "mid": Span(low, high),
        "late": Span(high, whole.end),
        "first half": Span(whole.first, middle),
        "second half": Span(middle, whole.end),
    }[name]


def moved(anchor: date, unit: Unit, count: int) -> date:
    """Return the day some units later (negative: earlier); the 31st becomes the last day of a shorter month."""
    if unit in ("day", "week"):
        return anchor + timedelta(days=_DAYS[unit] * count)
    whole = month(anchor.year, anchor.month + count * (12 if unit == "year" else 1))
    return min(whole.first + timedelta(days=anchor.day - 1), whole.end - timedelta(days=1))


def distant(anchor: date, unit: Unit, count: Count, sign: int = -1) -> Span:
    """Return the days that "N units ago" means: rounding is as wide as the unit, a count of days from four on is rough.

    Args:
        anchor: The day it counts from.
        unit: What is counted.
        count: How many.
        sign: -1 before the anchor, 1 after it.
    """
    near, far = count
    slack = {"day": int(far > 3), "week": 3, "month": 15, "year": 183}[unit]
    edges = sorted((moved(anchor, unit, sign * near), moved(anchor, unit, sign * far)))
    return Span(edges[0] - timedelta(days=slack), edges[1] + timedelta(days=slack + 1))


def half_ago(today: date, unit: Unit) -> Span:
    """Return the days that "half a year ago" means."""
    if unit == "year":
        return distant(today, "month", (6, 6))
    return distant(today, "week", (2, 2)) if unit == "month" else distant(today, "day", (4, 4))


def past(today: date, unit: Unit, count: Count) -> Span:
    """Return the last N units up to and including today."""
    return Span(moved(today, unit, -count[1]), today + timedelta(days=1))


def calendar(today: date, unit: Unit, away: int) -> Span:
    """Return the calendar unit of a day, or one some units away."""
    if unit == "day":
        return days(today + timedelta(days=away), 1)
    if unit == "week":
        return week(today, away)
    return month(today.year, today.month + away) if unit == "month" else year(today.year + away)


def nearest(today: date, weekday: int, sign: int) -> Span:
    """Return the nearest such weekday (Monday 0) before a day (sign -1) or after it (1), never the day itself."""
    ahead = (weekday - today.weekday() - 1) % 7 + 1  # 1 to 7
    return days(today + timedelta(days=ahead if sign > 0 else ahead - 7 or -7), 1)


def nth(whole: Span, weekday: int, n: int, count: int = 1) -> Span:
    """Return some days from the n-th such weekday of a span on; n = -1 for the last."""
    if n > 0:
        return days(nearest(whole.first - timedelta(days=1), weekday, 1).first + timedelta(days=7 * (n - 1)), count)
    return days(nearest(whole.end, weekday, -1).first, count)


def latest_weekend(today: date) -> Span:
    """Return the last weekend that has begun."""
    return weekend(today) if today.weekday() >= 5 else weekend(today, -1)


def latest_in_month(today: date, make: Callable[[Span], Span]) -> Span | None:
    """Return what a month has, of the last month in which it begins by a day; ValueError where a month has none."""
    for away in range(0, -3, -1):
        try:
            found = make(month(today.year, today.month + away))
        except ValueError:
            continue
        if found.first <= today:
            return found
    return None


def day_of_month(today: date, number: int) -> Span | None:
    """Return the last day with that number in its month, up to and including a day."""
    return latest_in_month(today, lambda whole: days(whole.first.replace(day=number), 1))


def latest(reading: Reading, bound: date) -> Span | None:
    """Return the days meant; of a yearless expression those of the last year in which they begin by a day."""
    if isinstance(reading, Span):
        return reading
    for number in range(min(bound.year, 9998), max(bound.year - 9, 0), -1):  # leap days may lie eight years apart
        found = _tried(reading, number)
        if found and found.first <= bound:
            return found
    return None


def earliest(reading: Reading, bound: date) -> Span | None:
    """Return the days meant; of a yearless expression those of the first year in which they begin on or after a day."""
    if isinstance(reading, Span):
        return reading
    for number in range(bound.year, min(bound.year + 9, 9999)):
        found = _tried(reading, number)
        if found and found.first >= bound:
            return found
    return None


def _tried(reading: Yearless, number: int) -> Span | None:
    try:
        return reading(number)
    except (ValueError, OverflowError):
        return None


def beside(which: int, today: date, make: Yearless) -> Span | None:
    """Return the last such days that are over (-1), the next that have not begun (1), or those of this year (0)."""
    if which > 0:
        return earliest(make, today + timedelta(days=1))
    current = latest(make, today)
    if which == 0:
        return current if current and current.end > today else make(today.year)
    return current if not current or current.end <= today else latest(make, current.first - timedelta(days=1))
