"""A benchmark's result: figures, what they were measured on, and how they are printed and kept."""

import json
import math
import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NotRequired

from typing_extensions import TypedDict

from hippograph.bench import table
from hippograph.bench.machine import Machine

Figure = float | int | None


class Report(TypedDict):
    """What every benchmark returns."""

    metrics: dict[str, Figure]
    machine: Machine
    models: dict[str, str]
    """Role to model."""
    n: int
    """How many turns, questions or runs the figures rest on."""
    stages: NotRequired[dict[str, dict[str, float]]]
    """Stage to its p50 and p95, in milliseconds."""
    rows: NotRequired[dict[str, dict[str, Figure]]]
    """What is compared, such as ways of ranking, to its figures."""
    categories: NotRequired[dict[str, dict[str, dict[str, Figure]]]]
    """The same for each category of questions: row, category, figures."""
    curves: NotRequired[dict[str, list[float]]]
    """Row to its recall at k = 1, 2, 3, …"""
    questions: NotRequired[list[dict[str, object]]]
    """Single results, where the benchmark keeps them."""
    notes: NotRequired[list[str]]
    """What the figures do and do not measure."""
    partial: NotRequired[bool]
    """Whether it was written while the benchmark was still running."""


def median(values: Sequence[float]) -> float:
    """Return the median, to a hundredth."""
    return round(statistics.median(values), 2)


def percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that at least `share` (0-1) of the values do not exceed, to a hundredth."""
    ordered = sorted(values)
    return round(ordered[max(0, math.ceil(len(ordered) * share) - 1)], 2)


def write(report: Report, path: Path) -> None:
    """Keep a report as JSON, making its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(report, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def _goal(name: str, goals: Mapping[str, float]) -> str:
    return f"  (goal {goals[name]:g})" if name in goals else ""


def lines(report: Report, goals: Mapping[str, float] | None = None) -> list[str]:
    """Return the figures as text, each with its goal where there is one."""
    goals = goals or {}
    machine = report["machine"]
    models = "".join(f"{role} {spec}; " for role, spec in report["models"].items())
    head = f"{machine['cpu']}, {machine['cores']} cores, load {machine['load'][0]}; {models}n = {report['n']}"
    figures = (
        table.lines(report)
        if "rows" in report
        else [
            f"  {name:32} {'-' if value is None else f'{value:g}':>10}" + _goal(name, goals)
            for name, value in report["metrics"].items()
        ]
    )
    stages = [
        f"  {name:32} {figures['p50']:10.2f} {figures['p95']:10.2f}"
        for name, figures in report.get("stages", {}).items()
    ]
    timed = [f"  {'stage, ms':32} {'p50':>10} {'p95':>10}", *stages] if stages else []
    return [head, *figures, *timed, *(f"  note: {note}" for note in report.get("notes", []))]
