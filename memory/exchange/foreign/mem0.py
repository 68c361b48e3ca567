"""Mem0's export: what `get_all` or an export job gives, memories of one line each."""

from collections.abc import Sequence
from typing import Any

from hippograph.memory.exchange.foreign.taken import Given, Taken, first_time, made_id
from hippograph.state import BadInput

WORDS = ("memory", "data", "text", "content")
"""Fields that hold what is remembered, in the versions of the format."""
OWNERS = ("user_id", "agent_id", "app_id")


def is_mem0(records: Sequence[Any]) -> bool:
    """Tell whether some records are memories of Mem0."""
    return any(isinstance(each, dict) and isinstance(each.get("memory"), str) for each in records)


def read(records: Sequence[Any], origin: str, user: str) -> Taken:
    """Read memories; of a file with those of several users, the ones of `user` alone.

    Raises:
        BadInput: There are those of several users, and none of this one.
    """
    taken, owners = Taken(), {_owner(each) for each in records if isinstance(each, dict)}
    several = len(owners - {""}) > 1
    if several and user not in owners:
        raise BadInput(f"{origin} holds memories of {', '.join(sorted(owners - {''}))}: say whose with --user.")
    for number, record in enumerate(records, 1):
        text = _words(record)
        if not text:
            taken.bad.append(f"memory {number}: it has no text")
        elif several and _owner(record) != user:
            taken.passed_over["memories of other users"] += 1
        else:
            fields = record if isinstance(record, dict) else {}
            id_ = str(fields.get("id") or made_id("mem0", text))
            at = first_time(fields, "updated_at", "created_at")
            taken.given.append(Given(id=id_, text=text, said_at=at, origin=origin))
    return taken


def _words(record: object) -> str:
    said = [record.get(name) for name in WORDS] if isinstance(record, dict) else [record]
    return next((each.strip() for each in said if isinstance(each, str) and each.strip()), "")


def _owner(record: Any) -> str:  # noqa: ANN401 - JSON
    return next((str(record[name]) for name in OWNERS if isinstance(record, dict) and record.get(name)), "")
