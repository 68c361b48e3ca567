"""Whether a question is about how things are or how they were. Pure: no I/O, no clock but the one given."""

import re
from collections.abc import Sequence
from datetime import datetime

from hippograph.memory.dates.periods import Window

_NOW = re.compile(
    r"\b(?:current(?:ly)?|now(?:adays)?|latest|most recent(?:ly)?|newest|so far|still|these days|at the moment|"
    r"any ?more|up to date|usual(?:ly)?)\b|现在|目前|当前|如今|眼下|最近一次|最新|至今|还是|一般|通常",
    re.IGNORECASE,
)
_FIRST = re.compile(
    r"\b(?:first|initial(?:ly)?|original(?:ly)?|at the beginning)\b|最初|最早|原先|当初|第一[次个份任]", re.I
)
_PAST = re.compile(
    r"\b(?:first|initial(?:ly)?|original(?:ly)?|previous(?:ly)?|former(?:ly)?|earlier|before|used to|back then|"
    r"at the time)\b|以前|之前|最初|原来|原先|当初|第一次|过去|曾经|那时",
    re.IGNORECASE,
)
_MINE = re.compile(r"\b(?:i|my|mine|me|we|our)\b|我|咱", re.IGNORECASE)
_COUNT = re.compile(r"\bhow (?:many|much|often)\b|多少|几[次个本部家台]", re.IGNORECASE)
_EVENT = re.compile(
    r"\b(?:did|was|were|had|when)\b|什么时候|哪[天年月]|几[号点]|过[吗的？?]|了[吗？?]|那[天次]|上次", re.IGNORECASE
)
_PASSED = re.compile(
    r"\b(?:did|was|were|had)\b|(?:什么时候|哪[天年月]|几[号点]).*(?:[了过]|(?<![我你您他她它们])的)|"
    r"过[吗的？?]|了[吗？?]|那[天次]|上次",
    re.IGNORECASE,
)
_DUE = re.compile(
    r"\bwhen(?:['’]s|\s+(?:is|are|am|do|does|will|should|must|can))\b|什么时候|哪[天年月]|几[号点]", re.IGNORECASE
)
"""It asks when something is: of an appointment that was moved, the time that holds is meant."""
_STATE = re.compile(r"\b(?:do|does|am|is|are|have|has)\b|['’]s\b|[\u4e00-\u9fff]", re.IGNORECASE)
_CHANGES = re.compile(
    r"\b(?:ever|been|history|chang(?:ed?|es|ing)|no longer|(?<!how )old|past|last)\b|"
    r"从前|先前|此前|历史|变[化过了]|改[过了变]|换过|前任|上一|旧的?|老(?:地址|家|公司|号码)|[住用做养开吃叫当待学干去搬]过",
    re.IGNORECASE,
)
"""It asks for what changed, or for one of several states."""


def asks_for_what_is(query: str) -> bool:
    """Tell whether a question asks how things are, not how they were: in words, or about oneself in the present."""
    if _PAST.search(query):
        return False
    if _NOW.search(query):
        return True
    if not _MINE.search(query):
        return False
    return bool(_COUNT.search(query)) or (bool(_STATE.search(query)) and not _asks_for_an_event(query))


def asks_for_what_was(query: str, windows: Sequence[Window], now: datetime) -> bool:
    """Tell whether a question is, or may be, about how things were: then what is out of date may be the answer.

    Args:
        query: A question, or any text.
        windows: The stretches of time it names.
        now: When it is asked.
    """
    if windows and all(each.end <= now for each in windows):
        return True
    if _PAST.search(query):
        return True
    return not _NOW.search(query) and (_asks_for_an_event(query) or bool(_CHANGES.search(query)))


def _asks_for_an_event(query: str) -> bool:
    """Tell whether a question is, or may be, about what happened, not when something is to be."""
    return bool(_PASSED.search(query) or (_EVENT.search(query) and not _DUE.search(query)))


def asks_for_what_was_first(query: str) -> bool:
    """Tell whether of several states the first is meant."""
    return _FIRST.search(query) is not None


def asks_for_what_was_before(query: str) -> bool:
    """Tell whether of several states an earlier one than the present is meant, in words."""
    return _PAST.search(query) is not None
