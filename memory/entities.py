"""Entities: people, places, organisations and things that memories name, as the ledger keeps them."""

import re
import unicodedata
from typing import Literal, NamedTuple

from hippograph.memory.facts import SELF

EntityKind = Literal["person", "place", "organisation", "thing", ""]
"""What an entity is; empty where that is not known."""

_POSSESSIVE = re.compile(r"['’]s?$")
_ME = frozenset("i me my myself user 我 自己 本人 我自己 用户".split())


class Named(NamedTuple):
    """An entity in a text."""

    name: str
    kind: EntityKind = ""


def key(name: str) -> str:
    """Return what a name is found by: without case, spacing and possessive; for oneself, in any words, SELF."""
    plain = unicodedata.normalize("NFKC", name).casefold().strip()
    if plain in _ME:
        return SELF
    return re.sub(r"\s+", "", _POSSESSIVE.sub("", plain.strip(".,;:!?")))
