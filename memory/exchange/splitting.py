"""Cut a document into pieces: at its headings, else between paragraphs, else between sentences. Pure.

Pieces of one section overlap a little, so that what stands across a cut is whole in one of them. Together they hold
everything but white space.
"""

import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hippograph.memory.sentences import places, trimmed

SIZE = 160
"""Tokens of a piece: one vector holds it, and a memory block several of them."""
OVERLAP = 24
"""Tokens that a piece shares with the one before it."""
BYTES = 4
"""Bytes of UTF-8 taken for a token: four letters, or one Chinese character and a third."""
ANCHORS = 4
"""One in so many sentences or paragraphs ends a piece that is half full. Which ones depends on their words alone: after
an edit the same cuts are found again, and all pieces behind it stay as they are."""

_PARAGRAPH = re.compile(r"\n[^\S\n]*\n\s*")

Place = tuple[int, int]
"""First character, and behind the last one."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a document."""

    start: int
    """Its first character."""
    end: int
    """Behind its last one; `start` where it stands beside the text, as a PDF's bookmarks do."""
    level: int
    """1 is the highest."""
    title: str


@dataclass(frozen=True, slots=True)
class Section:
    """What stands under one heading."""

    start: int
    end: int
    titles: tuple[str, ...]
    """The headings it stands under, the highest first."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Where a piece stands: `text[start:end]`."""

    start: int
    end: int
    titles: tuple[str, ...]


def split(text: str, headings: Sequence[Heading] = (), size: int = SIZE, overlap: int = OVERLAP) -> list[Cut]:
    """Return where to cut a text, in order.

    Args:
        text: All of it.
        headings: In order.
        size: Most tokens of a piece.
        overlap: Most tokens of it that the piece before has too; less than `size`.
    """
    return [
        Cut(*place, section.titles)
        for section in sections(text, headings)
        for place in _pieces(text, section, size * BYTES, overlap * BYTES)
    ]


def sections(text: str, headings: Sequence[Heading]) -> Iterator[Section]:
    """Divide a text by its headings; one with nothing under it goes with the next."""
    start, titles, path = 0, tuple[str, ...](), list[Heading]()
    for heading in headings:
        spoken = text[_behind(path, start) : heading.start].strip()
        if spoken:
            yield Section(start, heading.start, titles)
            start = heading.start
        path = [each for each in path if each.level < heading.level] + [heading]
        titles = tuple(each.title for each in path if each.title)
    yield Section(start, len(text), titles)


def _behind(path: Sequence[Heading], start: int) -> int:
    return max(start, path[-1].end) if path else start


def _pieces(text: str, section: Section, size: int, overlap: int) -> Iterator[Place]:
    """Put the parts of a section together, as many as a piece holds; sizes are in bytes."""
    begin, last = section.start, (section.start, section.start)
    for part in _parts(text, section.start, section.end, size - overlap):
        if begin == last[1]:
            begin = part[0]
        elif _bytes(text, begin, part[1]) > size or _anchored(text, begin, last, size):
            yield begin, last[1]
            shared = _tail(text, last, overlap)
            begin = shared if shared < last[1] and _bytes(text, shared, part[1]) <= size else part[0]
        last = part
    if last[1] > begin:
        yield begin, last[1]


def _anchored(text: str, begin: int, last: Place, size: int) -> bool:
    """Tell whether the part held last ends a piece that is half full."""
    return zlib.crc32(text[slice(*last)].encode()) % ANCHORS == 0 and _bytes(text, begin, last[1]) > size // 2


def _parts(text: str, start: int, end: int, room: int) -> Iterator[Place]:
    """Return the paragraphs that `room` bytes hold, of longer ones the sentences, and of longer ones what fits."""
    for paragraph in places(text, start, end, _PARAGRAPH):
        if _bytes(text, *paragraph) <= room:
            yield paragraph
            continue
        for sentence in places(text, *paragraph):
            yield from _broken(text, *sentence, room)


def _broken(text: str, start: int, end: int, room: int) -> Iterator[Place]:
    while _bytes(text, start, min(end, start + room + 1)) > room:
        fitting = len(text[start : start + room].encode()[:room].decode(errors="ignore"))
        blank = text.rfind(" ", start + fitting // 2, start + fitting + 1)
        behind = blank if blank > start else start + fitting
        yield trimmed(text, start, behind)
        start, _ = trimmed(text, behind, end)
    yield start, end


def _tail(text: str, last: Place, overlap: int) -> int:
    """Return where the end of a part begins that `overlap` bytes hold: its last sentences, else its last words."""
    begin = last[1]
    for start, _ in reversed(places(text, *last)):
        if _bytes(text, start, last[1]) > overlap:
            break
        begin = start
    if begin < last[1]:
        return begin
    fitting = len(text[max(last[0], last[1] - overlap) : last[1]].encode()[-overlap:].decode(errors="ignore"))
    begin = last[1] - (fitting if overlap else 0)
    return trimmed(text, max(begin, text.find(" ", begin, last[1]) + 1), last[1])[0]


def _bytes(text: str, start: int, end: int) -> int:
    return len(text[start:end].encode())
