"""How long the project's two commands take from nothing: a fresh clone, a fresh venv."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from hippograph.bench import machine
from hippograph.bench.report import Report

STEPS = {
    "demo_package_s": [".venv/.local"],
    "demo_models_s": ["models"],
    "test_package_s": [".venv/.dev"],
}
"""Figure to the Makefile's target behind it, in the order `make demo` and then `make test` reach them."""


def run(checkout: Path, model_dir: Path | None = None) -> Report:
    """Clone the checkout into a temporary folder and set it up as `make demo` and `make test` do.

    Args:
        checkout: A git clone of the project; what is committed is measured.
        model_dir: Where models are fetched to; None: a temporary folder, so that they are fetched anew.

    Raises:
        RuntimeError: A step failed; the message ends with what it printed.
    """
    where = machine.describe()
    with tempfile.TemporaryDirectory(prefix="hippograph-install-") as folder:
        clone, models = Path(folder) / "clone", model_dir or Path(folder) / "models"
        _run(["git", "clone", "--quiet", str(checkout), str(clone)], Path(folder), models)
        metrics = dict[str, float | int | None]()
        for name, targets in STEPS.items():
            started = time.perf_counter()
            _run(["make", f"PYTHON={sys.executable}", *targets], clone, models)
            metrics[name] = round(time.perf_counter() - started, 1)
    package, fetch, dev = (metrics[name] or 0 for name in STEPS)
    metrics |= {"demo_setup_s": round(package + fetch, 1), "test_setup_s": round(package + fetch + dev, 1)}
    return Report(
        metrics=metrics,
        machine=where,
        models={},
        n=1,
        notes=[
            "Set-up only: the time before `make demo` asks its first question and `make test` runs its first test.",
            "test_setup_s includes what `make demo` also needs. Packages come through pip as it is configured here; "
            "its cache, if warm, makes this faster than a first install.",
            "Models were there already." if model_dir else "Models were fetched anew.",
        ],
    )


def _run(command: list[str], folder: Path, model_dir: Path) -> None:
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "HIPPOGRAPH_MODEL_DIR": str(model_dir)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError(f"`{' '.join(command)}` failed: {done.stdout.strip()[-2000:]}")
