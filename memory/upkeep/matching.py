"""Compaction: what was forgotten leaves the files, and the index holds what the ledger says, no more and no less."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, func, select, update

from hippograph.memory.blocks.dropping import sweep
from hippograph.memory.ledger import BATCH, queue_again
from hippograph.memory.schema import jobs, memories
from hippograph.memory.times import now
from hippograph.memory.upkeep.task import Done, Task

INDEXED = ("current", "superseded")
"""Where in its life a memory has vectors: recall may be asked for what held in the past."""


def compact(task: Task) -> Done:
    """Finish what forgetting left to do, drop vectors without a memory and stale blocks, queue what has no vectors."""
    done = Done()
    with task.write() as connection:
        done.counts["stale blocks"] = sweep(connection, task.space, dry_run=task.dry_run)
    if task.stores.forgetting.due() and (task.dry_run or task.stores.forgetting.compact()):
        done.counts["compacted"] = 1
    with task.stores.writer.paused():  # else a vector made meanwhile would look like one too many
        held = task.stores.index.held(task.space)
        with task.ledger.read() as connection:
            wanted = _wanted(connection, task.space)
            waiting = {*connection.scalars(select(jobs.c.memory).where(jobs.c.kind == "index"))}
        strays = [seq for seq in held if seq not in wanted]
        missing = {seq: id_ for seq, id_ in wanted.items() if seq not in held and seq not in waiting}
        done.counts["stray vectors"] = sum(held[seq] for seq in strays)
        done.add("queued", [*missing.values()])
        if task.dry_run:
            return done
        if strays:
            task.stores.index.remove(task.space, strays)
        _noted(task, {seq: n for seq, n in held.items() if seq in wanted})
        _queued(task, missing)
    if missing:
        task.stores.writer.wake()
    return done


def _wanted(connection: Connection, space: str) -> dict[int, str]:
    """Return the numbers of the memories that are to have vectors, with their ids."""
    query = select(memories.c.seq, memories.c.id).where(
        memories.c.space == space, memories.c.status.in_(INDEXED), func.trim(memories.c.text) != ""
    )
    return {row.seq: row.id for row in connection.execute(query)}


def _noted(task: Task, held: Mapping[int, int]) -> None:
    """Make the ledger say how many vectors each memory has."""
    with task.ledger.read() as connection:
        counts = select(memories.c.seq, memories.c.vectors).where(memories.c.space == task.space)
        said = {row.seq: row.vectors for row in connection.execute(counts)}
        waiting = {*connection.scalars(select(jobs.c.memory).where(jobs.c.space == task.space, jobs.c.kind == "index"))}
    wrong: list[tuple[int, Any]] = [
        (seq, held.get(seq, 0)) for seq, count in said.items() if count != held.get(seq, 0) and seq not in waiting
    ]
    for start in range(0, len(wrong), BATCH):
        with task.write() as connection:
            for seq, count in wrong[start : start + BATCH]:
                connection.execute(update(memories).where(memories.c.seq == seq).values(vectors=count))


def _queued(task: Task, missing: Mapping[int, str]) -> None:
    seqs = [*missing]
    for start in range(0, len(seqs), BATCH):
        with task.write() as connection:
            queue_again(connection, task.space, seqs[start : start + BATCH], now())
