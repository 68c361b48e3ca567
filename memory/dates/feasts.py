"""Days that are called by a name: Christmas, Thanksgiving, 国庆, 春节.

Lunar ones and Qingming are computed by lunar-python, which is loaded when one is first named; it is used for the years
1901 to 2099, as tables of the lunar calendar differ outside them.
"""

import re
from collections.abc import Callable
from datetime import date, timedelta

from hippograph.memory.dates.spans import Span, day, days, month, nth

LUNAR_YEARS = range(1901, 2100)


def _fixed(number: int, first: int, count: int = 1) -> Callable[[int], Span]:
    return lambda year: days(date(year, number, first), count)


def _nth(number: int, weekday: int, n: int, later: int = 0) -> Callable[[int], Span]:
    """The n-th weekday (Monday 0) of a month, n = -1 for the last, and some days later."""
    return lambda year: days(nth(month(year, number), weekday, n).first + timedelta(days=later), 1)


def _lunar(number: int, first: int, before: int = 0, count: int = 1) -> Callable[[int], Span]:
    """A day of the lunar year that begins in a year, or some days before it."""

    def found(year: int) -> Span:
        if year not in LUNAR_YEARS:
            raise ValueError(f"the lunar calendar of {year} is not known")
        from lunar_python import Lunar

        solar = Lunar.fromYmd(year, number, first).getSolar()
        return days(date(solar.getYear(), solar.getMonth(), solar.getDay()) - timedelta(days=before), count)

    return found


def _qingming(year: int) -> Span:
    if year not in LUNAR_YEARS:
        raise ValueError(f"the solar terms of {year} are not known")
    from lunar_python import Lunar

    solar = Lunar.fromYmd(year, 3, 1).getJieQiTable()["清明"]
    return day(year, solar.getMonth(), solar.getDay())


def _easter(later: int = 0, count: int = 1) -> Callable[[int], Span]:
    """Western Easter by the anonymous Gregorian algorithm (Meeus, Astronomical Algorithms, chapter 8)."""

    def found(year: int) -> Span:
        a, (b, c) = year % 19, divmod(year, 100)
        (d, e), (i, k) = divmod(b, 4), divmod(c, 4)
        g = (8 * b + 13) // 25
        h = (19 * a + b - d - g + 15) % 30
        n = (32 + 2 * e + 2 * i - h - k) % 7
        number = h + n - 7 * ((a + 11 * h + 22 * n) // 451) + 114
        return days(date(year, number // 31, number % 31 + 1) + timedelta(days=later), count)

    return found


ENGLISH = {
    r"new\s+year['’]?s?\s+eve": _fixed(12, 31),
    r"new\s+year(?:['’]s(?:\s+day)?|s?\s+day)": _fixed(1, 1),
    r"valentine['’]s(?:\s+day)?|valentines?\s+day": _fixed(2, 14),
    r"st\.?\s+patrick['’]?s?\s+day": _fixed(3, 17),
    r"april\s+fools?['’]?s?(?:\s+day)?": _fixed(4, 1),
    r"good\s+friday": _easter(-2),
    r"ash\s+wednesday": _easter(-46),
    r"easter(?!\s+eggs?)(?:\s+(?:sunday|weekend|holidays?))?": _easter(-2, 4),
    r"mother['’]?s['’]?\s+day": _nth(5, 6, 2),
    r"memorial\s+day": _nth(5, 0, -1),
    r"father['’]?s['’]?\s+day": _nth(6, 6, 3),
    r"independence\s+day|fourth\s+of\s+july": _fixed(7, 4),
    r"labor\s+day": _nth(9, 0, 1),
    r"halloween": _fixed(10, 31),
    r"veterans['’]?\s+day": _fixed(11, 11),
    r"thanksgiving(?:\s+day)?": _nth(11, 3, 4),
    r"black\s+friday": _nth(11, 3, 4, 1),
    r"christmas\s+eve": _fixed(12, 24),
    r"christmas\s+day": _fixed(12, 25),
    r"christmas|xmas": _fixed(12, 24, 3),
    r"boxing\s+day": _fixed(12, 26),
    r"(?:lunar|chinese)\s+new\s+year|spring\s+festival": _lunar(1, 1, 1, 8),
    r"lantern\s+festival": _lunar(1, 15),
    r"dragon\s+boat\s+festival": _lunar(5, 5),
    r"mid-?\s?autumn\s+festival|moon\s+festival": _lunar(8, 15),
}
"""Pattern of a name to the days it means in a year; longer names before those they contain."""

CHINESE = {
    r"元旦": _fixed(1, 1),
    r"情人节": _fixed(2, 14),
    r"(?:三八)?妇女节|三八节": _fixed(3, 8),
    r"植树节": _fixed(3, 12),
    r"愚人节": _fixed(4, 1),
    r"清明节?": _qingming,
    r"五一(?:劳动节|假期|长假|黄金周|期间|节)?(?![起直点个些定样下两二三四五六七八九十])|劳动节": _fixed(5, 1, 5),
    r"五四青年节|青年节": _fixed(5, 4),
    r"母亲节": _nth(5, 6, 2),
    r"六一(?:儿童节|节)?(?![起直点个些定样下两二三四五六七八九十])|儿童节": _fixed(6, 1),
    r"父亲节": _nth(6, 6, 3),
    r"教师节": _fixed(9, 10),
    r"国庆(?:节|假期|长假|黄金周)?|十一(?:假期|长假|黄金周)": _fixed(10, 1, 7),
    r"万圣节?": _fixed(10, 31),
    r"双十一|双11|光棍节": _fixed(11, 11),
    r"感恩节": _nth(11, 3, 4),
    r"双十二|双12": _fixed(12, 12),
    r"平安夜": _fixed(12, 24),
    r"圣诞节?": _fixed(12, 24, 2),
    r"跨年(?:夜|那天|晚上)": _fixed(12, 31),
    r"腊八节?": _lunar(12, 8),
    r"除夕|年三十|大年三十": _lunar(1, 1, 1),
    r"大年初一": _lunar(1, 1),
    r"春节|过年(?:期间|那几天|的?时候)": _lunar(1, 1, 1, 8),
    r"元宵节?": _lunar(1, 15),
    r"端午节?": _lunar(5, 5),
    r"七夕节?": _lunar(7, 7),
    r"中秋节?": _lunar(8, 15),
    r"重阳节?": _lunar(9, 9),
}
"""As ENGLISH."""


def named(names: dict[str, Callable[[int], Span]], text: str) -> Callable[[int], Span]:
    """Return the days of the feast that a matched text names.

    Raises:
        KeyError: None of the names is the text.
    """
    for pattern, found in names.items():
        if re.fullmatch(pattern, text, re.IGNORECASE):
            return found
    raise KeyError(text)
