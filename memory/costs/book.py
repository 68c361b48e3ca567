"""The tables of what turns cost: written row by row, read as sums by any key, folded into days when they are old."""

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, Row, Select, Table, select
from sqlalchemy.dialects.sqlite import insert

from hippograph.memory.costs import proxies
from hippograph.memory.costs.histogram import binned
from hippograph.memory.costs.round import Round, Work
from hippograph.memory.costs.sums import Sums
from hippograph.memory.keywords import space_key
from hippograph.memory.schema import calls, rounds, spent_days
from hippograph.models import Prices
from hippograph.state import thread_key
from hippograph.state.turn import Call

EVER = datetime(2000, 1, 1, tzinfo=UTC)
"""Before anything was recorded."""

Key = Callable[[Row[Any]], str | None]
"""What a round's row, or a call's with its round's, is counted under; None: under nothing."""


def turn_key(space: str, turn: str) -> str:
    """Return the digest by which a turn's row is found when the turn is forgotten."""
    return sha256(f"{space_key(space)}\0{turn}".encode()).hexdigest()[:32]


def day_of(at: datetime) -> str:
    """Return the day of a time, as this machine's calendar has it."""
    return at.astimezone().date().isoformat()


def midnight(at: datetime) -> datetime:
    """Return what is kept of a time where its day alone may be: the beginning of it, on this machine's calendar."""
    return at.astimezone().replace(hour=0, minute=0, second=0, microsecond=0)


def enter(connection: Connection, taken: Round, prices: Prices) -> int:
    """Store what a turn cost; returns the number of its row."""
    block = taken.block if taken.block is not None and taken.block["text"] else None
    text = block["text"] if block else ""
    evidence = [each["text"] for each in taken.evidence]
    values = {
        "space": space_key(taken.space),
        "thread": thread_key(taken.space, taken.thread) if taken.thread else None,
        "turn": turn_key(taken.space, taken.turn),
        "at": taken.at,
        "ms": sum(stage["ms"] for stage in taken.stages.values()),
        "stages": {name: stage["ms"] for name, stage in taken.stages.items()},
        "injected": block["tokens"] if block else 0,
        "bullets": len(proxies.lines(text)),
        "unsupported": taken.block["unsupported"] if taken.block else 0,
        "saved": taken.block["saved"] if taken.block else 0,
        "cache": taken.block["cache"] if taken.block else "",
        "degraded": taken.degraded,
        "failed": taken.failed,
        "cited": proxies.cited(text) if block else None,
        "met": proxies.met(taken.question, text) if block else None,
        "share": proxies.share(block["tokens"], evidence) if block else None,
    }
    seq: int = connection.scalar(rounds.insert().values(**values).returning(rounds.c.seq)) or 0
    made = [(name, call) for name, stage in taken.stages.items() for call in stage["calls"]]
    _enter_calls(connection, space_key(taken.space), taken.at, made, prices, seq)
    return seq


def enter_work(connection: Connection, work: Work, prices: Prices) -> None:
    """Store what calls in the background cost."""
    _enter_calls(connection, work.key, work.at, [(work.stage, call) for call in work.calls], prices, None)


def _enter_calls(
    connection: Connection,
    key: str,
    at: datetime,
    made: Iterable[tuple[str, Call]],
    prices: Prices,
    seq: int | None,
) -> None:
    rows = [
        {
            **call,
            "round": seq,
            "space": key,
            "at": at,
            "stage": stage,
            "money": prices.money(call["model"], call["input"], call["output"]),
        }
        for stage, call in made
    ]
    if rows:
        connection.execute(calls.insert(), rows)


def summed(
    connection: Connection, space: str | None, since: datetime, until: datetime, key: Key = lambda row: ""
) -> dict[str, Sums]:
    """Return what rows of a time sum up to, by a key; days that were folded are not among them."""
    found = dict[str, Sums]()
    for row in connection.execute(_within(rounds, select(rounds), space, since, until)):
        if (name := key(row)) is not None:
            _count_round(found.setdefault(name, Sums()), row)
    made = select(calls, rounds.c.thread).outerjoin(rounds, rounds.c.seq == calls.c.round)
    for row in connection.execute(_within(calls, made, space, since, until)):
        if (name := key(row)) is not None:
            _count_call(found.setdefault(name, Sums()), row)
    return found


def folded(connection: Connection, space: str | None, first: str, end: str) -> dict[str, Sums]:
    """Return the sums of the days that were folded, from `first` on and before `end`, by day."""
    query = select(spent_days).where(spent_days.c.day >= first, spent_days.c.day < end)
    query = query if space is None else query.where(spent_days.c.space == space_key(space))
    found = dict[str, Sums]()
    for row in connection.execute(query):
        found.setdefault(row.day, Sums()).add(Sums.model_validate_json(row.sums))
    return found


def fold(connection: Connection, before: datetime) -> int:
    """Put the rows of days that ended before a time into the sums of their days; returns how many days that were."""
    end = midnight(before)
    days = summed(connection, None, EVER, end, lambda row: f"{day_of(row.at)} {row.space}")
    for name, sums in days.items():
        day, space = name.split(" ")
        there = select(spent_days.c.sums).where(spent_days.c.day == day, spent_days.c.space == space)
        if (known := connection.scalar(there)) is not None:
            sums.add(Sums.model_validate_json(known))
        row = insert(spent_days).values(day=day, space=space, sums=sums.model_dump_json(exclude_defaults=True))
        connection.execute(row.on_conflict_do_update(index_elements=["day", "space"], set_={"sums": row.excluded.sums}))
    connection.execute(calls.delete().where(calls.c.at < end))
    connection.execute(rounds.delete().where(rounds.c.at < end))
    return len(days)


def _within(table: Table, query: Select[Any], space: str | None, since: datetime, until: datetime) -> Select[Any]:
    query = query.where(table.c.at >= since, table.c.at < until)
    return query if space is None else query.where(table.c.space == space_key(space))


def _count_round(sums: Sums, row: Row[Any]) -> None:
    sums.turns += 1
    sums.failed += row.failed
    sums.degraded += row.degraded
    sums.blocks += bool(row.injected)
    sums.bullets += row.bullets
    sums.unsupported += row.unsupported
    sums.exact += row.cache == "exact"
    sums.near += row.cache == "near"
    sums.saved += row.saved
    _put(sums.ms, row.ms)
    if row.injected:
        _put(sums.injected, row.injected)
    stages: Mapping[str, float] = row.stages
    for name, ms in stages.items():
        _put(sums.stages.setdefault(name, {}), ms)
    for mean, value in ((sums.cited, row.cited), (sums.met, row.met), (sums.share, row.share)):
        mean.add(value)


def _count_call(sums: Sums, row: Row[Any]) -> None:
    cell = sums.cell(row.stage, row.role, row.model)
    if row.cached:
        cell.cached, cell.cached_input = cell.cached + 1, cell.cached_input + row.input
        cell.cached_output += row.output
        return
    cell.calls, cell.input, cell.output = cell.calls + 1, cell.input + row.input, cell.output + row.output
    _put(cell.ms, row.ms)
    if row.money is None:
        cell.unpriced, cell.unpriced_input = cell.unpriced + 1, cell.unpriced_input + row.input
        cell.unpriced_output += row.output
    else:
        cell.money += row.money


def _put(bins: dict[int, int], value: float) -> None:
    number = binned(value)
    bins[number] = bins.get(number, 0) + 1
