"""Turns that an agent's run did not end, as it failed or was cancelled: what was said in them is stored, too."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from langchain_core.messages import BaseMessage

from hippograph.nodes import Run
from hippograph.nodes.turns import thread_of, versions
from hippograph.nodes.write_back import said

if TYPE_CHECKING:
    from hippograph.memory import Memory

BEGUN = "begun"
"""What of an agent's state says since when (ISO 8601, UTC) its turn is to be stored and is not; "" where none is."""


def begun(run: Run) -> dict[str, Any]:
    """Return the mark of a turn that begins."""
    return {BEGUN: datetime.now(UTC).isoformat() if run.context.remember else ""}


def keep(messages: Sequence[BaseMessage], since: str, run: Run, memory: "Memory") -> None:
    """Store the last turn of some messages as it would have been at its end, unless something of it was forgotten.

    Args:
        messages: A thread of the run's user, up to that turn.
        since: Its mark.
        run: The run that comes after it.
        memory: Long-term memory.
    """
    thread, space = thread_of(run.thread, messages), run.context.user_id
    turns = said(messages, thread)
    ids = [turn["id"] for turn in turns]
    if not turns or memory.forgotten(space, ids):
        return
    at = datetime.fromisoformat(since)
    told = [turn | {"said_at": at} for turn in turns]
    memory.add_turns(space, thread, told, review=run.context.review, versions=[*map(versions, ids)])
