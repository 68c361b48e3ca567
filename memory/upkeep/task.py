"""A step's work on one space: what it works with, and what it says it did."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, func, or_, select

from hippograph.memory.erasure.forgetting import Forgetting
from hippograph.memory.ledger import BATCH, Ledger
from hippograph.memory.life.changes import ARCHIVED, EXPIRED, QUARANTINED, UNDONE, undoing
from hippograph.memory.schema import changes, memories
from hippograph.memory.upkeep.change import Change, change
from hippograph.memory.upkeep.summing import Line
from hippograph.memory.vectors.index import Index
from hippograph.memory.work.writer import Writer
from hippograph.state import Recollection
from hippograph.state.upkeep import Policy

DERIVED = (memories.c.kind != "turn") & memories.c.model.is_not(None)
"""What a model or a rule made of turns: it can be made again, unlike what was said or given directly."""
CURRENT = memories.c.status == "current"
TAKEN_OUT = (EXPIRED, ARCHIVED, QUARANTINED)
"""What upkeep does to memories that leave recall, as `changes.what`."""
LOOSE = CURRENT & ~memories.c.pinned
"""What upkeep may take out of recall."""

Summarize = Callable[[Sequence[Recollection], str, str], tuple[Sequence[Line], str]]
"""Writes the lines of a summary of some memories, oldest first, on a topic, in a language; and tells who wrote them.
Each line is borne out by the memories it names. Raises ModelError where the model cannot be used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stores:
    """The stores of one home."""

    ledger: Ledger
    index: Index
    writer: Writer
    forgetting: Forgetting


def never() -> bool:
    """Let a run go on to its end."""
    return False


def _unasked(_: Connection) -> None:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One step's work on one space."""

    stores: Stores
    space: str
    now: datetime
    """The time it takes for the present; UTC."""
    policy: Policy
    dry_run: bool = False
    """Whether it only tells what it would do."""
    summarize: Summarize | None = None
    stopping: Callable[[], bool] = never
    """Tells whether it is to end early; what is left is done the next time."""
    held: Callable[[Connection], None] = _unasked
    """Raises LeaseLost where the run has no right any more to change memories."""

    @property
    def ledger(self) -> Ledger:
        """The ledger."""
        return self.stores.ledger

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Give a connection to change memories by, all of it or nothing; raises LeaseLost where that is not due."""
        with self.ledger.write() as connection:
            self.held(connection)
            yield connection

    def select(self, *conditions: ColumnElement[bool]) -> Sequence[Row[Any]]:
        """Return the space's memories that fit, in the order of storing."""
        query = select(memories).where(memories.c.space == self.space, *conditions).order_by(memories.c.seq)
        with self.ledger.read() as connection:
            return connection.execute(query).all()

    def spared(self) -> set[int]:
        """Return the numbers of the memories that somebody put back after upkeep, the last thing done to them."""
        last = select(func.max(changes.c.seq)).group_by(changes.c.memory)
        undone = [changes.c.because.startswith(undoing(each)) for each in TAKEN_OUT]
        query = select(changes.c.memory).join(memories, memories.c.seq == changes.c.memory)
        fits = memories.c.space == self.space, changes.c.what == UNDONE, or_(*undone), changes.c.seq.in_(last)
        with self.ledger.read() as connection:
            return {*connection.scalars(query.where(*fits))}

    def batches(self, rows: Sequence[Row[Any]]) -> Iterator[Sequence[Row[Any]]]:
        """Yield rows in short transactions' worth, so that no turn waits long for the ledger."""
        for start in range(0, len(rows), BATCH):
            if self.stopping():
                return
            yield rows[start : start + BATCH]

    def take_out(self, rows: Sequence[Row[Any]], status: str, because: Callable[[Row[Any]], str]) -> list[str]:
        """Give memories another status, with a reason each, but those that somebody put back after upkeep.

        Returns:
            The ids of those that had not changed meanwhile.
        """
        spared = self.spared() if rows else set[int]()
        rows = [row for row in rows if row.seq not in spared]
        if self.dry_run:
            return [row.id for row in rows]
        ids = list[str]()
        for batch in self.batches(rows):
            with self.write() as connection:
                left = [Change(row, {"status": status}, because(row)) for row in unchanged(connection, batch)]
                ids += change(connection, left, status, self.now)
        return ids


@dataclass(slots=True, kw_only=True)
class Done:
    """What a step did to one space."""

    counts: dict[str, int] = field(default_factory=dict)
    ids: list[str] = field(default_factory=list)
    note: str = ""

    def add(self, name: str, ids: Sequence[str]) -> None:
        """Count some memories under what was done to them."""
        self.counts[name] = self.counts.get(name, 0) + len(ids)
        self.ids += ids


def unchanged(connection: Connection, rows: Sequence[Row[Any]]) -> list[Row[Any]]:
    """Return those of some rows that still stand in the ledger as they were read."""
    names = "space id status version pinned".split()  # a number is given again after a restore
    query = select(memories.c.seq, *(memories.c[name] for name in names))
    found = connection.execute(query.where(memories.c.seq.in_([row.seq for row in rows])))
    now: Mapping[int, tuple[Any, ...]] = {seq: (*rest,) for seq, *rest in found}
    return [row for row in rows if now.get(row.seq) == tuple(getattr(row, name) for name in names)]
