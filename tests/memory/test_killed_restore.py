"""Snapshots and restores that are really killed, at random moments."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from hippograph.bench.hashed import hashed
from hippograph.memory import Memory
from hippograph.state import Turn

GO_TO_AND_FRO = """
import sys
from hippograph.bench.hashed import hashed
from hippograph.memory import Memory
home, *states = sys.argv[1:]
with Memory.open(home, hashed(), reranker="fusion", extractor="none") as memory:
    print("open", flush=True)
    while True:
        for state in states:
            memory.restore(state)
"""
KILLS = 3


def state(home: Path) -> tuple[int, str]:
    """How many memories there are, and what the short-term memory says."""
    with (
        closing(sqlite3.connect(home / "ledger.db")) as ledger,
        closing(sqlite3.connect(home / "checkpoints.db")) as short,
    ):
        (count,) = ledger.execute("SELECT count(*) FROM memories").fetchone()
        (said,) = short.execute("SELECT checkpoint FROM checkpoints").fetchone()
        assert ledger.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    return count, said


def test_killed_again_and_again_a_home_is_always_one_of_the_two(tmp_path: Path) -> None:
    home, chance = tmp_path / "home", random.Random(7)
    with Memory.open(home, hashed(), reranker="fusion", extractor="none") as memory:
        states = list[str]()
        for n, said in enumerate(("old", "new"), start=1):
            memory.add_turns("ann", "t", [Turn(role="user", text=f"{said} {each}") for each in range(20)])
            memory.flush()
            with closing(sqlite3.connect(home / "checkpoints.db")) as short:
                short.execute("CREATE TABLE IF NOT EXISTS checkpoints (thread_id TEXT, checkpoint TEXT)")
                short.execute("DELETE FROM checkpoints")
                short.execute("INSERT INTO checkpoints VALUES ('t', ?)", (f"{said} {20 * n}",))
                short.commit()
            states.append(memory.snapshot(said).id)
    for _ in range(KILLS):
        with subprocess.Popen(
            [sys.executable, "-c", GO_TO_AND_FRO, home, *states], stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "open\n"
            time.sleep(chance.uniform(0, 1))
            os.kill(process.pid, signal.SIGKILL)
        with Memory.open(home, hashed(), reranker="fusion", extractor="none") as memory:
            assert state(home) in ((20, "old 20"), (40, "new 40"))
            assert memory._index.size("ann") == memory.count()
            assert memory.status().pending == 0
            assert not memory._snapshots.vaults.own.hurt()
            assert {"old", "new"} <= {each.note for each in memory.snapshots()}
