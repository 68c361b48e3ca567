"""The queue of what is still to be done for memories; part of the ledger, so that it survives any stop.

A job is queued, running under a lease, or dead; one that is done is gone. Whoever claims it has it until the lease
ends; if nothing came of it by then, it may be claimed again.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import accumulate
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, Row, and_, bindparam, case, func, or_, select, update

from hippograph.memory.ledger import BATCH, Ledger
from hippograph.memory.schema import jobs, memories
from hippograph.memory.times import now

Work = Literal["index", "extract"]
"""What a job is: to embed a memory, or to find facts in a turn."""

TRIES = 18
"""Failures after which a job is dead: more than an hour after the first, whatever the jitter."""
BACKOFF, LONGEST = timedelta(seconds=2), timedelta(minutes=10)
"""Wait after the first failure, doubled with each further one, and its limit."""
OUTAGES = TRIES // 2
"""Failures that a job is charged with at most while its model is away: those left are for its own."""
JITTER = 0.25
"""Share by which a wait is shorter or longer at random, so that what failed together does not come back together."""
LEASE: Mapping[Work, timedelta] = {"index": timedelta(minutes=2), "extract": timedelta(minutes=12)}
"""How long whoever claimed a job has it; a slow model on a slow machine takes minutes for a batch."""
FARTHEST = timedelta(minutes=15)
"""No job is due, and no lease ends, later than this from now: one that says so comes from a clock that was wrong."""

_FAILED = (jobs.c.state == "dead") | (jobs.c.attempts > 0)
_TRIED = (
    select(_FAILED, func.count())
    .where(jobs.c.kind == bindparam("kind"), jobs.c.space == bindparam("space"))
    .group_by(_FAILED)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """A memory to index."""

    seq: int
    space: str
    text: str
    speaker: str
    before: str
    """What was said just before it in its thread, speaker first."""
    until: datetime
    """When whoever claimed it has it no longer."""


class Queue:
    """The jobs of one ledger."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def claim(self, limit: int, chars: int, space: str | None = None) -> list[Due]:
        """Take the memories to index whose time has come, the oldest first.

        Args:
            limit: How many at most.
            chars: How many characters at most; the first is taken however long it is.
            space: Only what was never tried in this space, the newest first, and nothing that is too long.
        """
        with self._ledger.write(lasting=False) as connection:
            moment = now()
            rows = self._wanted(connection, moment, limit, space)
            lengths = accumulate(len(row.text) for row in rows)
            taken = [
                row
                for n, (row, length) in enumerate(zip(rows, lengths, strict=True))
                if length <= chars or (n == 0 and space is None)
            ]
            until = lease(connection, "index", [row.seq for row in taken], moment)
            return [_due(row, _before(connection, row), until) for row in taken]

    def done(self, vectors: Mapping[int, int], *, wholly: bool = True) -> None:
        """Note how many vectors each memory has now; those that have all of them are taken off the queue."""
        with self._ledger.write(lasting=False) as connection:
            for seq, count in vectors.items():
                connection.execute(update(memories).where(memories.c.seq == seq).values(vectors=count))
                if wholly:
                    connection.execute(jobs.delete().where(jobs.c.memory == seq, jobs.c.kind == "index"))

    def failed(self, kind: Work, seqs: Sequence[int], error: str) -> None:
        """Put jobs back to be tried later, or, after TRIES failures, among the dead."""
        with self._ledger.write(lasting=False) as connection:
            these = jobs.c.kind == kind, jobs.c.memory.in_(seqs)
            for row in connection.execute(select(jobs).where(*these)).all():
                values = {
                    "state": "dead" if row.attempts + 1 >= TRIES else "queued",
                    "attempts": row.attempts + 1,
                    "due_at": now() + backoff(row.attempts),
                    "leased_until": None,
                    "error": error[:500],
                }
                connection.execute(update(jobs).where(jobs.c.kind == kind, jobs.c.memory == row.memory).values(values))

    def postponed(self, kind: Work, seqs: Sequence[int], error: str, pause: timedelta, *, given_up: bool) -> None:
        """Put jobs in hand back until their model may be there again.

        Args:
            kind: What they are.
            seqs: Their memories; those whose job is not in hand are left as they are.
            error: What the model said.
            pause: When it is asked again.
            given_up: Whether the model is away so long that those tried often enough are dead.
        """
        with self._ledger.write(lasting=False) as connection:
            these = jobs.c.kind == kind, jobs.c.memory.in_(seqs), jobs.c.state == "running"
            tries = jobs.c.attempts + 1
            values = {
                "state": case((tries >= OUTAGES, "dead"), else_="queued") if given_up else "queued",
                "attempts": case((jobs.c.attempts < OUTAGES, tries), else_=jobs.c.attempts),
                "due_at": now() + pause,
                "leased_until": None,
                "error": error[:500],
            }
            connection.execute(update(jobs).where(*these).values(values))

    def release(self, kind: Work, seqs: Sequence[int]) -> None:
        """Put jobs back that were claimed and not tried."""
        with self._ledger.write(lasting=False) as connection:
            claimed = update(jobs).where(jobs.c.kind == kind, jobs.c.memory.in_(seqs), jobs.c.state == "running")
            connection.execute(claimed.values(state="queued", leased_until=None))

    def in_hand(self, due: Due) -> bool:
        """Tell whether what was claimed is still in hand: neither taken away nor queued anew since."""
        mine = jobs.c.memory == due.seq, jobs.c.kind == "index", jobs.c.leased_until == due.until
        with self._ledger.read() as connection:
            return connection.execute(select(1).where(*mine)).first() is not None

    def fresh(self, kind: Work) -> bool:
        """Tell whether any job is in hand, waits for its first try, or failed and is due to be tried again."""
        ripe = (jobs.c.attempts == 0) | come(jobs.c.due_at, now())
        first = or_(jobs.c.state == "running", and_(jobs.c.state == "queued", ripe))
        with self._ledger.read() as connection:
            return connection.execute(select(1).where(jobs.c.kind == kind, first).limit(1)).first() is not None

    def failing(self, kind: Work) -> bool:
        """Tell whether any job failed so far."""
        with self._ledger.read() as connection:
            return connection.execute(select(1).where(jobs.c.kind == kind, _FAILED).limit(1)).first() is not None

    def resume(self) -> None:
        """Free what an earlier process had in hand, and let what failed be tried at once; what is dead stays dead."""
        freed = update(jobs).where(jobs.c.state == "running").values(state="queued", leased_until=None)
        again = update(jobs).where(jobs.c.state == "queued", jobs.c.attempts > 0).values(due_at=now())
        with self._ledger.write(lasting=False) as connection:
            connection.execute(freed)
            connection.execute(again)

    def waiting(self, kind: Work, space: str) -> tuple[int, int]:
        """Return how many of a space's jobs were never tried to the end, and how many failed so far."""
        with self._ledger.read() as connection:
            found = connection.execute(_TRIED, {"kind": kind, "space": space}).all()
        counts = {bool(failed): n for failed, n in found}
        return counts.get(False, 0), counts.get(True, 0)

    def requeue_all(self) -> int:
        """Queue every memory that has text anew, for an index that starts empty; returns how many."""
        with self._ledger.write() as connection:
            connection.execute(jobs.delete().where(jobs.c.kind == "index"))
            connection.execute(update(memories).values(vectors=0))
            said = select(memories.c.seq, memories.c.space, memories.c.recorded_at).where(
                memories.c.status.in_(("current", "superseded")), func.trim(memories.c.text) != ""
            )
            rows = connection.execute(said).all()
            for start in range(0, len(rows), BATCH):
                batch = [
                    {"memory": seq, "kind": "index", "space": space, "due_at": at}
                    for seq, space, at in rows[start : start + BATCH]
                ]
                connection.execute(jobs.insert(), batch)
        return len(rows)

    def _wanted(self, connection: Connection, moment: datetime, limit: int, space: str | None) -> Sequence[Row[Any]]:
        query = select(memories).join(jobs, jobs.c.memory == memories.c.seq).where(jobs.c.kind == "index").limit(limit)
        queued = jobs.c.state == "queued"
        if space is not None:
            fresh = query.where(queued, jobs.c.space == space, jobs.c.attempts == 0)
            return connection.execute(fresh.order_by(memories.c.seq.desc())).all()
        first = query.where(queued, (jobs.c.attempts == 0) | come(jobs.c.due_at, moment))
        rows = connection.execute(first.order_by(jobs.c.due_at, memories.c.seq)).all()
        return rows or connection.execute(query.where(abandoned(moment))).all()


