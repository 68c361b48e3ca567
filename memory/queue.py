"""The queue of memories that the index does not hold yet; part of the ledger, so that it survives any stop."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, Row, and_, bindparam, func, select, update

from hippograph.memory.ledger import BATCH, Ledger
from hippograph.memory.schema import jobs, memories
from hippograph.memory.times import now

TRIES = 8
"""Failures after which a job is dead: it is tried again when the home is opened."""
BACKOFF = timedelta(seconds=2)
"""Wait after the first failure; doubles with each further one."""


_FAILED = (jobs.c.state == "dead") | (jobs.c.attempts > 0)
_TRIED = select(_FAILED, func.count()).where(jobs.c.space == bindparam("space")).group_by(_FAILED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """A memory to index."""

    seq: int
    space: str
    text: str
    speaker: str
    before: str
    """What was said just before it in its thread, speaker first."""


class Queue:
    """The jobs of one ledger."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def due(self, limit: int, space: str | None = None) -> list[Due]:
        """Return the oldest jobs whose time has come; with a space, its newest, due or not, that were never tried."""
        query = select(memories).join(jobs, jobs.c.memory == memories.c.seq).where(jobs.c.state == "queued")
        if space is None:
            query = query.where((jobs.c.attempts == 0) | (jobs.c.due_at <= now())).order_by(
                jobs.c.due_at, memories.c.seq
            )
        else:
            query = query.where(jobs.c.space == space, jobs.c.attempts == 0).order_by(memories.c.seq.desc())
        with self._ledger.read() as connection:
            rows = connection.execute(query.limit(limit)).all()
            return [_due(row, _before(connection, row)) for row in rows]

    def done(self, vectors: Mapping[int, int]) -> None:
        """Take jobs off the queue, noting how many vectors each memory has now."""
        with self._ledger.write() as connection:
            for seq, count in vectors.items():
                connection.execute(update(memories).where(memories.c.seq == seq).values(vectors=count))
                connection.execute(jobs.delete().where(jobs.c.memory == seq))

    def failed(self, seqs: Sequence[int], error: str) -> None:
        """Put jobs back to be tried later, or, after TRIES failures, among the dead."""
        with self._ledger.write() as connection:
            for row in connection.execute(select(jobs).where(jobs.c.memory.in_(seqs))).all():
                state = "dead" if row.attempts + 1 >= TRIES else "queued"
                values = {
                    "attempts": row.attempts + 1,
                    "due_at": now() + BACKOFF * 2**row.attempts,
                    "error": error[:500],
                }
                connection.execute(update(jobs).where(jobs.c.memory == row.memory).values(state=state, **values))

    def counts(self) -> dict[str, int]:
        """Return how many jobs there are: `queued` and never tried, `retried` and failing, `dead`."""
        retried = and_(jobs.c.state == "queued", jobs.c.attempts > 0)
        query = select(jobs.c.state, retried, func.count()).group_by(jobs.c.state, retried)
        with self._ledger.read() as connection:
            found = {("retried" if again else state): n for state, again, n in connection.execute(query)}
        return {"queued": 0, "retried": 0, "dead": 0, **found}

    def revive(self) -> None:
        """Give the dead and the failing another chance at once: what ailed the embedding model may be over."""
        with self._ledger.write() as connection:
            again = update(jobs).where((jobs.c.state == "dead") | (jobs.c.attempts > 0))
            connection.execute(again.values(state="queued", attempts=0, due_at=now()))

    def waiting(self, space: str) -> tuple[int, int]:
        """Return how many of a space's memories are to be indexed and were never tried, and how many failed so far."""
        with self._ledger.read() as connection:
            counts = {bool(failed): n for failed, n in connection.execute(_TRIED, {"space": space}).all()}
        return counts.get(False, 0), counts.get(True, 0)

    def requeue_all(self) -> int:
        """Queue every memory that has text anew, for an index that starts empty; returns how many."""
        with self._ledger.write() as connection:
            connection.execute(jobs.delete())
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


SAME_TALK = timedelta(hours=6)
"""A turn longer ago than this is no context of the next."""


def spoken(speaker: str, text: str) -> str:
    """Return a text with its speaker, as it is embedded."""
    return f"{speaker}: {text}" if speaker else text


def _before(connection: Connection, row: Row[Any]) -> str:
    """Return the turn before a turn in its thread, unless long ago or none."""
    if row.kind != "turn":
        return ""
    query = select(memories.c.speaker, memories.c.text).where(
        memories.c.space == row.space,
        memories.c.thread == row.thread,
        memories.c.position == row.position - 1,
        memories.c.said_at >= row.said_at - SAME_TALK,
    )
    before = connection.execute(query).first()
    return spoken(before.speaker, before.text) if before else ""


def _due(row: Row[Any], before: str) -> Due:
    return Due(seq=row.seq, space=row.space, text=row.text, speaker=row.speaker, before=before)
