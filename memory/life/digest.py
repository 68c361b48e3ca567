"""Digests by which the ledger finds what says the same, and what is about the same matter."""

import re
import unicodedata
from hashlib import sha256

from hippograph.memory.extraction.attributes import canonical

LENGTH = 32
"""Characters of a digest: 128 bits."""

_END = re.compile(r"[\W_]+$")
_SPACE = re.compile(r"\s+")


def plain(text: str) -> str:
    """Return a text without what does not change what it says: case, forms of characters, spacing, its end's points."""
    said = _SPACE.sub("", unicodedata.normalize("NFKC", text).casefold())
    return _END.sub("", said) or said


def digest(text: str) -> str:
    """Return the digest of what a text says: the same for "I like tea." and "i like  TEA"."""
    return _hashed(plain(text))


def matter(subject: str | None, attribute: str | None) -> str | None:
    """Return the digest of whom and which property a memory is about, in whatever words; None where one is unknown."""
    if not subject or not subject.strip() or not attribute or not attribute.strip():
        return None
    return _hashed(plain(subject), plain(canonical(attribute)))


def fact_id(turn: str, subject: str, attribute: str, value: str, *, negated: bool) -> str:
    """Return the id of a fact that a turn tells: the same whenever it is found in it."""
    return _hashed(turn, plain(subject), plain(attribute), plain(value), "not" if negated else "")


def _hashed(*parts: str) -> str:
    return sha256("\x1f".join(parts).encode()).hexdigest()[:LENGTH]