def lease(connection: Connection, kind: Work, seqs: Sequence[int], moment: datetime) -> datetime:
    """Mark jobs as running; returns until when."""
    until = moment + LEASE[kind]
    if seqs:
        claimed = update(jobs).where(jobs.c.kind == kind, jobs.c.memory.in_(seqs))
        connection.execute(claimed.values(state="running", leased_until=until))
    return until


def come(when: ColumnElement[datetime], moment: datetime, farthest: timedelta = FARTHEST) -> ColumnElement[bool]:
    """A time that has come; one farther off than any wait was set by a clock that has been put back since."""
    return (when <= moment) | (when > moment + farthest)


def abandoned(moment: datetime) -> ColumnElement[bool]:
    """A job in hand whose lease has ended."""
    return (jobs.c.state == "running") & come(jobs.c.leased_until, moment)


def backoff(attempts: int) -> timedelta:
    """Return how long to wait after a failure that `attempts` others went before; jittered."""
    wait: timedelta = min(LONGEST, BACKOFF * 2 ** min(attempts, 20))
    return wait * random.uniform(1 - JITTER, 1 + JITTER)


SAME_TALK = timedelta(hours=6)
"""A turn longer ago than this is no context of the next."""


def spoken(speaker: str, text: str) -> str:
    """Return a text with its speaker, as it is embedded."""
    return f"{speaker}: {text}" if speaker else text


def _before(connection: Connection, row: Row[Any]) -> str:
    """Return the turn before a turn in its thread, unless long ago or none; of a document's piece, what it is of."""
    if row.kind == "document":
        return row.topic or ""
    if row.kind != "turn":
        return ""
    query = select(memories.c.speaker, memories.c.text).where(
        memories.c.space == row.space,
        memories.c.thread == row.thread,
        memories.c.position == row.position - 1,
        memories.c.said_at >= row.said_at - SAME_TALK,
    )
    # Versions of one turn share its place; the one that stands goes first.
    before = connection.execute(query.order_by(memories.c.status != "current", memories.c.seq.desc())).first()
    return spoken(before.speaker, before.text) if before else ""


def _due(row: Row[Any], before: str, until: datetime) -> Due:
    return Due(seq=row.seq, space=row.space, text=row.text, speaker=row.speaker, before=before, until=until)
