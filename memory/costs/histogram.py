"""Numbers kept as counts in bins, so that those of months can be added up and still tell percentiles."""

import math
from collections.abc import Mapping

from hippograph.state.costs import Spread

WIDTH = 1.05
"""Each bin ends so many times as high as it begins: its middle is within 2.5 % of what is in it."""
ZERO = -10_000
"""The bin of what is 0, or below a billionth."""
_LOG = math.log(WIDTH)

Bins = Mapping[int, int]
"""Number of a bin to how many numbers are in it."""


def binned(value: float) -> int:
    """Return the bin of a number that is not negative."""
    return round(math.log(value) / _LOG) if value > 1e-9 else ZERO


def spread(bins: Bins) -> Spread | None:
    """Return median and 95th percentile of what is in some bins, by nearest rank; None for nothing."""
    n = sum(bins.values())
    return Spread(n=n, p50=_ranked(bins, n, 0.5), p95=_ranked(bins, n, 0.95)) if n else None


def _ranked(bins: Bins, n: int, share: float) -> float:
    wanted, passed = math.ceil(share * n), 0
    for number in sorted(bins):
        passed += bins[number]
        if passed >= wanted:
            return 0.0 if number == ZERO else float(f"{WIDTH**number:.4g}")
    raise AssertionError("more than all were asked for")
