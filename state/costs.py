"""What turns cost and how good their summaries are: what `Memory.stats` returns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, get_args

By = Literal["day", "model", "stage", "role", "thread"]
"""What figures can be told apart by."""
BYS: tuple[By, ...] = get_args(By)

CRITERIA = ("accuracy", "relevance", "brevity")
"""What a summary is judged by, each from 1 to 5: it says what the memories say; what was asked; and no more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Median and 95th percentile of some numbers, within 2.5 %."""

    n: int
    p50: float
    p95: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What calls of models cost."""

    calls: int = 0
    input: int = 0
    """Tokens of the prompts."""
    output: int = 0
    """Tokens of the answers."""
    money: float | None = 0.0
    """In USD, as far as prices are known; None where none of the calls has a known price."""
    unpriced: int = 0
    """Calls whose price is not known: their money is not in `money`."""
    ms: Spread | None = None
    """How long a call took."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cache:
    """What the cache of blocks, and not asking the big model where that is not needed, saved."""

    exact: int = 0
    near: int = 0
    rate: float | None = None
    """Share of the turns with a block whose block came from the cache; None where no turn had one."""
    saved: int = 0
    """Tokens of calls that were not made."""
    money: float | None = 0.0
    """What these would have cost, in USD, as far as is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proxies:
    """What can be told of summaries without any model: means over the turns with a block, in [0, 1]."""

    cited: float | None = None
    """Share of the block's lines that name a source."""
    met: float | None = None
    """Share of the question's telling words that stand in the block."""
    share: float | None = None
    """Tokens of the block against those of the memories it was made of; above 1 where dates add more than is cut."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What some turns, and the work in the background beside them, came to."""

    turns: int = 0
    failed: int = 0
    """Turns that ended without an answer."""
    spent: Spent = field(default_factory=Spent)
    """All calls together."""
    roles: Mapping[str, Spent] = field(default_factory=dict)
    """By what the model was asked for: "small", "big", "extractor", ..."""
    ms: Spread | None = None
    """How long a turn took."""
    stages: Mapping[str, Spread] = field(default_factory=dict)
    """How long each node took, in ms."""
    injected: Spread | None = None
    """Tokens of the block, over the turns that had one."""
    cache: Cache = field(default_factory=Cache)
    degraded: float | None = None
    """Share of the turns in which something was skipped or replaced."""
    bullets: int = 0
    """Lines of the blocks."""
    unsupported: int = 0
    """Sentences of big models that were dropped because their sources do not say so."""
    proxies: Proxies = field(default_factory=Proxies)


@dataclass(frozen=True, slots=True, kw_only=True)
class Week:
    """What was judged in the seven days from a day on."""

    begins: str
    """ISO 8601, a Monday."""
    n: int
    accuracy: float
    relevance: float
    brevity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality:
    """What the summaries that were judged are worth."""

    judged: int = 0
    waiting: int = 0
    """Sampled and not judged yet."""
    accuracy: float | None = None
    """Mean of those judged in the time asked about, 1 to 5."""
    relevance: float | None = None
    brevity: float | None = None
    by: Mapping[str, int] = field(default_factory=dict)
    """How many each judge judged: a model, or "person"."""
    weeks: Sequence[Week] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Alarm:
    """Something that somebody should look at."""

    name: Literal["accuracy", "unsupported", "money", "latency"]
    text: str
    """In words: what is, what it should be, what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """What the turns of some time cost and were worth."""

    since: datetime
    until: datetime
    by: By | None
    total: Figures
    groups: Mapping[str, Figures]
    """By day (ISO 8601, this machine's), model, stage, role or thread, as asked for."""
    days: Mapping[str, Figures]
    """Each day that had a turn or a call, in order."""
    quality: Quality
    alarms: Sequence[Alarm]
    unpriced: Sequence[str]
    """Models whose price is not known."""
    prices: str
    """Where the table of prices is from, and of when."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A summary that waits to be judged."""

    id: int
    space: str
    """The key of the space it belongs to."""
    at: datetime
    question: str
    block: str
    evidence: Sequence[str]
    """What the memories say that it was made of, best first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a summary is worth, each from 1 to 5."""

    accuracy: int
    relevance: int
    brevity: int
