"""Check a model's bullets against their sources, without a model."""

import re
from collections.abc import Iterable, Sequence

from hippograph.state import Recollection

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_LATIN = re.compile(r"[A-Za-zÀ-ɏ][\w'’.+#-]*[\w+#]|[A-Z]")
_NUMBER_WORDS = frozenset(
    "two three four five six seven eight nine ten eleven twelve thirteen fifteen twenty thirty forty fifty sixty "
    "seventy eighty ninety hundred thousand million twice dozen".split()
)
_NUMERALS = re.compile(r"[二三四五六七八九十百千万两]+")
_SURNAMES = (
    "王李张刘陈杨赵黄周吴徐孙胡朱林何郭马罗梁宋郑谢韩唐冯董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪"
    "姜范石姚谭廖邹熊陆郝孔崔邱秦顾侯邵孟龙段雷钱汤尹黎贺赖龚白"
)
_NAMED = re.compile(rf"(?:[小老阿][\u4e00-\u9fff]|[{_SURNAMES}][\u4e00-\u9fff]{{1,2}})")
_MONTHS = {
    name: number
    for number, name in enumerate(
        "january february march april may june july august september october november december".split(), start=1
    )
}
_COMMON = frozenset(
    "the a an he she it they i you we his her their my your our this that user assistant in on at for to of and but or "
    "as is was has had will when after before since because also prefers likes".split()
)


def supported(text: str, sources: Sequence[Recollection]) -> bool:
    """Tell whether every number, date and name of a sentence stands in its sources.

    The day a source was said counts as standing in it, as do those since and until when it was so. What cannot be told
    apart from a name counts as one: a sentence turned away wrongly costs nothing but its wording, as the source's own
    words take its place.
    """
    if not sources:
        return False
    evidence = " ".join(f"{each.speaker} {each.text}" for each in sources)
    days = [day for each in sources for day in (each.said_at, each.valid_from, each.valid_until) if day]
    numbers = _numbers(evidence) | {number for day in days for number in (day.year, day.month, day.day)}
    names = {word.casefold() for word in _words(evidence)} | {f"{day:%B}".casefold() for day in days}
    return (
        _numbers(text) <= numbers
        and all(word.casefold() in names or _known_month(word, numbers) for word in _telling(text))
        and all(numeral in evidence for numeral in _NUMERALS.findall(text))
        and all(name[:2] in evidence for name in _NAMED.findall(text))
    )


def _numbers(text: str) -> set[float]:
    return {_value(part) for found in _NUMBER.findall(text) for part in _parts(found)}


def _parts(number: str) -> Iterable[str]:
    """Split what is several numbers (10:30) or one with grouped thousands (1,250)."""
    plain = re.sub(r"(?<=\d),(?=\d{3}\b)", "", number)
    return re.split(r"[:,]", plain)


def _value(part: str) -> float:
    try:
        return float(part)
    except ValueError:  # 1.2.3
        return float(re.sub(r"\D", "", part))


def _words(text: str) -> list[str]:
    return [re.sub(r"['’]s$", "", word) for word in _LATIN.findall(text)]


def _telling(text: str) -> list[str]:
    """Return the words of a text that may be names or spell a number, the sentence's first word included."""
    chinese = re.search(r"[\u4e00-\u9fff]", text) is not None
    return [
        word
        for word in _words(text)
        if word.casefold() not in _COMMON and (chinese or not word.islower() or word in _NUMBER_WORDS)
    ]


def _known_month(word: str, numbers: set[float]) -> bool:
    return _MONTHS.get(word.casefold(), 0) in numbers
