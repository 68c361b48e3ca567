"""English expressions of time as patterns, each with what it means on a day."""

import re
from collections.abc import Sequence
from datetime import date, timedelta
from functools import cache
from typing import cast

from hippograph.memory.dates import feasts, spans
from hippograph.memory.dates.rules import Read, Rule, compiled
from hippograph.memory.dates.spans import FEW, Count, Part, Reading, Span, Unit, Yearless

MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_NUMBERS = "one two three four five six seven eight nine ten eleven twelve".split()
_ORDINALS = "first second third fourth fifth".split()
_DAYS = {"today": 0, "tonight": 0, "yesterday": -1, "tomorrow": 1, "last night": -1, "day before yesterday": -2,
         "day after tomorrow": 2, "this morning": 0, "this afternoon": 0, "this evening": 0}  # fmt: skip

YEAR = r"(?:19|20)\d\d\b(?![.,]\d)"
MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
FULL_WEEKDAY = rf"(?:{'|'.join(WEEKDAYS)})\b"
WEEKDAY = rf"(?:{FULL_WEEKDAY}|(?:mon|tues?|wed|thu(?:rs?)?|fri|sat)\b)"
COUNT = rf"(?:\d{{1,3}}|(?:a~)?couple(?:~of)?|(?:a~)?few|several|half~an?|an?|{'|'.join(_NUMBERS)})"
UNIT = r"(?:days?|weeks?|months?|years?)\b"
SEASON = r"(?:spring|summer|autumn|fall|winter)\b(?:~(?:break|vacation|holidays?)\b)?"
_DAY = r"(?:[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?\b(?![:%]|[./]\d|,\d{3}\b|\s*(?:[ap]m|o'clock)\b)"
_PART = (
    r"(?P<part>\b(?:early|mid|late|(?:the~)?(?:very~)?(?:beginning|start|end|middle|(?:first|second|1st|2nd)~half)~of)"
    r"(?:~in)?[\s-]+)"
)
_PERSON = (
    r"(?!['’]s\b|~(?:and~(?:i|her|his|she|he)\b|said|says|told|is|was|has|had|did|does|wants?|went|came|comes|asked|"
    r"gave|got|moved|left|loves?|likes?|called|calls|knows?|knew|can|could|would|will|tells?|asks?|thinks?|met)\b)"
)
_CUE = (
    r"(?:\b(?:in|during|throughout|months?~of|around|back~in)~|\b(?:since|before|after|by|until|till)~"
    rf"(?=\w+\b{_PERSON})|\bbetween~(?=\w+\.?~and\b)|\bfrom~(?=\w+\.?(?:~(?:to|until|till|through|on|onwards?)\b|\s*[-–])))"
)
_WHOSE = rf"(?:(?:,\s*|~)(?:of~)?(?:(?P<year>{YEAR})|(?P<whose>last|this|next)~year\b))"
_WHICH = r"(?P<which>last|past|this~past|this~coming|coming|this|next)"
_WITHIN = r"(?:in|over|during|for|within|throughout|across)"


def weekday(name: str) -> int:
    """Return the number of a weekday, Monday 0, of its name or the first letters of it."""
    return next(number for number, each in enumerate(WEEKDAYS) if each.startswith(name[:3].lower()))


def count(text: str) -> Count:
    """Return the least and the most that a number means."""
    text = text.lower()
    if "couple" in text:
        return 2, 3
    if "few" in text or text == "several":
        return FEW
    number = int(text) if text.isdecimal() else _NUMBERS.index(text) + 1 if text in _NUMBERS else 1
    return number, number


def unit(text: str) -> Unit:
    """Return a unit without its plural."""
    return cast(Unit, text.lower().removesuffix("s"))


def _rule(pattern: str, read: Read, weak: bool = False) -> Rule:
    return Rule(compiled(pattern), read, weak)


def _away(word: str) -> int:
    return {"last": -1, "past": -1, "next": 1, "coming": 1}.get(word.lower().split()[-1], 0)


def _month_number(text: str) -> int:
    return MONTHS.index(text[:3].lower()) + 1


def _int(text: str) -> int:
    return int(re.sub(r"\D", "", text))


