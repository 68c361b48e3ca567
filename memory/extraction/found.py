"""What a rule is, and what it finds in a clause before it is made into a fact."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from hippograph.memory.extraction.words import either
from hippograph.state import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A pattern over what is said of a subject, and what it tells."""

    pattern: re.Pattern[str]
    """Its group `v` is the value, `w` what `also` takes."""
    attribute: str
    """Key; "{v}" stands for the value in it, "{k}" for group `k`."""
    needs: str = "verb"
    """What comes before: "verb" (no form of be), "be", "can", or "any"."""
    value: str = ""
    """The value, where it is not what the words say."""
    opposite: str = ""
    """The value of the denial, where that is a value of its own: who does not like something dislikes it."""
    kind: Kind = "fact"
    importance: float = 0.5
    many: bool = False
    """Whether the value may be a list of several."""
    ends: bool = False
    """Whether it says that something is over: "sold", 离职."""
    also: str = ""
    """Key of what group `w` tells besides."""
    proper: bool = False
    """Whether the value must be a proper name or have a figure."""
    dated: bool = False
    """Whether it counts only with a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a clause tells."""

    subject: str
    attribute: str
    value: str
    text: str
    """A sentence that is understood alone."""
    negated: bool = False
    kind: Kind = "fact"
    importance: float = 0.5
    confidence: float = 0.9
    future: bool = False
    """Whether what it tells is yet to come, so that a bare weekday or date is the next one."""
    dated: bool = False
    """Whether it counts only if it names a time."""


_PART = re.compile(r"(?<!\?P)<([a-z_|]+)>")


@cache
def rules(language: str) -> Sequence[Rule]:
    """Return what predicates tell, compiled when first needed; the first rule that fits counts.

    In the patterns of `rules.en.json` and `rules.zh.json`, <name> stands for one of the file's parts, <list|list> for
    any word of these lists of the lexicon.
    """
    read = json.loads((resources.files(__package__) / f"rules.{language}.json").read_text("utf-8"))
    parts: dict[str, str] = read["parts"]

    def filled(pattern: str) -> str:
        return _PART.sub(lambda found: filled(parts[found[1]]) if found[1] in parts else _any(found[1]), pattern)

    flags = re.IGNORECASE if language == "en" else re.NOFLAG
    return [Rule(**{**row, "pattern": re.compile(filled(row["pattern"]), flags)}) for row in read["rules"]]


def _any(lists: str) -> str:
    return either(*lists.split("|"))
