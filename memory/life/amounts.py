"""Amounts and times in a value, by what they are: "1.5 kg" and "1500 g" are one mass, "下午三点" is "3 pm"."""

import json
import math
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from importlib import resources

from hippograph.memory.life.numerals import figures

TIMES = frozenset({"year", "month", "day", "weekday", "clock", "clock of twelve hours"})
"""Dimensions that name a time."""
BARE, CLOCK, TWELVE = "number", "clock", "clock of twelve hours"


@dataclass(frozen=True, slots=True)
class Amount:
    """A number of something."""

    dimension: str
    """What is counted: "mass", "money cny", "weekday", … or BARE where nothing says."""
    number: float
    """In the dimension's base unit."""
    said: float
    """As it was said, in whatever unit."""

    def is_same(self, other: "Amount") -> bool:
        """Whether both mean the same; what names no unit, or no half of the day, may mean any."""
        if self.dimension == other.dimension:
            return math.isclose(self.number, other.number, rel_tol=1e-4, abs_tol=1e-9)
        if {self.dimension, other.dimension} == {CLOCK, TWELVE}:
            return self.number % 720 == other.number % 720
        return BARE in (self.dimension, other.dimension) and math.isclose(self.said, other.said, rel_tol=1e-9)

    def is_near(self, other: "Amount") -> bool:
        """Whether one may be a rounding of the other: within a twentieth."""
        comparable = self.dimension == other.dimension or BARE in (self.dimension, other.dimension)
        return comparable and math.isclose(self.number, other.number, rel_tol=0.05)


_UNITS: dict[str, tuple[str, float]] = {
    unit: (dimension, factor)
    for dimension, units in json.loads((resources.files(__package__) / "units.json").read_text("utf-8")).items()
    for unit, factor in units.items()
}
_NUMBER = r"(?P<number>-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?)(?!\d|\.\d)"
_LEFT = r"(?<![a-z0-9_./:-])(?<!\d,)"
_UNIT = "|".join(re.escape(each) for each in sorted(_UNITS, key=len, reverse=True))
_QUANTITY = re.compile(
    rf"{_LEFT}(?P<coin>[$€£¥]\s?|(?:rmb|cny|usd|eur|us\$)\s?)?{_NUMBER}(?P<kilo>k(?![a-z])|千|万)?"
    rf"(?:(?P<unit>\s?(?:{_UNIT}))(?![a-z])|(?![a-z_]|-\w))"
)
_COINS = {"$": "usd", "us$": "usd", "€": "eur", "£": "gbp", "¥": "cny", "rmb": "cny"}
_KILO = {"k": 1e3, "千": 1e3, "m": 1e6, "万": 1e4}
_TALL = re.compile(r"(?<!\d)(\d)米(\d{1,2})(?!\d|\s?[厘公毫])")
_FEET = re.compile(r"\b(\d)\s?(?:ft|feet|foot|')\s?(\d\d?)(?!\d|\s?(?:in|\"))")
_HALVED = re.compile(r"(\d+)(年|个月|个小时|小时|天|斤|公斤|米)半")
_HUNDREDTHS = re.compile(r"百分之(\d+(?:\.\d+)?)")
_SERIAL = re.compile(r"(?<![\w.])(?:\+\d{1,3}[\s-]?)?\(?\d{2,4}\)?(?:[\s-]?\d{2,4}){2,4}(?![\w.])|(?<!\d)\d{9,}(?!\d)")

_MONTHS = "january february march april may june july august september october november december".split()
_MONTH_NAME = "(?P<month>" + "|".join(f"{each[:3]}(?:{each[3:]})?" if each[3:] else each for each in _MONTHS) + r")\.?"
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_CLOCK_EN = r"(?P<half>[ap])\.?m\b\.?|o'clock"


def _date(found: re.Match[str]) -> list[Amount]:
    parts = found.groupdict()
    amounts = [_one("year", int(parts["year"]))] if parts.get("year") else []
    if month := parts.get("month"):
        amounts.append(_one("month", int(month) if month.isdigit() else _starting(_MONTHS, month)))
    return [*amounts, _one("day", int(parts["day"]))] if parts.get("day") else amounts


def _weekday(found: re.Match[str]) -> list[Amount]:
    said = found["weekday"]
    return [_one("weekday", "一二三四五六日".find(said.replace("天", "日")) + 1 or _starting(_WEEKDAYS, said))]


def _clock(found: re.Match[str]) -> list[Amount]:
    parts = found.groupdict()
    hour, minute, half = int(parts["hour"]), parts.get("minute") or "0", parts.get("half") or ""
    minutes = {"半": 30, "一刻": 15, "1刻": 15, "三刻": 45, "3刻": 45}.get(minute)
    minutes = hour % 24 * 60 + (int(minute.rstrip("分")) if minutes is None else minutes)
    if (half in ("p", "下午", "晚上", "傍晚", "今晚") and hour < 12) or (half == "中午" and hour < 4):
        minutes += 720
    if half in ("a", "早上", "上午", "凌晨") and hour == 12:
        minutes -= 720
    return [_one(CLOCK if half or hour > 12 or hour == 0 else TWELVE, minutes)]


