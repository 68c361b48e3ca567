"""Absolute dates in place of the relative ones of a memory: "yesterday" means nothing to one who reads it a year later.

In place, not beside: of "last Friday (2022-06-17)" a small model repeats "last Friday".
"""

import re
from datetime import date, datetime, timedelta
from itertools import pairwise

from hippograph.memory.dates import dates_en, dates_zh
from hippograph.memory.dates.periods import Phrase, phrases
from hippograph.memory.dates.spans import Span, Unit, moved

_COUNTED = re.compile(
    r"\b(?:yesterday|today|tomorrow|tonight|last|this|next|coming|past|ago|before last)\b|"
    r"[昨今明去]|[前后][天年]|[上这本下](?:个?[周月]|个?星期|个?礼拜|[个一]?[春夏秋冬季])|前$",
    re.IGNORECASE,
)
"""Expressions that count from the day of saying."""
_RELATIVE = re.compile(
    r"(?:"
    r"(?:the day (?:before|after) )?(?:yesterday|today|tomorrow)|tonight|last night|this (?:morning|afternoon|evening)"
    r"|(?:the )?(?:last|this|next|coming|past|this past|this coming) (?!\d|few\b|couple\b|several\b)\w+"
    r"|.*\b(?:ago|before last)"
    r"|(?:大?[前后]|[昨今明])[天日儿早晚晨夜]+"
    r"|(?:上+|这|本|下+)一?个?(?:(?:周|星期|礼拜)[一二三四五六日天末]?|月(?:的?\d{1,2}[日号])?)"
    r"|(?:大?前|去|今|本|明|后)年(?:的?(?:[春夏秋冬][天季日]?|(?:\d|十?[一二三四五六七八九十]){1,2}月份?(?:\d{1,2}[日号])?))?"
    r"|.*前)",
    re.IGNORECASE,
)
"""Those of them that a date can stand for; beside others it is put in brackets."""
_LASTING = re.compile(
    r"^(?:in|over|during|for|within|throughout|across)\b|\b(?:last|past) "
    r"(?:\d|few|couple|several|two|three|four|five|six|ten)|(?:最近|近|过去|这[几两半]|前[几两些])|[来里内间中]$",
    re.IGNORECASE,
)
"""How long something took, not when it was."""
_SEASON = re.compile(r"spring|summer|autumn|fall|winter|[春夏秋冬](?:[天季日]|$)", re.IGNORECASE)
_PART_OF_DAY = {
    "last night": "night", "tonight": "night", "this morning": "morning", "this afternoon": "afternoon",
    "this evening": "evening",
    "昨晚": "晚上", "昨夜": "夜里", "今晚": "晚上", "今夜": "夜里", "今早": "早上", "今晨": "早上",
    "明早": "早上", "明晚": "晚上",
}  # fmt: skip
_JOINT = re.compile(r"\s*的?\s*")
"""What stands between two expressions that are parts of one."""
_SO_FAR = re.compile(
    rf"(?P<count>\b{dates_en.COUNT})~(?P<unit>{dates_en.UNIT})~(?:now|already)\b"
    rf"|(?:['’]ve|\bhave|\bhas)~(?:\w+~){{1,6}}?for~(?:about~|almost~|nearly~|over~)?(?P<held>{dates_en.COUNT})~(?P<of>{dates_en.UNIT})"
    rf"|(?P<zhcount>{dates_zh.COUNT})(?P<zhunit>{dates_zh.UNIT})多?了".replace("~", r"\s{1,3}"),
    re.IGNORECASE,
)
"""How long something has lasted when it was said: its beginning stays the same, its length does not."""
_LINKED = re.compile(
    r"\b(?:on|in|at|since|until|till|by|from|for|of|before|after|to|around|during|over|than|between|and|throughout|the)"
    r"\W*$",
    re.IGNORECASE,
)
_NAMED = re.compile(r"['’]s\b|\s+(?:is|was|will|would|has|had)\b")
"""What follows a date that is spoken of, so that no preposition fits before it."""
_HAN = re.compile(r"[\u4e00-\u9fff]")
_FAR = 400
"""Days of the longest stretch that is shown; "a few years ago" stays as it is."""


def dated(text: str, said_at: datetime) -> str:
    """Return a text with the dates that its relative ones meant: "on 7 May 2023" for "yesterday", "2022年" for 去年.

    Args:
        text: What was said, Chinese or English.
        said_at: When; its own day is what "today" means.
    """
    parts, end = [], 0
    text = _SO_FAR.sub(lambda found: _with_beginning(found, said_at.date()), text)
    for at, to, span in _alone(text, said_at.date()):
        words = text[at:to]
        if not _COUNTED.search(words) or _LASTING.search(words):
            continue
        if not _RELATIVE.fullmatch(words):
            absolute = f"{words} ({_beside(span)})" if (span.end - span.first).days < _FAR else words
        else:
            absolute = _chinese(words, span) if _HAN.search(words) else _english(words, span, text[:at], text[to:])
        parts += [text[end:at], absolute or words]
        end = to
    return "".join([*parts, text[end:]])


