"""Cut text into the words the keyword index knows; indexing and asking use the same cut.

Latin and other spaced scripts give stemmed words; identifiers (PRJ-4821, billing-svc, v2.3) stay whole and also give
their parts; Chinese, Japanese and Korean runs give single characters and overlapping pairs, so that 猫 and 车险 are
found without a dictionary; symbols such as emoji are words of their own.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

import snowballstemmer

CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f"
_CJK = re.compile(f"[{CJK}]")
_PIECE = re.compile(
    rf"(?P<cjk>[{CJK}]+)"
    rf"|(?P<word>[^\W_{CJK}]+(?:[-_./:@#+'’][^\W_{CJK}]+)*[+#]*)"
    r"|(?P<symbol>[^\w\s])"
)
_JOINT = re.compile(r"[-_./:@#+'’]+")
_IDENTIFIER = re.compile(
    r"(?!\d{1,2}(?:[.:]\d\d)?(?:-\d{1,2}(?:[.:]\d\d)?)?(?:am|pm|h)?$|\d{1,2}/\d{1,2}$|\d+(?:s|st|nd|rd|th|k|km|kg|min)$)"
    r"(?=.{4})(?=.*(?:\d|[_./:@#]))(?=.*[^\W\d]|.*[-_./:@#]).+"
)
"""ord-7731, v2.3.1, file_name.py, 555-1234; not 2023 or well-known, nor 10am, 9:30, 24/7, 100th or 1990s."""
_STEMMER = snowballstemmer.stemmer("english")

STOP_WORDS = frozenset(
    "a an the of to in on at for and or is are was were be been am do does did has have had with by from as that this "
    "it its his her their my your our i you he she they we me him them us what when where who whom which how why will "
    "would can could should so if but not no s t d ll m re ve".split()
)
STOP_CHARACTERS = frozenset("什怎谁哪几多少的了是在和与也都就还吗呢吧啊呀么这那个有我你他她它们您之其被把给对从到及或")


def words(text: str) -> list[str]:
    """Return the words of a text in order, repeats included.

    Words too common to tell texts apart are left out, unless the text has no others.
    """
    found = list(_pieces(unicodedata.normalize("NFKC", text).lower()))
    telling = [word for word in found if not is_common(word)]
    return [stem(word) for word in telling or found]


def identifiers(text: str) -> frozenset[str]:
    """Return those words of a text that name one thing exactly: tickets, versions, files, numbers of parts."""
    return frozenset(word for word in words(text) if _IDENTIFIER.fullmatch(word))


def holds(text: str, named: frozenset[str]) -> bool:
    """Tell whether a text has all of some identifiers; never if there are none."""
    if not named:
        return False
    folded = unicodedata.normalize("NFKC", text).lower()
    return all(each in folded for each in named) and named <= {*words(text)}


def is_common(word: str) -> bool:
    """Tell whether a word is too common to tell texts apart: a stop word, or Chinese function characters only."""
    return word in STOP_WORDS or all(character in STOP_CHARACTERS for character in word)


def is_cjk(word: str) -> bool:
    """Tell whether a word is written in Chinese characters, kana or hangul."""
    return _CJK.match(word) is not None


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Reduce an English word to its stem (Porter 2); anything else stays as it is."""
    return str(_STEMMER.stemWord(word)) if word.isascii() and word.isalpha() else word


def _pieces(text: str) -> Iterator[str]:
    for match in _PIECE.finditer(text):
        piece = match.group()
        if match.lastgroup == "cjk":
            yield from piece
            yield from (piece[i : i + 2] for i in range(len(piece) - 1))
        elif match.lastgroup == "word":
            yield from _word(piece)
        elif unicodedata.category(piece) in ("So", "Sc"):
            yield piece


def _word(piece: str) -> Iterator[str]:
    parts = [part for part in _JOINT.split(piece) if part]
    if parts != [piece] and "'" not in piece and "’" not in piece:
        yield piece
    yield from parts
