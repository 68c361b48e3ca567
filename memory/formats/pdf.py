"""PDF files, by pypdf: the text of all pages, unwrapped, with bookmarks as headings."""

import io
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hippograph.memory.exchange.splitting import Heading
from hippograph.memory.formats.loaded import Loaded
from hippograph.state import BadInput

if TYPE_CHECKING:
    from pypdf import PdfReader

FULL = 0.7
"""A line of at least this share of the page's longest goes on in the next."""

_ENDS = re.compile(r"[.!?;:。！？；：…][\"'”’」』）)]*$")
_CJK = re.compile(r"[\u3000-\u9fff\uff00-\uffef]")
_UNCLEAN = re.compile("[\ud800-\udfff\x00-\x08\x0b-\x1f]")


def load_pdf(path: Path, data: bytes) -> Loaded:
    """Return a PDF's text.

    Raises:
        BadInput: It is none, is damaged or protected by a password, or has pictures alone.
    """
    reader = _opened(path, data)
    try:
        pages = [unwrapped(_UNCLEAN.sub("", page.extract_text())) for page in reader.pages]
        bookmarks = [*_bookmarks(reader, reader.outline, 1)]
    except Exception as error:  # pypdf raises whatever its parts do on a damaged file
        raise BadInput(f"{path} is damaged and cannot be read as a PDF ({error or type(error).__name__}).") from error
    blank = [number for number, page in enumerate(pages, 1) if not page.strip()]
    if len(blank) == len(pages):
        number = f"{len(pages)} page{'' if len(pages) == 1 else 's'}"
        raise BadInput(
            f"{path} has {number} and no text: it is scanned. Have its text read first, such as by `ocrmypdf`, and "
            "import what that writes."
        )
    starts, place = list[int](), 0
    for page in pages:
        starts.append(place)
        place += len(page) + 2
    text = "\n\n".join(pages)
    notes = [f"no text on page {_listed(blank)}"] if blank else []
    return Loaded(text=text, headings=_placed(text, starts, bookmarks), pages=starts, notes=notes)


def unwrapped(text: str) -> str:
    """Join the lines of a page that a paragraph was broken into; words divided by a hyphen are put together."""
    lines = [line.rstrip() for line in text.splitlines()]
    longest = max(map(len, lines), default=0)
    joined: list[str] = []
    goes_on = False
    for line in lines:
        if goes_on and line.strip():
            joined[-1] = _joined(joined[-1], line.strip())
        else:
            joined.append(line)
        goes_on = len(line) >= FULL * longest and not _ENDS.search(line)
    return "\n".join(joined)


def page_of(place: int, pages: Sequence[int]) -> int:
    """Return the number of the page on which a character stands, from 1."""
    return bisect_right(pages, place)


def _joined(before: str, after: str) -> str:
    if before.endswith("-") and before[-2:-1].isalpha() and after[0].islower():
        return before[:-1] + after
    return before + ("" if _CJK.match(before[-1]) or _CJK.match(after) else " ") + after


def _opened(path: Path, data: bytes) -> "PdfReader":
    from pypdf import PasswordType, PdfReader
    from pypdf.errors import DependencyError, PyPdfError

    locked = BadInput(f"{path} is protected by a password: save a copy without one and import that.")
    if b"%PDF" not in data[:1024]:
        raise BadInput(f"{path} is no PDF: say its right --format.")
    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and reader.decrypt("") is PasswordType.NOT_DECRYPTED:
            raise locked
    except DependencyError as error:
        raise BadInput(f"{path} is encrypted: `pip install cryptography` to have it read.") from error
    except BadInput:
        raise
    except (PyPdfError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise BadInput(f"{path} is damaged and cannot be read as a PDF ({error}).") from error
    return reader


def _bookmarks(reader: "PdfReader", outline: Any, level: int) -> Iterator[tuple[int, int, str]]:  # noqa: ANN401
    """Return (page from 0, level, title) of all bookmarks that lead to a page."""
    for each in outline:
        if isinstance(each, list):
            yield from _bookmarks(reader, each, level + 1)
        elif (page := reader.get_destination_page_number(each)) is not None and page >= 0:
            yield page, level, " ".join(str(each.title or "").split())


def _placed(text: str, starts: Sequence[int], bookmarks: Sequence[tuple[int, int, str]]) -> list[Heading]:
    """Return bookmarks as headings: where their title stands on its page, else at the page's beginning."""
    headings = list[Heading]()
    for page, level, title in bookmarks:
        begin, end = starts[page], starts[page + 1] if page + 1 < len(starts) else len(text)
        found = text.find(title, begin, end) if title else -1
        start = max(begin if found < 0 else found, headings[-1].end if headings else 0)
        headings.append(Heading(start, max(start, found + len(title)) if found >= 0 else start, level, title))
    return headings


def _listed(pages: Sequence[int]) -> str:
    return ", ".join(map(str, pages[:10])) + (" and others" if len(pages) > 10 else "")
