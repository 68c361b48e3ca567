"""Numbers written out in words, English and Chinese, put into figures."""

import re
from collections.abc import Mapping

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
)
_SMALL: Mapping[str, int] = {
    **{word: n for n, word in enumerate((_ONES + "eighteen nineteen").split())},
    **{word: 10 * n for n, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)},
}
_LARGE: Mapping[str, int] = {"hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000}
_SMALL_WORD, _LARGE_WORD = "|".join(sorted(_SMALL, key=len, reverse=True)), "|".join(_LARGE)
_ENGLISH = re.compile(
    rf"\b(?:(?:an?[ ])?(?:{_LARGE_WORD})|{_SMALL_WORD})"
    rf"(?:(?:[ -]|[ ]and[ ])(?:{_SMALL_WORD}|{_LARGE_WORD}))*\b"
)
_SPOKEN = re.compile(
    r"\b(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) "
    r"(ten|fifteen|twenty|thirty|forty|fifty|forty-five)\b"
)
"""A time of day, as it is said."""
_DOZEN = re.compile(r"\b(?:(half) a|an?|one|two|three)[ ]dozen\b")
_HALF = re.compile(r"\b(?:(?P<whole>\d+) and a half|half an?)\b")
_MULTIPLIED = re.compile(r"(?<![\w.,])(\d+(?:\.\d+)?|half an?)[ ]?(hundred|thousand|million|billion)\b")

_DIGITS = {each: n for n, each in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "俩": 2}
_POWERS = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000}
_CHINESE = re.compile(r"(?:\d+(?:\.\d+)?)?[零〇一二两俩三四五六七八九十百千万亿]+")
_COUNTED = (
    r"个|岁|年|月|日|号|天|周|星期|点|时|分|秒|米|厘|公|千|斤|克|吨|元|块|毛|万|亿|口|只|条|本|辆|台|位|名|次|杯|瓶|套|室|层|楼|"
    r"间|件|张|把|双|平|度|寸|尺|升|毫|小时|钟头|级|页|股|人"
)
_FOLLOWED = re.compile(rf"(?:\s*(?:{_COUNTED})|\W|$)")


def figures(text: str) -> str:
    """Return a text, in small letters, with its number words in figures: "a hundred and five", "三千五", "2万"."""
    text = _DOZEN.sub(_dozen, text)
    text = _SPOKEN.sub(lambda found: f"{_SMALL[found[1]]}:{_english(found[2]):.0f}", text)
    text = _MULTIPLIED.sub(_multiplied, text)
    text = _ENGLISH.sub(lambda found: _plain(_english(found.group())), text)
    text = _HALF.sub(lambda found: f"{found['whole'] or 0}.5", text)
    return _CHINESE.sub(_chinese, text)


def _dozen(found: re.Match[str]) -> str:
    return str(6 if found[1] else 12 * _SMALL.get(found.group().split()[0], 1))


def _multiplied(found: re.Match[str]) -> str:
    return _plain((0.5 if found[1].startswith("half") else float(found[1])) * _LARGE[found[2]])


def _english(words: str) -> float:
    total = current = 0.0
    for word in re.split(r"[ -]", words):
        if word in _SMALL:
            current += _SMALL[word]
        elif word == "hundred":
            current = (current or 1) * 100
        elif word in _LARGE:
            total, current = total + (current or 1) * _LARGE[word], 0.0
    return total + current


def _chinese(found: re.Match[str]) -> str:
    """Put a Chinese number into figures where it is one: 三里屯 and 万科 are names."""
    said, after = found.group(), found.string[found.end() :]
    before = found.string[: found.start()]
    ordinal = before.endswith(("周", "星期", "礼拜"))
    if ordinal or said[0] in "百千万亿" or not (_FOLLOWED.match(after) or len(said) > 2):
        return said
    value = _chinese_number(said)
    return said if value is None else _plain(value)


def _chinese_number(said: str) -> float | None:
    rest = said.lstrip("0123456789.")
    lead = said[: len(said) - len(rest)]
    if not lead and all(each in _DIGITS for each in rest):
        return float("".join(str(_DIGITS[each]) for each in rest))
    total, section, digit, power = 0.0, 0.0, float(lead) if lead else 0.0, 1
    for each in rest:
        if each in _DIGITS:
            digit, power = _DIGITS[each], (power if _DIGITS[each] else 10)
        elif each in "万亿":
            total, section, digit = (total + section + digit) * _POWERS[each], 0.0, 0.0
            power = _POWERS[each]
        else:
            section, digit = section + (digit or 1) * _POWERS[each], 0.0
            power = _POWERS[each]
    return total + section + digit * (power / 10 if digit and power >= 100 else 1)  # 三千五 is 3500


def _plain(number: float) -> str:
    return f"{number:.6f}".rstrip("0").rstrip(".")
