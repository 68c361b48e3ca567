"""Whether a sentence pairs what its sources keep apart: one thing's number, colour or place given to another one.

Decided: numbers, where another clause of the sources names the thing and a number of its own; clauses of one form ("my
car is red and my bike is blue"), where what is said takes part of each; what stands before and after a hinge such as
"to", "than" or 比, where both have changed sides. Not decided: lists with "respectively", clauses of different forms.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from hippograph.memory.life.numerals import figures
from hippograph.nodes.checks.clauses import ME, Clause, content, plain
from hippograph.nodes.checks.lexicon import alike

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_TOKEN = re.compile(r"[a-zà-ÿ]+(?:'[a-z]+)?|\d+(?:\.\d+)?|[\u4e00-\u9fff]")
_AND = re.compile(r"\band\b|[，、]|(?:并且|并|和|与|且)", re.IGNORECASE)
_POINTS = re.compile(r"\b(?:he|she|it|they|this|that|these|those|him|them|his|its|their)\b|[他她它这那]", re.IGNORECASE)
_DETERMINERS = frozenset("a an the my our".split())
_ANCHORS = frozenset("是在叫住去有属要花付给周月")
_EMPTY = frozenset("的了我也都很个们你您吧啊呢着过用户色")
"""Characters that say nothing by themselves."""
MOST_TOKENS = 9
"""Longest clause, in English words, that is compared with another one by its form."""
MOST_CHARACTERS = 16
_HINGES = re.compile(
    r"\b(?:instead\s+of|rather\s+than|than|to|before|after|over|until|into|then)\b|而不是|换成|改[成为到]|代替|然后|再|之前|之后|以前|以后|[到至比给]",
    re.IGNORECASE,
)
_FROM = re.compile(
    r"\bfrom\s+((?:\w+\s+){1,3}?)(?:in)?to\s+((?:the\s+|my\s+)?\w+)|[从由](.{1,8}?)(?:到|至|回|去|往|改[为成]|换成)(.{1,6})",
    re.IGNORECASE,
)
_TO = re.compile(r"\b(?:in)?to\s+((?:the\s+|my\s+)?\w+)|(?:到|至|回|去|往|改[为成]|换成)(.{1,6})", re.IGNORECASE)
_INSTEAD = re.compile(r"\b(?:instead\s+of|rather\s+than)\b|而不是", re.IGNORECASE)
_SHARED = _EMPTY | _ANCHORS | {"先", ME}
Telling = frozenset[str]


def crossed(said: Sequence[Clause], sources: Sequence[Clause]) -> bool:
    """Tell whether what a sentence says of one thing is what its sources say of another one."""
    checks: tuple[Callable[[Sequence[Clause], Sequence[Clause]], bool], ...] = (
        _numbers,
        _turned,
        _returned,
        _replaced,
        _mixed,
    )
    return any(check(said, sources) for check in checks)


def _numbers(said: Sequence[Clause], sources: Sequence[Clause]) -> bool:
    """Tell whether a number is given to a thing for which the sources have another one."""
    known = [(each, _figures(each.text), _telling(each.words)) for each in sources]
    for clause in said:
        about = _telling(clause.words)
        for number in _figures(clause.text):
            holders = [words for _, numbers, words in known if number in numbers]
            if not holders or any(not words - about for words in holders):
                continue
            left = {word for word in about - {ME} if not any(_has(words, word) for words in holders)}
            if any(numbers and number not in numbers and left & words for _, numbers, words in known):
                return True
    return False


def _figures(text: str) -> set[str]:
    return {*_NUMBER.findall(figures(plain(text).casefold()))}


def _telling(words: frozenset[str]) -> Telling:
    """Return the English words and the Chinese pairs, without numbers."""
    return frozenset(each for each in words if len(each) > 1 and not each[0].isdigit() and each != "用户")


def _has(words: Telling, word: str) -> bool:
    return word in words or bool(alike(word) & words)


def _turned(said: Sequence[Clause], sources: Sequence[Clause]) -> bool:
    """Tell whether what stands before and what stands after a hinge have changed sides."""
    for clause in said:
        for before, after in _sides(clause.text):
            for source in sources:
                if any(before & later and after & earlier for earlier, later in _sides(source.text)):
                    return True
    return False


def _returned(said: Sequence[Clause], sources: Sequence[Clause]) -> bool:
    """Tell whether somebody goes where, as the sources have it, they come from."""
    places = [found for each in sources for found in _FROM.finditer(each.text)]
    left = {word for found in places for word in _long(found[1] or found[3])}
    reached = {word for found in places for word in _long(found[2] or found[4])}
    for clause in said:
        to = {word for found in _TO.finditer(clause.text) for word in _long(found[1] or found[2])}
        if to & (left - reached) and not to & reached:
            return True
    return False


def _replaced(said: Sequence[Clause], sources: Sequence[Clause]) -> bool:
    """Tell whether a sentence says that what its sources have "instead of" something else is that something."""
    for source in sources:
        before, *after = _INSTEAD.split(source.text, maxsplit=1)
        instead = {word for part in after for word in _long(part)} - _long(before)
        if any(instead & _long(clause.text) and not _spared(clause) for clause in said):
            return True
    return False


def _spared(clause: Clause) -> bool:
    return clause.negated or bool(_INSTEAD.search(clause.text) or _HINGES.search(clause.text))


def _long(text: str) -> set[str]:
    return {each for each in content(text) if len(each) > 1}


def _sides(text: str) -> Iterator[tuple[set[str], set[str]]]:
    for hinge in _HINGES.finditer(text):
        before, after = ({*content(side)} - _SHARED for side in (text[: hinge.start()], text[hinge.end() :]))
        yield before - after, after - before


def _mixed(said: Sequence[Clause], sources: Sequence[Clause]) -> bool:
    """Tell whether a clause takes part of each of two clauses of one form, and leaves part of each."""
    given = [_Piece(part) for clause in sources for part in _AND.split(clause.text) if part.strip()]
    pairs = [(one, other) for one, other in combinations(given, 2) if one.is_like(other)]
    for clause in said:
        for piece in (_Piece(part) for part in _AND.split(clause.text) if part.strip()):
            if any(_takes(piece, one, other) for one, other in pairs):
                return True
    return False


def _takes(piece: "_Piece", one: "_Piece", other: "_Piece") -> bool:
    first, second = one.words - other.words, other.words - one.words
    took, took_too = first & piece.words, second & piece.words
    left = bool(first - piece.words), bool(second - piece.words)
    return bool(took and took_too) and (any(left) if piece.chinese else all(left))


class _Piece:
    """A part of a clause between two "and", with what it tells and its form."""

    def __init__(self, text: str) -> None:
        """Read it."""
        text = plain(text)
        self.chinese = _HAN.search(text) is not None
        self.points = _POINTS.search(text) is not None
        self.tokens = _TOKEN.findall(figures(text.casefold()))
        characters = {each for each in self.tokens if each not in _EMPTY and each not in _ANCHORS}
        self.words = frozenset(characters if self.chinese else content(text)) - {ME}

    def is_like(self, other: "_Piece") -> bool:
        """Tell whether another piece has the same form, and both say whose they are."""
        if self.points or other.points or self.chinese != other.chinese:
            return False
        if self.chinese:
            short = max(len(self.tokens), len(other.tokens)) <= MOST_CHARACTERS
            return short and bool({*self.tokens} & {*other.tokens} & _ANCHORS)
        if max(len(self.tokens), len(other.tokens)) > MOST_TOKENS:
            return False
        one, two = sorted((self._form(other), other._form(self)), key=len)
        left = iter(two)
        return all(each in left for each in one)

    def _form(self, other: "_Piece") -> list[str]:
        """Return the words that are no one's own, with "_" for each that the other one lacks."""
        form = []
        for token in self.tokens:
            own = {*content(token)} - other.words - {ME}
            form.append("_" if own else "the" if token in _DETERMINERS else token)
        return form
