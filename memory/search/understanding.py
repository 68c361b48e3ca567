"""What a query asks for, found without a model: its parts, whom it names, and when it means."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from hippograph.memory.dates.periods import Window, windows
from hippograph.memory.tokens import STOP_WORDS, is_cjk

MOST_LINES = 6
"""Lines of a query that are searched for, the last ones: each costs an embedding."""
FADING = 0.6
"""How much of its weight a line keeps for each line after it: what was said last is what is meant."""
_WORD = re.compile(r"\w")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What is searched for: a query, or a line of one (a conversation has a line for each thing said)."""

    text: str
    """Its text without the names of the space's speakers: every turn carries its speaker, who is matched apart."""
    weight: float
    """In (0, 1]; 1 for the whole query and its last line."""
    is_line: bool
    """Whether it is one line of several."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Understood:
    """A query, understood."""

    parts: tuple[Part, ...]
    """The whole query and, where it has several, its lines; nothing where it is empty."""
    speakers: frozenset[str]
    """The space's speakers whom the query names."""
    windows: tuple[Window, ...]
    """The stretches of time it names; any of them will do."""


def understand(query: str, speakers: Iterable[str], asked_at: datetime) -> Understood:
    """Return what a query asks for.

    Args:
        query: A question, or any text.
        speakers: Those who speak in the space.
        asked_at: When it is asked; "last week" is relative to this.
    """
    named = frozenset(each for each in speakers if names(query, each))
    said = [line for line in (_without(each, named) for each in query.splitlines()) if _WORD.search(line)]
    last = said[-MOST_LINES:] or ([query] if query.strip() else [])
    whole = [Part(text="\n".join(last), weight=1.0, is_line=False)] if last else []
    lines = [Part(text=line, weight=FADING ** (len(last) - n), is_line=True) for n, line in enumerate(last, 1)]
    return Understood(
        parts=(*whole, *(lines if len(last) > 1 else ())),
        speakers=named,
        windows=_meant(windows(query, asked_at), asked_at),
    )


def names(text: str, name: str) -> bool:
    """Tell whether a text names someone, as a word of its own where the script has words.

    Case counts, so that "will" is no Will, unless all is in small letters, or the name in capitals. A single Chinese
    character is in too many words to be a name.
    """
    if not name.strip() or name.casefold() not in text.casefold() or (is_cjk(name) and len(name) == 1):
        return False
    return _named(name, text).search(text) is not None


def _named(name: str, text: str) -> re.Pattern[str]:
    bounded = rf"(?<!\w)(?:{re.escape(name)}|{re.escape(name.upper())})(?:['’]s)?(?!\w)"
    anyhow = text.islower() and name.casefold() not in STOP_WORDS
    return re.compile(re.escape(name) if is_cjk(name) else bounded, re.IGNORECASE if anyhow else re.NOFLAG)


def _without(line: str, named: Iterable[str]) -> str:
    """Return a line without some names; the line itself where nothing else is in it."""
    bare = line
    for name in named:
        bare = _named(name, line).sub(" ", bare)
    return " ".join(bare.split()) if _WORD.search(bare) else line.strip()


def _meant(found: Sequence[Window], asked_at: datetime) -> tuple[Window, ...]:
    """Drop windows that lie in the future where others do not: memories are of the past."""
    begun = [each for each in found if each.start <= asked_at]
    return tuple(begun or found)