def _alone(text: str, today: date) -> list[Phrase]:
    """Return the expressions of a text that stand alone; of "a year ago today" each part means something else."""
    found = [each._replace(to=each.to - text[each.at : each.to].endswith("的")) for each in phrases(text, today)]
    joined = {
        each for one, other in pairwise(found) if _JOINT.fullmatch(text[one.to : other.at]) for each in (one, other)
    }
    return [each for each in found if each not in joined]


def _with_beginning(found: re.Match[str], today: date) -> str:
    """Return how long something has lasted together with its beginning; without it where the length is too vague."""
    han = found["zhcount"] is not None
    read = (dates_zh.count, dates_zh.unit) if han else (dates_en.count, dates_en.unit)
    given = (
        (found["zhcount"], found["zhunit"]) if han else (found["count"] or found["held"], found["unit"] or found["of"])
    )
    try:
        (least, most), unit = read[0](given[0]), read[1](given[1])
        begun = moved(today, unit, -least)
    except (ValueError, OverflowError, KeyError):
        return found.group()
    if least != most or given[0].lower().startswith(("half", "半")):
        return found.group()
    return f"{found.group()} ({_since(begun, unit, han)})"


def _since(begun: date, unit: Unit, han: bool) -> str:
    if han:
        shown = {"year": f"{begun.year}年", "month": f"{begun.year}年{begun.month}月"}.get(unit, _day_zh(begun))
        return f"约从{shown}起"
    shown = {"year": str(begun.year), "month": f"{begun:%B %Y}"}.get(unit, _day(begun))
    return f"since about {shown}"


def _beside(span: Span) -> str:
    return " - ".join(dict.fromkeys(f"{each:%Y-%m-%d}" for each in (span.first, _last(span))))


def _english(words: str, span: Span, before: str, after: str) -> str:
    """Return an English date with the preposition it needs where it stands."""
    if (shown := _shown(words.lower(), span)) is None:
        return ""
    link, day = shown
    if _LINKED.search(before) or _NAMED.match(after):
        return day
    link = link.capitalize() if words[0].isupper() else link
    return f"{link} {day}"


def _shown(words: str, span: Span) -> tuple[str, str] | None:
    """Return preposition and date of an English expression; None for a stretch too vague to show."""
    length, first = (span.end - span.first).days, span.first
    if season := _SEASON.search(words):
        return "in", f"the {season[0]} of {first.year}"
    if part := _PART_OF_DAY.get(words):
        return "on", f"the {part} of {_day(first)}"
    if "ago" in words and length > 1:
        return _about(words, span)
    if length == 1:
        return "on", _day(first)
    if length == 2:
        return "on", f"the weekend of {_day(first)}"
    if length == 7:
        return "in", f"the week of {_day(first)}"
    if first.day == 1 and length <= 31:
        return "in", f"{first:%B %Y}"
    if first.day == 1 and length > 360:
        return "in", str(first.year)
    return ("between", f"{_day(first)} and {_day(_last(span))}") if length < _FAR else None


def _about(words: str, span: Span) -> tuple[str, str] | None:
    """Return what "three weeks ago" is about: the middle of its stretch, no finer than its unit."""
    middle, length = _middle(span), (span.end - span.first).days
    if length > _FAR or (length > 7 and re.search(r"few|several|couple", words)):
        return None
    if length > 100:
        return "in", f"about {middle.year}"
    return "in" if length > 10 else "around", f"about {middle:%B %Y}" if length > 10 else _day(middle)


def _chinese(words: str, span: Span) -> str:
    """Return a Chinese date."""
    length, first = (span.end - span.first).days, span.first
    if season := _SEASON.search(words):
        return f"{first.year}年{season[0]}"
    if part := _PART_OF_DAY.get(words):
        return f"{_day_zh(first)}{part}"
    if "前" in words and length > 1:
        return _about_zh(words, span)
    if length == 1:
        return _day_zh(first)
    if length == 2:
        return f"{_day_zh(first)}那个周末"
    if length == 7:
        return f"{_day_zh(first)}那一周"
    if first.day == 1 and length <= 31:
        return f"{first.year}年{first.month}月"
    if first.day == 1 and length > 360:
        return f"{first.year}年"
    return f"{_day_zh(first)}至{_day_zh(_last(span))}" if length < _FAR else ""


def _about_zh(words: str, span: Span) -> str:
    """Return what 三周前 is about, as `_about`."""
    middle, length = _middle(span), (span.end - span.first).days
    if length > _FAR or (length > 7 and re.search(r"[几数]", words)):
        return ""
    if length > 100:
        return f"{middle.year}年前后"
    return f"{middle.year}年{middle.month}月前后" if length > 10 else f"{_day_zh(middle)}前后"


def _middle(span: Span) -> date:
    return span.first + (span.end - span.first) // 2


def _last(span: Span) -> date:
    return span.end - timedelta(days=1)


def _day(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def _day_zh(day: date) -> str:
    return f"{day.year}年{day.month}月{day.day}日"
