"""Tune what each signal weighs in fusion: `python -m hippograph.bench.tune`.

Candidates come from the real thing: sets are fed through `add_turns`, and `Memory.candidates` is asked every question.
Sought are the weights under which the evidence stands out among its candidates: the listwise loss, the cross entropy of
softmax(weighted signals) against the evidence (Cao et al., 2007), every set counting the same whatever its size,
minimised by Adam (Kingma and Ba, 2015). Weights keep their sign, so that none turns against its meaning, and are
scaled at the end so that the best candidates' scores keep their mean. `--leave-out SET` fits on the other sets: what
that set then reaches is no result of having seen it.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray
from platformdirs import user_cache_path

from hippograph.bench import sets
from hippograph.bench.measures import fraction
from hippograph.bench.retrieval import fed, space_of
from hippograph.bench.sets import Dataset, Question
from hippograph.bench.vectors import cached
from hippograph.memory import Memory
from hippograph.memory.search.fuse import signals
from hippograph.memory.search.weights import WEIGHTS
from hippograph.memory.times import now
from hippograph.models import embedder
from hippograph.state import Settings

SETS = ("locomo", "longmemeval", "madial", "lifebench", "automemory")
STEPS, RATE, SHRINK = 600, 0.02, 1e-3
"""Adam's steps and learning rate, and the pull of every weight towards 0."""
FIXED = ("important", "recent", "given", "subject", "identifier")
"""Signals that the sets say nothing about: their weights stay."""

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The candidates of one question."""

    question: Question
    source: str
    ids: Sequence[tuple[str, ...]]
    """For each candidate the ids that it may be found by."""
    signals: Array
    """Shape (candidates, signals), in the order of WEIGHTS."""
    gold: Array
    """Shape (candidates,): the share of each in the evidence found; sums to 1, or 0 where none was found."""

    def recall(self, weights: Array, k: int = 10) -> float:
        """Return R@k under some weights."""
        order = np.argsort(-(self.signals @ weights), kind="stable")
        found = [next(iter(self.ids[row])) for row in order]
        return fraction(found, self.question.gold, k)


def main(
    names: Annotated[str, typer.Option("--sets", help="Which sets, by commas.")] = ",".join(SETS),
    leave_out: Annotated[str, typer.Option(help="A set to judge on only.")] = "",
    cache: Annotated[Path | None, typer.Option(help="Folder in which vectors are kept between runs.")] = None,
) -> None:
    """Print weights that serve the development sets better, and what they reach."""
    settings = Settings.from_env()
    plain, kept = cached(embedder(settings.embeddings, settings), cache or user_cache_path("hippograph"))
    judged: list[Judged] = []
    for name in names.split(","):
        dataset = sets.read(name)
        with fed(dataset, plain, settings, None, lambda *_: None) as memory:
            judged += _judged(memory, dataset)
        typer.echo(f"{name}: {sum(each.source == name for each in judged)} questions", err=True)
    kept.close()
    before = np.array([*WEIGHTS.values()])
    after = fitted([each for each in judged if each.source != leave_out], before)
    for name in names.split(","):
        asked = [each for each in judged if each.source == name]
        figures = [f"{np.mean([each.recall(w, k) for each in asked]):.3f}" for w in (before, after) for k in (1, 5, 10)]
        typer.echo(f"{name:12} R@1 R@5 R@10 before {' '.join(figures[:3])}  after {' '.join(figures[3:])}", err=True)
    typer.echo(json.dumps(dict(zip(WEIGHTS, after.round(3).tolist(), strict=True)), indent=4))


def fitted(judged: Sequence[Judged], before: Array) -> Array:
    """Return weights that lower the listwise loss, each with the sign it had before; FIXED ones stay as they are."""
    asked = [each for each in judged if each.gold.any()]
    counts = {each.source: sum(other.source == each.source for other in asked) for each in asked}
    importance = np.array([1 / counts[each.source] for each in asked]) / len(counts)
    free = np.array([name not in FIXED for name in WEIGHTS])
    scale, weights = 10.0, before.copy()
    mean, variance = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):
        slope = sum(
            (worth * _slope(each, scale * weights) for each, worth in zip(asked, importance, strict=True)),
            start=SHRINK * weights,
        )
        mean, variance = 0.9 * mean + 0.1 * slope, 0.99 * variance + 0.01 * slope**2
        weights = weights - free * RATE * (mean / (1 - 0.9**step)) / (np.sqrt(variance / (1 - 0.99**step)) + 1e-8)
        weights = np.where(before < 0, np.minimum(weights, 0), np.maximum(weights, 0))
    best = [sum(importance * [(each.signals @ w).max() for each in asked]) for w in (before, weights)]
    return np.where(free, weights * best[0] / best[1], before)


def _slope(judged: Judged, weights: Array) -> Array:
    """Return the gradient of the loss of one question, per unit of scaled weight."""
    heights = judged.signals @ weights
    likely = np.exp(heights - heights.max())
    slope: Array = judged.signals.T @ (likely / likely.sum() - judged.gold)
    return slope


def _judged(memory: Memory, dataset: Dataset) -> Iterator[Judged]:
    for question in dataset.questions:
        if not question.gold or not question.scored:
            continue
        asked_at = question.asked_at or question.at or now()
        found = memory.candidates(
            space_of(dataset, question.space), question.text, at=question.at, asked_at=asked_at
        ).found
        ids = [tuple(each.source_ids) for each in found]
        gold = np.array([float(any(group & {*of} for group in question.gold)) for of in ids])
        values = [[each[name] for name in WEIGHTS] for each in signals(question.text, found, asked_at)]
        yield Judged(
            question=question,
            source=dataset.name,
            ids=ids,
            signals=np.array(values, np.float64).reshape(-1, len(WEIGHTS)),
            gold=gold / max(1.0, gold.sum()),
        )


if __name__ == "__main__":
    typer.run(main)
