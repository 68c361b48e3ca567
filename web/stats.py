"""What a space holds and what its turns cost: figures, and charts of them over the days."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import get_args

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hippograph.memory import Memory
from hippograph.memory.decay import half_life
from hippograph.memory.growth import Growth
from hippograph.state.costs import Figures, Spread, Stats
from hippograph.state.recollection import Kind
from hippograph.state.turn import Role
from hippograph.web.asked import opened
from hippograph.web.charts import Chart, bars, curves
from hippograph.web.rendering import page
from hippograph.web.words import text

KINDS: tuple[str, ...] = get_args(Kind)
SPANS = (7, 30, 90, 365)
"""Days that may be asked for."""
USUAL = 30
RECALL = ("retrieve", "rerank")
"""The nodes that search: their times together are what recall takes in a turn."""
YEAR, STEP = 360, 15
"""Days that the curves of decay show, and days between their points."""
USES = (0, 3, 15)
"""How often a memory was used, in the curves that show what use does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """What the page tells."""

    days: int
    stats: Stats
    growth: Growth
    learned: Chart
    """Memories learned each day, by kind."""
    recall: Chart
    """What searching took in a turn, milliseconds: median and 95th percentile of each day."""
    turns: Chart
    """What a turn took, likewise."""
    money: Chart
    """USD of each day, by role."""
    tokens: Chart
    """Tokens of each day, by role, prompts and answers together."""
    cache: Chart
    """Share of each day's blocks that came from the cache."""
    decay: Chart
    """How a memory of each kind fades that is never used."""
    used: Chart
    """How a memory fades that was used so often."""
    faded: str
    """The kind that `used` shows."""


def stats(request: Request) -> Response:
    """Show what a space holds, and what its turns cost in the days that are asked for."""
    use = opened(request)
    told = board(use.memory, use.space, span(request.query_params.get("days")))
    return page(
        request, "stats.html", board=told, recall=recall_ms(told.stats.total), spans=SPANS, labels=labels(use.lang)
    )


def labels(lang: str) -> dict[str, str]:
    """Return what the series of the charts are called in a language."""
    names = {"kind": KINDS, "role": get_args(Role), "series": ("p50", "p95", "hits")}
    return {each: text(lang, f"stats.{what}_{each}") for what, them in names.items() for each in them}


def board(memory: Memory, space: str, days: int) -> Board:
    """Return the figures of a space's last days."""
    stats, growth = memory.stats(space, days=days), memory.growth(space, days=days)
    dates = calendar(stats.until, days)
    told, shown = [stats.days.get(day, Figures()) for day in dates], [day[5:] for day in dates]
    roles = sorted({role for each in told for role in each.roles})
    kinds = [kind for kind in KINDS if growth.kinds.get(kind)] or ["turn", "fact"]
    return Board(
        days=days,
        stats=stats,
        growth=growth,
        learned=learned(growth, dates),
        recall=times(shown, [recall_ms(each) for each in told]),
        turns=times(shown, [each.ms for each in told]),
        money=bars(shown, {role: [_usd(each, role) for each in told] for role in roles}, dollars),
        tokens=bars(shown, {role: [_tokens(each, role) for each in told] for role in roles}, short),
        cache=curves(shown, {"hits": [each.cache.rate for each in told]}, percent, top=1),
        decay=fading({kind: (kind, 0) for kind in kinds}),
        used=fading({f"× {uses}": (kinds[0], uses) for uses in USES}),
        faded=kinds[0],
    )


def calendar(until: datetime, days: int) -> list[str]:
    """Return the last days up to a time, in order, as this machine's calendar has them (ISO 8601)."""
    last = until.astimezone().date()
    return [(last - timedelta(days=back)).isoformat() for back in reversed(range(days))]


def learned(growth: Growth, dates: Sequence[str]) -> Chart:
    """Return the memories learned each day, by kind, for the kinds that there are any of."""
    there = {kind for counts in growth.days.values() for kind in counts}
    series = {kind: [growth.days.get(day, {}).get(kind, 0) for day in dates] for kind in KINDS if kind in there}
    return bars([day[5:] for day in dates], series, short)


def times(shown: Sequence[str], spreads: Sequence[Spread | None]) -> Chart:
    """Return median and 95th percentile of each day, in milliseconds."""
    return curves(
        shown,
        {
            "p50": [each.p50 if each else None for each in spreads],
            "p95": [each.p95 if each else None for each in spreads],
        },
        lasting,
    )


def recall_ms(figures: Figures) -> Spread | None:
    """Return what searching took: the nodes' percentiles added up, which is at least what they took together."""
    parts = [figures.stages[name] for name in RECALL if name in figures.stages]
    if not parts:
        return None
    return Spread(n=max(p.n for p in parts), p50=sum(p.p50 for p in parts), p95=sum(p.p95 for p in parts))


def fading(memories: Mapping[str, tuple[str, int]]) -> Chart:
    """Return freshness against age in days, for memories of a kind that were used so often (see `memory.decay`)."""
    ages = range(0, YEAR + 1, STEP)
    series = {name: [0.5 ** (age / half_life(kind, uses)) for age in ages] for name, (kind, uses) in memories.items()}
    return curves([str(age) for age in ages], series, percent, top=1)


def span(asked: str | None) -> int:
    """Return the days that a query asks for: one of SPANS."""
    return next((each for each in SPANS if str(each) == asked), USUAL)


def short(value: float) -> str:
    """Return a number in few characters: 1.2k, 3M."""
    for size, unit in ((1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:.3g}{unit}"
    return f"{value:.3g}"


def dollars(value: float) -> str:
    """Return an amount of money."""
    return f"${value:.2f}" if value >= 1 or value == 0 else f"${value:.2g}"


def percent(value: float) -> str:
    """Return a share."""
    return f"{100 * value:.0f} %"


def lasting(ms: float) -> str:
    """Return a time in seconds or milliseconds, whichever reads better."""
    return f"{ms / 1000:.3g} s" if ms >= 1000 else f"{ms:.3g} ms"


def _usd(figures: Figures, role: str) -> float:
    return (figures.roles[role].money or 0.0) if role in figures.roles else 0.0


def _tokens(figures: Figures, role: str) -> float:
    return figures.roles[role].input + figures.roles[role].output if role in figures.roles else 0


ROUTES = [Route("/stats", stats, name="stats")]
