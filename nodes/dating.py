"""Absolute dates beside the relative ones of a memory: "yesterday" means nothing to one who reads it a year later."""

import re
from datetime import date, datetime, timedelta

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "ten": 10}
_NUMBERS |= {"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "十": 10}
_DAYS_OF = {"日": 6, "天": 6} | {name: day for day, name in enumerate("一二三四五六")}
_DAYS_IN = {"day": 1, "week": 7, "天": 1, "周": 7, "星期": 7}
_DAY = {
    "the day before yesterday": -2, "yesterday": -1, "last night": -1, "today": 0, "tonight": 0, "this morning": 0,
    "the day after tomorrow": 2, "tomorrow": 1,
    "大前天": -3, "前天": -2, "昨天": -1, "昨日": -1, "昨晚": -1, "今天": 0,
    "今早": 0, "今晚": 0, "明天": 1, "明早": 1, "明晚": 1, "后天": 2, "大后天": 3,
}  # fmt: skip
_SPAN = {
    "last week": ("week", -1), "this week": ("week", 0), "next week": ("week", 1), "last month": ("month", -1),
    "this month": ("month", 0), "next month": ("month", 1), "last year": ("year", -1), "this year": ("year", 0),
    "next year": ("year", 1),
    "上周": ("week", -1), "上个星期": ("week", -1), "上星期": ("week", -1), "这周": ("week", 0), "本周": ("week", 0),
    "下周": ("week", 1), "下个星期": ("week", 1), "下星期": ("week", 1), "上个月": ("month", -1),
    "这个月": ("month", 0), "本月": ("month", 0),
    "下个月": ("month", 1), "前年": ("year", -2), "去年": ("year", -1), "今年": ("year", 0),
    "明年": ("year", 1), "后年": ("year", 2),
}  # fmt: skip


def _any(words: object) -> str:
    return "|".join(sorted(map(str, words), key=len, reverse=True))  # type: ignore[call-overload]


_RELATIVE = re.compile(
    rf"\b(?:last|this past) (?P<past>{_any(_WEEKDAYS)})\b|\bnext (?P<coming>{_any(_WEEKDAYS)})\b"
    r"|(?P<which>上上|上|这|本|下)(?:个?(?:周|星期|礼拜))(?P<day>[一二三四五六日天])"
    rf"|\b(?P<count>\d{{1,3}}|{_any(name for name in _NUMBERS if name.isascii())}) (?P<unit>day|week)s? ago\b"
    rf"|(?P<zhcount>\d{{1,3}}|[一二两三四五六十])(?:个?(?P<zhunit>天|周|星期))(?:以|之)?前"
    rf"|\b(?P<english>{_any(name for name in (*_DAY, *_SPAN) if name.isascii())})\b"
    rf"|(?P<chinese>{_any(name for name in (*_DAY, *_SPAN) if not name.isascii())})",
    re.IGNORECASE,
)


def dated(text: str, said_at: datetime) -> str:
    """Return a text with the date in brackets after each relative date: "yesterday (2023-05-07)", "去年 (2022)".

    Args:
        text: What was said, Chinese or English.
        said_at: When; its own day is what "today" means.
    """
    today = said_at.date()
    return _RELATIVE.sub(lambda found: f"{found.group()} ({_meant(found, today)})", text)


def _meant(found: re.Match[str], today: date) -> str:
    if found["past"] or found["coming"]:
        return _weekday_beside(
            today, _WEEKDAYS.index((found["past"] or found["coming"]).lower()), bool(found["coming"])
        )
    if found["which"]:
        weeks = {"上上": -2, "上": -1, "下": 1}.get(found["which"], 0)
        return _shown(today - timedelta(days=today.weekday()) + timedelta(days=7 * weeks + _DAYS_OF[found["day"]]))
    if count := found["count"] or found["zhcount"]:
        days = _DAYS_IN[(found["unit"] or found["zhunit"]).lower()] * (_NUMBERS.get(count.lower()) or int(count))
        return _shown(today - timedelta(days=days))
    word = (found["english"] or found["chinese"]).lower()
    return _shown(today + timedelta(days=_DAY[word])) if word in _DAY else _span(today, *_SPAN[word])


def _weekday_beside(today: date, weekday: int, coming: bool) -> str:
    """Show the nearest such weekday before today, or after it."""
    ahead = (weekday - today.weekday() - 1) % 7 + 1  # 1 to 7
    return _shown(today + timedelta(days=ahead if coming else ahead - 7 or -7))


def _span(today: date, unit: str, away: int) -> str:
    if unit == "year":
        return str(today.year + away)
    if unit == "month":
        month = today.year * 12 + today.month - 1 + away
        return f"{month // 12}-{month % 12 + 1:02}"
    monday = today + timedelta(days=7 * away - today.weekday())
    return f"{_shown(monday)} - {_shown(monday + timedelta(days=6))}"


def _shown(day: date) -> str:
    return f"{day:%Y-%m-%d}"