def _cut(found: re.Match[str], whole: Span) -> Span:
    """Return the part of a span that the match names: "early", "the end of", "the second half of"."""
    words = (found.groupdict().get("part") or "").lower().replace("-", " ").split()
    if not words:
        return whole
    if "half" in words:
        return spans.part(whole, "second half" if {"second", "2nd"} & set(words) else "first half")
    name: Part = "mid" if {"mid", "middle"} & set(words) else "late" if {"late", "end"} & set(words) else "early"
    return spans.part(whole, name)


def _of_year(found: re.Match[str], today: date, make: Yearless) -> Reading:
    """Return the days in the year the match names ("2023", "last year"), or let them wait for one."""
    groups = found.groupdict()
    if groups.get("year"):
        return make(int(groups["year"]))
    return make(today.year + _away(groups["whose"])) if groups.get("whose") else make


def _named_day(found: re.Match[str], today: date) -> Reading | None:
    """Read "7 May", "May 7th, 2023"; but "you may 2" and "march 3 miles" are none."""
    if found["month"] in ("may", "march", "mar") and found["day"].isdecimal() and not (found["year"] or found["cue"]):
        return None
    return _of_year(found, today, lambda year: spans.day(year, _month_number(found["month"]), _int(found["day"])))


def _day_range(found: re.Match[str], today: date) -> Reading:
    number, low, high = _month_number(found["month"]), _int(found["low"]), _int(found["high"])
    return _of_year(found, today, lambda year: Span(date(year, number, low), spans.day(year, number, high).end))


def _day_of_month(found: re.Match[str], today: date) -> Reading | None:
    number = _int(found["day"])
    if found["which"]:
        return spans.days(spans.calendar(today, "month", _away(found["which"])).first.replace(day=number), 1)
    return spans.day_of_month(today, number)


def _month(found: re.Match[str], today: date) -> Reading:
    return _of_year(found, today, lambda year: _cut(found, spans.month(year, _month_number(found["month"]))))


def _which_month(found: re.Match[str], today: date) -> Reading | None:
    return spans.beside(_away(found["which"]), today, lambda year: spans.month(year, _month_number(found["month"])))


def _year_season(found: re.Match[str], today: date) -> Reading:
    name = found["season"].lower().split()[0]
    return _of_year(found, today, lambda year: _cut(found, spans.season(year, name)))


def _which_season(found: re.Match[str], today: date) -> Reading | None:
    name = found["season"].lower().split()[0]
    return spans.beside(_away(found["which"]), today, lambda year: _cut(found, spans.season(year, name)))


def _feast(found: re.Match[str], today: date) -> Reading | None:
    make = feasts.named(feasts.ENGLISH, found["feast"])
    return spans.beside(_away(found["which"]), today, make) if found["which"] else _of_year(found, today, make)


def _nth(found: re.Match[str], today: date) -> Reading:
    """Read "the first weekend of August 2023", "the last Friday in May", "the second week of November"."""
    word, what = found["nth"].lower(), found["what"].lower()
    n = -1 if word == "last" else int(word[0]) if word[0].isdigit() else _ORDINALS.index(word) + 1

    def make(year: int) -> Span:
        whole = spans.month(year, _month_number(found["month"]))
        if what == "week":
            first = whole.end if n < 0 else whole.first - timedelta(days=7)
            return spans.days(first + timedelta(days=7 * n), 7)
        return spans.nth(whole, 5 if what == "weekend" else weekday(what), n, 2 if what == "weekend" else 1)

    return _of_year(found, today, make)


def _quarter(found: re.Match[str], today: date) -> Span:
    number = int(found["q"] or 0) or _ORDINALS.index(found["nth"].lower()) + 1
    return spans.month(int(found["year"]), 3 * number - 2, 3)


def _ago(found: re.Match[str], today: date) -> Span:
    """Read "two weeks ago", "half a year ago", "the Wednesday two months ago"."""
    what = unit(found["unit"])
    half = found["count"].lower().startswith("half")
    meant = spans.half_ago(today, what) if half else spans.distant(today, what, count(found["count"]))
    if not found["weekday"]:
        return meant
    middle = meant.first + (meant.end - meant.first) // 2
    return spans.nearest(middle + timedelta(days=4), weekday(found["weekday"]), -1)


