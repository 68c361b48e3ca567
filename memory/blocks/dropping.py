"""Dropping kept blocks: those that rest on a memory that changes, in the transaction that changes it."""

from collections.abc import Sequence

from sqlalchemy import Connection, func, select

from hippograph.memory.schema import blocks, memories, rests

BATCH = 500
"""Values in one IN (...), as in the ledger."""


def drop(connection: Connection, seqs: Sequence[int]) -> int:
    """Drop the blocks that rest on any of some memories; returns how many that were."""
    dropped = 0
    for start in range(0, len(seqs), BATCH):
        resting = select(rests.c.block).where(rests.c.memory.in_(seqs[start : start + BATCH]))
        dropped += connection.execute(blocks.delete().where(blocks.c.seq.in_(resting))).rowcount
    return dropped


def drop_all(connection: Connection, space: str | None = None) -> int:
    """Drop all blocks of a space, or of all; returns how many that were.

    For forgetting: a question may have the words of what is forgotten, a block those of a memory that it lost.
    """
    mine = blocks.delete() if space is None else blocks.delete().where(blocks.c.space == space)
    return connection.execute(mine).rowcount


def sweep(connection: Connection, space: str | None = None, *, dry_run: bool = False) -> int:
    """Drop blocks of a space, or of all, that can no longer be found: a memory they rest on has changed, or is gone.

    None has, unless something changed a memory without saying so. Returns how many that are.
    """
    changed = select(rests.c.block).join(memories, memories.c.seq == rests.c.memory)
    changed = changed.where((memories.c.version != rests.c.version) | (memories.c.status == "forgotten"))
    stale = blocks.c.seq.in_(changed) | blocks.c.seq.not_in(select(rests.c.block))
    fits = stale if space is None else stale & (blocks.c.space == space)
    if dry_run:
        return connection.scalar(select(func.count()).select_from(blocks).where(fits)) or 0
    return connection.execute(blocks.delete().where(fits)).rowcount
