"""Which stretch of time a question names: "last week", "in May 2023", "昨天", "去年"."""

import re
from calendar import monthrange
from datetime import UTC, datetime, timedelta

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NAME = r"(?P<name>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DAY = re.compile(
    rf"\b(?P<year>(?:19|20)\d\d)-(?P<month>\d\d?)-(?P<day>\d\d?)\b"
    rf"|\b(?P<day2>\d\d?)(?:st|nd|rd|th)?(?: of)? {_NAME},? (?P<year2>(?:19|20)\d\d)\b"
    rf"|\b{_NAME.replace('name', 'name3')} (?P<day3>\d\d?)(?:st|nd|rd|th)?,? (?P<year3>(?:19|20)\d\d)\b"
    rf"|(?P<year4>(?:19|20)\d\d)\s*年\s*(?P<month4>\d\d?)\s*月\s*(?P<day4>\d\d?)\s*[日号]",
    re.IGNORECASE,
)
_MONTH = re.compile(
    rf"\b{_NAME},? (?P<year>(?:19|20)\d\d)\b|(?P<year2>(?:19|20)\d\d)\s*年\s*(?P<month2>\d\d?)\s*月", re.IGNORECASE
)
_YEAR = re.compile(r"\b(?:in|during|of|since) (?P<year>(?:19|20)\d\d)\b|(?P<year2>(?:19|20)\d\d)\s*年", re.IGNORECASE)
_AGO = re.compile(
    r"\b(?P<count>\d+|an?|one|two|three|four|five|six|ten) (?P<unit>day|week|month|year)s? ago\b"
    r"|(?P<count2>\d+|[一二两三四五六十])\s*个?(?P<unit2>天|周|星期|月|年)(?:以|之)?前",
    re.IGNORECASE,
)
_COUNTS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "ten": 10}
_COUNTS |= {"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "十": 10}
_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365, "天": 1, "周": 7, "星期": 7, "月": 30, "年": 365}
_LONGEST_DAYS = 36_500
_RELATIVE = (
    (re.compile(r"大前天"), "day", 3),
    (re.compile(r"前天|\bthe day before yesterday\b", re.IGNORECASE), "day", 2),
    (re.compile(r"\byesterday\b|\blast night\b|昨[天晚日]", re.IGNORECASE), "day", 1),
    (re.compile(r"\blast week(?:end)?\b|上个?(?:周|星期|礼拜)", re.IGNORECASE), "week", 1),
    (re.compile(r"\blast month\b|上个?月", re.IGNORECASE), "month", 1),
    (re.compile(r"\blast year\b|去年", re.IGNORECASE), "year", 1),
    (re.compile(r"\btoday\b|\bthis (?:morning|afternoon|evening)\b|今[天早晚]", re.IGNORECASE), "day", 0),
    (re.compile(r"\bthis week\b|本周|这周|这个?星期", re.IGNORECASE), "week", 0),
    (re.compile(r"\bthis month\b|这个?月|本月", re.IGNORECASE), "month", 0),
)


def period(text: str, now: datetime) -> list[str]:
    """Return the first and last instant of the time a text names, ISO 8601 in UTC; empty where it names none.

    Args:
        text: A question, Chinese or English.
        now: The time of asking, in the asker's zone: whose days are meant, and what "yesterday" counts from.
    """
    span = _named(text) or _relative(text, now) or _ago(text, now)
    return [each.replace(tzinfo=now.tzinfo).astimezone(UTC).isoformat() for each in span] if span else []


Span = tuple[datetime, datetime]


def _named(text: str) -> Span | None:
    if found := _DAY.search(text):
        return _span(_number(found, "year"), _month(found), _number(found, "day"))
    if found := _MONTH.search(text):
        return _span(_number(found, "year"), _month(found), None)
    if found := _YEAR.search(text):
        return _span(_number(found, "year"), None, None)
    return None


def _relative(text: str, now: datetime) -> Span | None:
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    for pattern, unit, back in _RELATIVE:
        if not pattern.search(text):
            continue
        if unit == "day":
            return _days(today - timedelta(days=back), 1)
        if unit == "week":
            return _days(today - timedelta(days=today.weekday() + 7 * back), 7)
        if unit == "month":
            month = today.year * 12 + today.month - 1 - back
            return _span(month // 12, month % 12 + 1, None)
        return _span(today.year - back, None, None)
    return None


def _ago(text: str, now: datetime) -> Span | None:
    found = _AGO.search(text)
    if not found:
        return None
    count, unit = (found["count"] or found["count2"]).lower(), (found["unit"] or found["unit2"]).lower()
    days = _DAYS[unit]
    back = days * (_COUNTS.get(count) or int(count[:9]))
    if back > _LONGEST_DAYS:
        return None
    centre = now - timedelta(days=back)
    slack = timedelta(days=max(1.0, days / 2))
    return centre - slack, centre + slack


def _span(year: int, month: int | None, day: int | None) -> Span | None:
    try:
        first = datetime(year, month or 1, day or 1, tzinfo=UTC)
    except ValueError:
        return None
    return _days(first, 1 if day else monthrange(year, month)[1] if month else 365 + (year % 4 == 0))


def _days(first: datetime, count: int) -> Span:
    return first, first + timedelta(days=count) - timedelta(microseconds=1)


def _number(found: re.Match[str], name: str) -> int:
    return int(next(value for key, value in found.groupdict().items() if key.startswith(name) and value))


def _month(found: re.Match[str]) -> int:
    values = found.groupdict()
    name = next((value for key, value in values.items() if key.startswith("name") and value), None)
    return _MONTHS.index(name[:3].lower()) + 1 if name else _number(found, "month")
