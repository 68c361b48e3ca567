"""Looking around in a memory: lists, one memory with all around it, what there is at all, what a forgetting takes."""

from collections.abc import Sequence

from typing_extensions import Unpack

from hippograph.memory import listing, subjects
from hippograph.memory.erasure.foreseeing import foreseen
from hippograph.memory.intake import clean, counted, space_name
from hippograph.memory.ledger import Ledger
from hippograph.memory.listing import Card, Leaf, Tally, Wanted
from hippograph.memory.reading import Reading
from hippograph.memory.sheet import Sheet, sheet
from hippograph.memory.subjects import Subject, Topic
from hippograph.memory.twin import twin
from hippograph.memory.work.writer import Writer
from hippograph.state import Choice, Receipt, Recollection


class Browsing:
    """The part of `Memory` that people look around in."""

    _ledger: Ledger
    _reading: Reading
    _writer: Writer

    def browse(self, space: str, wanted: Wanted | None = None, *, after: str = "", limit: int = 50) -> Leaf:
        """Return a stretch of a space's memories in the order they were said.

        Args:
            space: Whose memories.
            wanted: Which; without it, the current ones.
            after: Where the stretch begins: `more` of the one before. It stays right while memories come and go.
            limit: How many at most.

        Raises:
            BadInput: An unknown kind or status, or a place that is none.
        """
        with self._ledger.read() as connection:
            return listing.leaf(connection, space_name(space), wanted or Wanted(), after, counted("limit", limit))

    def cards(self, space: str, ids: Sequence[str] = (), *, seqs: Sequence[int] = ()) -> Sequence[Card]:
        """Return those of a space's memories that have some ids or numbers, the newest first; others are left out."""
        with self._ledger.read() as connection:
            return listing.cards(connection, space_name(space), [*map(clean, ids)], seqs)

    def tally(self, space: str, wanted: Wanted | None = None) -> Tally:
        """Return how many memories of a space are wanted, and how they are spread; raises as `browse` does."""
        with self._ledger.read() as connection:
            return listing.tally(connection, space_name(space), wanted or Wanted())

    def sheet(self, space: str, id: str) -> Sheet:  # noqa: A002
        """Return one memory of a space with its sources, what rests on it, and what was said around it.

        Raises:
            BadInput: The space has no such memory.
        """
        with self._ledger.read() as connection:
            return sheet(connection, space_name(space), clean(id))

    def topics(self, space: str) -> Sequence[Topic]:
        """Return what a space's current memories belong to, the topics of most memories first."""
        with self._ledger.read() as connection:
            return subjects.topics(connection, space_name(space))

    def subjects(self, space: str) -> Sequence[Subject]:
        """Return whom and what a space's current memories tell of, those of most memories first."""
        with self._ledger.read() as connection:
            return subjects.subjects(connection, space_name(space))

    def foreseen(self, space: str, **choice: Unpack[Choice]) -> tuple[Sequence[Recollection], Receipt]:
        """Return what `forget` would take if it were called with the same choice, and its receipt; raises as it does.

        Of checkpoints and snapshots the receipt says nothing: only forgetting looks into them.
        """
        with self._writer.paused():
            taken, receipt = foreseen(self._ledger, space_name(space), choice)
        return self._reading.recollections(taken.rows), receipt

    abrowse = twin(browse)
    acards = twin(cards)
    atally = twin(tally)
    asheet = twin(sheet)
    atopics = twin(topics)
    asubjects = twin(subjects)
    aforeseen = twin(foreseen)