def _past(found: re.Match[str], today: date) -> Span:
    return spans.past(today, unit(found["unit"]), count(found.groupdict().get("count") or "1"))


def _calendar(found: re.Match[str], today: date) -> Span:
    what, away = found["what"].lower(), _away(found["which"])
    if what == "weekend":
        return spans.weekend(today, away)
    if what == "quarter":
        return spans.month(today.year, (today.month - 1) // 3 * 3 + 1 + 3 * away, 3)
    return _cut(found, spans.calendar(today, unit(what), away))


def _before_last(found: re.Match[str], today: date) -> Span:
    what = found["what"].lower()
    return spans.weekend(today, -2) if what == "weekend" else spans.calendar(today, unit(what), -2)


def _weekend(found: re.Match[str], today: date) -> Span:
    return spans.latest_weekend(today)


def _weekday_before_last(found: re.Match[str], today: date) -> Span:
    last = spans.nearest(today, weekday(found["weekday"]), -1)
    return spans.nearest(last.first, weekday(found["weekday"]), -1)


def _weekday_of_week(found: re.Match[str], today: date) -> Span:
    return spans.days(spans.week(today, _away(found["which"])).first + timedelta(weekday(found["weekday"])), 1)


def _weekday(found: re.Match[str], today: date) -> Span:
    which, number = _away(found["which"]), weekday(found["weekday"])
    return spans.nearest(today, number, which) if which else spans.days(spans.week(today).first + timedelta(number), 1)


@cache
def rules() -> Sequence[Rule]:
    """Return the English rules, compiled when they are first needed."""
    return [
        _rule(rf"(?P<cue>\b(?:on|since|by|until|till|before|after|from|to|and|between|of|around)~)?(?:{WEEKDAY},?~)?"
              rf"(?P<point>\b(?P<month>{MONTH})\s{{0,2}}(?:the~)?(?P<day>{_DAY}){_WHOSE}?)", _named_day),
        _rule(rf"(?P<cue>\b(?:on|since|by|until|till|before|after|from|to|and|between|of|around)~(?:the~)?)?"
              rf"(?P<point>\b(?P<day>{_DAY})(?:~of)?~(?P<month>{MONTH}){_WHOSE}?)", _named_day),
        _rule(rf"\b(?P<month>{MONTH})~(?P<low>{_DAY})(?:\s?[-–]\s?|~(?:to|and|through|until)~)(?P<high>{_DAY}){_WHOSE}?",
              _day_range),
        _rule(rf"\b(?P<low>{_DAY})(?:\s?[-–]\s?|~(?:to|and|through|until)~)(?P<high>{_DAY})(?:~of)?~(?P<month>{MONTH}){_WHOSE}?",
              _day_range),
        _rule(r"\bon~the~(?P<point>(?P<day>\d\d?(?:st|nd|rd|th))(?:(?=\s*(?:[?.,!;]|$))|~(?:of~)?(?P<which>last|this|next)~month\b))",
              _day_of_month),
        _rule(rf"{_PART}?\b(?P<month>{MONTH}){_WHOSE}", _month),
        _rule(rf"{_PART}(?P<month>{MONTH})(?!~?\d)", _month),
        _rule(rf"{_CUE}(?P<point>(?P<month>{MONTH}))(?!\s?\d)", _month),
        _rule(rf"\b(?:in|during|between|from|since|months~of)~{MONTH}(?:\s*(?:,|&|-|–)\s*|,?~(?:and|or|to|until|till|through)~)"
              rf"(?P<point>(?P<month>{MONTH}))(?!\s?\d)", _month),
        _rule(rf"\b{_WHICH}~(?P<month>{MONTH})(?!\s?\d)", _which_month),
        _rule(rf"{_PART}?\b(?P<season>{SEASON}){_WHOSE}", _year_season),
        _rule(rf"{_PART}?\b{_WHICH}~(?P<season>{SEASON})", _which_season),
        _rule(rf"\b(?:(?:in|during|over)~(?:the~)?|(?:since|until|before|after)~(?:the~)?(?!fall))(?P<point>(?P<season>{SEASON}))(?!~(?-i:[A-Z]))",
              _year_season),
        _rule(rf"\b(?:{_WHICH}~)?(?P<feast>{'|'.join(feasts.ENGLISH)})\b{_WHOSE}?", _feast),
        _rule(rf"\b(?:the~)?(?P<nth>first|second|third|fourth|fifth|last|[1-5](?:st|nd|rd|th))~(?P<what>week|weekend|{FULL_WEEKDAY})"
              rf"~(?:of|in)~(?P<month>{MONTH}){_WHOSE}?", _nth),
        _rule(rf"\b(?:Q(?P<q>[1-4])|(?:the~)?(?P<nth>first|second|third|fourth)~quarter),?(?:~(?:of|in))?~(?P<year>{YEAR})",
              _quarter),
        _rule(rf"\b(?:(?:(?:the|on)~)?(?P<weekday>{WEEKDAY})~)?(?P<count>{COUNT})~(?P<unit>{UNIT})~"
              r"(?:ago\b|back\b(?!~(?:to|in|from|at)\b))", _ago),
        _rule(rf"\b(?:{COUNT})~hours?~ago\b", lambda found, today: spans.days(today - timedelta(days=1), 2)),
        _rule(rf"\b(?:{_WITHIN}~)?(?:(?:the|these|this|my)~)?(?:last|past)~(?P<count>{COUNT})~(?P<unit>{UNIT})(?!~of\b)",
              _past),
        _rule(rf"\b(?:{_WITHIN}~the~(?:last|past)|(?:the|this)~past)~(?P<unit>(?:day|week|month|year)\b)(?!~of\b)",
              _past),
        _rule(rf"(?:{_PART}|\b(?:earlier|later)~)?\b{_WHICH}~(?P<what>weekend|week|month|quarter|year)\b(?!~of\b)",
              _calendar),
        _rule(r"\b(?:over~)?the~(?P<point>weekend)(?=\s*(?:[?.,!;]|$))", _weekend),
        _rule(r"\bthe~(?P<what>week|weekend|month|year)~before~last\b", _before_last),
        _rule(rf"\bthe~(?P<weekday>{WEEKDAY})~before~last\b", _weekday_before_last),
        _rule(rf"\b(?P<weekday>{FULL_WEEKDAY})~(?:of~)?(?P<which>last|this|next)~week\b", _weekday_of_week),
        _rule(rf"\b{_WHICH}~(?P<weekday>{WEEKDAY})", _weekday),
        _rule(rf"\b(?:on|since|until|till|by|before|after)~(?P<point>(?P<weekday>{FULL_WEEKDAY}))(?!~(?:morning|afternoon|evening|night)s)",
              lambda found, today: spans.nearest(today + timedelta(days=1), weekday(found["weekday"]), -1), weak=True),
        _rule(rf"\b(?:the~)?(?P<word>{'|'.join(sorted(_DAYS, key=len, reverse=True)).replace(' ', '~')})\b",
              lambda found, today: spans.calendar(today, "day", _DAYS[" ".join(found["word"].lower().split())])),
        _rule(r"\bthe~other~day\b", lambda found, today: spans.days(today - timedelta(days=14), 14)),
        _rule(rf"\b(?:in|during|of|since|before|after|by|until|till|throughout|year|around|back~in)~(?P<point>(?P<year>{YEAR}))(?!['’]s|~(?:words|"
              r"dollars|people|steps|calories|miles|met(?:er|re)s|km|points|followers|tokens|hours|times|pages|users|euros)\b)",
              lambda found, today: spans.year(int(found["year"]))),
        _rule(rf"{_PART}(?P<year>{YEAR})", lambda found, today: _cut(found, spans.year(int(found["year"])))),
        _rule(rf"(?<![\w/-])(?:(?:between|from)~)?(?P<low>{YEAR})(?:\s?[-–]\s?|~(?:to|until|till|through|and)~)(?P<high>{YEAR})(?!-)",
              lambda found, today: Span(date(int(found["low"]), 1, 1), date(int(found["high"]) + 1, 1, 1))),
    ]  # fmt: skip
