"""What an import did."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """How many memories an import stored, and what became of the others."""

    stored: int
    known: int
    """Were there before, and stay as they are."""
    gone: int = 0
    """Of a document that was there: pieces it has no longer, now superseded or archived."""
    forgotten: int = 0
    """Left out, because they were forgotten in this space."""
    notes: Sequence[str] = ()
    """What could not be read, or was guessed, in words."""

    def __add__(self, other: "Imported") -> "Imported":
        """Return what both did together."""
        return Imported(
            stored=self.stored + other.stored,
            known=self.known + other.known,
            gone=self.gone + other.gone,
            forgotten=self.forgotten + other.forgotten,
            notes=[*self.notes, *other.notes],
        )
