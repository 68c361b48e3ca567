"""Expiry: what was to last until a day, or as long as its kind does, leaves recall, but for what is pinned.

Items that were to last until then are deleted.
"""

from datetime import timedelta
from typing import Any

from sqlalchemy import Row, or_

from hippograph.memory.life.changes import EXPIRED
from hippograph.memory.schema import memories
from hippograph.memory.upkeep.task import LOOSE, Done, Task


def expire(task: Task) -> Done:
    """Mark as expired what has outlived `expires_at` or its kind's time to live."""
    ttl = task.policy.ttl_days
    outlived = [
        (memories.c.kind == kind) & (memories.c.said_at <= task.now - timedelta(days=days))
        for kind, days in ttl.items()
    ]
    rows = task.select(LOOSE, or_(memories.c.expires_at <= task.now, *outlived))
    over = [row for row in rows if row.kind == "item" and row.expires_at and row.expires_at <= task.now]
    rows = [row for row in rows if row not in over]

    def because(row: Row[Any]) -> str:
        if row.expires_at and row.expires_at <= task.now:
            return f"it was to last until {row.expires_at:%Y-%m-%d %H:%M} UTC"
        return f"a {row.kind} is kept for {ttl[row.kind]:g} days"

    done = Done()
    done.add("expired", task.take_out(rows, EXPIRED, because))
    done.add("deleted", _deleted(task, [row.id for row in over]))
    return done


def _deleted(task: Task, ids: list[str]) -> list[str]:
    """Delete items whose time is over: they were put to last so long."""
    if ids and not task.dry_run:
        return [*task.stores.forgetting.take(task.space, ids, secure=False, everywhere=False).ids]
    return ids
