"""Whether anything is lost or doubled when the process that writes is killed again and again, at any point."""

import os
import random
import signal
import tempfile
from collections import Counter
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path

from sqlalchemy import select

from hippograph.bench import lives, machine
from hippograph.bench.hashed import SPEC
from hippograph.bench.lives import POINTS, SPACE, Life, turn
from hippograph.bench.report import Figure, Report
from hippograph.memory import Memory
from hippograph.memory.schema import jobs, memories

GOALS = {"lost": 0.0, "doubled": 0.0, "stuck": 0.0, "mismatched": 0.0}
LONGEST_LIFE = 0.8
"""Seconds after which a process is killed at the latest, where it is killed from outside."""
REACHES = 20.0
"""Seconds that a process is given to reach the point where it kills itself."""
SETTLES = 120.0
"""Seconds that the last opening is given to finish all work."""
NOTES = [
    "Threads write turns one by one; a turn is acknowledged when add_turns has returned. Half of the kills come from "
    "outside at a random moment, half at a named point of the write path, in turn. Each time the process is started "
    "again and goes on, under the same ids, with what was not acknowledged.",
    "lost: acknowledged turns that are not there, or not with their text, or whose fact is not there; doubled: turns "
    "or facts that are there more than once; stuck: jobs left when the last opening has finished; mismatched: memories "
    "whose vectors in the index are not those that the ledger counts.",
    "SIGKILL ends the process, not the machine: what the system holds in its caches survives. Turns are synchronised "
    "to disk all the same.",
]


def run(kills: int, turns: int, threads: int, progress: Callable[[str], None], seed: int = 7) -> Report:
    """Kill a process that writes, over and over, and look at what is left.

    Args:
        kills: How often.
        turns: How many turns are written in all.
        threads: From how many threads.
        progress: Told how far it is.
        seed: Of the moments and places.
    """
    where = machine.describe()
    with tempfile.TemporaryDirectory(prefix="hippograph-crash-") as folder:
        home, acks = Path(folder) / "home", Path(folder) / "acknowledged"
        acks.touch()
        killed = _kill(home, acks, kills, -(-turns // threads), threads, random.Random(seed), progress)
        progress("checking what is left ...")
        with lives.open_memory(home) as memory:
            figures = _check(memory, _acknowledged(acks))
    metrics: dict[str, Figure] = {**figures, "kills": sum(killed.values()), "turns": turns, "threads": threads}
    points = {name: {"kills": killed[name]} for name in ("at a random moment", *POINTS)}
    report = Report(metrics=metrics, machine=where, models={"embeddings": SPEC}, n=kills, notes=NOTES)
    report["questions"] = [{"point": name, **counts} for name, counts in points.items()]
    return report


def _kill(
    home: Path,
    acks: Path,
    kills: int,
    each: int,
    threads: int,
    chance: random.Random,
    progress: Callable[[str], None],
) -> Counter[str]:
    """Let processes write and be killed, and a last one finish; returns how many were killed where."""
    context = get_context("forkserver")  # a fork of a process that has loaded its libraries, and nothing else
    context.set_forkserver_preload(["hippograph.bench.lives", "langchain_chroma", "chromadb"])
    killed = Counter[str]()
    for done in range(kills + 1):
        if done % 50 == 0:
            progress(f"{done:,} kills ...")
        starts = _starts(acks, threads)
        life = Life(
            home=home,
            acks=acks,
            starts=starts,
            quota=-(-(each - min(starts)) // (kills - done + 1)),
            turns=each,
            point=[*POINTS][done // 2 % len(POINTS)] if done % 2 else None,
            nth=1 if done < 2 * len(POINTS) else chance.randint(1, 3),
            survives=done == kills,
        )
        process = context.Process(target=lives.live, args=(life,))
        process.start()
        if not life.survives:
            killed[_end(process, life, chance)] += 1
    process.join()
    return killed


def _end(process: BaseProcess, life: Life, chance: random.Random) -> str:
    """Wait for a process to kill itself, or kill it; returns where it was."""
    process.join(chance.uniform(0, LONGEST_LIFE) if life.point is None else REACHES)
    itself = process.exitcode == -signal.SIGKILL
    if process.exitcode is None and process.pid is not None:
        os.kill(process.pid, signal.SIGKILL)
        process.join()
    elif not itself:
        raise RuntimeError(f"A process that should have been killed ended by itself, with {process.exitcode}.")
    process.close()
    return life.point if itself and life.point else "at a random moment"


def _acknowledged(acks: Path) -> list[str]:
    return [line.decode() for line in acks.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]


def _starts(acks: Path, threads: int) -> tuple[int, ...]:
    """Return for each thread how many of its turns are acknowledged."""
    counts = Counter(int(line.partition("-")[0]) for line in {*_acknowledged(acks)})
    return tuple(counts[thread] for thread in range(threads))


def _check(memory: Memory, acknowledged: list[str]) -> dict[str, int]:
    memory.flush(SETTLES)
    with memory._ledger.read() as connection:
        rows = connection.execute(select(memories).where(memories.c.space == SPACE)).all()
        stuck = len(connection.execute(select(jobs)).all())
    said = {row.id: row.text for row in rows if row.kind == "turn"}
    texts = Counter((row.kind, row.text) for row in rows)
    wanted = {id_.strip(): turn(*map(int, id_.split("-")))["text"] for id_ in acknowledged}
    lost = [id_ for id_, text in wanted.items() if said.get(id_) != text or not texts["fact", text]]
    vectors = Counter(int(key.partition(".")[0]) for key in memory._index._collection(SPACE).get(include=[])["ids"])
    mismatched = [row.seq for row in rows if row.text and (row.vectors != vectors[row.seq] or not row.vectors)]
    return {
        "lost": len(lost),
        "doubled": sum(count - 1 for count in texts.values()),
        "stuck": stuck,
        "mismatched": len(mismatched) + len(vectors.keys() - {row.seq for row in rows}),
        "acknowledged": len(wanted),
    }
