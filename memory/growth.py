"""How a space has grown: what was learned on which day, and what there is of each kind and standing."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select

from hippograph.memory.ledger import Ledger
from hippograph.memory.schema import memories


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """What a space holds, by number."""

    days: Mapping[str, Mapping[str, int]]
    """Day (ISO 8601, this machine's) to kind to how many memories were learned; days without any are left out."""
    kinds: Mapping[str, int]
    """Kind to how many are current."""
    standings: Mapping[str, int]
    """Status to how many there are; forgotten ones are not counted."""


def growth(ledger: Ledger, space: str, since: datetime) -> Growth:
    """Return how a space has grown since a time."""
    there = memories.c.space == space, memories.c.status != "forgotten"
    day = func.date(memories.c.recorded_at, "localtime").label("day")
    learned = select(day, memories.c.kind, func.count()).where(*there, memories.c.recorded_at >= since)
    standing = select(memories.c.status, memories.c.kind, func.count()).where(*there)
    days, kinds, standings = dict[str, dict[str, int]](), dict[str, int](), dict[str, int]()
    with ledger.read() as connection:
        for on, kind, count in connection.execute(learned.group_by("day", memories.c.kind).order_by("day")):
            days.setdefault(on, {})[kind] = count
        for status, kind, count in connection.execute(standing.group_by(memories.c.status, memories.c.kind)):
            standings[status] = standings.get(status, 0) + count
            if status == "current":
                kinds[kind] = count
    return Growth(days=days, kinds=kinds, standings=standings)
