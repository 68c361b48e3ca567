"""What memory adds to a turn: the real graph with real models over many stored turns."""

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from hippograph.bench import machine, start
from hippograph.bench.clock import TimedEmbeddings, timed_models
from hippograph.bench.report import Report, median, percentile
from hippograph.bench.turns import Conversations, Planted, conversations, sample
from hippograph.graph import Agent, Turned, open_agent
from hippograph.memory import Memory
from hippograph.models import embedder
from hippograph.state import Settings

USER = "bench"
WARM_UP = 2
"""Turns before the measured ones: the first calls of a process load what later ones reuse."""
GOALS = {
    "added_ms_p50": 40.0,
    "embed_query_ms_p50": 25.0,
    "write_back_ms_p50": 3.0,
    "start_to_model_s": 1.5,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One measured turn; times in milliseconds."""

    fact: Planted
    turned: Turned
    wall: float
    models: float
    embedding: float

    @property
    def added(self) -> float:
        """What the turn cost beside the chat models: all of the graph, its checkpoint included."""
        return self.wall - self.models

    @property
    def found(self) -> bool:
        """Whether the fact's turn was among the memories."""
        return any(self.fact.turn_id in memory.source_ids for memory in self.turned.memories)


def run(settings: Settings, turns: int, questions: int, starts: int, progress: Callable[[str], None]) -> Report:
    """Store made-up turns, ask about facts in them, and time it.

    Args:
        settings: Which models to use; the home is a temporary one.
        turns: How many messages are stored first.
        questions: How many turns are measured, half of them Chinese.
        starts: How many cold starts of `hippograph ask` are measured.
        progress: Told what is being done.
    """
    where = machine.describe()
    with tempfile.TemporaryDirectory(prefix="hippograph-smoke-") as folder:
        home = Path(folder)
        progress(f"Cold start of `hippograph ask`, {starts} times ...")
        marks = [start.seconds_to_marks(home / "start") for _ in range(starts)]
        said = conversations(turns)
        timed = TimedEmbeddings((plain := embedder(settings.embeddings, settings)).embeddings)
        with Memory.open(home / "turns", embeddings=replace(plain, embeddings=timed), settings=settings) as memory:
            progress(f"Storing and indexing {turns:,} messages ...")
            stored, indexed = _store(memory, said)
            with open_agent(settings.override(home=home / "turns"), memory=memory) as agent:
                progress(f"Asking {questions} questions ...")
                facts = sample(said.facts, WARM_UP + questions)
                measured = [_measure(agent, timed, fact) for fact in facts][WARM_UP:]
                models = {"small": settings.small or "", "embeddings": plain.spec}
        return Report(
            metrics=_metrics(measured)
            | _starts(marks)
            | {
                "store_ms_per_turn": round(stored * 1000 / turns, 3),
                "index_turns_per_s": round(turns / indexed, 1),
                "peak_rss_mb": machine.peak_rss_mb(),
                "model_server_peak_rss_mb": machine.children_peak_rss_mb(),
            },
            machine=where,
            models=models,
            n=len(measured),
            stages=_stages(measured),
        )


def _store(memory: Memory, said: Conversations) -> tuple[float, float]:
    """Store everything; return the seconds until it was durable, and until it was indexed."""
    began = time.perf_counter()
    for thread, turns in said.threads.items():
        memory.add_turns(USER, thread, turns)
    stored = time.perf_counter() - began
    memory.flush()
    return stored, time.perf_counter() - began


def _measure(agent: Agent, timed: TimedEmbeddings, fact: Planted) -> Measured:
    embedded, began = timed.query_seconds, time.perf_counter()
    with timed_models() as clock:
        turned = agent.ask(fact.question, user=USER, thread=f"ask-{fact.turn_id}", recall="always")
    wall = time.perf_counter() - began
    # What this turn left to the background must not slow the next one down.
    agent.memory.flush()
    return Measured(
        fact=fact,
        turned=turned,
        wall=wall * 1000,
        models=clock.seconds * 1000,
        embedding=(timed.query_seconds - embedded) * 1000,
    )


def _metrics(measured: list[Measured]) -> dict[str, float | int | None]:
    added = [one.added for one in measured]
    return {
        "added_ms_p50": median(added),
        "added_ms_p95": percentile(added, 0.95),
        "embed_query_ms_p50": median([one.embedding for one in measured]),
        "write_back_ms_p50": median([one.turned.stages["write_back"]["ms"] for one in measured]),
        "models_ms_p50": median([one.models for one in measured]),
        "found_share": round(sum(one.found for one in measured) / len(measured), 3),
        "answered_share": round(
            sum(one.fact.answer.lower() in one.turned.answer.lower() for one in measured) / len(measured), 3
        ),
        "injected_tokens_p50": median([one.turned.block["tokens"] for one in measured]),
    }


def _starts(marks: list[dict[str, float]]) -> dict[str, float | int | None]:
    return {f"start_to_{point}_s": median([one[point] for one in marks]) for point in ("model", "graph", "answer")}


def _stages(measured: list[Measured]) -> dict[str, dict[str, float]]:
    times = {name: [one.turned.stages[name]["ms"] for one in measured] for name in measured[0].turned.stages}
    return {name: {"p50": median(values), "p95": percentile(values, 0.95)} for name, values in times.items()}
