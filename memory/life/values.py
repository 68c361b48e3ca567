"""What a value says, compared: whether another says the same, the same and more, or something else."""

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

from hippograph.memory.life.amounts import TIMES, Amount, amounts
from hippograph.memory.tokens import CJK

Likeness = Literal["same", "finer", "coarser", "other"]
"""How a value is to an earlier one; `finer` says all that the earlier says, and more."""

_ROUGH = re.compile(
    r"\b(?:about|around|approximately|approx|roughly|almost|nearly|circa|ca|some|or so|ish)\b"
    r"|[约~≈]|大约|大概|左右|上下|差不多|将近|接近|多(?=$)"
)
_FILLER = re.compile(
    r"\b(?:the|a|an|my|our|his|her|their|is|am|are|be|in|at|on|of|to|for|as|by|named|called|really|very|just|now|currently|"
    r"works?|living|based|inc|ltd|llc|corp|gmbh|co|company|and|with)\b|"
    rf"[的了呢吧啊]|(?<![{CJK}])[在是叫于我去]|现在|目前|(?:股份)?有限公司$|公司$|集团$"
)
_WORD = re.compile(rf"[^\W_{CJK}]+(?:[-._/@:+#'][^\W_{CJK}]+)*[+#]*")
_HAN = re.compile(f"[{CJK}]+")
_PLACE = re.compile("[省市区县镇]")
_TURNS = re.compile(
    r"\b(?:not|no|never|non|un|ex|former|formerly|previous|old|retired|senior|junior|head|chief|vice|deputy|assistant|associate|"
    r"lead|principal|acting|interim|instead|except|without|hardly|new|anti|half|step|than|rather|but|was|until|"
    r"cancelled|canceled|stopped|quit)\b|[不没非无未副总前]|高级|资深|首席|助理|实习|代理|退休|以前|曾经|除了|取消|别|戒|辞"
)
"""What makes of a value another one, where it is added to it."""
_ANOTHER = re.compile(r"^[东西南北中]?(?:路|街|道|大道|站|桥|菜|人|队|话|话剧|烤鸭|大学|银行|火锅|小吃)")
"""What makes of a place's name that of something else: 南京, 南京路."""
_LETTERS = str.maketrans({"ø": "o", "ð": "d", "þ": "th", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe"})
LONG = 7
"""Letters of a word in which one may be wrong and the word still be known."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value in its parts."""

    amounts: tuple[Amount, ...]
    words: frozenset[str]
    """Words with letters, small, without accents and a plural's s."""
    han: tuple[str, ...]
    """Runs of Chinese characters."""
    rough: bool
    """Whether its amounts are said to be rough ones."""

    @property
    def joined(self) -> str:
        """Its words and characters in one, for what is written apart or together."""
        return "".join(sorted(self.words)) + "".join(self.han)

    @property
    def is_time(self) -> bool:
        """Whether it names a time: a day, a month, an hour."""
        return any(each.dimension in TIMES for each in self.amounts)

    @property
    def is_empty(self) -> bool:
        """Whether it says nothing that can be compared."""
        return not (self.amounts or self.words or self.han)


def value(text: str, *, literal: bool = False) -> Value:
    """Take a value apart; a `literal` one (a version, a password) has no amounts: "5.10" is not "5.1"."""
    counted, rest = ([], unicodedata.normalize("NFKC", text).casefold()) if literal else amounts(text)
    rough = bool(_ROUGH.search(rest))
    bare = _FILLER.sub(" ", _ROUGH.sub(" ", rest))
    if not (bare.strip() or counted):
        bare = rest
    words = frozenset(_letters(each) for each in _WORD.findall(bare))
    return Value(tuple(counted), words, tuple(_HAN.findall(bare)), rough)


def likeness(old: Value, new: Value) -> Likeness:
    """Return how a value is to an earlier one."""
    if old.is_empty or new.is_empty:
        return "same" if old.is_empty and new.is_empty else "other"
    if _is_same(old, new):
        return "same"
    if _holds(new, old):
        return "finer"
    if _holds(old, new):
        return "coarser"
    if _words_are_same(old, new) and len(old.amounts) == len(new.amounts) and (old.rough or new.rough):
        near = all(a.is_near(b) for a, b in zip(old.amounts, new.amounts, strict=True))
        return ("coarser" if new.rough else "finer") if near else "other"
    return "other"


def is_misspelt(old: Value, new: Value, *, name: bool = False) -> bool:
    """Whether two values differ in a single letter of a long word, or in two letters that changed places.

    Of a `name`, only the latter: one letter makes another one (Hamburg, Homburg).
    """
    if old.amounts != new.amounts or old.han != new.han:
        return False
    gone, come = sorted(old.words - new.words), sorted(new.words - old.words)
    if len(gone) != 1 or len(come) != 1 or min(len(gone[0]), len(come[0])) < LONG:
        return False
    return _one_off(gone[0], come[0]) and (not name or sorted(gone[0]) == sorted(come[0]))


def shares(old: Value, new: Value) -> bool:
    """Whether two values have words or characters in common: whether they may be of one thing."""
    pairs = [{run[i : i + 2] for run in each.han for i in range(max(1, len(run) - 1))} for each in (old, new)]
    return bool(old.words & new.words or pairs[0] & pairs[1])


def _is_same(one: Value, other: Value) -> bool:
    return _words_are_same(one, other) and _amounts_in(one, other) and _amounts_in(other, one)


def _words_are_same(one: Value, other: Value) -> bool:
    """Whether all words are the same, if written apart or with a place's kind: 杭州 and 杭州市, We Chat and WeChat."""
    if one.words == other.words and one.han == other.han:
        return True
    return _short(one.joined) == _short(other.joined)


def _short(said: str) -> str:
    return _PLACE.sub("", said) or said


def _holds(more: Value, less: Value) -> bool:
    """Whether a value says all that another says, and nothing that makes it another."""
    if not (less.words <= more.words and _amounts_in(less, more) and all(_within(run, more.han) for run in less.han)):
        return False
    added = " ".join([*(more.words - less.words), *_rest(more.han, less.han)])
    return not _TURNS.search(added)


def _within(run: str, runs: tuple[str, ...]) -> bool:
    """Whether a run of characters begins or ends one of some runs, and there still means what it means."""
    for each in map(_short, runs):
        short = _short(run)
        if each.endswith(short) or (each.startswith(short) and not _ANOTHER.match(each[len(short) :])):
            return True
    return False


def _rest(more: tuple[str, ...], less: tuple[str, ...]) -> list[str]:
    runs = list(map(_short, more))
    for run in map(_short, less):
        runs = [each.replace(run, " ", 1) for each in runs]
    return runs


def _amounts_in(less: Value, more: Value) -> bool:
    left = [*more.amounts]
    for each in less.amounts:
        found = next((other for other in left if each.is_same(other)), None)
        if found is None:
            return False
        left.remove(found)
    return True


def _letters(word: str) -> str:
    """Return a word without accents and a plural's s."""
    plain = unicodedata.normalize("NFD", word).translate(_LETTERS)
    plain = "".join(each for each in plain if not unicodedata.combining(each)).removesuffix("'s")
    return plain[:-1] if len(plain) > 3 and plain.endswith("s") and not plain.endswith(("ss", "us", "is")) else plain


def _one_off(one: str, other: str) -> bool:
    """Whether one letter is wrong, missing or too many, or two have changed places; never the first."""
    if one[0] != other[0] or not (one.isalpha() and other.isalpha()) or abs(len(one) - len(other)) > 1:
        return False
    if len(one) == len(other):
        wrong = [n for n, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
        swapped = len(wrong) == 2 and wrong[1] == wrong[0] + 1 and one[wrong[0]] == other[wrong[1]]
        return len(wrong) == 1 or (swapped and one[wrong[1]] == other[wrong[0]])
    short, long = sorted((one, other), key=len)
    return any(long[:n] + long[n + 1 :] == short for n in range(len(long)))
