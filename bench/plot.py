"""A picture of a report: recall against k for each row, and how long each takes."""

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

from hippograph.bench.report import Report
from hippograph.state import BadInput

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INSTALL = "pip install 'hippograph[plot]'"


def require() -> None:
    """Make sure that plots can be drawn, before anything long is run.

    Raises:
        BadInput: matplotlib is not installed.
    """
    if importlib.util.find_spec("matplotlib") is None:
        raise BadInput(f"--plot needs matplotlib, which is not installed: {INSTALL}")


def draw(report: Report, path: Path, title: str) -> None:
    """Write a PNG: recall against k on the left, median and 95th percentile of the latency on the right."""
    require()
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 5), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=[3, 2])
    figure.suptitle(f"{title}, n = {report['n']}, {', '.join(report['models'].values())}")
    _recall(left, report)
    _latency(right, report)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, format="png", dpi=120)


def _recall(axes: "Axes", report: Report) -> None:
    from matplotlib.ticker import MaxNLocator

    for number, (name, values) in enumerate(report.get("curves", {}).items()):
        axes.plot(range(1, len(values) + 1), values, marker="o" if number == 0 else None, label=name)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set(xlabel="k", ylabel="R@k (share of the evidence in the top k)", ylim=(0, 1))
    axes.grid(alpha=0.3)
    axes.legend()


def _latency(axes: "Axes", report: Report) -> None:
    rows = list(report.get("rows", {}).items())[::-1]
    names = [name for name, _ in rows]
    axes.barh(names, [row.get("ms_p95") or 0 for _, row in rows], color="0.8", label="p95")
    axes.barh(names, [row.get("ms_p50") or 0 for _, row in rows], height=0.5, label="p50")
    axes.set(xlabel="ms a question, embedding left out")
    axes.legend()
