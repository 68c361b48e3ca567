"""Rows of figures as text: what is compared down the side, measures across."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hippograph.bench.report import Figure, Report

MEASURES = ("n", "R@1", "R@5", "R@10", "hit@1", "hit@5", "hit@10", "all@10", "MRR", "nDCG@10")
"""Measures of the first table, where a benchmark has them."""
OTHERS = (
    *("session R@5", "session R@10", "newest_above_stale", "newest_n", "forbidden@10", "ms_p50", "ms_p95"),
    *("positives", "recall", "proactive_share", "negatives", "false_alarm_rate", "precision"),
    *("contained", "f1", "abstained", "unanswerable_n", "false_answers", "tokens_p50", "prompt_tokens_p50", "skipped"),
)
"""Measures of the second one."""


def lines(report: "Report") -> list[str]:
    """Return a report's rows, then R@10 of each row by category."""
    rows = report.get("rows", {})
    columns = dict.fromkeys(name for row in rows.values() for name in row)
    extra = [name for name in columns if name.startswith(("R@", "forbidden@")) and name not in (*MEASURES, *OTHERS)]
    tables = [grid(rows, [each for each in part if each in columns]) for part in (MEASURES, (*extra, *OTHERS))]
    return [line for table in [*tables, _categories(report)] if len(table) > 1 for line in [*table, ""]]


def grid(rows: Mapping[str, Mapping[str, "Figure"]], columns: Sequence[str]) -> list[str]:
    """Return a table: a line of column names, then a line a row; "-" where a row has no such figure."""
    if not columns:
        return []
    side = max(map(len, rows), default=0)
    widths = [max(len(name), 6) for name in columns]
    head = " " * side + "".join(f"  {name:>{width}}" for name, width in zip(columns, widths, strict=True))
    return [
        head,
        *(
            f"{name:{side}}"
            + "".join(f"  {shown(row.get(column)):>{width}}" for column, width in zip(columns, widths, strict=True))
            for name, row in rows.items()
        ),
    ]


def shown(value: "Figure") -> str:
    """Return a figure: a count as it is, a share to three places, milliseconds to one or two."""
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.{3 if value <= 1 else 2 if value < 100 else 1}f}"


def _categories(report: "Report") -> list[str]:
    categories = report.get("categories", {})
    rows = {name: {category: row.get("R@10") for category, row in each.items()} for name, each in categories.items()}
    names = dict.fromkeys(category for each in rows.values() for category, value in each.items() if value is not None)
    return ["R@10 by category", *grid(rows, [*names])] if len(names) > 1 else []
