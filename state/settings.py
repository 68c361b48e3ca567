"""What the environment sets, read in one place."""

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import get_args

from hippograph.state.errors import BadInput
from hippograph.state.recollection import Kind

OLLAMA_URL = "http://127.0.0.1:11434"
UPKEEP_EVERY = 200
LEAST_WINDOW = 512
"""Fewest tokens a model's window is of use with."""
MOST_WINDOW = 20_000_000
"""Twice what any model takes: more is a slip of the keyboard."""
CACHE_MB = 16
DEADLINE = 60.0
MOST_SECONDS = 3600
COST_DAYS = 90


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Where memories live and which models are asked for; None: choose what is found."""

    home: Path
    """HIPPOGRAPH_HOME: the folder of ledger, index and checkpoints."""
    small: str | None = None
    """HIPPOGRAPH_SMALL: the model that answers, "provider:model"."""
    big: str | None = None
    """HIPPOGRAPH_BIG: the model that distils long evidence; none unless set."""
    backup: str | None = None
    """HIPPOGRAPH_BACKUP: the model that distils where the big one fails; none unless set."""
    deadline: float = DEADLINE
    """HIPPOGRAPH_DEADLINE: seconds that one call of a model that distils may take."""
    embeddings: str | None = None
    """HIPPOGRAPH_EMBEDDINGS: the embedding model."""
    reranker: str | None = None
    """HIPPOGRAPH_RERANKER: what looks again at the best memories found; fusion alone unless set."""
    extractor: str | None = None
    """HIPPOGRAPH_EXTRACTOR: what finds facts in turns: "rules", "none", "big" or a model; the default unless set."""
    upkeep_every: int = UPKEEP_EVERY
    """HIPPOGRAPH_UPKEEP_EVERY: stored memories after which upkeep runs in the background; 0: only when called for."""
    ttl_days: Mapping[Kind, float] = field(default_factory=dict)
    """HIPPOGRAPH_TTL_DAYS: days after which memories of a kind expire, "event=365 media=30"; others last."""
    most_derived: int = 0
    """HIPPOGRAPH_MOST_DERIVED: derived memories of one user that stay in recall; of more, those used longest ago are
    archived; 0: no limit."""
    windows: Mapping[str, int] = field(default_factory=dict)
    """HIPPOGRAPH_WINDOWS: context windows of models, in tokens, "ollama:qwen3:4b=8192 local=8192"; others are found."""
    cache_mb: int = CACHE_MB
    """HIPPOGRAPH_CACHE_MB: most megabytes that the blocks kept in the ledger take; 0: none is kept."""
    prefetch: bool = False
    """HIPPOGRAPH_PREFETCH: whether blocks for likely next questions are written ahead, in the background."""
    prices: Path | None = None
    """HIPPOGRAPH_PRICES: the user's own prices of models; without it, `prices.json` in the home, if there is one."""
    cost_days: int = COST_DAYS
    """HIPPOGRAPH_COST_DAYS: days after which what turns cost is kept as the day's sums only; 0: never."""
    daily_usd: float | None = None
    """HIPPOGRAPH_DAILY_USD: what models may cost in a day before `stats` and `status` say so; None: any amount."""
    sample: float = 0.0
    """HIPPOGRAPH_SAMPLE: the share of summaries kept to be judged later, 0 to 1."""
    judge: str | None = None
    """HIPPOGRAPH_JUDGE: the model that judges them, "provider:model"; the big one, if any, unless set."""
    model_dir: Path
    """HIPPOGRAPH_MODEL_DIR: where embedded models are kept."""
    ollama_url: str = OLLAMA_URL
    """OLLAMA_HOST: where Ollama is looked for."""

    @classmethod
    def from_env(cls, env: Mapping[str, str] = os.environ) -> "Settings":
        """Read the settings from environment variables; an empty variable counts as unset."""
        from platformdirs import user_cache_path, user_data_path

        def get(name: str) -> str | None:
            return env.get(name, "").strip() or None

        return cls(
            home=Path(get("HIPPOGRAPH_HOME") or user_data_path("hippograph")).expanduser(),
            small=get("HIPPOGRAPH_SMALL"),
            big=get("HIPPOGRAPH_BIG"),
            backup=get("HIPPOGRAPH_BACKUP"),
            deadline=_seconds("HIPPOGRAPH_DEADLINE", get("HIPPOGRAPH_DEADLINE"), DEADLINE),
            embeddings=get("HIPPOGRAPH_EMBEDDINGS"),
            reranker=get("HIPPOGRAPH_RERANKER"),
            extractor=get("HIPPOGRAPH_EXTRACTOR"),
            upkeep_every=_count("HIPPOGRAPH_UPKEEP_EVERY", get("HIPPOGRAPH_UPKEEP_EVERY"), UPKEEP_EVERY),
            ttl_days=_days("HIPPOGRAPH_TTL_DAYS", get("HIPPOGRAPH_TTL_DAYS")),
            most_derived=_count("HIPPOGRAPH_MOST_DERIVED", get("HIPPOGRAPH_MOST_DERIVED"), 0),
            windows=_windows("HIPPOGRAPH_WINDOWS", get("HIPPOGRAPH_WINDOWS")),
            cache_mb=_count("HIPPOGRAPH_CACHE_MB", get("HIPPOGRAPH_CACHE_MB"), CACHE_MB),
            prefetch=_switch("HIPPOGRAPH_PREFETCH", get("HIPPOGRAPH_PREFETCH")),
            prices=Path(own).expanduser() if (own := get("HIPPOGRAPH_PRICES")) else None,
            cost_days=_count("HIPPOGRAPH_COST_DAYS", get("HIPPOGRAPH_COST_DAYS"), COST_DAYS),
            daily_usd=_number("HIPPOGRAPH_DAILY_USD", get("HIPPOGRAPH_DAILY_USD"), math.inf),
            sample=_number("HIPPOGRAPH_SAMPLE", get("HIPPOGRAPH_SAMPLE"), 1.0) or 0.0,
            judge=get("HIPPOGRAPH_JUDGE"),
            model_dir=Path(get("HIPPOGRAPH_MODEL_DIR") or user_cache_path("hippograph") / "models").expanduser(),
            ollama_url=_url(get("OLLAMA_HOST") or OLLAMA_URL),
        )

    def override(self, **changes: str | Path | None) -> "Settings":
        """Return a copy with the given values; None leaves a setting as it is."""
        return replace(self, **{name: value for name, value in changes.items() if value is not None})  # type: ignore[arg-type]