def _quantity(found: re.Match[str]) -> list[Amount]:
    said = float(found["number"].replace(",", "")) * _KILO.get(found["kilo"] or "", 1)
    coin = (found["coin"] or "").strip()
    dimension, factor = _UNITS[found["unit"].strip()] if found["unit"] else (BARE, 1.0)
    if coin:
        said *= 1e6 if dimension == "length" else 1  # $1.2m
        dimension, factor = f"money {_COINS.get(coin, coin)}", 1.0
    elif dimension == BARE and not found["unit"] and 1900 <= said <= 2099 and said.is_integer():
        dimension = "year"
    return [Amount(dimension, said * factor, said)]


def _one(dimension: str, number: float) -> Amount:
    return Amount(dimension, number, number)


def _starting(names: list[str], said: str) -> int:
    return next(number for number, each in enumerate(names, 1) if each.startswith(said[:3]))


_RULES: list[tuple[re.Pattern[str], Callable[[re.Match[str]], list[Amount]]]] = [
    (re.compile(rf"(?<!\d){_YEAR}(?P<cut>[-/.])(?P<month>\d\d?)(?P=cut)(?P<day>\d\d?)(?![\d-])"), _date),
    (re.compile(rf"{_YEAR}年(?:(?P<month>\d\d?)月(?:份|(?P<day>\d\d?)[日号]?)?)?"), _date),
    (re.compile(r"(?<!\d)(?P<month>\d\d?)月(?:份|(?P<day>\d\d?)[日号]?)?"), _date),
    (re.compile(rf"\b{_DAY}\s?(?:of\s)?{_MONTH_NAME}\b(?:,?\s{_YEAR})?"), _date),
    (re.compile(rf"\b{_MONTH_NAME}\s{_DAY}\b(?!:)(?:,?\s{_YEAR})?"), _date),
    (re.compile(rf"\b{_MONTH_NAME},?\s{_YEAR}"), _date),
    (re.compile(rf"(?:(?<=^)|(?<=in\s)){_MONTH_NAME}$"), _date),
    (re.compile(r"(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天])"), _weekday),
    (re.compile(r"\b(?P<weekday>" + "|".join(f"{d[:3]}(?:{d[3:]})?" for d in _WEEKDAYS) + r")s?\b"), _weekday),
    (re.compile(rf"(?<![\d.:])(?P<hour>\d\d?)(?::(?P<minute>\d\d))?\s?(?:{_CLOCK_EN})"), _clock),
    (
        re.compile(
            r"(?P<half>上午|下午|晚上|今晚|早上|中午|凌晨|傍晚)?(?<![\d.])(?P<hour>\d\d?)(?:点钟?|:(?=\d\d))"
            r"(?P<minute>半|[一三13]刻|\d\d?分?)?(?![\d点])"
        ),
        _clock,
    ),
    (_QUANTITY, _quantity),
]
_QUARTERS = {("half", "past"): 30, ("quarter", "past"): 15, ("quarter", "to"): 45, ("half", "to"): 30}
_PAST = re.compile(r"\b(half|quarter) (past|to) (\d\d?)\b")
_PREPARED: list[tuple[re.Pattern[str], Callable[[re.Match[str]], str]]] = [
    (_TALL, lambda found: f"{found[1]}.{found[2]}米"),
    (_FEET, lambda found: f"{found[1]} ft {found[2]} in"),
    (_HALVED, lambda found: f"{found[1]}.5{found[2]}"),
    (_HUNDREDTHS, lambda found: f"{found[1]}%"),
    (re.compile(r"\ban? (hour|day|week|month|year) and a half\b"), lambda found: f"1.5 {found[1]}s"),
    (re.compile(r"\ban? (?=(?:hour|week|month|year)\b)"), lambda found: "1 "),
    (_PAST, lambda found: f"{int(found[3]) - (found[2] == 'to')}:{_QUARTERS[found[1], found[2]]} o'clock"),
    (re.compile(r"\bnoon\b|正午|中午12点"), lambda found: "12:00 pm"),
    (re.compile(r"\bmidnight\b|午夜"), lambda found: "0:00 am"),
]


def amounts(text: str) -> tuple[list[Amount], str]:
    """Return the amounts and times in a text, and the rest of it in small letters.

    Long numbers that count nothing (of a phone, a card) stay in the rest, their digits together.
    """
    rest = unicodedata.normalize("NFKC", text).casefold().replace("’", "'").replace("￥", "¥")
    rest = figures(rest)
    for pattern, said in _PREPARED:
        rest = pattern.sub(said, rest)
    rest = _SERIAL.sub(_serial, rest)
    found = list[Amount]()

    for pattern, read in _RULES:

        def take(match: re.Match[str], read: Callable[[re.Match[str]], list[Amount]] = read) -> str:
            found.extend(read(match))
            return " "

        rest = pattern.sub(take, rest)
    return _summed(found), rest


def _serial(found: re.Match[str]) -> str:
    """Join the digits of a long number, without its country's code; a date is none."""
    digits = re.sub(r"\D", "", found.group())
    if len(digits) < 9:
        return found.group()
    return f" no{digits[2:] if digits.startswith('86') and len(digits) == 13 else digits} "


def _summed(found: list[Amount]) -> list[Amount]:
    """Add up what was said in several units: 1 hour 30 minutes, 5 ft 11."""
    total = list[Amount]()
    for each in found:
        last = total[-1] if total else None
        if (
            last
            and each.dimension == last.dimension in ("time", "months", "mass", "length")
            and each.number < last.number
        ):
            total[-1] = Amount(last.dimension, last.number + each.number, last.said)
        else:
            total.append(each)
    return total
