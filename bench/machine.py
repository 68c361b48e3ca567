"""What a figure was measured on."""

import os
import platform
import resource
import sys
from pathlib import Path

from typing_extensions import TypedDict

MEBIBYTE = 1024 * 1024


class Machine(TypedDict):
    """The machine, as reports name it."""

    cpu: str
    cores: int
    memory_gb: float | None
    system: str
    python: str
    load: list[float]
    """Load averages over 1, 5 and 15 minutes when the benchmark began: figures from a busy machine are pessimistic."""


def describe() -> Machine:
    """Describe this machine."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return Machine(
        cpu=_field(Path("/proc/cpuinfo"), "model name") or platform.processor() or platform.machine(),
        cores=cores,
        memory_gb=_memory(),
        system=f"{platform.system()} {platform.release()}",
        python=platform.python_version(),
        load=[round(value, 2) for value in os.getloadavg()],
    )


def peak_rss_mb() -> float:
    """Return the most memory this process has held, in MiB."""
    if own := _field(Path("/proc/self/status"), "VmHWM"):  # ru_maxrss of a started process begins with its parent's.
        return round(int(own.split()[0]) / 1024, 1)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (MEBIBYTE if sys.platform == "darwin" else 1024), 1)


def children_peak_rss_mb() -> float | None:
    """Return the most memory the processes started by this one have held, in MiB; None where /proc is missing."""
    if not Path("/proc/self/status").exists():
        return None
    statuses = (path / "status" for path in Path("/proc").iterdir() if path.name.isdigit())
    peaks = [_field(status, "VmHWM") for status in statuses if _field(status, "PPid") == str(os.getpid())]
    return round(sum(int(peak.split()[0]) for peak in peaks if peak) / 1024, 1)


def _memory() -> float | None:
    if "SC_PHYS_PAGES" not in os.sysconf_names:
        return None
    return round(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 1024**3, 1)


def _field(path: Path, name: str) -> str:
    """Return a field of a /proc file; empty where it is not there, or the process has gone."""
    try:
        lines = path.read_text().splitlines()
    except OSError:
        return ""
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(name)), "")
