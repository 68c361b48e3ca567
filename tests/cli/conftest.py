"""The installed command, run as its users run it: a process of its own, real models, a home on disk."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

HIPPOGRAPH = Path(sys.executable).with_name("hippograph")


@dataclass(frozen=True)
class Command:
    """The installed command in a folder of its own."""

    folder: Path
    extra: dict[str, str] = field(default_factory=dict)

    @property
    def env(self) -> dict[str, str]:
        return {**os.environ, **self.extra}

    def changed(self, folder: Path | None = None, **extra: str) -> "Command":
        """The same in another folder, or with more in its environment."""
        return Command(folder or self.folder, {**self.extra, **extra})

    def arguments(self, *args: object) -> list[str]:
        return [str(HIPPOGRAPH), *map(str, args)]

    def __call__(self, *args: object, timeout: float = 180, **options: Any) -> subprocess.CompletedProcess[str]:
        """Run to the end, whatever the exit code."""
        options = {"input": "", "encoding": "utf-8", **options}
        return subprocess.run(
            self.arguments(*args),
            cwd=self.folder,
            env=self.env,
            capture_output=True,
            timeout=timeout,
            check=False,
            **options,
        )

    def fails(self, *args: object, **options: Any) -> str:
        """Run what must fail; return what it complains of, with exit code 1 and no traceback."""
        done = self(*args, **options)
        assert done.returncode == 1, (done.returncode, done.stdout, done.stderr)
        assert "Traceback" not in done.stderr
        assert done.stderr.count("hippograph: ") == 1, done.stderr
        return done.stderr.partition("hippograph: ")[2]

    def json(self, *args: object, **options: Any) -> Any:
        """Run what must succeed with --json; return what it printed."""
        name, *rest = args
        done = self(name, "--json", *rest, **options)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def started(self, *args: object, **options: Any) -> subprocess.Popen[str]:
        """Start without waiting."""
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8"}
        return subprocess.Popen(self.arguments(*args), cwd=self.folder, env=self.env, **{**pipes, **options})


@pytest.fixture(scope="session")
def command(tmp_path_factory: pytest.TempPathFactory, model_dir: Path) -> Command:
    return Command(tmp_path_factory.mktemp("work"), {"HIPPOGRAPH_MODEL_DIR": str(model_dir)})


@pytest.fixture(scope="session")
def new_home(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Path]:
    return lambda: tmp_path_factory.mktemp("home")
