"""Whether the numbers of a sentence stand in its sources, by value: two is 2 is 两, 1.5 kg is 1500 g."""

import re
from collections.abc import Iterator

from hippograph.memory.life.amounts import BARE, TIMES, Amount, amounts
from hippograph.memory.life.numerals import figures
from hippograph.nodes.checks.clauses import plain
from hippograph.nodes.checks.lexicon import base

_GROUPED = re.compile(r"(?<![\d.,])(\d{1,3}(?:[ \u00a0\u202f]\d{3})+)(?![\d])")
_TIMES = {"twice": "2 times", "thrice": "3 times", "a couple of": "2", "a pair of": "2"}
_NO_ONE = re.compile(
    r"\b(?:one\s+of|no\s+one|one\s+another|one\s+day|the\s+one|this\s+one|that\s+one|each\s+one|one['’]s|another\s+one|one\s+more|"
    r"once)\b|一(?:些|起|般|样|直|定|下|边|共|切|旦|向|致|家人|方面|次性|点(?!半|钟|[零一二三四五\d]))|[同统唯第单万之]一|一一|[这那某每有另]一",
    re.IGNORECASE,
)
_ORDINAL = re.compile(
    r"\b(third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\b|"
    r"第([二三四五六七八九十\d]+)|\b(\d+)(?:st|nd|rd|th)\b",
    re.IGNORECASE,
)
_ORDINALS = {word: n for n, word in enumerate("third fourth fifth sixth seventh eighth ninth tenth".split(), 3)}
_COUNTED = re.compile(r"(?<![\w.,:/-])(\d+(?:\.\d+)?)\s+(?:[a-z]+(?:er|ish|ic|al|ful|y|ed|ing|en|ld|w)\s+)?([a-z]{3,})")
_COUNTED_ZH = re.compile(r"(?<![\d.])(\d+(?:\.\d+)?)(?:[个只条辆台位名次杯瓶套间件张把双本口匹头棵])([\u4e00-\u9fff])")
_DIGITS = re.compile(r"\d+(?:\.\d+)?")
_SINGLE = re.compile(
    r"\b(?:an?|one|1|my|the|his|her|our|their|another|this|only)\b|"
    r"[一1个只条辆台位名本套间件张把双口]|我的?|有"
)


def wrong(text: str, sources: str, more: frozenset[float] = frozenset()) -> str | None:
    """Return a number of a sentence that its sources do not give, as it was read; None where there is none.

    Args:
        text: The sentence, without what names a date.
        sources: What its sources say.
        more: Numbers that count as given, such as those of the day a source was said.
    """
    said, rest = _read(text)
    given, others = _read(sources)
    for each in said:
        if each.dimension in TIMES and not each.dimension.startswith("clock"):
            continue  # Dates have a check of their own.
        if each.dimension == BARE and each.number == 1:
            if not (any(each.is_same(other) for other in given) or _SINGLE.search(sources.casefold())):
                return "1"
        elif not any(each.is_same(other) for other in given) and not (each.dimension == BARE and each.number in more):
            return f"{each.said:g}"
    left = {float(found) for found in _DIGITS.findall(rest)} - more
    missing = left - {float(found) for found in _DIGITS.findall(others)} - {each.said for each in given}
    if missing:
        return f"{min(missing):g}"
    return _ordinal(text, sources) or _counted(text, sources)


def _read(text: str) -> tuple[list[Amount], str]:
    text = _NO_ONE.sub(" ", plain(text))
    for words, figure in _TIMES.items():
        text = re.sub(rf"\b{words}\b", figure, text, flags=re.IGNORECASE)
    return amounts(_GROUPED.sub(lambda found: re.sub(r"\s", "", found[1]), text))


def _ordinal(text: str, sources: str) -> str | None:
    given = {*_ordinals(sources)}
    return next((f"no. {each:g}" for each in _ordinals(text) if each not in given), None)


def _ordinals(text: str) -> Iterator[float]:
    for word, chinese, figure in _ORDINAL.findall(plain(text)):
        if chinese and not (read := _DIGITS.fullmatch(figures(f"{chinese}个").removesuffix("个"))):
            continue
        yield float(read[0]) if chinese and read else float(figure or _ORDINALS[word.lower()])


def _counted(text: str, sources: str) -> str | None:
    """Return a number that a sentence gives for what its sources give another number for."""
    given: dict[str, set[float]] = {}
    for thing, number in _things(sources):
        given.setdefault(thing, set()).add(number)
    return next(
        (f"{number:g} {thing}" for thing, number in _things(text) if thing in given and number not in given[thing]),
        None,
    )


def _things(text: str) -> Iterator[tuple[str, float]]:
    figured = figures(_NO_ONE.sub(" ", plain(text)).casefold())
    for number, thing in _COUNTED.findall(figured):
        yield base(thing), float(number)
    for number, thing in _COUNTED_ZH.findall(figured):
        yield thing, float(number)
