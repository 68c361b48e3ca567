"""Whether a sentence tells of something that its sources do not, or uses the opposite of their words."""

import re
from collections.abc import Iterator

from hippograph.memory.life.numerals import figures
from hippograph.memory.tokens import STOP_CHARACTERS, STOP_WORDS
from hippograph.nodes.checks.clauses import plain
from hippograph.nodes.checks.lexicon import alike, alike_zh, base, generic, generic_zh, opposites
from hippograph.nodes.checks.names import OF_TIME

_WORD = re.compile(r"[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ'-]*")
_HAN = re.compile(r"[\u4e00-\u9fff]+")
_NUMERAL = re.compile(r"(?:\d|[零〇一二两俩三四五六七八九十百千万亿])+(?:[点年月日号周天]|半)?|[周][一二三四五六日天]")
_NEGATIONS = frozenset(
    "don doesn didn isn aren wasn weren hasn haven hadn wouldn can couldn shouldn mustn cannot not never longer any "
    "more anymore without".split()
)
_CONTRARY = ("un", "dis", "in", "im")
_DEGREE = re.compile(r"(?<!any )(?<!no )\b(?:more|less|always|never|up|down|first|last|before|after)\b")
_PREFIX = re.compile(r"^(?:un|in|im|dis|non)(?=[a-z]{3})")
MOST_NEW = 0.2
"""Share of an English sentence's telling words that may be new to its sources."""


def opposite(text: str, sources: str) -> str | None:
    """Return a word of a sentence whose opposite stands in its sources, which do not have the word; None for none."""
    said, given = {*_bases(text)}, {*_bases(sources)}
    for word in said - given:
        contrary = opposites().get(word, frozenset()) | {
            base(f"{prefix}{word}") for prefix in ("un", "dis", "in", "im")
        }
        bare = _PREFIX.sub("", word)
        if (contrary | ({bare} if bare != word else set())) & given:
            return word
    return _measure(text, sources) or _opposite_chinese(text, sources)


def _measure(text: str, sources: str) -> str | None:
    """Return "more", "always" and the like where the sources have only the opposite."""
    said, given = ({*_DEGREE.findall(plain(each).casefold())} for each in (text, sources))
    return next(
        (word for word in said - given if opposites()[base(word)] & {base(each) for each in given - said}), None
    )


def _opposite_chinese(text: str, sources: str) -> str | None:
    for word, others in opposites().items():
        if word.isascii() or word not in text:
            continue
        for other in others:
            if len(word) == len(other) == 1:
                if any(side in sources and own not in sources for own, side in _beside(word, other, text)):
                    return word
            elif word not in sources and other in sources and other not in text and len(word) > 1:
                return word
    return None


def _beside(word: str, other: str, text: str) -> Iterator[tuple[str, str]]:
    """Yield a character, and its opposite, with each neighbour it has in a text; 多少 is a word of its own."""
    for found in re.finditer(word, text):
        before, after = text[: found.start()][-1:], text[found.end() :][:1]
        if other in (before, after):
            continue
        for left, right in (("", after), (before, "")):
            if _HAN.fullmatch(left + right) and left + right not in STOP_CHARACTERS:
                yield f"{left}{word}{right}", f"{left}{other}{right}"


def new(text: str, sources: str) -> str | None:
    """Return what a sentence tells of that its sources do not; None where that is little."""
    return _new_english(text, sources) or _new_chinese(plain(text), plain(sources))


def _new_english(text: str, sources: str) -> str | None:
    given = {*_bases(sources)}
    telling = [word for word in _bases(text) if word not in generic()]
    fresh = [word for word in telling if word not in given and not alike(word) & given]
    return " ".join(fresh) if len(fresh) > MOST_NEW * len(telling) else None


def _bases(text: str) -> Iterator[str]:
    for found in _WORD.findall(figures(plain(text).casefold()).replace("won't", "will not")):
        for word in re.split(r"[-']", found):
            if len(word) > 2 and word not in STOP_WORDS and word not in OF_TIME and word not in _NEGATIONS:
                yield base(word)


def _new_chinese(text: str, sources: str) -> str | None:
    """Return the first run of characters that say something of their own and stand nowhere in the sources."""
    left = text
    for word in generic_zh():
        if len(word) > 1:
            left = left.replace(word, " ")
    for word, others in sorted(alike_zh().items(), key=lambda each: -len(each[0])):
        if word in left and any(other in sources for other in others):
            left = left.replace(word, " ")
    single = {word for word in generic_zh() if len(word) == 1} | STOP_CHARACTERS
    left = _NUMERAL.sub(" ", left)
    fresh = _HAN.findall("".join(" " if each in single or each in sources else each for each in left))
    return fresh[0] if fresh else None
