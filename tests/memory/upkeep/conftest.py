import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tended import quiet

from hippograph.bench.hashed import hashed
from hippograph.memory import Memory


@pytest.fixture(scope="session")
def empty_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home that was opened once: copying it is faster than making its tables anew."""
    home = tmp_path_factory.mktemp("empty") / "home"
    Memory.open(home, hashed()).close()
    return home


@pytest.fixture
def memory(tmp_path: Path, empty_home: Path) -> Iterator[Memory]:
    """A real memory with a cheap embedder, whose upkeep runs only when it is called for."""
    home = shutil.copytree(empty_home, tmp_path / "home")
    with Memory.open(home, hashed(), settings=quiet()) as opened:
        yield opened
