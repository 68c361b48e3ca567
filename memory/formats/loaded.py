"""What a document says, whatever its format."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hippograph.memory.exchange.splitting import Heading
from hippograph.state import BadInput

MOST_BYTES = 100_000_000
"""Largest file that is read: a bigger one is no document but a dump."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A document's text."""

    text: str
    headings: Sequence[Heading] = ()
    """In order."""
    pages: Sequence[int] = ()
    """Where each page begins, in characters; empty where there are none."""
    notes: Sequence[str] = ()
    """What could not be read, or was guessed, in words."""


class Composed:
    """A document's text as it is put together, paragraph by paragraph."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self.headings: list[Heading] = []

    def add(self, paragraph: str, level: int | None = None) -> None:
        """Add a paragraph, or a heading of a level; what is blank is passed over."""
        if not (paragraph := paragraph.strip()):
            return
        if level is not None:
            end = self._length + len(paragraph)
            self.headings.append(Heading(self._length, end, level, " ".join(paragraph.split())))
        self._parts.append(paragraph)
        self._length += len(paragraph) + 2

    def loaded(self, notes: Sequence[str] = ()) -> Loaded:
        """Return all that was added."""
        return Loaded(text="\n\n".join(self._parts), headings=self.headings, notes=notes)


def contents(path: Path) -> bytes:
    """Return a file's bytes.

    Raises:
        BadInput: It cannot be read, is empty, or is too large.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            raise BadInput(f"{path} is larger than {MOST_BYTES // 1_000_000} MB: import it in parts.")
        data = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or error}.") from error
    if not data.strip():
        raise BadInput(f"{path} is empty.")
    return data
