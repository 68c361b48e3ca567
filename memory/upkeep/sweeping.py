"""Sweeping: contradictions that were left over are resolved, and junk among what was derived leaves recall."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, Row, func, select

from hippograph.memory.extraction.attributes import single
from hippograph.memory.ledger import BATCH
from hippograph.memory.life.arrival import MOST, supersede
from hippograph.memory.life.changes import kept_beside
from hippograph.memory.life.digest import matter, plain
from hippograph.memory.life.supersession import Claim, Verdict, compare
from hippograph.memory.schema import memories, sources
from hippograph.memory.upkeep.change import Change, change
from hippograph.memory.upkeep.junk import fault
from hippograph.memory.upkeep.task import CURRENT, DERIVED, LOOSE, Done, Task, unchanged


def sweep(task: Task) -> Done:
    """Supersede what a later memory of the same subject and attribute contradicts; quarantine junk and doubles."""
    done = Done()
    done.add("superseded", _contradictions(task))
    _junk(task, done)
    done.add("doubles", _doubles(task))
    return done


def _contradictions(task: Task) -> list[str]:
    """Let what was said last stand, as it would if it were told today; what is pinned is never superseded."""
    fits = CURRENT, memories.c.kind.not_in(("turn", "event")), memories.c.superseded_by.is_(None)
    rows = [row for row in task.select(*fits) if row.attribute and single(row.attribute)]
    of = sorted((about, row.said_at, row.seq, row) for row in rows if (about := matter(row.subject, row.attribute)))
    pairs = [pair for _, same in groupby(of, key=itemgetter(0)) for pair in _replaced([row for *_, row in same])]
    with task.ledger.read() as connection:
        beside = kept_beside(connection) if pairs else set()
    pairs = [(old, new, verdict) for old, new, verdict in pairs if (old.seq, new.id) not in beside]
    if task.dry_run:
        return [old.id for old, _, _ in pairs]
    ids = list[str]()
    for batch in (pairs[start : start + BATCH] for start in range(0, len(pairs), BATCH)):
        if task.stopping():
            break
        with task.write() as connection:
            alive = {row.seq for row in unchanged(connection, [row for old, new, _ in batch for row in (old, new)])}
            for old, new, verdict in batch:
                if {old.seq, new.seq} <= alive:
                    supersede(connection, old, dict(new._mapping), verdict)
                    ids.append(old.id)
    return ids


def _replaced(rows: Sequence[Row[Any]]) -> list[tuple[Row[Any], Row[Any], Verdict]]:
    """Return each memory of one matter that a later one contradicts for certain, with that one and why."""
    found, standing = list[tuple[Row[Any], Row[Any], Verdict]](), list[Row[Any]]()
    for new in rows[-MOST:]:
        left = list[Row[Any]]()
        for old in standing:
            verdict = compare(_claim(old), _claim(new))
            if verdict.relation == "supersedes" and verdict.certain and not old.pinned:
                found.append((old, new, verdict))
            else:
                left.append(old)
        standing = [*left, new]
    return found


def _claim(row: Row[Any]) -> Claim:
    return Claim.of(dict(row._mapping))


def _junk(task: Task, done: Done) -> None:
    rows = task.select(LOOSE, DERIVED, memories.c.kind != "summary")
    with task.ledger.read() as connection:
        resting = _counted(connection, [row.seq for row in rows])
    faults = {row.seq: wrong for row in rows if (wrong := fault(row, resting.get(row.seq, 0)))}
    junk = [row for row in rows if row.seq in faults]
    done.add("junk", task.take_out(junk, "quarantined", lambda row: faults[row.seq]))


def _doubles(task: Task) -> list[str]:
    """Quarantine derived memories that say what another one says already; their sources become its own."""
    kept, ids = defaultdict[tuple[str, ...], list[Row[Any]]](list), list[str]()
    spared = task.spared()
    lasting = memories.c.expires_at.is_(None) | (memories.c.expires_at > task.now)
    for row in task.select(CURRENT, lasting, memories.c.kind.not_in(("turn", "document"))):
        alike = kept[row.kind, plain(row.subject or ""), plain(row.text)]
        double = None
        if not row.pinned and row.model is not None and row.seq not in spared:
            double = next((each for each in alike if _says_the_same(each, row)), None)
        if double is None:
            alike.append(row)
        elif task.dry_run or _merged(task, row, double):
            ids.append(row.id)
    return ids


def _says_the_same(one: Row[Any], other: Row[Any]) -> bool:
    """Tell whether of two memories, had they just been told in their order, one would have become the other."""
    old, new = sorted((one, other), key=lambda row: (row.said_at, row.seq))
    return compare(_claim(old), _claim(new)).relation == "duplicate"


def _merged(task: Task, row: Row[Any], kept: Row[Any]) -> bool:
    because = f"it says what {kept.id} says"
    with task.write() as connection:
        if len(unchanged(connection, [row, kept])) < 2:
            return False
        there = {*connection.scalars(select(sources.c.turn).where(sources.c.memory == kept.seq))}
        quotes = connection.execute(select(sources).where(sources.c.memory == row.seq)).mappings().all()
        fresh = [dict(quote) for quote in quotes if quote["turn"] not in there]
        if (fresh and not there) or row.seq in {quote["turn"] for quote in fresh}:  # given directly: its own source
            fresh = [quote for quote in fresh if quote["turn"] != row.seq]
            own = {"turn": kept.seq, "quote": kept.text, "start": 0, "end": len(kept.text)}
            fresh += [] if kept.seq in there else [own]
        for quote in fresh:
            connection.execute(sources.insert().values({**quote, "memory": kept.seq}))
        values = {"status": "quarantined", "superseded_by": kept.id}
        change(connection, [Change(row, values, because, kept.id)], "quarantined", task.now)
    return True


def _counted(connection: Connection, seqs: Sequence[int]) -> dict[int, int]:
    found = dict[int, int]()
    query = select(sources.c.memory, func.count().label("times")).group_by(sources.c.memory)
    for start in range(0, len(seqs), BATCH):
        batch = connection.execute(query.where(sources.c.memory.in_(seqs[start : start + BATCH])))
        found |= {row.memory: row.times for row in batch}
    return found
