"""A batch: turns of one thread that wait for extraction, taken together with what was said around them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import accumulate
from typing import Any

from sqlalchemy import Connection, Row, and_, or_, select

from hippograph.memory.facts import Heard
from hippograph.memory.ledger import DEBOUNCE, Ledger
from hippograph.memory.schema import jobs, memories
from hippograph.memory.times import now
from hippograph.memory.work.queue import abandoned, come, lease

LONGEST_WAIT = timedelta(seconds=10)
"""A turn of a thread that is never silent is read after so long."""
TURNS, CHARS = 16, 6000
"""Turns, and their characters, of one batch at most."""
BEFORE = 4
"""Turns before a batch that are read for its sake."""
SPAN = 3 * TURNS
"""Turns of a thread that are looked at for one batch: those of the assistant are in between."""
THREADS = 20
"""Waiting turns that are looked at for a thread that is silent."""

_QUEUED = jobs.c.state == "queued"


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """What an extractor reads in one go; whoever claimed it has it until the lease ends."""

    space: str
    thread: str
    turns: list[Heard]
    """Of users and tools, in order; facts are looked for in them."""
    before: list[Heard]
    """Other turns of the thread before the last of these, in order; they tell what it is about."""
    seqs: dict[str, int]
    """Each turn's id and number."""
    leased_until: datetime


class Batches:
    """The turns of one ledger that wait for extraction."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def claim(self, *, hurry: bool = False, space: str | None = None) -> Batch | None:
        """Take the turns of one thread, the one that has waited longest first; None where none is to be read now.

        Args:
            hurry: Do not wait for the thread to be silent.
            space: Only what was never tried in this space, the newest first, without waiting.
        """
        with self._ledger.write(lasting=False) as connection:
            moment = now()
            for first in _waiting(connection, moment, hurry, space):
                if hurry or space is not None or not _goes_on(connection, first, moment):
                    rows = _around(connection, first, moment, newest=space is not None)
                    return _claimed(connection, rows, moment, newest=space is not None)
        return None

    def held(self, connection: Connection, batch: Batch) -> set[str]:
        """Return the turns, by id, whose doubtful facts wait for a person."""
        marked = select(jobs.c.memory).where(
            jobs.c.kind == "extract", jobs.c.memory.in_(batch.seqs.values()), jobs.c.review
        )
        seqs = {*connection.scalars(marked)}
        return {id_ for id_, seq in batch.seqs.items() if seq in seqs}

    def take_off(self, connection: Connection, batch: Batch) -> dict[str, int]:
        """Take a batch's jobs off the queue; returns the turns, by id, whose job was still the caller's.

        A turn that was forgotten meanwhile, or claimed by another after the lease had ended, is none of them.
        """
        gone = jobs.delete().where(
            jobs.c.kind == "extract",
            jobs.c.memory.in_(batch.seqs.values()),
            jobs.c.state == "running",
            jobs.c.leased_until == batch.leased_until,
        )
        mine = {*connection.scalars(gone.returning(jobs.c.memory)).all()}
        return {id_: seq for id_, seq in batch.seqs.items() if seq in mine}


def _waiting(connection: Connection, moment: datetime, hurry: bool, space: str | None) -> Sequence[Row[Any]]:
    """Return the jobs that a batch may begin with."""
    query = select(memories, jobs.c.attempts).join(jobs, jobs.c.memory == memories.c.seq)
    query = query.where(jobs.c.kind == "extract").limit(THREADS)
    if space is not None:
        fresh = query.where(_QUEUED, jobs.c.space == space, jobs.c.attempts == 0)
        return connection.execute(fresh.order_by(memories.c.seq.desc()).limit(1)).all()
    first = jobs.c.attempts == 0
    if not hurry:
        first = and_(first, come(jobs.c.due_at, moment, LONGEST_WAIT))
    ripe = query.where(_QUEUED, or_(first, come(jobs.c.due_at, moment)))
    rows = connection.execute(ripe.order_by(jobs.c.due_at, memories.c.seq)).all()
    return rows or connection.execute(query.where(abandoned(moment))).all()


def _goes_on(connection: Connection, first: Row[Any], moment: datetime) -> bool:
    """Tell whether a thread is being talked in, and its first waiting turn has not waited too long."""
    thread = memories.c.space == first.space, memories.c.thread == first.thread
    newest = connection.scalar(
        select(memories.c.recorded_at).where(*thread).order_by(memories.c.position.desc()).limit(1)
    )
    # A time in the future is from a clock that was wrong: not waited for.
    return (
        newest is not None
        and first.attempts == 0
        and moment - DEBOUNCE < newest <= moment
        and moment - LONGEST_WAIT < first.recorded_at
    )


def _around(connection: Connection, first: Row[Any], moment: datetime, *, newest: bool) -> Sequence[Row[Any]]:
    """Return the turns around a waiting one, in order, with whether each may be claimed as well."""
    start, end = (SPAN, 0) if newest else (BEFORE, SPAN)
    ready = or_(and_(_QUEUED, or_(jobs.c.attempts == 0, come(jobs.c.due_at, moment))), abandoned(moment))
    query = (
        select(memories, ready.label("ready"))
        .outerjoin(jobs, and_(jobs.c.memory == memories.c.seq, jobs.c.kind == "extract"))
        .where(
            memories.c.space == first.space,
            memories.c.thread == first.thread,
            memories.c.position.between(first.position - start, first.position + end),
            memories.c.kind == "turn",
            memories.c.status != "forgotten",
        )
        .order_by(memories.c.position)
    )
    rows = connection.execute(query).all()
    standing = {row.position for row in rows if row.status == "current"}  # versions of one turn share its place
    return [row for row in rows if row.status == "current" or row.position not in standing]


def _claimed(connection: Connection, rows: Sequence[Row[Any]], moment: datetime, *, newest: bool) -> Batch:
    """Lease those of a thread's turns that wait, as many as one batch holds."""
    waiting = [row for row in rows if row.ready]
    waiting = waiting[::-1] if newest else waiting
    lengths = accumulate(len(row.text) for row in waiting[:TURNS])
    taken = [row for n, (row, length) in enumerate(zip(waiting, lengths, strict=False)) if n == 0 or length <= CHARS]
    taken.sort(key=lambda row: row.position)
    chosen = {row.seq for row in taken}
    heard = [row for row in rows if row.seq not in chosen and row.position < taken[-1].position]
    early = [row for row in heard if row.position < taken[0].position][-BEFORE:]
    between = [row for row in heard if row.position > taken[0].position]
    return Batch(
        space=taken[0].space,
        thread=taken[0].thread,
        turns=[_heard(row) for row in taken],
        before=[_heard(row) for row in (*early, *between) if row.role != "system"],
        seqs={row.id: row.seq for row in taken},
        leased_until=lease(connection, "extract", [*chosen], moment),
    )


def _heard(row: Row[Any]) -> Heard:
    return Heard(id=row.id, text=row.text, role=row.role, speaker=row.speaker, said_at=row.said_at, thread=row.thread)
