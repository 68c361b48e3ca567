"""Memory of this process and its children."""

import subprocess
import sys

import pytest

from hippograph.bench.machine import children_peak_rss_mb

HOLD = "held = b'x' * 200_000_000; print('ready', flush=True); input()"


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells the peak of other processes on Linux only")
def test_what_a_child_held_is_seen_while_it_runs() -> None:
    before = children_peak_rss_mb()
    with subprocess.Popen([sys.executable, "-c", HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        held = children_peak_rss_mb()
    assert before is not None
    assert held is not None
    assert held - before > 190
