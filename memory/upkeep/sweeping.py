"""Sweeping: contradictions that were left over are resolved, and junk among what was derived leaves recall."""

from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import Any

from sqlalchemy import Connection, Row, func, select

from hippograph.memory.digest import plain
from hippograph.memory.ledger import BATCH
from hippograph.memory.schema import memories, sources
from hippograph.memory.upkeep.change import Change, change
from hippograph.memory.upkeep.junk import fault
from hippograph.memory.upkeep.matters import matter, single
from hippograph.memory.upkeep.task import CURRENT, DERIVED, LOOSE, Done, Task, unchanged


def sweep(task: Task) -> Done:
    """Supersede what a later memory of the same subject and attribute contradicts; quarantine junk and doubles."""
    done = Done()
    done.add("superseded", _contradictions(task))
    _junk(task, done)
    done.add("doubles", _doubles(task))
    return done


def _contradictions(task: Task) -> list[str]:
    """Let the value said last stand where only one can be true; what is pinned is never superseded."""
    told = task.select(CURRENT, *(memories.c[name].is_not(None) for name in ("subject", "attribute", "value")))
    known = [row for row in told if _holds(row) and single(row.attribute)]
    known.sort(key=lambda row: (matter(row), row.said_at, row.seq))
    heirs = {
        old.seq: (old, new)
        for _, rows in groupby(known, key=matter)
        for old, new in _changed([*rows])
        if not old.pinned
    }
    if task.dry_run:
        return [old.id for old, _ in heirs.values()]
    ids = list[str]()
    for batch in task.batches([old for old, _ in heirs.values()]):
        with task.ledger.write() as connection:
            alive = unchanged(connection, [row for old in batch for row in heirs[old.seq]])
            seqs = {row.seq for row in alive}
            pairs = [heirs[old.seq] for old in batch if {row.seq for row in heirs[old.seq]} <= seqs]
            ids += change(connection, [_superseded(task, *pair) for pair in pairs], "superseded", task.now)
    return ids


def _holds(row: Row[Any]) -> bool:
    return row.kind not in ("turn", "event") and not row.negated and row.valid_until is None


def _changed(rows: Sequence[Row[Any]]) -> list[tuple[Row[Any], Row[Any]]]:
    """Return each memory whose value changed later, with the first one that has another value; the oldest first."""
    pairs = list[tuple[Row[Any], Row[Any]]]()
    spans = [[*same] for _, same in groupby(rows, key=lambda row: plain(row.value))]
    for before, after in pairwise(spans):
        pairs += [(old, after[0]) for old in before if old.valid_from <= after[0].valid_from]
    return pairs


def _superseded(task: Task, old: Row[Any], new: Row[Any]) -> Change:
    because = f"{old.attribute} of {old.subject} changed from {old.value} to {new.value}"
    values = {
        "status": "superseded",
        "superseded_by": new.id,
        "superseded_because": because,
        "superseded_at": task.now,
        "valid_until": new.valid_from,
    }
    return Change(old, values, because, new.id)


def _junk(task: Task, done: Done) -> None:
    rows = task.select(LOOSE, DERIVED, memories.c.kind != "summary")
    with task.ledger.read() as connection:
        resting = _counted(connection, [row.seq for row in rows])
    faults = {row.seq: wrong for row in rows if (wrong := fault(row, resting.get(row.seq, 0)))}
    junk = [row for row in rows if row.seq in faults]
    done.add("junk", task.take_out(junk, "quarantined", lambda row: faults[row.seq]))


def _doubles(task: Task) -> list[str]:
    """Quarantine derived memories that say what another one says already; their sources become its own."""
    first = dict[tuple[str, ...], Row[Any]]()
    ids = list[str]()
    for row in task.select(CURRENT, memories.c.kind.not_in(("turn", "document"))):
        kept = first.setdefault((row.kind, plain(row.subject or ""), plain(row.text)), row)
        if kept is row or row.pinned or row.model is None:
            continue
        if task.dry_run or _merged(task, row, kept):
            ids.append(row.id)
    return ids


def _merged(task: Task, row: Row[Any], kept: Row[Any]) -> bool:
    because = f"it says what {kept.id} says"
    with task.ledger.write() as connection:
        if len(unchanged(connection, [row, kept])) < 2:
            return False
        there = {*connection.scalars(select(sources.c.turn).where(sources.c.memory == kept.seq))}
        for quote in connection.execute(select(sources).where(sources.c.memory == row.seq)).mappings().all():
            if quote["turn"] not in there:
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
