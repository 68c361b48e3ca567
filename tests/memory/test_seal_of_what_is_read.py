"""What Chroma writes while it only reads is not taken for harm: it would cost the index, and forgetting its end."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from hippograph.bench.hashed import hashed
from hippograph.memory import Memory
from hippograph.state import Turn

KILLED = """
import os, sys
from hippograph.bench.hashed import hashed
from hippograph.memory import Memory
memory = Memory.open(sys.argv[1], hashed(), reranker="fusion", extractor="none")
memory.add_turns("ann", "t", [{"role": "user", "text": f"It was {n}."} for n in range(20)])
memory.flush()
os.kill(os.getpid(), 9)
"""


def test_an_index_read_after_a_kill_is_whole_at_the_next_opening_and_can_be_forgotten_in(tmp_path: Path) -> None:
    killed = subprocess.run([sys.executable, "-c", KILLED, tmp_path / "home"], env=os.environ, check=False)
    assert killed.returncode == -signal.SIGKILL
    for _ in range(2):
        with Memory.open(tmp_path / "home", hashed(), reranker="fusion", extractor="none") as memory:
            assert memory.recall("ann", "It was 3.")
            assert memory._index.harm is None
    with Memory.open(tmp_path / "home", hashed(), reranker="fusion", extractor="none") as memory:
        assert memory.notices == []
        assert memory.status().pending == 0
        assert memory.recall("ann", "It was 3.")
        assert memory.forget("ann", ids=[memory.list("ann", limit=1)[0].id]).vectors == 1
        assert memory.recall("ann", "It was 4.")
        memory.add_turns("ann", "t", [Turn(role="user", text="It was the last.")])
        assert memory.flush()
        assert memory._index.harm is None
