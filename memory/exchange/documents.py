"""Documents: files read into pieces that memories are made of."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from hippograph.memory.exchange.splitting import OVERLAP, SIZE, split
from hippograph.memory.formats import SUFFIXES, Loaded, format_of, load
from hippograph.memory.formats.pdf import page_of
from hippograph.memory.intake import clean
from hippograph.memory.times import utc
from hippograph.state import BadInput

LEAST_SIZE = 20
"""Fewest tokens of a piece."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A part of a document that becomes one memory."""

    id: str
    """Made of where it is from and what it says: the same part of the same document has it again."""
    text: str
    topic: str
    """Name of the document, headings above it, page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A document, ready to be stored."""

    origin: str
    """Where it is: the absolute path. One origin is one document: stored again, it takes the place of what it was."""
    said_at: datetime
    """When it was written; UTC."""
    pieces: Sequence[Piece]
    """In order; together all of its text."""
    notes: Sequence[str] = ()
    """What could not be read of it, or was guessed, in words."""


def read_document(
    path: Path,
    written: str | None = None,
    *,
    date: str | datetime | None = None,
    size: int = SIZE,
    overlap: int = OVERLAP,
) -> Document:
    """Read a file and cut it into pieces.

    Args:
        path: The file.
        written: Its format: txt, md, pdf, html or docx; without it, what its name tells.
        date: When it was written; without it, when the file was last changed.
        size: Most tokens of a piece, a token taken as four bytes of UTF-8.
        overlap: Most tokens that neighbouring pieces share.

    Raises:
        BadInput: The file cannot be read, is not of that format or says nothing, or a setting is out of range.
    """
    loaded = load(path, written)
    said_at = utc(date) if date else datetime.fromtimestamp(path.stat().st_mtime, UTC)
    origin = clean(str(path.resolve()))
    pieces = divided(loaded, origin, clean(path.stem), size, overlap)
    notes = [f"{path.name}: {each}" for each in loaded.notes]
    return Document(origin=origin, said_at=said_at, pieces=pieces, notes=notes)


def divided(loaded: Loaded, origin: str, name: str, size: int = SIZE, overlap: int = OVERLAP) -> list[Piece]:
    """Return the pieces of a text.

    Args:
        loaded: The text with its headings.
        origin: Where it is from.
        name: What it is called; the first part of each piece's topic.
        size: Most tokens of a piece.
        overlap: Most tokens that neighbouring pieces share.

    Raises:
        BadInput: A setting is out of range.
    """
    if size < LEAST_SIZE:
        raise BadInput(f"A piece of {size} tokens is too small: give {LEAST_SIZE} or more.")
    if not 0 <= overlap <= size // 2:
        raise BadInput(f"An overlap of {overlap} tokens is out of range: give 0 to {size // 2}, half a piece.")
    seen, pieces = Counter[str](), list[Piece]()
    for cut in split(loaded.text, loaded.headings, size, overlap):
        page = (f"p. {page_of(cut.start, loaded.pages)}",) if len(loaded.pages) > 1 else ()
        topic = clean(" > ".join(dict.fromkeys([name, *cut.titles, *page])))
        text = clean(loaded.text[cut.start : cut.end])
        said = json.dumps([origin, topic, text])
        pieces.append(Piece(id=_digest(said, seen[said]), text=text, topic=topic))
        seen[said] += 1
    return pieces


def files(path: Path, written: str | None = None) -> Iterator[Path]:
    """Return the documents in a folder and in its folders, by name; hidden ones are passed over.

    Args:
        path: The folder.
        written: Only those of this format.

    Raises:
        BadInput: It cannot be read, or there are none.
    """
    formats = {written} & SUFFIXES.keys() if written else SUFFIXES.keys()
    found = sorted(each for each in path.rglob("*") if format_of(each) in formats and _plain(each, path))
    if not found:
        ends = ", ".join(end for name in formats or SUFFIXES for end in SUFFIXES[name])
        raise BadInput(f"{path} has no documents: nothing in it ends in {ends}.")
    yield from found


def _plain(path: Path, folder: Path) -> bool:
    hidden = any(part.startswith((".", "~$")) for part in path.relative_to(folder).parts)
    return not hidden and path.is_file()


def _digest(said: str, occurrence: int) -> str:
    return sha256(f"{occurrence}:{said}".encode()).hexdigest()[:32]
