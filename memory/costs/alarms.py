"""What somebody should look at. Pure: figures in, alarms out."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta

from hippograph.memory.costs.histogram import spread
from hippograph.memory.costs.sums import Sums, spent
from hippograph.models import Prices
from hippograph.state.costs import Alarm

RECENT, BEFORE = timedelta(days=7), timedelta(days=28)
"""The days that are looked at, and those before them that they are compared with."""
ENOUGH = 20
"""Turns, lines or verdicts from which a share or a percentile tells something."""
ACCURATE = 3.5
"""Mean grade, of 5, below which summaries are not accurate enough."""
FEW_UNSUPPORTED = 0.05
"""Share of a big model's sentences without support that is nothing unusual."""
LOOKED_AT = RECENT + BEFORE


def alarms(
    days: Mapping[str, Sums], today: date, accuracy: Sequence[int], prices: Prices, daily_usd: float | None
) -> list[Alarm]:
    """Return what is amiss.

    Args:
        days: Sums by day, ISO 8601, of the last `LOOKED_AT`.
        today: The present day.
        accuracy: Grades of the summaries judged last.
        prices: What models cost.
        daily_usd: What they may cost in a day, if that is limited.
    """
    begins = (today - RECENT).isoformat()
    recent = _sum(sums for day, sums in days.items() if day > begins)
    before = _sum(sums for day, sums in days.items() if day <= begins)
    now = days.get(today.isoformat(), Sums())
    found = [
        _accuracy(accuracy),
        _unsupported(recent, before),
        _money(now, prices, daily_usd),
        _latency(recent, before),
    ]
    return [each for each in found if each]


def _sum(parts: Iterable[Sums]) -> Sums:
    whole = Sums()
    for each in parts:
        whole.add(each)
    return whole


def _accuracy(grades: Sequence[int]) -> Alarm | None:
    if len(grades) < ENOUGH or (mean := sum(grades) / len(grades)) >= ACCURATE:
        return None
    text = f"the last {len(grades)} summaries judged are {mean:.1f} of 5 accurate: try another big model, or none"
    return Alarm(name="accuracy", text=text)


def _unsupported(recent: Sums, before: Sums) -> Alarm | None:
    if (now := _share(recent)) is None or now < FEW_UNSUPPORTED or now < 2 * (_share(before) or 0):
        return None
    text = f"{now:.0%} of the big model's sentences of this week had no support and were replaced"
    return Alarm(name="unsupported", text=f"{text}, {_share(before) or 0:.0%} before: was the model changed?")


def _share(sums: Sums) -> float | None:
    whole = sums.bullets + sums.unsupported
    return sums.unsupported / whole if whole >= ENOUGH else None


def _money(now: Sums, prices: Prices, most: float | None) -> Alarm | None:
    money = spent(now.cells.values(), prices).money
    if most is None or money is None or money <= most:
        return None
    return Alarm(name="money", text=f"models cost ${money:.2f} today, more than HIPPOGRAPH_DAILY_USD ({most:g})")


def _latency(recent: Sums, before: Sums) -> Alarm | None:
    now, then = spread(recent.ms), spread(before.ms)
    if now is None or then is None or min(now.n, then.n) < ENOUGH or now.p95 < 2 * then.p95:
        return None
    text = f"the slowest turns of this week take {now.p95 / 1000:.1f} s, {then.p95 / 1000:.1f} s before"
    return Alarm(name="latency", text=f"{text}: see `hippograph stats --by stage`")
