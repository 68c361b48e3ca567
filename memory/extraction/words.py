"""Word lists of the rules, and the small grammar that goes with them."""

import json
import re
from functools import cache
from importlib import resources


@cache
def listed(name: str) -> frozenset[str]:
    """Return a list of words, in small letters."""
    lists = json.loads((resources.files(__package__) / "lexicon.json").read_text("utf-8"))
    return frozenset(lists[name].split())


@cache
def either(*names: str) -> str:
    """Return a pattern for any word of some lists, the longest first."""
    words = sorted({word for name in names for word in listed(name)}, key=lambda word: (-len(word), word))
    return "(?:" + "|".join(re.escape(word).replace(r"\-", "[- ]") for word in words) + ")"


def is_past(verb: str) -> bool:
    """Whether an English verb has the form of the past."""
    return (verb.endswith("ed") and verb not in ("need", "feed", "speed", "breed", "proceed")) or verb in listed("past")


def is_participle(verb: str) -> bool:
    """Whether an English word can follow "have"."""
    return (verb.endswith("ed") and verb != "need") or verb in listed("participles")


def third_person(verb: str) -> str:
    """Return a verb as it follows "she": lives, has, tries; a form that needs no change stays."""
    low = verb.lower()
    if low in ("have", "am", "are", "do"):
        return {"have": "has", "am": "is", "are": "is", "do": "does"}[low]
    if is_past(low) or low.endswith(("ing", "n't")) or low in _FIXED:
        return verb
    if re.search(r"(?:s|x|z|ch|sh|o)$", low):
        return verb + "es"
    return verb[:-1] + "ies" if re.search(r"[^aeiou]y$", low) else verb + "s"


_FIXED = frozenset(
    "is was were has had can can't cannot could will would may might must should won't did does used".split()
)


def gerund(verb: str) -> str:
    """Return the -ing form of a verb: hike, hiking; run, running."""
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")):
        return verb[:-1] + "ing"
    if re.fullmatch(r"[^aeiou]*[aeiou][bdgmnprt]", verb):
        return verb + verb[-1] + "ing"
    return verb + "ing"
