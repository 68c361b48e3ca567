"""One sign, as a regular expression over a turn's text.

English alternatives are whole words, written with "_" for white space; Chinese ones stand anywhere.
"""

import re
from functools import cached_property


class Cue:
    """A pattern that is compiled when it is first asked: all of them together would cost a tenth of a second."""

    def __init__(self, source: str, flags: int = re.IGNORECASE) -> None:
        self.source = source
        self._flags = flags

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(self.source, self._flags)

    def search(self, text: str) -> re.Match[str] | None:
        """Return the first place where the sign stands."""
        return self._pattern.search(text)

    def match(self, text: str) -> re.Match[str] | None:
        """Return the sign if the text begins with it."""
        return self._pattern.match(text)

    def taken_out(self, text: str) -> str:
        """Return the text with a blank in place of each sign."""
        return self._pattern.sub(" ", text)


def cue(en: str = "", zh: str = "", *more: str) -> Cue:
    """Join alternatives, separated by white space, and further patterns taken as they are."""
    english = "|".join(en.split()).replace("_", r"\s+")
    parts = [rf"\b(?:{english})\b" if english else "", "|".join(zh.split()), *more]
    return Cue("|".join(f"(?:{part})" for part in parts if part))


def whole(pattern: str) -> Cue:
    """Match a text that is nothing but repetitions of a pattern.

    Each repetition is matched once and for all (longest alternatives first): else a run such as 哈哈哈哈 could be split
    in exponentially many ways before it fails.
    """
    longest_first = sorted(pattern.split(), key=len, reverse=True)
    return Cue(rf"^[\W_]*+(?:(?>{'|'.join(longest_first)})[\W_]*+)++$".replace("~", r"\s+"))
