"""Fading: importance falls for what is never used and rises with use, in [0, 1].

Falling is exponential with the half-life of `memory.decay`, which is longer for lasting kinds and grows with use, as
the forgetting curve of Ebbinghaus (1885) in the form of MemoryBank (Zhong et al., AAAI 2024), R = exp(-t / S) with a
strength S that each recall adds to. Rising is a step towards 1, importance += RISE × (1 - importance), the rule of
Rescorla and Wagner (1972). Both work on the time since the last run, of whatever length: 0.5^(a/h) × 0.5^(b/h) =
0.5^((a+b)/h), so that running often fades no faster than running seldom; on one day (UTC) it works once.
"""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, bindparam, select, update

from hippograph.memory.decay import half_life
from hippograph.memory.ledger import BATCH
from hippograph.memory.schema import memories
from hippograph.memory.upkeep import mark
from hippograph.memory.upkeep.task import LOOSE, Done, Task

RISE = 0.2
"""Share of what is missing to 1 that importance gains for a period with a use."""
FLOOR = 0.02
"""Importance that nothing fades below by itself."""
_SET = update(memories).where(memories.c.seq == bindparam("memory")).values(importance=bindparam("faded"))


def fade(task: Task) -> Done:
    """Bring importance up to date: a batch's new values and how far fading has come are one transaction."""
    with task.ledger.read() as connection:
        run = _begun(mark.read(connection, "fade", task.space), task.now)
        if run is None:
            return Done(note="already done today")
        rows = _next(connection, task.space, 0 if task.dry_run else run["through"], None if task.dry_run else BATCH)
    done = Done()
    if task.dry_run:
        _count(done, rows, run["since"], run["at"])
        return done
    while not task.stopping():
        with task.write() as connection:
            rows = _next(connection, task.space, run["through"], BATCH)
            if new := _count(done, rows, run["since"], run["at"]):
                connection.execute(_SET, [{"memory": seq, "faded": value} for seq, value in new.items()])
            run["through"] = rows[-1].seq if rows else None
            mark.write(connection, "fade", task.space, _kept(run))
        if not rows:
            break
    return done


def faded(row: Row[Any], since: datetime | None, now: datetime) -> float:
    """Return a memory's importance at a time.

    Args:
        row: The memory, with its importance as it was at `since`.
        since: When fading last worked; None: never.
        now: The time.
    """
    used = row.used_at is not None and (since is None or row.used_at > since) and row.used_at <= now
    risen = row.importance + RISE * (1 - row.importance) if used else row.importance
    begin = max(each for each in (row.recorded_at, row.used_at, since) if each is not None)
    days = max(timedelta(), now - begin) / timedelta(days=1)
    fallen = risen * 0.5 ** (days / half_life(row.kind, row.uses))
    return float(min(1.0, max(fallen, min(risen, FLOOR))))


def _begun(last: dict[str, Any], now: datetime) -> dict[str, Any] | None:
    """Return the run to do: one that was broken off goes on; None where one has ended on this day or a later one."""
    at = datetime.fromisoformat(last["at"]) if last else None
    if at is not None and last["through"] is not None:
        since = last["since"] and datetime.fromisoformat(last["since"])
        return {"at": at, "since": since, "through": last["through"]}
    if at is not None and at.date() >= now.date():
        return None
    return {"at": now, "since": at, "through": 0}


def _kept(run: dict[str, Any]) -> dict[str, Any]:
    return {**run, "at": run["at"].isoformat(), "since": run["since"] and run["since"].isoformat()}


def _next(connection: Connection, space: str, through: int, most: int | None) -> list[Row[Any]]:
    names = "seq id kind importance uses used_at recorded_at".split()
    query = select(*(memories.c[name] for name in names)).where(memories.c.space == space, LOOSE)
    return [*connection.execute(query.where(memories.c.seq > through).order_by(memories.c.seq).limit(most))]


def _count(done: Done, rows: list[Row[Any]], since: datetime | None, now: datetime) -> dict[int, float]:
    new = {row.seq: faded(row, since, now) for row in rows}
    done.add("fell", [row.id for row in rows if new[row.seq] < row.importance])
    done.add("rose", [row.id for row in rows if new[row.seq] > row.importance])
    return {row.seq: new[row.seq] for row in rows if new[row.seq] != row.importance}
