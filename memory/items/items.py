"""The items of one home."""

import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

from sqlalchemy import ColumnElement, Row, false, or_, select

from hippograph.memory.erasure.forgetting import Forgetting
from hippograph.memory.intake import clean, space_name
from hippograph.memory.items import rows
from hippograph.memory.items.item import Item, Namespace, Put, dumped, labels, minutes
from hippograph.memory.items.matching import fits as fits_all
from hippograph.memory.ledger import Ledger
from hippograph.memory.schema import items, memories
from hippograph.memory.times import now
from hippograph.memory.twin import twin
from hippograph.memory.work.writer import Writer
from hippograph.state import BadInput, Receipt

MOST = 2**31
"""Most items that are looked at: what a database takes as a number of rows."""
SpaceOf = Callable[[Namespace], str]
"""Tells whose an item is by its namespace; BadInput where it cannot."""
Found = Callable[[str, str, int, Sequence[int]], Mapping[str, float]]
"""Returns for (space, query, how many, numbers of memories) the best of these memories by id, each with its score."""


class Items:
    """What applications keep under namespaces and keys, `Memory.items`. Safe to use from several threads.

    An item is a memory of kind "item" in one space: `recall` finds it by its words, `forget` forgets it, exports and
    snapshots have it, upkeep neither merges nor cleans it away. Its value comes back as it was put.
    """

    def __init__(
        self,
        ledger: Ledger,
        forgetting: Forgetting,
        writer: Writer,
        found: Found,
        reworded: Callable[[str, Sequence[int]], None],
        wrote: Callable[[int], None],
    ) -> None:
        """Use `Memory.items`.

        Args:
            ledger: Where they are.
            forgetting: What takes them away.
            writer: What makes their vectors.
            found: What searches.
            reworded: Told of a space the numbers of its memories that have other words now.
            wrote: Told how many were stored.
        """
        self._ledger, self._forgetting, self._writer = ledger, forgetting, writer
        self._found, self._reworded, self._wrote = found, reworded, wrote
        self._putting = threading.RLock()
        """Held by whoever stores: whether a key is taken cannot change meanwhile. Taken before the writer is paused."""

    def put(self, *puts: Put) -> int:
        """Store items, and take away those without a value: first these, then all others in one transaction.

        What is there already under a namespace and a key is replaced; of what it was nothing is kept.

        Returns:
            How many were new, other than before, or taken away.

        Raises:
            BadInput: A namespace without labels, or a value that is no JSON; nothing is stored.
            HomeUnusable: The disk is full or read-only.
        """
        last = {(each.space, each.namespace, clean(each.key)): _checked(each) for each in puts}
        gone = [each for each in last.values() if each.value is None]
        kept = [each for each in last.values() if each.value is not None]
        taken = self._delete(rows.at(each.space, each.namespace, each.key) for each in gone)
        if not kept:
            return taken
        # Paused where words change, else the writer may store a vector of those that an item had.
        with self._putting, self._writer.paused() if self._any(kept) else nullcontext():
            with self._ledger.write() as connection:
                stored, reworded = rows.put(connection, kept, now())
            for space, seqs in reworded.items():
                self._reworded(space, seqs)
        self._wrote(stored)
        self._writer.wake()
        return stored + taken

    def get(self, space: str, namespace: Sequence[str], key: str, *, refresh: bool = True) -> Item | None:
        """Return the item of a space under a namespace and a key, or None.

        Args:
            space: Whose.
            namespace: Its labels.
            key: Its key.
            refresh: Whether one that is to be deleted some time after its last use stays that much longer.
        """
        if not namespace:
            return None
        found = self._read(rows.at(space_name(space), namespace, key))
        self._refresh(found if refresh else ())
        return rows.read(found[0]) if found else None

    def search(
        self,
        prefix: Sequence[str] = (),
        *,
        space: str | SpaceOf | None = None,
        query: str | None = None,
        filter: Mapping[str, Any] | None = None,  # noqa: A002 - as in LangGraph
        limit: int = 10,
        offset: int = 0,
        refresh: bool = True,
    ) -> list[Item]:
        """Return items in a namespace and those inside it.

        Args:
            prefix: The namespace's labels; none: everywhere.
            space: Whose alone, or what tells whose an item is by its namespace: those of others are passed over. None:
                everybody's.
            query: What they are to be about. Those that are put to be found by their key alone are left out.
            filter: Conditions on values, as `matching.fits` takes them.
            limit: How many at most.
            offset: How many to pass over.
            refresh: As in `get`.

        Returns:
            With a query, best first, each with its score; else those put last first.

        Raises:
            BadInput: An unknown operator in the filter.
        """
        here = self._whose(rows.under(prefix), space)
        asked, end = (query or "").strip(), min(max(0, offset) + max(0, limit), MOST)
        found = self._read(here, limit=None if asked or filter else end)
        if filter:
            found = [row for row in found if fits_all(rows.read(row).value, filter)]
        best = self._ranked(found, asked, end) if asked else [rows.read(row) for row in found[:end]]
        best = best[max(0, offset) :]
        if refresh:
            ids = {each.id for each in best}
            self._refresh([row for row in found if row.memory_id in ids])
        return best

    def namespaces(
        self,
        *,
        space: str | SpaceOf | None = None,
        fits: Callable[[Namespace], bool] = bool,
        depth: int | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> list[Namespace]:
        """Return the namespaces that have items, in order.

        Args:
            space: Whose alone, as in `search`.
            fits: Tells which are wanted, such as by `matching.begins`.
            depth: Cut off behind so many labels.
            limit: How many at most.
            offset: How many to pass over.
        """
        here = self._whose(rows.living(now()), space)
        query = select(items.c.namespace).join(memories, memories.c.seq == items.c.memory).where(here).distinct()
        with self._ledger.read() as connection:
            fitting = {each[:depth] for each in map(labels, connection.scalars(query)) if fits(each)}
        return sorted(fitting)[max(0, offset) :][: max(0, limit)]

    def sweep(self) -> int:
        """Delete the items whose time is over; returns how many that were. Upkeep does the same."""
        return self._delete([memories.c.expires_at <= now()])

    def forget(self, space: str, namespace: Sequence[str], key: str | None = None) -> Receipt:
        """Forget an item, or all in a namespace, as `Memory.forget` does: down to the last byte, also of snapshots.

        `put` without a value only deletes: conversations that were shown the item, and snapshots, keep it.
        """
        there = rows.under(namespace) if key is None else rows.at(space_name(space), namespace, key)
        with self._ledger.read() as connection:
            ids = [row.memory_id for row in connection.execute(rows.selected(items.c.space == space, there))]
        try:
            return self._forgetting.take(space_name(space), ids)
        finally:
            self._reworded(space, ())

    def _whose(self, condition: ColumnElement[bool], space: str | SpaceOf | None) -> ColumnElement[bool]:
        """Return a condition for items with another for whose they are."""
        if space is None:
            return condition
        if isinstance(space, str):
            return condition & (items.c.space == space_name(space))
        pairs = select(items.c.space, items.c.namespace).join(memories, memories.c.seq == items.c.memory)
        with self._ledger.read() as connection:
            there = connection.execute(pairs.where(condition).distinct()).all()
        others = [each for each in there if _told(space, labels(each.namespace)) != each.space]
        foreign = [(items.c.space == each.space) & (items.c.namespace == each.namespace) for each in others]
        return condition & ~or_(false(), *foreign)

    def _read(self, condition: ColumnElement[bool], limit: int | None = None) -> Sequence[Row[Any]]:
        with self._ledger.read() as connection:
            return connection.execute(rows.selected(condition, rows.living(now())).limit(limit)).all()

    def _refresh(self, found: Sequence[Row[Any]]) -> None:
        if any(row.ttl is not None for row in found):
            with self._ledger.write(lasting=False) as connection:
                rows.refresh(connection, found, now())

    def _ranked(self, found: Sequence[Row[Any]], query: str, end: int) -> list[Item]:
        """Return the `end` best of some rows: what recall finds of each space by score, then the others with 0."""
        by_space = defaultdict[str, list[Row[Any]]](list)
        for row in found:
            if row.memory_status == rows.SEARCHED:
                by_space[row.space].append(row)
        scored = list[tuple[float, Row[Any]]]()
        for space, mine in by_space.items():
            scores = self._found(space, query, end, [row.memory_seq for row in mine])
            scored += [(scores.get(row.memory_id, 0.0), row) for row in mine]
        best = sorted(scored, key=lambda each: -each[0])[:end]
        return [rows.read(row, score) for score, row in best]

    def _delete(self, conditions: Iterable[ColumnElement[bool]]) -> int:
        """Take items out of the ledger and the index; returns how many there were."""
        ids = defaultdict[str, list[str]](list)
        with self._ledger.read() as connection:
            for condition in conditions:
                for row in connection.execute(rows.selected(condition)):
                    ids[row.space].append(row.memory_id)
        taken = 0
        for space, mine in ids.items():
            taken += len(self._forgetting.take(space, mine, secure=False, everywhere=False).ids)
            self._reworded(space, ())
        return taken

    def _any(self, puts: Sequence[Put]) -> bool:
        """Tell whether any of what is to be stored is there already, if with another value."""
        with self._ledger.read() as connection:
            return bool(rows.there(connection, puts))

    aput = twin(put)
    aget = twin(get)
    asearch = twin(search)
    anamespaces = twin(namespaces)
    asweep = twin(sweep)
    aforget = twin(forget)


def _told(space: SpaceOf, namespace: Namespace) -> str | None:
    """Return whose an item is by its namespace; None where that does not tell."""
    try:
        return space(namespace)
    except BadInput:
        return None


def _checked(each: Put) -> Put:
    """Return what is to be stored, or raise BadInput."""
    rows.at(each.space, each.namespace, each.key)
    minutes(each.ttl)
    if each.value is not None:
        dumped(each.value)
    return replace(each, space=space_name(each.space), namespace=tuple(each.namespace))
