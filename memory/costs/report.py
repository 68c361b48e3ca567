"""Figures of some time, put together from rows and folded days."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row

from hippograph.memory.costs import samples
from hippograph.memory.costs.alarms import ENOUGH, LOOKED_AT, alarms
from hippograph.memory.costs.book import day_of, folded, summed
from hippograph.memory.costs.sums import Calls, Sums, figures
from hippograph.memory.ledger import Ledger
from hippograph.models import Prices
from hippograph.models.prices import about
from hippograph.state.costs import By, Figures, Stats


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is to be told."""

    space: str | None
    since: datetime
    until: datetime
    by: By | None
    daily_usd: float | None

    @property
    def time(self) -> tuple[str | None, datetime, datetime]:
        """Whose, from when and until when."""
        return self.space, self.since, self.until


def report(ledger: Ledger, prices: Prices, asked: Asked) -> Stats:
    """Return what the turns and calls of some time came to."""
    with ledger.read() as connection:
        within = _days(connection, asked.space, asked.since, asked.until, last=True)
        earlier = _days(connection, asked.space, asked.until - LOOKED_AT, asked.since, last=False)
        threads = summed(connection, *asked.time, _thread) if asked.by == "thread" else {}
        quality = samples.quality(connection, asked.space, asked.since, asked.until)
        grades = samples.last(connection, asked.space, ENOUGH)
    total = _whole(within.values())
    told = {day: figures(sums, prices) for day, sums in within.items()}
    return Stats(
        since=asked.since,
        until=asked.until,
        by=asked.by,
        total=figures(total, prices),
        groups=told if asked.by == "day" else _groups(total, threads, asked.by, prices),
        days=told,
        quality=quality,
        alarms=alarms(
            _looked_at(_joined(earlier, within), asked.until),
            asked.until.astimezone().date(),
            grades,
            prices,
            asked.daily_usd,
        ),
        unpriced=sorted({each.model for each in total.cells.values() if each.unpriced and not prices.of(each.model)}),
        prices=about(),
    )


def _days(
    connection: Connection, space: str | None, since: datetime, until: datetime, *, last: bool
) -> dict[str, Sums]:
    """Return the sums of each day of a time, in order.

    Of the first and the last day that is what lies within, unless they were folded: then the first counts whole, and
    with `last` so does the last.
    """
    if since >= until:
        return {}
    rows = summed(connection, space, since, until, lambda row: day_of(row.at))
    end = day_of(until + timedelta(days=1) if last else until)
    days = _joined(rows, folded(connection, space, day_of(since), end))
    return {day: days[day] for day in sorted(days)}


def _joined(days: Mapping[str, Sums], more: Mapping[str, Sums]) -> dict[str, Sums]:
    return {day: _whole(each[day] for each in (days, more) if day in each) for day in {**days, **more}}


def _looked_at(days: Mapping[str, Sums], until: datetime) -> dict[str, Sums]:
    """Return the days that alarms look at, of however many are told of."""
    first = day_of(until - LOOKED_AT)
    return {day: sums for day, sums in days.items() if day >= first}


def _thread(row: Row[Any]) -> str:
    return row.thread or ""


def _whole(parts: Iterable[Sums]) -> Sums:
    whole = Sums()
    for each in parts:
        whole.add(each)
    return whole


_PARTS: Mapping[str, Callable[[Calls], str]] = {
    "model": lambda calls: calls.model,
    "stage": lambda calls: calls.stage,
    "role": lambda calls: calls.role,
}


def _groups(total: Sums, threads: Mapping[str, Sums], by: By | None, prices: Prices) -> dict[str, Figures]:
    if by == "thread":
        return {name: figures(sums, prices) for name, sums in threads.items()}
    if by is None or by == "day":
        return {}
    part = _PARTS[by]
    names = {part(each) for each in total.cells.values()} | ({*total.stages} if by == "stage" else set())
    groups = dict[str, Figures]()
    for name in sorted(names):
        sums = total.only(lambda calls, wanted=name: part(calls) == wanted)  # type: ignore[misc]
        if by == "stage" and name in total.stages:
            sums.stages[name] = total.stages[name]
        groups[name] = figures(sums, prices)
    return groups
