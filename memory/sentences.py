"""Cut text into sentences, Chinese and English."""

import itertools
import re

_END = re.compile(r"(?<=[。！？；…])[”’」』）)]*|(?<=[.!?;])[\"'”’)]*\s+|\n+")


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, trimmed, without empty ones.

    A full stop ends a sentence only before white space, so that 3.14 and v2.3 stay whole.
    """
    return [text[start:end] for start, end in places(text, 0, len(text))]


def places(text: str, start: int, end: int, ending: re.Pattern[str] = _END) -> list[tuple[int, int]]:
    """Return where the sentences of `text[start:end]` stand, trimmed, as (first character, behind the last one).

    Args:
        text: What they stand in.
        start: From here.
        end: Up to here.
        ending: What ends a sentence; another pattern cuts into other parts, such as paragraphs.
    """
    cuts = [start, *(match.end() for match in ending.finditer(text, start, end) if match.end() > start), end]
    found = (trimmed(text, *cut) for cut in itertools.pairwise(cuts))
    return [(first, behind) for first, behind in found if first < behind]


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return where a part of a text stands without the white space around it."""
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end
