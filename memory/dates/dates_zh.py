"""Chinese expressions of time as patterns, each with what it means on a day."""

import re
from collections.abc import Sequence
from datetime import date, timedelta
from functools import cache

from hippograph.memory.dates import feasts, spans
from hippograph.memory.dates.rules import Read, Rule
from hippograph.memory.dates.spans import FEW, Count, Part, Reading, Span, Unit, Yearless

DIGITS = {
    "〇": 0,
    "零": 0,
    "一": 1,
    "二": 2,
    "两": 2,
    "俩": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
}
WEEKDAYS = "一二三四五六日"
_DAYS = {"大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "大后": 3}
_YEARS = {"大前年": -3, "前年": -2, "去年": -1, "今年": 0, "本年": 0, "明年": 1, "后年": 2}
_PARTS: dict[str, Part] = {
    "上旬": "early", "初": "early", "中旬": "mid", "中": "mid", "下旬": "late", "底": "late", "末": "late",
    "上半": "first half", "下半": "second half",
}  # fmt: skip
_SEASONS = {"春": "spring", "夏": "summer", "秋": "autumn", "冬": "winter"}

NUMBER = r"(?:\d{1,2}|[一二三四五六七八九十]{1,3})"
COUNT = r"(?:\d{1,3}|半|[好十]?几|数|[一二两俩三四五六七八九十]{1,3})"
UNIT = r"(?:天|日|个?(?:周|星期|礼拜)|个月|年)"
_ALONE = r"(?<![\d./个第每:-])(?<![一二三四五六七八九十两几多整半])"
_YEAR = (
    r"(?:(?:(?<!\d)(?P<year>(?:19|20)\d\d|[〇零一二三四五六七八九]{4}|\d\d(?=\s?年\s?\d{1,2}\s?月))\s?年"
    r"|(?<![过之以])(?P<whose>大前年|前年(?![轻少龄])|去年|今年|本年|明年|后年(?![轻少龄])))的?\s?)"
)
_EDGE = r"初(?![中次步始恋级])|底(?![层部薪下])|末|中(?![国学午心间秋文医考年部餐毒奖下])"
_THIRD = rf"(?:[上中下]旬|[上下]半月|{_EDGE})"
_NO_MONTH = r"(?!\s?\d|[饼亮球经票薪租嫂季牙供均光子饷台刊]|天(?!气))"
_NO_WEEK = r"(?![围边期转岁年刊])"
_WHICH = r"(?<![早晚马身路车网街桌楼手地之天以])(?P<which>上+|这|本|下+)一?"
_WITHIN = r"(?:以来|之内|来(?![自到了])|里|内|间|中)?"


def number(text: str) -> int:
    """Return a number below a hundred, in figures or Chinese; ValueError if it is none."""
    if text.isdecimal():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    if len(tens) > 1 or len(ones) > 1 or not text:
        raise ValueError(f"{text} is no number")
    return (DIGITS[tens] if tens else 1 if ten else 0) * 10 + (DIGITS[ones] if ones else 0)


def count(text: str) -> Count:
    """Return the least and the most that a number means; ValueError if it is none."""
    if text in ("几", "好几", "数"):
        return FEW
    if text == "十几":
        return 11, 19
    if len(text) == 2 and "十" not in text and not text.isdecimal():  # 三四天前
        return DIGITS[text[0]], DIGITS[text[1]]
    return number(text), number(text)


def unit(text: str) -> Unit:
    """Return the unit a Chinese word means."""
    return "day" if text in "天日" else "month" if "月" in text else "year" if text == "年" else "week"


def _rule(pattern: str, read: Read, weak: bool = False) -> Rule:
    return Rule(re.compile(pattern, re.ASCII), read, weak)


def _away(which: str) -> int:
    return -len(which) if which.startswith("上") else len(which) if which.startswith("下") else 0


def _of_year(found: re.Match[str], today: date, make: Yearless) -> Reading:
    """Return the days in the year the match names, or let them wait for one."""
    if named := found["year"]:
        digits = named if named.isdecimal() else "".join(str(DIGITS[each]) for each in named)
        return make(int(digits) + (0 if len(digits) == 4 else 2000))
    return make(today.year + _YEARS[found["whose"]]) if found["whose"] else make


def _cut(whole: Span, part: str | None) -> Span:
    return spans.part(whole, _PARTS[part.removesuffix("月").removesuffix("年")]) if part else whole


def _day(found: re.Match[str], today: date) -> Reading:
    return _of_year(found, today, lambda year: spans.day(year, number(found["month"]), number(found["day"])))


def _day_range(found: re.Match[str], today: date) -> Reading:
    month, low, high = (number(found[each]) for each in ("month", "low", "high"))
    return _of_year(found, today, lambda year: Span(date(year, month, low), spans.day(year, month, high).end))


def _month(found: re.Match[str], today: date) -> Reading:
    return _of_year(found, today, lambda year: _cut(_named_month(year, found["month"]), found["part"]))


def _named_month(year: int, text: str) -> Span:
    if not 1 <= number(text) <= 12:
        raise ValueError(f"{text} is no month")
    return spans.month(year, number(text))


def _month_edge(found: re.Match[str], today: date) -> Reading | None:
    return spans.latest_in_month(today, lambda whole: _cut(whole, found["part"]))


def _month_range(found: re.Match[str], today: date) -> Reading:
    low, high = found["low"], found["high"]
    return _of_year(found, today, lambda year: Span(_named_month(year, low).first, _named_month(year, high).end))


def _year(found: re.Match[str], today: date) -> Reading:
    return _of_year(found, today, lambda year: _cut(spans.year(year), found["part"]))


def _yearly(found: re.Match[str], today: date) -> Reading:
    return lambda year: _cut(spans.year(year), found["part"])


def _quarter(found: re.Match[str], today: date) -> Reading:
    return _of_year(found, today, lambda year: spans.month(year, 3 * number(found["quarter"]) - 2, 3))


def _season(found: re.Match[str], today: date) -> Reading | None:
    word = found["season"]

    def make(year: int) -> Span:
        if word[:2] in ("暑假", "暑期"):
            return spans.month(year, 7, 2)
        return (
            Span(date(year, 1, 10), date(year, 3, 1)) if word[:2] == "寒假" else spans.season(year, _SEASONS[word[0]])
        )

    which = found.groupdict().get("which")
    return spans.beside(_away(which), today, make) if which else _of_year(found, today, make)


def _feast(found: re.Match[str], today: date) -> Reading | None:
    make = feasts.named(feasts.CHINESE, found["feast"])
    return spans.beside(_away(found["which"]), today, make) if found["which"] else _of_year(found, today, make)


def _calendar(found: re.Match[str], today: date) -> Span:
    away, what = _away(found["which"]), found["what"]
    if what == "季度":
        return spans.month(today.year, (today.month - 1) // 3 * 3 + 1 + 3 * away, 3)
    return _cut(spans.calendar(today, "month", away), found["part"])


def _week(found: re.Match[str], today: date) -> Span:
    away, day = _away(found["which"]), found["day"]
    if day == "末":
        return spans.weekend(today, away)
    week = spans.week(today, away)
    return spans.days(week.first + timedelta(WEEKDAYS.index(day.replace("天", "日"))), 1) if day else week


def _ago(found: re.Match[str], today: date) -> Span:
    if found["count"] == "半":
        return spans.half_ago(today, unit(found["unit"]))
    return spans.distant(today, unit(found["unit"]), count(found["count"]))


def _past(found: re.Match[str], today: date) -> Span:
    if found["count"] == "半":
        year = unit(found["unit"]) == "year"
        return spans.past(today, "month" if year else "week", (6, 6) if year else (2, 2))
    return spans.past(today, unit(found["unit"]), count(found["count"]))


def _lately(found: re.Match[str], today: date) -> Span:
    """Read 前几天, 前两周, 前几个月: before today, not long."""
    far = 3 if found["count"] == "两" else 7
    return Span(spans.moved(today, unit(found["unit"]), -far), today)


@cache
def rules() -> Sequence[Rule]:
    """Return the Chinese rules, compiled when they are first needed."""
    return [
        _rule(rf"{_YEAR}?{_ALONE}(?P<month>{NUMBER})\s?月\s?(?P<day>{NUMBER})\s?[日号]", _day),
        _rule(rf"{_YEAR}?{_ALONE}(?P<month>{NUMBER})\s?月\s?(?P<low>{NUMBER})\s?[日号]?\s?[到至~—–-]\s?(?P<high>{NUMBER})\s?[日号]",
              _day_range),
        _rule(rf"{_WHICH}个?月(?:的)?(?P<day>{NUMBER})[日号]", lambda found, today: spans.days(
            spans.calendar(today, "month", _away(found["which"])).first.replace(day=number(found["day"])), 1)),
        _rule(rf"{_YEAR}?{_ALONE}(?P<month>{NUMBER})\s?月份?(?:的)?(?P<part>{_THIRD})", _month),
        _rule(rf"{_YEAR}?{_ALONE}(?P<month>{NUMBER})\s?月(?:份|{_NO_MONTH})(?P<part>)", _month),
        _rule(rf"{_YEAR}?{_ALONE}(?P<low>{NUMBER})\s?[到至~—–、-]\s?(?P<high>{NUMBER})\s?月(?:份|{_NO_MONTH})",
              _month_range),
        _rule(r"(?<!\d)[一1]月[一1][次回顿本篇趟]", lambda found, today: None),
        _rule(rf"{_YEAR}年?(?P<part>{_EDGE}|[上下]半年)", _year),
        _rule(rf"{_YEAR}(?P<part>)", _year),
        _rule(r"(?<![\d年一二两三四五六七八九十几多每半])年(?P<part>初(?![中次步始恋级])|[底末])", _yearly),
        _rule(r"(?<![年个])(?P<part>[上下]半年)", _yearly),
        _rule(rf"{_YEAR}?第?(?P<quarter>[一二三四1-4])季度", _quarter),
        _rule(rf"{_YEAR}(?P<season>[春夏秋冬][天季日]?|暑[假期]|寒假)", _season),
        _rule(rf"{_WHICH}个?(?P<season>[春夏秋冬][天季]|暑假|寒假)", _season),
        _rule(r"(?P<year>)(?P<whose>)(?P<season>[春夏秋冬][天季]|暑[假期]|寒假)(?!限定)", _season, weak=True),
        _rule(rf"(?:{_YEAR}|{_WHICH}个?)?(?<![\d二三四五六七八九十])(?P<feast>{'|'.join(feasts.CHINESE)})", _feast),
        _rule(rf"{_WHICH}个?(?P<what>月)(?![亮球饼台光])(?P<part>{_THIRD})?", _calendar),
        _rule(rf"{_WHICH}个?(?P<what>季度)(?P<part>)", _calendar),
        _rule(r"(?<![\d一二三四五六七八九十个上下这本每当同])月(?P<part>初|底|末)", _month_edge),
        _rule(rf"{_WHICH}个?(?:周|星期|礼拜){_NO_WEEK}(?P<day>[一二三四五六日天末](?![次顿趟回遍条个种]))?", _week),
        _rule(r"(?<![上下这本每个两三四五六七八九十\d])(?:周|星期|礼拜)(?P<day>[一二三四五六日天])(?![次顿趟回遍条个种])",
              lambda found, today: spans.nearest(
                  today + timedelta(days=1), WEEKDAYS.index(found["day"].replace("天", "日")), -1), weak=True),
        _rule(r"(?<![以之目午饭最])(?P<word>大前|前|大后|后)天(?![天气]|努力|形成|培养)|(?P<near>[昨今明])(?:[天日儿]|[早晚晨夜](?!点))",
              lambda found, today: spans.calendar(today, "day", _DAYS[found["word"] or found["near"]])),
        _rule(rf"(?<![第每\d.])(?P<count>{COUNT})\s?(?:多)?(?P<unit>{UNIT})多?(?:[以之]前|前(?![端台往置锋后进景途辈妻夫任沿言面提者]))",
              _ago),
        _rule(r"(?:\d{1,2}|几|半|[一二两三四五六七八九十])个?多?(?:小时|钟头)(?:[以之]?前)",
              lambda found, today: spans.days(today - timedelta(days=1), 2)),
        _rule(rf"(?:最近|近|过去)(?:的|这)?(?P<count>{COUNT})\s?(?P<unit>{UNIT}){_WITHIN}", _past),
        _rule(rf"(?<![日号月])这(?P<count>[几两半])(?P<unit>{UNIT}){_WITHIN}", _past),
        _rule(rf"(?<![第每\d.])(?P<count>{COUNT})\s?(?P<unit>{UNIT})(?:以来|来(?![自到了]))", _past),
        _rule(r"(?<![试节日婚生会赛假考])前(?P<count>[几两些])(?P<unit>天|日(?!子)|个?周|个?星期|个月|年)", _lately),
        _rule(r"(?<![\d第路街巷弄道里村型座栋.:编])(?P<day>\d{1,2})(?:号(?![楼线房室院店厅馆机码门单桌球元])|日(?![元本语期程报均志内游]))",
              lambda found, today: spans.day_of_month(today, int(found["day"])), weak=True),
    ]  # fmt: skip
