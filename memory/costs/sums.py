"""Sums of what turns and calls came to, which can be added up and stored; and the figures that are told of them."""

from collections import Counter
from collections.abc import Callable, Iterable

from pydantic import BaseModel, Field

from hippograph.memory.costs.histogram import spread
from hippograph.models import Prices
from hippograph.state.costs import Cache, Figures, Proxies, Spent

Bins = dict[int, int]


class Calls(BaseModel):
    """The calls of one stage, role and model."""

    stage: str
    role: str
    model: str
    calls: int = 0
    input: int = 0
    output: int = 0
    money: int = 0
    """In millionths of a USD, of those whose price was known when they were made."""
    unpriced: int = 0
    """Calls whose price was not; `unpriced_input` and `unpriced_output` are their tokens."""
    unpriced_input: int = 0
    unpriced_output: int = 0
    cached: int = 0
    """Calls that were not made, as the cache had the answer; their tokens and money are in these three alone."""
    cached_input: int = 0
    cached_output: int = 0
    ms: Bins = Field(default_factory=dict)


class Mean(BaseModel):
    """Numbers of which the mean is wanted."""

    n: int = 0
    total: float = 0.0

    def add(self, value: float | None) -> None:
        """Take one more in, unless there is none."""
        if value is not None:
            self.n, self.total = self.n + 1, self.total + value

    @property
    def value(self) -> float | None:
        """The mean; None of nothing."""
        return round(self.total / self.n, 4) if self.n else None


class Sums(BaseModel):
    """What some turns and calls came to."""

    turns: int = 0
    failed: int = 0
    degraded: int = 0
    blocks: int = 0
    bullets: int = 0
    unsupported: int = 0
    exact: int = 0
    near: int = 0
    saved: int = 0
    ms: Bins = Field(default_factory=dict)
    injected: Bins = Field(default_factory=dict)
    stages: dict[str, Bins] = Field(default_factory=dict)
    cells: dict[str, Calls] = Field(default_factory=dict)
    cited: Mean = Field(default_factory=Mean)
    met: Mean = Field(default_factory=Mean)
    share: Mean = Field(default_factory=Mean)

    def cell(self, stage: str, role: str, model: str) -> Calls:
        """Return the calls of a stage, role and model, to be added to."""
        return self.cells.setdefault("\x1f".join((stage, role, model)), Calls(stage=stage, role=role, model=model))

    def add(self, other: "Sums") -> None:
        """Take in what another one counts."""
        for name in ("turns", "failed", "degraded", "blocks", "bullets", "unsupported", "exact", "near", "saved"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        poured(self.ms, other.ms)
        poured(self.injected, other.injected)
        for stage, bins in other.stages.items():
            poured(self.stages.setdefault(stage, {}), bins)
        for calls in other.cells.values():
            _joined(self.cell(calls.stage, calls.role, calls.model), calls)
        for mine, theirs in ((self.cited, other.cited), (self.met, other.met), (self.share, other.share)):
            mine.n, mine.total = mine.n + theirs.n, mine.total + theirs.total

    def only(self, wanted: Callable[[Calls], bool]) -> "Sums":
        """Return these sums with some of the calls alone, and nothing of the turns."""
        return Sums(cells={key: each for key, each in self.cells.items() if wanted(each)})


def poured(bins: Bins, more: Bins) -> None:
    """Add what is in some bins to others."""
    for number, count in more.items():
        bins[number] = bins.get(number, 0) + count


def _joined(mine: Calls, theirs: Calls) -> None:
    for name in Calls.model_fields.keys() - {"stage", "role", "model", "ms"}:
        setattr(mine, name, getattr(mine, name) + getattr(theirs, name))
    poured(mine.ms, theirs.ms)


def figures(sums: Sums, prices: Prices) -> Figures:
    """Return what sums tell; what had no price when it was spent, and has one now, is counted by that."""
    cells = [*sums.cells.values()]
    roles = sorted({each.role for each in cells})
    return Figures(
        turns=sums.turns,
        failed=sums.failed,
        spent=spent(cells, prices),
        roles={role: spent([each for each in cells if each.role == role], prices) for role in roles},
        ms=spread(sums.ms),
        stages={stage: found for stage, bins in sums.stages.items() if (found := spread(bins))},
        injected=spread(sums.injected),
        cache=_cache(sums, cells, prices),
        degraded=round(sums.degraded / sums.turns, 4) if sums.turns else None,
        bullets=sums.bullets,
        unsupported=sums.unsupported,
        proxies=Proxies(cited=sums.cited.value, met=sums.met.value, share=sums.share.value),
    )


def spent(cells: Iterable[Calls], prices: Prices) -> Spent:
    """Return what calls cost together."""
    calls, read, written, money, unpriced = 0, 0, 0, 0, 0
    bins = Counter[int]()
    for each in cells:
        calls, read, written = calls + each.calls, read + each.input, written + each.output
        late = prices.money(each.model, each.unpriced_input, each.unpriced_output) if each.unpriced else 0
        money += each.money + (late or 0)
        unpriced += each.unpriced if late is None else 0
        bins.update(each.ms)
    return Spent(
        calls=calls,
        input=read,
        output=written,
        money=None if calls and unpriced == calls else money / 1e6,
        unpriced=unpriced,
        ms=spread(bins),
    )


def _cache(sums: Sums, cells: Iterable[Calls], prices: Prices) -> Cache:
    hits = sums.exact + sums.near
    served = [each for each in cells if each.cached]
    known = [prices.money(each.model, each.cached_input, each.cached_output) for each in served]
    money = sum(each for each in known if each is not None) / 1e6
    return Cache(
        exact=sums.exact,
        near=sums.near,
        rate=round(hits / sums.blocks, 4) if sums.blocks else None,
        saved=max(sums.saved, sum(each.cached_input + each.cached_output for each in served)),
        money=None if (hits or sums.saved) and not any(each is not None for each in known) else money,
    )
