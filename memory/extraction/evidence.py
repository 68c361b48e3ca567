"""Where in a turn something stands: quotes found again, and the parts of a turn that state something."""

import re
from collections.abc import Sequence

from hippograph.memory.extraction.clauses import clauses, plain
from hippograph.memory.extraction.keeping import kept

_WORD = re.compile(r"[a-z0-9]+(?:['.,:][a-z0-9]+)*|[\u4e00-\u9fff]", re.IGNORECASE)
_COMMON = frozenset(
    "a an the is are am was were be been i my me we our user user's users of to in on at for with and or that this "
    "it its has have had do does did not no as by from their his her he she they them who which".split()
).union("的了是在我你他她它们有用户和就都也还很")


def located(quote: str, text: str) -> tuple[int, int] | None:
    """Return where a quote stands in a text, whatever its case, spacing and quotation marks; None if nowhere."""
    wanted = plain(quote).strip(" \t\n\"'.,;:!?。，；：！？…")
    words = [re.escape(each) for each in re.findall(r"\w+|[^\w\s]", wanted)]
    if not words or len(wanted) > 2000:
        return None
    found = re.search(r"\s*".join(words), plain(text), re.IGNORECASE)
    return found.span() if found else None


def stating(text: str, me: str) -> list[tuple[int, int]]:
    """Return the parts of a turn that state something, as (start, end)."""
    parts = [(clause.start, clause.start + len(clause.text)) for clause, _ in kept(plain(text), me)]
    parts += [(each.start, each.start + len(each.text)) for each in clauses(text)]
    return sorted(set(parts))


def words(text: str) -> list[str]:
    """Return the words of a text that tell something, in small letters; Chinese characters count singly."""
    return [each for each in (found.lower() for found in _WORD.findall(plain(text))) if each not in _COMMON]


def supported(value: str, text: str) -> bool:
    """Whether a text has most words of a value, and all of its figures."""
    wanted, there = words(value), set(words(text))
    if not wanted or any(each not in there for each in wanted if any(c.isdigit() for c in each)):
        return False
    held = sum(each in there or _stem(each) in {_stem(word) for word in there} for each in wanted)
    return held >= 0.75 * len(wanted)


def clause_with(text: str, parts: Sequence[tuple[int, int]], said: str) -> tuple[int, int] | None:
    """Return the part that has the words of a statement, the one with most; None where none has most of them."""
    wanted = [each for each in words(said) if each not in ("likes", "like", "lives", "live", "named", "called", "name")]
    best = max(parts, key=lambda part: _held(wanted, text[part[0] : part[1]]), default=None)
    if best is None or not wanted or _held(wanted, text[best[0] : best[1]]) < 0.6 * len(wanted):
        return None
    return best


def _held(wanted: Sequence[str], text: str) -> int:
    there = {_stem(each) for each in words(text)}
    return sum(_stem(each) in there for each in wanted)


def _stem(word: str) -> str:
    return re.sub(r"(?:ing|ed|es|s)$", "", word) if len(word) > 4 else word
