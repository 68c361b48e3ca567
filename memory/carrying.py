"""How memories get into a home in bulk, and out of it: documents, and all of a space in one file."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from hippograph.memory.erasure.returning import forms, let_return, returning
from hippograph.memory.exchange.checking import texts
from hippograph.memory.exchange.documents import Document
from hippograph.memory.exchange.export import Exported, export
from hippograph.memory.exchange.imported import Imported
from hippograph.memory.exchange.load import load
from hippograph.memory.exchange.shelf import Shelf
from hippograph.memory.intake import clean, space_name
from hippograph.memory.ledger import Ledger
from hippograph.memory.times import utc
from hippograph.memory.twin import twin
from hippograph.memory.upkeep.tender import Tender
from hippograph.memory.work.writer import Writer
from hippograph.state import Turn


class Carrying:
    """The part of `Memory` that carries memories in and out."""

    _ledger: Ledger
    _writer: Writer
    _tender: Tender

    def add_document(self, space: str, document: Document, *, restore_forgotten: bool = False) -> Imported:
        """Store a document that `documents.read_document` read, in one transaction; vectors follow in the background.

        A document of this origin that is there already becomes what the new one is: new pieces are stored, those that
        it has no longer are superseded or archived, with the reason, and all others stay untouched.

        Args:
            space: Whose it is.
            document: What was read.
            restore_forgotten: Store also what was forgotten in this space; else it is left out and counted.

        Raises:
            HomeUnusable: The disk is full or read-only; nothing is stored.
        """
        shelved = Shelf(self._ledger).put(space_name(space), document, restore_forgotten=restore_forgotten)
        self._tender.wrote(shelved.stored)
        self._writer.wake()
        return shelved

    def known(self, space: str, ids: Sequence[str]) -> set[str]:
        """Return those of some ids that a space has."""
        with self._ledger.read() as connection:
            return {*texts(connection, space_name(space), [*{*ids}])}

    def returning(self, space: str, turns: Sequence[Turn], thread: str = "", *, let: bool = False) -> set[str]:
        """Return the ids of those turns that were forgotten in a space: by their id, or by what they say and when.

        Args:
            space: Whose.
            turns: Each with an id.
            thread: The conversation they belong to; a turn without a time is known again in it alone.
            let: Let them be stored again instead, and so return none.
        """
        said = {
            turn["id"]: forms(turn["text"], "turn", utc(turn["said_at"]) if turn.get("said_at") else None, thread)
            for turn in turns
        }
        if let:
            with self._ledger.write() as connection:
                let_return(connection, space_name(space), said)
        with self._ledger.read() as connection:
            return returning(connection, space_name(space), said)

    def coming_back(self, space: str, wanted: Mapping[str, str], *, let: bool = False) -> set[str]:
        """Return the ids of those memories, given with their texts, that were forgotten in a space by id or by text.

        Args:
            space: Whose.
            wanted: Texts by id.
            let: Let them be stored again instead, and so return none.
        """
        said = {id_: [clean(text)] for id_, text in wanted.items()}
        if let:
            with self._ledger.write() as connection:
                let_return(connection, space_name(space), said)
        with self._ledger.read() as connection:
            return returning(connection, space_name(space), said)

    def export(self, path: str | Path, space: str, *, overwrite: bool = False) -> Exported:
        """Write all of a space into one file: every memory with its history, sources and status, a line each.

        Args:
            path: The file; it appears when it is complete, readable by its owner alone.
            space: Whose memories.
            overwrite: Whether a file of this name may be replaced.

        Raises:
            BadInput: The space has nothing to export, or there is such a file.
            HomeUnusable: The file cannot be written.
        """
        return export(self._ledger, Path(path), space_name(space), overwrite=overwrite)

    def load(self, path: str | Path, space: str | None = None, *, restore_forgotten: bool = False) -> Imported:
        """Store what `export` wrote, as it was, whatever embedding model it was made with; twice is as good as once.

        Args:
            path: The file.
            space: Whose memories they become; without it, those of the space that was exported.
            restore_forgotten: Store also what was forgotten in this space; else it is left out and counted.

        Raises:
            BadInput: The file is none of ours, of a newer version, cut short or has bad lines, which the message
                names, or an id in it is taken by another text; nothing is stored.
            HomeUnusable: The disk is full or read-only.
        """
        loaded = load(self._ledger, Path(path), space, restore_forgotten=restore_forgotten)
        self._tender.wrote(loaded.stored)
        self._writer.wake()
        return loaded

    aadd_document = twin(add_document)
    aknown = twin(known)
    areturning = twin(returning)
    acoming_back = twin(coming_back)
    aexport = twin(export)
    aload = twin(load)
