"""The backlog: what waits, fails or was given up, as people are told of it, and what reading turns has given."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, and_, case, func, select, true, update

from hippograph.memory.ledger import Ledger
from hippograph.memory.schema import extractions, jobs, memories
from hippograph.memory.times import now
from hippograph.memory.work.queue import Work
from hippograph.state import BadInput

JOBS_SHOWN = 1000
"""Jobs listed at once, unless told otherwise."""

_FAILING = and_(jobs.c.state == "queued", jobs.c.attempts > 0)
_DEAD = jobs.c.state == "dead"


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One thing still to be done."""

    id: str
    """Of the memory it is for."""
    space: str
    kind: str
    """`index` or `extract`."""
    state: str
    """`queued`, `running`, `failing` (queued, after a failure) or `dead` (given up)."""
    attempts: int
    """Failures so far."""
    due_at: datetime
    """When it is tried next; UTC."""
    error: str | None
    """What the last failure said."""
    text: str
    """What the memory says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Backlog:
    """The jobs of one kind, by number."""

    queued: int = 0
    """Never tried so far."""
    running: int = 0
    """In hand."""
    failing: int = 0
    """Failed, and tried again."""
    dead: int = 0
    """Failed too often: `hippograph jobs --retry` tries them again."""
    oldest_seconds: float = 0.0
    """Age of the oldest memory that waits, dead ones left out."""
    error: str | None = None
    """What the newest failure said."""

    @property
    def pending(self) -> int:
        """All that waits, dead ones left out."""
        return self.queued + self.running + self.failing


@dataclass(frozen=True, slots=True, kw_only=True)
class Readings:
    """What reading turns for facts has given so far."""

    turns: int = 0
    """Turns that were read."""
    facts: int = 0
    dropped: int = 0
    """Facts not taken: their quote is not in the turn, for one."""
    degraded: int = 0
    """Turns where something had to be repaired or done without."""
    zero_fact_rate: float | None = None
    """Share of the users' turns that gave no fact; None before any was read."""


def backlog(ledger: Ledger, kind: Work, space: str | None = None) -> Backlog:
    """Return how many jobs of a kind there are, of a space or of all."""
    chosen = and_(jobs.c.kind == kind, _of(space))
    state = case((_FAILING, "failing"), else_=jobs.c.state)
    counted = select(state.label("state"), func.count().label("jobs")).where(chosen).group_by(state)
    oldest = select(func.min(memories.c.recorded_at)).join(jobs, jobs.c.memory == memories.c.seq)
    failed = select(jobs.c.error).where(chosen, jobs.c.error.is_not(None), _FAILING | _DEAD)
    with ledger.read() as connection:
        counts = {row.state: row.jobs for row in connection.execute(counted)}
        since = connection.scalar(oldest.where(chosen, jobs.c.state != "dead"))
        error = connection.scalar(failed.order_by(jobs.c.due_at.desc()).limit(1))
    age = max(0.0, (now() - since).total_seconds()) if since else 0.0
    return Backlog(**counts, oldest_seconds=round(age, 1), error=error)


def readings(ledger: Ledger) -> Readings:
    """Return what reading turns for facts has given."""
    users = memories.c.role == "user"
    query = select(
        func.count(),
        func.coalesce(func.sum(extractions.c.facts), 0),
        func.coalesce(func.sum(extractions.c.dropped), 0),
        func.count(extractions.c.degraded),
        func.count(case((users, 1))),
        func.count(case((and_(users, extractions.c.facts == 0), 1))),
    ).join(memories, memories.c.seq == extractions.c.turn)
    with ledger.read() as connection:
        turns, facts, dropped, degraded, said, none = connection.execute(query).one()
    rate = round(none / said, 3) if said else None
    return Readings(turns=turns, facts=facts, dropped=dropped, degraded=degraded, zero_fact_rate=rate)


def listed(ledger: Ledger, *, dead: bool = False, limit: int = JOBS_SHOWN, space: str | None = None) -> list[Job]:
    """Return what waits, the dead first, then by when it is due; with `dead`, only those; of a space or of all."""
    query = select(jobs, memories.c.id, memories.c.text).join(memories, memories.c.seq == jobs.c.memory)
    query = query.where(_of(space), _DEAD if dead else true())
    with ledger.read() as connection:
        rows = connection.execute(query.order_by(~_DEAD, jobs.c.due_at, jobs.c.memory).limit(limit)).all()
    return [_job(row) for row in rows]


def retry(ledger: Ledger, ids: Sequence[str] | None = None, *, dead: bool = False, space: str | None = None) -> int:
    """Let what failed or is dead be tried again at once; returns how many jobs that are.

    Args:
        ledger: Whose jobs.
        ids: Only those of these memories.
        dead: Only what is dead.
        space: Only what is of this space.

    Raises:
        BadInput: A memory named has no job that failed; nothing is changed.
    """
    with ledger.write() as connection:
        rows = connection.execute(_failed(ids, dead=dead).where(_of(space))).all()
        if missing := sorted({*(ids or ())} - {row.id for row in rows}):
            raise BadInput(
                f"Nothing of {missing[0]!r} has failed, so there is nothing to retry: see `hippograph jobs`."
            )
        for row in rows:
            again = update(jobs).where(jobs.c.memory == row.memory, jobs.c.kind == row.kind)
            connection.execute(again.values(state="queued", attempts=0, due_at=now(), leased_until=None))
    return len(rows)


def _of(space: str | None) -> ColumnElement[bool]:
    return true() if space is None else jobs.c.space == space


def _failed(ids: Sequence[str] | None, *, dead: bool) -> Select[Any]:
    chosen = _DEAD if dead else _FAILING | _DEAD
    query = select(jobs.c.memory, jobs.c.kind, memories.c.id).join(memories, memories.c.seq == jobs.c.memory)
    return query.where(chosen if ids is None else and_(chosen, memories.c.id.in_(ids)))


def _job(row: Row[Any]) -> Job:
    return Job(
        id=row.id,
        space=row.space,
        kind=row.kind,
        state="failing" if row.state == "queued" and row.attempts else row.state,
        attempts=row.attempts,
        due_at=row.due_at,
        error=row.error,
        text=row.text,
    )
