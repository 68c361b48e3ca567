"""How a memory is changed after it was stored, what of it is told, and how that is taken back."""

import logging
from collections.abc import Iterable, Sequence
from typing import Any

from typing_extensions import Unpack

from hippograph.memory.erasure.forgetting import Forgetting
from hippograph.memory.erasure.tombstones import buried
from hippograph.memory.intake import changed, space_name
from hippograph.memory.ledger import Ledger
from hippograph.memory.life.changes import UPDATED, change
from hippograph.memory.life.history import History, one
from hippograph.memory.life.undoing import reword, undo
from hippograph.memory.reading import Reading
from hippograph.memory.search.recall import Recall
from hippograph.memory.twin import twin
from hippograph.memory.vectors.index import Index
from hippograph.memory.work.writer import Writer
from hippograph.state import Choice, HomeUnusable, Receipt, Recollection, Step

log = logging.getLogger(__name__)


class Changing:
    """The part of `Memory` that changes what is stored."""

    _forgetting: Forgetting
    _index: Index
    _ledger: Ledger
    _reading: Reading
    _recall: Recall
    _writer: Writer

    def history(self, id: str, space: str | None = None) -> Sequence[Step]:  # noqa: A002
        """Return the life of a memory and of those it stands in a line with, the oldest step first.

        Which turn replaced which, when and why; what was merged, updated, archived and undone.

        Raises:
            BadInput: There is none, or several spaces have one of this id and `space` does not say which.
        """
        return History(self._ledger).of(id, space)

    def update(self, id: str, space: str | None = None, **fields: Any) -> Recollection:  # noqa: A002, ANN401
        """Change a memory; its history keeps how it was.

        Args:
            id: Which.
            space: Whose, where several spaces have one of this id.
            fields: `text`, `kind`, and what `remember` takes but the id; None empties a field. `pinned` keeps a memory
                from upkeep; what is told later of the same matter takes its place all the same.

        Returns:
            The memory as it is now.

        Raises:
            BadInput: There is no such memory, an unknown field, a value out of range, or the words of a turn.
        """
        with self._writer.paused():  # else the writer may store a vector of the words it had
            with self._ledger.write() as connection:
                row = one(connection, id, space)
                if values := changed(dict(row._mapping), fields):
                    change(connection, row, UPDATED, "updated: " + ", ".join(sorted(fields)), None, values)
                    reword(connection, row, values)
            self._outdated(row, values)
        return self._reading.get(id, row.space)

    def undo(self, id: str, space: str | None = None, *, both: bool = False) -> Recollection:  # noqa: A002
        """Take back the last change of a memory that was not taken back yet.

        Superseded: it is current again, and what stands in its place is archived. Merged: what went in is a memory of
        its own again. Updated or archived: it is as it was. Where nothing happened to it since it took another's place,
        it gives the place back. Of the values of one attribute that can have only one, just the one taken back is
        current afterwards: those said before it are superseded by it, those said later archived.

        Args:
            id: Which.
            space: Whose, where several spaces have one of this id.
            both: Keep what stands in its place current too: neither is out of date.

        Returns:
            The memory as it is now.

        Raises:
            BadInput: There is no such memory, or nothing to take back.
        """
        with self._writer.paused():
            with self._ledger.write() as connection:
                row = one(connection, id, space)
                undo(connection, row, both=both)
                now = one(connection, id, row.space)
            self._outdated(row, {"text": now.text} if now.text != row.text else {})
        return self._reading.get(id, row.space)

    def _outdated(self, row: Any, values: dict[str, Any]) -> None:  # noqa: ANN401 - a ledger row
        """Let go of the vectors of words that a memory no longer has, and make those of the new ones."""
        if "text" in values and row.vectors > 1:
            try:
                self._index.remove(row.space, [row.seq])
            except HomeUnusable as error:  # the change is stored: new vectors replace the old but for surplus ones
                log.warning("Old vectors of a changed memory are left until the index is made again: %s", error)
        self._recall.forget(row.space)
        self._writer.wake()

    def _put_again(self, space: str, seqs: Sequence[int]) -> None:
        """Let go of the vectors of items that have other words now, or are gone."""
        try:
            if seqs:
                self._index.remove(space, seqs)
        except HomeUnusable as error:
            log.warning("Old vectors of a changed item are left until the index is made again: %s", error)
        self._recall.forget(space)

    def meant(self, space: str, **choice: Unpack[Choice]) -> Sequence[Recollection]:
        """Return what `forget` would take if it were called with the same choice; raises as it does."""
        return self._reading.recollections(self._forgetting.meant(space_name(space), choice))

    def reworded(self, space: str, **choice: Unpack[Choice]) -> set[str]:
        """Return the ids of memories that `forget` would leave, but for what their history says they were."""
        return {row.id for row in self._forgetting.chosen(space_name(space), choice).reworded}

    def forget(self, space: str, *, secure: bool = True, **choice: Unpack[Choice]) -> Receipt:
        """Forget memories for good: what was derived from them, vectors, keywords and threads' short-term memory too.

        What rests on other sources as well stays, as long as those say all that it says; a summary goes, and what it
        was made of comes back. What the forgotten had superseded holds again. Digests are left, so that a turn sent or
        imported again does not come back; what is said anew is stored.

        Args:
            space: Whose memories.
            secure: Whether no byte is left in the files either; else they are compacted by `compact`, or by upkeep.
            choice: Which, by exactly one of ids, query, thread, source, since/until and all: see `Choice`.

        Raises:
            BadInput: Not exactly one way is given, or an id is not there; nothing is forgotten.
        """
        try:
            return self._forgetting.forget(space_name(space), choice, secure=secure)
        finally:
            self._recall.forget(space)

    def forgotten(self, space: str, ids: Iterable[str]) -> set[str]:
        """Return those of some ids that were forgotten in a space."""
        with self._ledger.read() as connection:
            return {*buried(connection, space_name(space), ids)}

    def compact(self) -> bool:
        """Take the bytes of what was forgotten out of the files, where that is due; False where it cannot be done."""
        return self._forgetting.compact()

    ahistory = twin(history)
    aupdate = twin(update)
    aundo = twin(undo)
    ameant = twin(meant)
    areworded = twin(reworded)
    aforget = twin(forget)
    aforgotten = twin(forgotten)
    acompact = twin(compact)
