"""Words for words: what says nothing by itself, what means the same, what follows, what is the opposite."""

import json
from functools import cache
from importlib import resources
from typing import Any

from hippograph.memory.tokens import stem


@cache
def _read() -> dict[str, Any]:
    read: dict[str, Any] = json.loads((resources.files(__package__) / "lexicon.json").read_text("utf-8"))
    return read


@cache
def base(word: str) -> str:
    """Return an English word as all its forms have it: "bought" and "buys" are "buy"; others as they are."""
    word = word.casefold()
    return stem(str(_read()["irregular"].get(word, word)))


@cache
def generic() -> frozenset[str]:
    """Return the English words, as bases, that a sentence may add to its sources."""
    return frozenset(base(word) for line in _read()["generic"] for word in line.split())


@cache
def generic_zh() -> tuple[str, ...]:
    """Return the Chinese words that a sentence may add to its sources, the longest first."""
    return tuple(sorted({word for line in _read()["generic_zh"] for word in line.split()}, key=len, reverse=True))


@cache
def starters() -> frozenset[str]:
    """Return the words that may begin an English sentence without being a name, in small letters."""
    return frozenset(_read()["starters"].split())


@cache
def no_names() -> frozenset[str]:
    """Return the pairs of Chinese characters that look like the beginning of a name and are other words."""
    return frozenset(_read()["no_names"].split())


@cache
def after_names() -> frozenset[str]:
    """Return the Chinese words whose last character looks like the beginning of a name."""
    return frozenset(_read()["after_names"].split())


@cache
def alike(word: str) -> frozenset[str]:
    """Return the bases of the English words that mean what a base means, or that it follows from."""
    groups = [{base(each) for each in line.split()} for line in _read()["synonyms"]]
    found = {each for group in groups if word in group for each in group}
    return frozenset(found | {base(one) for one, more in _read()["follows"].items() if base(more) == word})


@cache
def alike_zh() -> dict[str, frozenset[str]]:
    """Return for Chinese words those that mean the same, or that they follow from."""
    found: dict[str, set[str]] = {}
    for line in _read()["synonyms_zh"]:
        group = line.split()
        for word in group:
            found.setdefault(word, set()).update(group)
    for one, more in _read()["follows"].items():
        if not one.isascii():
            found.setdefault(more, {more}).add(one)
    return {word: frozenset(others) for word, others in found.items()}


@cache
def opposites() -> dict[str, frozenset[str]]:
    """Return for bases of English words, and for Chinese words, their opposites."""
    found: dict[str, set[str]] = {}
    for line in _read()["opposites"]:
        one, other = (base(word) for word in line.split())
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    for line in _read()["opposites_zh"]:
        one, other = line.split()
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in found.items()}
