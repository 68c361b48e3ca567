"""A picture of what turns cost, day by day."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hippograph.bench.plot import require
from hippograph.state import BadInput
from hippograph.state.costs import Stats

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw(stats: Stats, path: Path, whose: str) -> None:
    """Write a PNG: tokens by role, money, and the time of a turn, over the days.

    Raises:
        BadInput: matplotlib is not installed, nothing was recorded, or the file cannot be written.
    """
    require()
    if not stats.days:
        raise BadInput("Nothing was recorded in that time, so there is nothing to draw.")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 7), layout="constrained")
    tokens, money, times = figure.subplots(3, 1, sharex=True)
    figure.suptitle(f"What turns cost, {whose}")
    days = [*stats.days]
    _tokens(tokens, days, stats)
    money.bar(days, [each.spent.money or 0 for each in stats.days.values()], color="0.5")
    money.set(ylabel="USD")
    _times(times, days, stats)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, format="png", dpi=120)
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {error.strerror or error}.") from error


def _tokens(axes: "Axes", days: Sequence[str], stats: Stats) -> None:
    from hippograph.state.costs import Spent

    base = [0.0] * len(days)
    for role in stats.total.roles:
        spent = [each.roles.get(role, Spent()) for each in stats.days.values()]
        values = [each.input + each.output for each in spent]
        axes.bar(days, values, bottom=base, label=role)
        base = [low + value for low, value in zip(base, values, strict=True)]
    axes.set(ylabel="tokens, in and out")
    if stats.total.roles:
        axes.legend()


def _times(axes: "Axes", days: Sequence[str], stats: Stats) -> None:
    from matplotlib.ticker import MaxNLocator

    spreads = [each.ms for each in stats.days.values()]
    axes.plot(days, [each.p50 if each else float("nan") for each in spreads], marker="o", label="p50")
    axes.plot(days, [each.p95 if each else float("nan") for each in spreads], marker="o", label="p95")
    axes.set(ylabel="ms a turn")
    axes.xaxis.set_major_locator(MaxNLocator(nbins=12))
    axes.legend()
