"""How someone feels about what he tells, by a small list of words."""

import re
from functools import cache

from hippograph.memory.extraction.words import either, listed

_NOT_EN = re.compile(
    r"\b(?:not|never|no|don't|doesn't|didn't|isn't|wasn't|can't|cannot|won't|hardly)\s+(?:\w+\s+){0,2}$", re.IGNORECASE
)
_NOT_ZH = re.compile(r"(?:不|没|没有|不再|并不|不太|不怎么)$")
_STAND = re.compile(r"\b(?:can't|cannot|couldn't) (?:stand|bear)\b", re.IGNORECASE)


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    english = re.compile(rf"\b{either('opinions_up', 'opinions_down')}(?:s|d|ed)?\b", re.IGNORECASE)
    return english, re.compile(either("zh_up", "zh_down"))


def sentiment(text: str) -> float | None:
    """Return the feeling of a text, from -1 to 1; None where none is told."""
    english, chinese = _patterns()
    signs = [-1.0] * len(_STAND.findall(text))
    for found in english.finditer(text):
        word = found[0].lower()
        up = any(each in listed("opinions_up") for each in (word, word[:-1], word[:-2]))
        signs.append(_sign(up, _NOT_EN.search(text[: found.start()]) is not None))
    for found in chinese.finditer(text):
        signs.append(_sign(found[0] in listed("zh_up"), _NOT_ZH.search(text[: found.start()]) is not None))
    return round(0.7 * sum(signs) / len(signs), 2) if signs else None


def _sign(up: bool, denied: bool) -> float:
    return 1.0 if up != denied else -1.0
