"""Cleaning: what is of little value, or was used longest ago, leaves recall.

Only what is derived goes, and chit-chat; it is archived, not deleted: no turn is ever lost, and each is still there by
its id. What is pinned stays, and so do profiles, documents and summaries.
"""

from datetime import timedelta

from sqlalchemy import func

from hippograph.memory.schema import memories
from hippograph.memory.upkeep.chitchat import MOST, says_nothing
from hippograph.memory.upkeep.task import DERIVED, LOOSE, Done, Task

LASTING = ("profile", "document", "summary", "media")
"""Kinds that are not cleaned away, whatever their importance."""
_DETAIL = DERIVED & memories.c.kind.not_in(LASTING)
_UNUSED = (memories.c.uses == 0) & memories.c.used_at.is_(None)


def clean(task: Task) -> Done:
    """Archive chit-chat, derived memories of low importance that no answer used, and those over the limit."""
    policy, done = task.policy, Done()
    old = memories.c.recorded_at <= task.now - timedelta(days=policy.clean_after_days)
    short = (memories.c.kind == "turn") & (func.length(memories.c.text) <= MOST)
    chat = [row for row in task.select(LOOSE, old, _UNUSED, short) if says_nothing(row.text)]
    done.add("chit-chat", task.take_out(chat, "archived", lambda _: "it says nothing, and no answer used it"))

    low = task.select(LOOSE, old, _UNUSED, _DETAIL, memories.c.importance < policy.clean_below)
    because = "its importance, {:.2f}, is below {:g}, and no answer used it"
    done.add(
        "of low value",
        task.take_out(low, "archived", lambda row: because.format(row.importance, policy.clean_below)),
    )
    if policy.most_derived:
        _least_recent(task, done, {row.seq for row in low})
    return done


def _least_recent(task: Task, done: Done, gone: set[int]) -> None:
    """Archive derived memories over the limit, those used (or else learned) longest ago first."""
    most, old = task.policy.most_derived, task.now - timedelta(days=task.policy.clean_after_days)
    rows = [row for row in task.select(LOOSE, _DETAIL) if row.seq not in gone]
    rows.sort(key=lambda row: (row.used_at or row.recorded_at, row.importance, row.seq))
    over = [row for row in rows[: max(0, len(rows) - most)] if row.recorded_at <= old]
    because = f"it was used longest ago of more than {most:,} derived memories"
    done.add("used longest ago", task.take_out(over, "archived", lambda _: because))
