"""Expiry: what was to last until a day, or as long as its kind does, leaves recall; what is pinned stays."""

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

    def because(row: Row[Any]) -> str:
        if row.expires_at and row.expires_at <= task.now:
            return f"it was to last until {row.expires_at:%Y-%m-%d %H:%M} UTC"
        return f"a {row.kind} is kept for {ttl[row.kind]:g} days"

    done = Done()
    done.add("expired", task.take_out(rows, EXPIRED, because))
    return done
