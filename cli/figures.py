"""What turns cost, as lines of text: figures, tables, and bars over time."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta

from hippograph.cli.lines import counted, dollars, fitted
from hippograph.state.costs import CRITERIA, Cache, Figures, Proxies, Quality, Spent, Spread, Stats

BARS = "▁▂▃▄▅▆▇█"
"""A day's bar, from little to the most; a day without anything is a blank."""
DAYS_SHOWN = 60
"""Days that one line of bars shows, the last ones."""
NAME_CELLS = 34
_INDENT = " " * 11


def stats_lines(stats: Stats, whose: str) -> list[str]:
    """Return all that is to be said of some time."""
    total = stats.total
    since, until = (each.astimezone().date().isoformat() for each in (stats.since, stats.until))
    head = f"{since} to {until}, {whose}"
    if not total.turns and not total.spent.calls:
        return [f"{head}: no turn was recorded.", *_alarms(stats), *_labelled("quality", _quality(stats.quality))]
    return [
        head,
        "",
        *_labelled("turns", _turns(total)),
        *_labelled("tokens", _roles(total)),
        *_labelled("money", [money_text(total.spent), *_unpriced(stats)]),
        *_labelled("time", [f"a turn {_times(total.ms)}", *_stages(total)] if total.ms else []),
        *_labelled("injected", [_injected(total.injected)] if total.injected else []),
        *_labelled("cache", _cache(total.cache)),
        *_labelled("blocks", _blocks(total)),
        *_labelled("quality", _quality(stats.quality)),
        *_alarms(stats),
        "",
        *_course(stats.days),
        *(["", *table(stats.by, stats.groups)] if stats.by else []),
    ]


def table(by: str, groups: Mapping[str, Figures]) -> list[str]:
    """Return a row for each group, with a head."""
    head = f"{by:{NAME_CELLS}} {'turns':>7} {'calls':>7} {'in':>11} {'out':>9} {'USD':>10} {'p50 ms':>8} {'p95 ms':>8}"
    return [head, *(_row(by, name, each) for name, each in groups.items())]


def money_text(spent: Spent) -> str:
    """Return what calls cost: "$0.53", "nothing", "unknown", "$0.53 and 3 calls of unknown price"."""
    if spent.money is None:
        return "unknown"
    known = dollars(spent.money) if spent.money else "nothing"
    return known if not spent.unpriced else f"{known} and {counted(spent.unpriced, 'call')} of unknown price"


def bars(values: Sequence[float]) -> str:
    """Return a bar for each value, as high as it is against the highest."""
    most = max(values, default=0)
    return "".join(BARS[round(value / most * (len(BARS) - 1))] if value > 0 else " " for value in values)


def quality_text(quality: Quality) -> str:
    """Return the means of what was judged, on one line."""
    means = ", ".join(f"{name} {getattr(quality, name):.1f}" for name in CRITERIA if getattr(quality, name) is not None)
    return f"{means} of 5, {counted(quality.judged, 'summary')} judged" if quality.judged else "no summary was judged"


def _labelled(label: str, lines: Sequence[str]) -> Iterator[str]:
    for number, line in enumerate(lines):
        yield f"{label if number == 0 else '':{len(_INDENT)}}{line}"


def _turns(total: Figures) -> list[str]:
    failed = f", {total.failed:,} without an answer" if total.failed else ""
    skipped = f", {total.degraded:.0%} with something skipped or replaced" if total.degraded else ""
    return [f"{total.turns:,}{failed}{skipped}"]


def _roles(total: Figures) -> list[str]:
    return [
        f"{role:10} {each.input:>11,} in {each.output:>9,} out  {money_text(each)}"
        for role, each in total.roles.items()
    ]


def _unpriced(stats: Stats) -> list[str]:
    if not stats.unpriced:
        return []
    return [f"no price is known of {', '.join(stats.unpriced)}: write it into prices.json in the home"]


def _times(spread: Spread | None) -> str:
    return f"{ms_text(spread.p50)}, the slowest 5 % from {ms_text(spread.p95)}" if spread else ""


