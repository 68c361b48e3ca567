"""Cut text into sentences, Chinese and English."""

import itertools
import re

_END = re.compile(r"(?<=[。！？；…])[”’」』）)]*|(?<=[.!?;])[\"'”’)]*\s+|\n+")


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, trimmed, without empty ones.

    A full stop ends a sentence only before white space, so that 3.14 and v2.3 stay whole.
    """
    cuts = [0, *(match.end() for match in _END.finditer(text) if match.end() > 0), len(text)]
    pieces = (text[start:end].strip() for start, end in itertools.pairwise(cuts))
    return [piece for piece in pieces if piece]
