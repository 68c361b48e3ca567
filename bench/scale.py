"""How recall, indexing and disk grow with the number of stored turns in one space, embedding left out."""

import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from hippograph.bench import machine
from hippograph.bench.clock import TimedEmbeddings
from hippograph.bench.hashed import SPEC, HashedEmbeddings, hashed, vectors
from hippograph.bench.probes import KINDS, Probe, probes
from hippograph.bench.report import Figure, Report, median, percentile
from hippograph.bench.turns import Conversations, Planted, conversations, sample
from hippograph.memory import Memory
from hippograph.state import BadInput, Settings

SPACE = "bench"
LEAST = 100
"""Fewest turns: fewer may hold no facts in one of the languages."""
TOP, NEAREST = 8, 10
"""Memories a recall returns, and neighbours that are compared with the exact ones."""
GUARDED = 100
"""Facts that are asked for at each size, untimed, to see whether they are found."""
WARM_UP = 5
TOLERANCE = 1e-3
"""A neighbour counts as one of the nearest if its cosine is no more than this below theirs: ties are many here, and
so it is in ann-benchmarks (Aumüller et al., 2020)."""
GOALS = {"recall_p50_ms_10000": 8.0, "recall_p50_ms_100000": 20.0}
NOTES = [
    "Embeddings are hashed bags of words, projected at random to the dimension of the default model, because a "
    "transformer would take hours; the time they take is subtracted everywhere. Times and sizes are those of an index "
    "of real vectors of that dimension; shares found say that nothing is broken, not how well a real model would find.",
    "Turns are made up from few sentences, so that many are alike; all facts are among the first 1,200 or so.",
    f"recall_*_ms: k = {TOP}, after {WARM_UP} recalls to warm up. Each size is asked in a process of its own that has "
    "loaded its libraries, but not the home: first_recall_ms is what the first recall there takes after open_ms, the "
    "files being in the system's cache; rss_mb is its peak.",
    "indexed_per_s: turns, from the first add_turns (a thread of ten each) until flush returns.",
    f"found_share: of {GUARDED} facts (or all there are), those whose turn is in the top {TOP}. ann_recall: of the "
    f"exact {NEAREST} nearest vectors to each query, those the index finds; ties within {TOLERANCE:g} count.",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Indexed:
    """What storing one size took."""

    seconds: float
    """Until all was indexed, without embedding."""
    ledger_mb: float
    chroma_mb: float
    floors: list[float]
    """For each probe, the exact cosine of the last of its nearest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What asking one size took; times in milliseconds, without embedding."""

    open_ms: float
    first_ms: float
    ms: list[float]
    """One for each probe."""
    found: float
    nearest: float
    rss_mb: float


class Recorded(HashedEmbeddings):
    """Embeddings that keep the vectors of all passages and add up what these take."""

    def __init__(self) -> None:
        self.made: list[NDArray[np.float32]] = []
        self.seconds = 0.0

    @override
    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        began = time.perf_counter()
        self.made.append(vectors(texts))
        made: list[list[float]] = self.made[-1].tolist()
        self.seconds += time.perf_counter() - began
        return made


def sizes(written: str) -> list[int]:
    """Return the sizes that "10000,100000" names.

    Raises:
        BadInput: One is no number, or less than LEAST.
    """
    parts = [part.strip() for part in written.split(",")]
    for part in parts:
        if not (part.isascii() and part.isdecimal() and int(part) >= LEAST):
            raise BadInput(f"--sizes {written!r}: {part!r} is no size; give turns, at least {LEAST}, as 10000,100000.")
    return list(dict.fromkeys(map(int, parts)))


def run(turns: Sequence[int], queries: int, progress: Callable[[str], None]) -> Report:
    """Store made-up turns in a temporary home of each size, ask, and time it.

    Args:
        turns: The sizes.
        queries: How many queries are timed at each, half of them Chinese.
        progress: Told what is being done.
    """
    where = machine.describe()
    metrics: dict[str, Figure] = {}
    stages: dict[str, dict[str, float]] = {}
    _load_libraries()
    for size in turns:
        said = conversations(size)
        asking = probes(said.facts, size, queries)
        with tempfile.TemporaryDirectory(prefix="hippograph-scale-") as folder:
            progress(f"{size:,} turns: storing and indexing ...")
            indexed = _store(Path(folder), said, asking)
            progress(f"{size:,} turns: asking ({size / indexed.seconds:,.0f} turns/s indexed) ...")
            asked = _apart(Path(folder), asking, indexed.floors, sample(said.facts, GUARDED))
        metrics |= {f"{name}_{size}": value for name, value in _figures(size, indexed, asked).items()}
        stages |= {f"{kind}, {size}": figures for kind, figures in _kinds(asking, asked.ms).items()}
    return Report(metrics=metrics, machine=where, models={"embeddings": SPEC}, n=queries, stages=stages, notes=NOTES)


def _still() -> Settings:
    """Return settings without upkeep in the background, which would take time now and then."""
    return replace(Settings.from_env(), upkeep_every=0)


def _store(home: Path, said: Conversations, asking: Sequence[Probe]) -> Indexed:
    recorded = Recorded()
    with Memory.open(home, hashed(recorded), reranker="fusion", settings=_still()) as memory:
        began = time.perf_counter()
        for thread, turns in said.threads.items():
            memory.add_turns(SPACE, thread, turns)
        if not memory.flush():
            raise RuntimeError(f"Indexing failed, {memory.status().pending} memories are left.")
        seconds = time.perf_counter() - began - recorded.seconds
    return Indexed(
        seconds=seconds,
        ledger_mb=_megabytes(home, "ledger.db*"),
        chroma_mb=_megabytes(home, "chroma/**/*"),
        floors=_floors(np.concatenate(recorded.made), vectors([probe.text for probe in asking])),
    )


def _floors(stored: NDArray[np.float32], asked: NDArray[np.float32]) -> list[float]:
    """Return for each asked vector the cosine of the last of its NEAREST stored ones."""
    floors: list[float] = np.partition(asked @ stored.T, -NEAREST, axis=1)[:, -NEAREST].tolist()
    return floors


def _megabytes(home: Path, pattern: str) -> float:
    return round(sum(path.stat().st_size for path in home.glob(pattern) if path.is_file()) / machine.MEBIBYTE, 2)


def _apart(home: Path, asking: Sequence[Probe], floors: Sequence[float], facts: Sequence[Planted]) -> Asked:
    """Ask in a new process: nothing is warm, and its memory is that of asking alone."""
    with ProcessPoolExecutor(max_workers=1, mp_context=get_context("spawn")) as pool:
        return pool.submit(ask, home, asking, floors, facts).result()


def ask(home: Path, asking: Sequence[Probe], floors: Sequence[float], facts: Sequence[Planted]) -> Asked:
    """Open a home that is indexed, and measure what recalls take.

    Args:
        home: The folder.
        asking: What is timed.
        floors: The exact cosine of the last of each probe's nearest.
        facts: What is asked for afterwards, to see whether it is found.
    """
    _load_libraries()
    timed, began = TimedEmbeddings(HashedEmbeddings()), time.perf_counter()
    with Memory.open(home, hashed(timed), reranker="fusion", settings=_still()) as memory:
        opened = (time.perf_counter() - began) * 1000
        first, *_ = [_ms(memory, timed, _warming(probe)) for probe in asking[: WARM_UP + 1]]
        ms = [_ms(memory, timed, probe) for probe in asking]
        rss = machine.peak_rss_mb()
        return Asked(
            open_ms=opened,
            first_ms=first,
            ms=ms,
            found=sum(_finds(memory, fact) for fact in facts) / len(facts),
            nearest=_nearest(memory, asking, floors),
            rss_mb=rss,
        )


def _load_libraries() -> None:
    """Use a scratch home once: what a process does but once is not what grows."""
    with (
        tempfile.TemporaryDirectory(prefix="hippograph-scale-") as folder,
        Memory.open(folder, hashed(), reranker="fusion") as memory,
    ):
        memory.add_turns(SPACE, "", [{"role": "user", "text": "Ann lives in Oslo."}])
        memory.flush()
        memory.recall(SPACE, "Ann")


def _warming(probe: Probe) -> Probe:
    """Return a query like another one, which leaves that one to be asked for the first time."""
    return Probe(kind=probe.kind, language=probe.language, text=f"{probe.text} 1000", asked_at=probe.asked_at)


def _ms(memory: Memory, timed: TimedEmbeddings, probe: Probe) -> float:
    embedded, began = timed.query_seconds, time.perf_counter()
    memory.recall(SPACE, probe.text, k=TOP, asked_at=probe.asked_at)
    return (time.perf_counter() - began - (timed.query_seconds - embedded)) * 1000


def _finds(memory: Memory, fact: Planted) -> bool:
    return any(fact.turn_id in found.source_ids for found in memory.recall(SPACE, fact.question, k=TOP))


def _nearest(memory: Memory, asking: Sequence[Probe], floors: Sequence[float]) -> float:
    """Return which share of the exact nearest the index finds: it may find others, and then of a lower cosine."""
    near = 0
    for vector, floor in zip(vectors([probe.text for probe in asking]).tolist(), floors, strict=True):
        found = memory._index.search(SPACE, vector, NEAREST)
        near += sum(cosine >= floor - TOLERANCE for cosine in found.values())
    return near / (NEAREST * len(asking))


def _figures(size: int, indexed: Indexed, asked: Asked) -> dict[str, Figure]:
    return {
        "recall_p50_ms": median(asked.ms),
        "recall_p95_ms": percentile(asked.ms, 0.95),
        "first_recall_ms": round(asked.first_ms, 2),
        "open_ms": round(asked.open_ms, 2),
        "indexed_per_s": round(size / indexed.seconds, 1),
        "ledger_mb": indexed.ledger_mb,
        "chroma_mb": indexed.chroma_mb,
        "rss_mb": asked.rss_mb,
        "found_share": round(asked.found, 3),
        "ann_recall": round(asked.nearest, 3),
    }


def _kinds(asking: Sequence[Probe], ms: Sequence[float]) -> dict[str, dict[str, float]]:
    """Return p50 and p95 of each kind of query."""
    times = {kind: [took for probe, took in zip(asking, ms, strict=True) if probe.kind == kind] for kind in KINDS}
    return {kind: {"p50": median(each), "p95": percentile(each, 0.95)} for kind, each in times.items() if each}
