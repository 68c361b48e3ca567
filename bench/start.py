"""How long the command takes before its models are asked to load, and until the graph stands."""

import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

MARK = "[mark] "
"""What the command writes to stderr with HIPPOGRAPH_DEBUG=1 when it reaches a point of its start."""


def seconds_to_marks(home: Path, env: Mapping[str, str] = os.environ) -> dict[str, float]:
    """Run `hippograph ask` once; return the seconds from the process's start to each mark, the end under "answer"."""
    command = [sys.executable, "-m", "hippograph.cli", "ask", "--home", str(home), "--recall", "never", "--json", "Hi"]
    started = time.perf_counter()
    process = subprocess.Popen(
        command,
        env={**env, "HIPPOGRAPH_DEBUG": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
    )
    assert process.stderr is not None
    marks: dict[str, float] = {}
    for line in process.stderr:
        if line.startswith(MARK):
            marks[line.removeprefix(MARK).strip()] = time.perf_counter() - started
    if process.wait() != 0:
        raise RuntimeError(f"`{' '.join(command)}` failed with exit code {process.returncode}.")
    marks["answer"] = time.perf_counter() - started
    return marks