def _count(name: str, given: str | None, usual: int) -> int:
    if given is None:
        return usual
    if not given.isdecimal():
        raise BadInput(f"{name} is {given!r}: give a whole number, or 0 for none.")
    return int(given)


def _switch(name: str, given: str | None) -> bool:
    said = (given or "0").lower()
    if said not in _ON and said not in _OFF:
        raise BadInput(f"{name} is {given!r}: give 1 for yes or 0 for no.")
    return said in _ON


_ON, _OFF = ("1", "true", "yes", "on"), ("0", "false", "no", "off")


def _seconds(name: str, given: str | None, usual: float) -> float:
    try:
        seconds = usual if given is None else float(given)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= MOST_SECONDS:
        raise BadInput(f"{name} is {given!r}: give seconds, more than 0 and at most {MOST_SECONDS}.")
    return seconds


def _number(name: str, given: str | None, most: float) -> float | None:
    """Read a number from 0 to `most`."""
    if given is None:
        return None
    try:
        number = float(given)
    except ValueError:
        number = math.nan
    if not 0 <= number <= most:
        raise BadInput(f"{name} is {given!r}: give a number from 0{f' to {most:g}' if most < math.inf else ''}.")
    return number


def _days(name: str, given: str | None) -> dict[Kind, float]:
    """Read "event=365 media=30"."""
    days = dict[Kind, float]()
    for part in (given or "").replace(",", " ").split():
        kind, _, number = part.partition("=")
        try:
            days[_KINDS[kind]] = float(number)
        except (KeyError, ValueError):
            raise BadInput(f"{name} has {part!r}: write KIND=DAYS, with a kind of {', '.join(_KINDS)}.") from None
    return days


def _windows(name: str, given: str | None) -> dict[str, int]:
    """Read "openai:gpt-5-mini=400000 local=8192"."""
    windows = dict[str, int]()
    for part in (given or "").replace(",", " ").split():
        model, _, number = part.rpartition("=")
        tokens = int(number) if number.isdecimal() and len(number) <= len(str(MOST_WINDOW)) else 0
        if not model or not LEAST_WINDOW <= tokens <= MOST_WINDOW:
            sizes = f"{LEAST_WINDOW:,} to {MOST_WINDOW:,} tokens"
            raise BadInput(f"{name} has {part[:80]!r}: write PROVIDER:MODEL=TOKENS, with {sizes}.")
        windows[model] = tokens
    return windows


_KINDS: Mapping[str, Kind] = {kind: kind for kind in get_args(Kind)}


def _url(host: str) -> str:
    """Complete what OLLAMA_HOST allows ("box", "box:11434", "0.0.0.0") to a URL a client can call."""
    scheme, _, rest = host.rpartition("://")
    name, colon, port = rest.rstrip("/").partition(":")
    name = "127.0.0.1" if name in ("", "0.0.0.0") else name
    return f"{scheme or 'http'}://{name}:{port if colon else ('443' if scheme == 'https' else '11434')}"
