"""How fast turns are stored: verbatim, embedded, and in a turn's own path."""

import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn, cast

from langchain_core.messages import AIMessage, HumanMessage

from hippograph.bench import machine
from hippograph.bench.hashed import hashed
from hippograph.bench.report import Figure, Report, median, percentile
from hippograph.bench.turns import conversations
from hippograph.memory import Memory
from hippograph.nodes import Resources, Run, write_back
from hippograph.state import Context, Settings, Turn
from hippograph.state.conversation import State

SPACE = "bench"
TOGETHER = 500
"""Turns stored by one call of add_turns."""
WARM_UP = 20
GOALS = {"verbatim_per_s": 2000.0, "write_back_p95_ms": 3.0}
NOTES = [
    f"verbatim_per_s: turns stored by add_turns, {TOGETHER} a call, each call a transaction synchronised to disk, with "
    "keywords and jobs, while the background writer is held. single_per_s: the same, one turn a call. "
    "*_per_cpu_s: per second of processor time, which a busy machine and a slow disk leave alone.",
    "write_back_*_ms: the graph's node with a question, an answer and two memories used, the background at work.",
    "embedded_per_s: turns from the first add_turns until flush returns, with the embedding model named.",
]


def run(settings: Settings, turns: int, embedded: int, answers: int, progress: Callable[[str], None]) -> Report:
    """Store made-up turns in temporary homes, and time it.

    Args:
        settings: Which embedding model.
        turns: How many are stored verbatim.
        embedded: How many are stored and embedded.
        answers: How many times the node is run.
        progress: Told what is being done.
    """
    where = machine.describe()
    said = [turn for thread in conversations(max(turns, embedded)).threads.values() for turn in thread]
    metrics: dict[str, Figure] = {}
    with tempfile.TemporaryDirectory(prefix="hippograph-writes-") as folder:
        with Memory.open(Path(folder) / "plain", hashed(), reranker="fusion", extractor="none") as memory:
            progress(f"storing {turns:,} turns ...")
            with memory._writer.paused():
                metrics["verbatim_per_s"], metrics["verbatim_per_cpu_s"] = _rates(memory, said[:turns], TOGETHER)
                metrics["single_per_s"], metrics["single_per_cpu_s"] = _rates(memory, said[: turns // 10], 1)
            progress(f"writing back {answers:,} answers ...")
            took = _write_back(memory, answers)
            memory.close(timeout=0)
        with Memory.open(Path(folder) / "embedded", settings=settings, extractor="none") as memory:
            progress(f"embedding {embedded:,} turns with {memory.embedder.spec} ...")
            memory.add_turns(SPACE, "warm-up", said[:2])
            memory.flush()
            began = time.perf_counter()
            memory.add_turns(SPACE, "t", _anew(said[:embedded]))
            if not memory.flush():
                raise RuntimeError(f"Indexing failed, {memory.status().pending} memories are left.")
            metrics["embedded_per_s"] = round(embedded / (time.perf_counter() - began), 1)
            spec = memory.embedder.spec
    metrics |= {"write_back_p50_ms": median(took), "write_back_p95_ms": percentile(took, 0.95)}
    return Report(metrics=metrics, machine=where, models={"embeddings": spec}, n=turns, notes=NOTES)


def _rates(memory: Memory, said: Sequence[Turn], together: int) -> tuple[float, float]:
    """Return how many turns are stored in a second, and in a second of this process's work."""
    memory.add_turns(SPACE, f"warm-up {together}", _anew(said[:WARM_UP]))
    began, worked = time.perf_counter(), time.process_time()
    for start in range(0, len(said), together):
        memory.add_turns(SPACE, f"{together}, {start}", _anew(said[start : start + together]))
    took, work = time.perf_counter() - began, time.process_time() - worked
    return round(len(said) / took, 1), round(len(said) / work, 1)


def _anew(said: Sequence[Turn]) -> list[Turn]:
    """Return turns without ids, which are new ones each time."""
    return [Turn(role=turn["role"], text=turn["text"]) for turn in said]


def _write_back(memory: Memory, answers: int) -> list[float]:
    """Return what each run of the node took, in milliseconds."""
    used = memory.add_turns(SPACE, "used", [Turn(role="user", text=f"Note {n}.") for n in range(2)])
    resources = Resources(memory=lambda: memory, small=_none, big=lambda context: None)
    took = []
    for number in range(WARM_UP + answers):
        question = HumanMessage(f"What did I say about lamp {number}?", id=f"q{number}")
        answer = AIMessage(f"Lamp {number} stands in the hall, you said.", id=f"a{number}")
        state = cast("State", {"messages": [question, answer], "block": {"cited": used}})
        began = time.perf_counter()
        write_back(state, Run(context=Context(user_id=SPACE), thread=f"t{number % 10}"), resources)
        took.append((time.perf_counter() - began) * 1000)
    return took[WARM_UP:]


def _none(context: Context) -> NoReturn:
    raise RuntimeError("Writing back asks no model.")
