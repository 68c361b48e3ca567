"""Memories that are kept up, and a clock that runs ahead: what the tests of upkeep share."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from hippograph.memory import Memory
from hippograph.memory.intake import memory_row
from hippograph.memory.ledger import living
from hippograph.state import Recollection, Settings, Turn
from hippograph.state.upkeep import StepReport

DAY = timedelta(days=1)


def quiet(upkeep_every: int = 0) -> Settings:
    """Settings under which nothing is derived from turns, and upkeep runs only when it is called for."""
    return replace(Settings.from_env(), extractor="none", upkeep_every=upkeep_every)


def later(days: float) -> datetime:
    """A time so many days from now."""
    return datetime.now(UTC) + days * DAY


def say(memory: Memory, *texts: str, space: str = "ann", thread: str = "t", **fields: Any) -> list[str]:
    """Store turns of a user; returns their ids."""
    return memory.add_turns(space, thread, [Turn(role="user", text=text, **fields) for text in texts])


def derive(memory: Memory, text: str, turn: str | None = None, space: str = "ann", **fields: Any) -> str:
    """Store what extraction would have made of a turn (of a new one, where none is named); returns its id."""
    source = turn or say(memory, text, space=space)[0]
    row = memory_row(space, text, fields.pop("kind", "fact"), {"model": "rules", **fields})
    memory._ledger.add([row], {row["id"]: [(source, "")]})
    return str(row["id"])


def run(memory: Memory, step: str, days: float = 0, **options: Any) -> StepReport:
    """Do one step as if some days from now."""
    report, *_ = memory.upkeep(steps=[step], now=later(days), **options)["reports"]
    return report


def everything(memory: Memory) -> list[Recollection]:
    """All memories that are not forgotten, whatever their status, in the order of storing."""
    with memory._ledger.read() as connection:
        rows = connection.execute(living(None)).all()
    return memory._reading.recollections(rows)


def history(memory: Memory, id_: str) -> list[tuple[str, str]]:
    """What was done to a memory, and why."""
    from sqlalchemy import select

    from hippograph.memory.schema import changes, memories

    query = select(changes.c.what, changes.c.because).join(memories, memories.c.seq == changes.c.memory)
    with memory._ledger.read() as connection:
        return [(row.what, row.because) for row in connection.execute(query.where(memories.c.id == id_))]