def ms_text(ms: float) -> str:
    """Return a time in seconds or milliseconds, whichever reads better."""
    return f"{ms / 1000:,.1f} s" if ms >= 1000 else f"{ms:.3g} ms"


def _stages(total: Figures) -> list[str]:
    return [f"{name} {_times(each)}" for name, each in total.stages.items()]


def _injected(spread: Spread) -> str:
    return f"{spread.p50:.0f} tokens, in 5 % of the turns from {spread.p95:.0f}"


def _cache(cache: Cache) -> list[str]:
    if not (cache.exact or cache.near or cache.saved):
        return []
    money = "" if not cache.money else f", {dollars(cache.money)}"
    hits = f"{cache.exact:,} exact, {cache.near:,} near ({cache.rate or 0:.0%} of the blocks)"
    return [f"{hits}; {cache.saved:,} tokens not spent{money}"]


def _blocks(total: Figures) -> list[str]:
    parts = _proxies(total.proxies)
    parts += [f"{counted(total.unsupported, 'sentence')} without support replaced"] if total.unsupported else []
    return ["; ".join(parts)] if total.bullets else []


def _proxies(proxies: Proxies) -> list[str]:
    told = (
        (proxies.cited, "{:.0%} of the lines name a source"),
        (proxies.met, "{:.0%} of the questions' words are met"),
        (proxies.share, "{:.2g} times the memories' tokens"),
    )
    return [form.format(value) for value, form in told if value is not None]


def _quality(quality: Quality) -> list[str]:
    if not (quality.judged or quality.waiting):
        return []
    waits = f"; {counted(quality.waiting, 'summary')} to judge: hippograph stats --judge" if quality.waiting else ""
    weeks = " ".join(f"{week.begins[5:]} {week.accuracy:.1f}" for week in quality.weeks)
    return [f"{quality_text(quality)}{waits}", *([f"accuracy by week  {weeks}"] if len(quality.weeks) > 1 else [])]


def _alarms(stats: Stats) -> Iterator[str]:
    return _labelled("ALARM", [each.text for each in stats.alarms])


def _course(days: Mapping[str, Figures]) -> list[str]:
    """Return bars over the days, for what there is any of."""
    if len(days) < 2:
        return []
    shown = _filled(days)
    columns: Mapping[str, Callable[[Figures], float]] = {
        "turns": lambda each: each.turns,
        "tokens": lambda each: each.spent.input + each.spent.output,
        "USD": lambda each: each.spent.money or 0,
        "ms (p50)": lambda each: each.ms.p50 if each.ms else 0,
    }
    lines = [f"{'':{len(_INDENT)}}{min(shown)} to {max(shown)}, a bar a day"]
    for name, of in columns.items():
        values = [of(each) for each in shown.values()]
        if any(values):
            most = f"{max(values):,.0f}" if max(values) >= 10 else f"{max(values):.3g}"
            lines.append(f"{name:{len(_INDENT)}}{bars(values)}  at most {most}")
    return lines


def _filled(days: Mapping[str, Figures]) -> dict[str, Figures]:
    """Return the last days, those on which nothing was recorded too."""
    last, first = date.fromisoformat(max(days)), date.fromisoformat(min(days))
    count = min(DAYS_SHOWN, (last - first).days + 1)
    shown = [(last - timedelta(days=back)).isoformat() for back in reversed(range(count))]
    return {day: days.get(day, Figures()) for day in shown}


def _row(by: str, name: str, each: Figures) -> str:
    from rich.cells import set_cell_size

    name = set_cell_size(fitted(name or "(none)", NAME_CELLS), NAME_CELLS)
    money = "unknown" if each.spent.money is None else f"{each.spent.money:.4f}"
    spread = each.ms or (each.stages.get(name.strip()) if by == "stage" else None) or each.spent.ms
    times = f"{spread.p50:>8,.1f} {spread.p95:>8,.1f}" if spread else ""
    turns = f"{each.turns:>7,}" if each.turns else " " * 7
    spent = each.spent
    return f"{name} {turns} {spent.calls:>7,} {spent.input:>11,} {spent.output:>9,} {money:>10} {times}".rstrip()
