"""Whether an answer holds the gold one: every telling word, numbers and dates by value, Chinese and English."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta

from hippograph.memory.dates.periods import windows
from hippograph.memory.life.amounts import TIMES, Amount, amounts
from hippograph.memory.tokens import STOP_CHARACTERS, STOP_WORDS, stem

_HAN = re.compile(r"[\u4e00-\u9fff]")
_RUN = re.compile(r"[\u4e00-\u9fff]+|[^\W\u4e00-\u9fff_]+")
_CITED = re.compile(r"\[\d+\](?!\()")
_ALSO = re.compile(r"^(?P<one>.+?)\.\s+(?P<other>.+?)\s*(?:\([^)]*\)\s*)?(?:is|are) also acceptable", re.DOTALL)
_HYPHEN = re.compile(r"(?<=[a-z])-(?=[a-z])|(?<=\d)-(?=[a-z])")
_GLUED = re.compile(r"(?<=\d)(?=(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b)", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_OWNER = re.compile(r"'s\b")
_CLAUSE = re.compile(r"[,.;:!，。；：！]|\b(?:because|since|as|but)\b|因为|但")
_IN = re.compile(r"(?<=\d)\s+in\s+(?=[a-z0-9])")
"""Behind a number it is a preposition more often than an inch."""
_COUNTED = re.compile(
    r"([一二两三四五六七八九])?(十)?([一二三四五六七八九])?(?=[部道种场首门项份篇节堂幅枚棵座家组批趟顿副片支名位])"
)
_FIGURE = {each: number for number, each in enumerate("一二三四五六七八九", 1)} | {"两": 2}
_WEEK_BEFORE = re.compile(r"\bweek before\b", re.IGNORECASE)
_YES_NO = re.compile(
    r"^(?:(?:likely|probably|possibly|most likely|presumably)[\s,]+)?(?P<word>yes|no|是的?|否|不是)\b", re.I
)
_NOT = re.compile(r"\b(?:no|not|never|unlikely|none|cannot)\b|n't\b|[不没否]", re.IGNORECASE)
_YES = re.compile(r"\byes\b|\bcorrect\b|^是|是的|对的", re.IGNORECASE)
_VAGUE = STOP_WORDS | frozenset("ago since about around approximately some also just very like".split())
"""Words that no answer has to repeat."""
_ASKED = datetime(2100, 1, 1, tzinfo=UTC)
"""What relative dates would count from: later than any data, as only absolute dates are compared."""
_LONGEST = timedelta(days=400)
Days = tuple[date, date]


def contains(answer: str, gold: str) -> bool:
    """Tell whether every telling part of the gold answer is in an answer.

    "7 May 2023", "May 7, 2023", "2023-05-07" and 2023年5月7日 are one date, "the Friday before 14 August 2023" is
    2023-08-11, "two" is 2, "3 weeks" are 21 days; a finer date than the gold one is held by it. Words are compared by
    their stems, Chinese by what stands between function characters. Of a gold "Yes, because …" only the yes counts.
    """
    said = _plain(_CITED.sub(" ", answer))
    if match := _ALSO.match(gold.strip()):
        return contains(answer, match["one"]) or contains(answer, match["other"])
    meant = _plain(gold)
    if found := _YES_NO.match(meant):
        return _agrees(said, found["word"])
    if not _RUN.search(meant):
        return False
    return _holds(said, meant) or _dated(said, meant)


def _plain(text: str) -> str:
    text = unicodedata.normalize("NFKC", text).replace("’", "'").casefold()
    text = _GLUED.sub(" ", text)
    text = _IN.sub(", in ", _HYPHEN.sub(" ", text))
    return _COUNTED.sub(_figures, text).strip()


def _figures(found: re.Match[str]) -> str:
    """Put a Chinese number below a hundred, before what it counts, into figures."""
    first, ten, last = found.groups()
    if not ten:
        return str(_FIGURE[first]) if first and not last else found.group()
    return str(10 * _FIGURE.get(first or "", 1) + _FIGURE.get(last or "", 0))


def _agrees(answer: str, word: str) -> bool:
    """Tell whether an answer says yes or no as the gold one does, in its first clause; the first such word counts."""
    clause = _CLAUSE.split(answer, maxsplit=1)[0]
    yes, no = _YES.search(clause), _NOT.search(clause)
    if word in ("yes", "是", "是的"):
        return yes is not None and (no is None or yes.start() <= no.start())
    return no is not None and (yes is None or no.start() < yes.start())


def _dated(answer: str, gold: str) -> bool:
    """Compare what the gold answer names with a year as stretches of days, and the rest as usual."""
    asked = [each for each in windows(gold, _ASKED) if _YEAR.search(each.text) and each.end - each.start < _LONGEST]
    if not asked:
        return False
    given = [(each.start.date(), each.end.date()) for each in windows(answer, _ASKED)]
    rest = gold
    for each in asked:
        meant = list(_meanings((each.start.date(), each.end.date()), each.text))
        if not any(_within(one, other) for one in given for other in meant):
            return False
        rest = rest.replace(each.text, " ")
    return _holds(answer, rest)


def _meanings(days: Days, text: str) -> Iterator[Days]:
    """Return the days, and of "the week before June 9" also the calendar week before."""
    yield days
    if _WEEK_BEFORE.search(text):
        monday = days[1] - timedelta(days=days[1].weekday() + 7)
        yield monday, monday + timedelta(days=7)


def _within(one: Days, other: Days) -> bool:
    return other[0] <= one[0] and one[1] <= other[1]


def _holds(answer: str, gold: str) -> bool:
    """Tell whether an answer has all amounts and all telling words of the gold one."""
    if (literal := _squeezed(gold)) and _HAN.search(gold) and literal in _squeezed(answer):
        return True
    wanted, words = amounts(gold)
    given, _ = amounts(answer)
    telling = _telling(words) or ([] if wanted else _RUN.findall(words))
    return all(_has(given, each) for each in wanted) and all(_said(each, answer) for each in telling)


def _has(given: Sequence[Amount], wanted: Amount) -> bool:
    """Tell whether an amount is among those given; the number of a day or month is no plain number."""
    same = [each for each in given if (each.dimension in TIMES) == (wanted.dimension in TIMES)]
    return any(wanted.is_same(each) for each in same)


def _telling(text: str) -> list[str]:
    """Return the words that must be said, and of Chinese the stretches between function characters."""
    runs = _RUN.findall(_OWNER.sub(" ", text))
    latin = [run for run in runs if not _HAN.search(run) and run not in _VAGUE]
    han = [piece for run in runs if _HAN.search(run) for piece in _pieces(run)]
    return latin + [each for each in han if len(each) > 1 or (len(han) == 1 and not latin)]


def _pieces(run: str) -> list[str]:
    return re.findall(rf"[^{''.join(STOP_CHARACTERS)}]+", run)


def _said(word: str, answer: str) -> bool:
    if _HAN.search(word):
        return word in _squeezed(answer)
    return stem(word) in {stem(each) for each in _RUN.findall(amounts(answer)[1])} | {
        stem(each) for each in _RUN.findall(answer)
    }


def _squeezed(text: str) -> str:
    """Return a text without blanks and signs."""
    return "".join(_RUN.findall(text))
