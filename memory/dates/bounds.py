"""Words beside a date that move or open its stretch: "since", "the week before", 以来, 前两天."""

import re
from collections.abc import Callable
from datetime import date, timedelta

from hippograph.memory.dates import dates_en, dates_zh, spans
from hippograph.memory.dates.rules import compiled
from hippograph.memory.dates.spans import Span
from hippograph.memory.times import FIRST_YEAR, LAST_YEAR

LONG_AGO, FAR = date(FIRST_YEAR, 1, 1), date(LAST_YEAR, 1, 1)
"""What stands for an open beginning and end: their days exist in every zone."""
_REACH = 60
"""Characters before a date that are looked at."""
_MOST = 3
"""Most words beside one date: "since the week before May 3" has two."""

_Bound = Callable[[re.Match[str], Span, date], Span]


def bounded(text: str, at: int, to: int, span: Span, today: date) -> tuple[int, int, Span]:
    """Return a date's stretch as the words before and after it have it, with where the whole expression stands.

    Args:
        text: All that was said.
        at: Where the date begins in the text.
        to: Where it ends.
        span: What it means alone.
        today: The day of asking, where "since" ends.

    Raises:
        ValueError, OverflowError: The stretch leaves the calendar.
    """
    for pattern, bound in _AFTER:
        if found := pattern.match(text, to):
            span, to = bound(found, span, today), found.end()
            break
    for _ in range(_MOST):
        begin = max(0, at - _REACH)
        said = ((pattern.search(text[begin:at]), bound) for pattern, bound in _BEFORE)
        if not (first := next(((match, bound) for match, bound in said if match), None)):
            break
        span, at = first[1](first[0], span, today), begin + first[0].start()
    return at, to, span


def _since(found: re.Match[str], span: Span, today: date) -> Span:
    return Span(span.first, max(span.end, today + timedelta(days=1)))


def _until(found: re.Match[str], span: Span, today: date) -> Span:
    return Span(LONG_AGO, span.end)


def _before(found: re.Match[str], span: Span, today: date) -> Span:
    return Span(LONG_AGO, span.first)


def _after(found: re.Match[str], span: Span, today: date) -> Span:
    return Span(span.end, today + timedelta(days=1) if span.end <= today else FAR)


def _week(found: re.Match[str], span: Span, today: date) -> Span:
    return spans.week(span.first)


def _around(found: re.Match[str], span: Span, today: date) -> Span:
    return Span(span.first - timedelta(days=3), span.end + timedelta(days=3))


def _sign(found: re.Match[str]) -> int:
    return -1 if found["side"].lower().startswith(("before", "prior", "前")) else 1


def _weekday_beside(found: re.Match[str], span: Span, today: date) -> Span:
    """Read "the Sunday before", "the weekend after"."""
    weekend, sign = found["what"].lower() == "weekend", _sign(found)
    number = 5 if weekend else dates_en.weekday(found["what"])
    anchor = span.end - timedelta(days=1) if sign > 0 else span.first - timedelta(days=1 if weekend else 0)
    return spans.days(spans.nearest(anchor, number, sign).first, 2 if weekend else 1)


def _units_beside(found: re.Match[str], span: Span, today: date) -> Span:
    """Read "two weeks before"; "the week before" is the one that ends there."""
    unit, sign = dates_en.unit(found["unit"]), _sign(found)
    if found["count"]:
        return spans.distant(span.first, unit, dates_en.count(found["count"]), sign)
    return _adjoining(span, unit, sign, 1)


def _chinese_beside(found: re.Match[str], span: Span, today: date) -> Span:
    """Read 前两天, 后一周: those that adjoin."""
    return _adjoining(span, dates_zh.unit(found["unit"]), _sign(found), dates_zh.count(found["count"])[1])


def _adjoining(span: Span, unit: spans.Unit, sign: int, count: int) -> Span:
    if sign < 0:
        return Span(spans.moved(span.first, unit, -count), span.first)
    return Span(span.end, spans.moved(span.end, unit, count))


_SIDE = r"(?P<side>before|prior~to|after|following)"
_MEASURED = r"(?<!days )(?<!weeks )(?<!months )(?<!years )(?<!hours )(?<!long )"  # "how many days before Christmas"
_BEFORE: list[tuple[re.Pattern[str], _Bound]] = [
    (compiled(r"\b(?:the~)?week~(?:of|beginning|starting)~(?:the~)?$"), _week),
    (
        compiled(rf"\b(?:(?:the|last|on)~){{0,2}}(?P<what>weekend|{dates_en.FULL_WEEKDAY})~{_SIDE}~(?:the~)?$"),
        _weekday_beside,
    ),
    (
        compiled(rf"\b(?:the~|(?P<count>{dates_en.COUNT})~)(?P<unit>{dates_en.UNIT})~{_SIDE}~(?:the~)?$"),
        _units_beside,
    ),
    (compiled(r"\b(?:ever~)?since~(?:the~)?$"), _since),
    (compiled(rf"\b{_MEASURED}(?:before|prior~to)~(?:the~)?$"), _before),
    (compiled(rf"\b{_MEASURED}after~(?:the~)?$"), _after),
    (compiled(r"\b(?:by|until|till|up~to|as~of)~(?:the~)?$"), _until),
    (re.compile(r"(?<![来各亲独])自从?$"), _since),
    (re.compile(r"(?:截至|截止到?|直到|直至)$"), _until),
]
_AFTER: list[tuple[re.Pattern[str], _Bound]] = [
    (re.compile(pattern, re.IGNORECASE), bound)
    for pattern, bound in (
        (r"\s+onwards?\b", _since),
        (r"的?(?:那|当|这)(?:一|个)*(?:周|星期|礼拜)(?![一二三四五六日末])", _week),
        (rf"的?(?P<side>[前后])(?P<count>{dates_zh.COUNT})(?P<unit>{dates_zh.UNIT})", _chinese_beside),
        (r"以来|至今|之后至今|起(?![床来码因点伏诉])", _since),
        (r"[以之]前|前(?![往后天端台进夕面年头提沿])", _before),
        (r"[以之]后|后(?![来台面天续期悔勤卫院备第的]|[一二两三四五几\d])", _after),
        (r"左右|前后", _around),
    )
]
