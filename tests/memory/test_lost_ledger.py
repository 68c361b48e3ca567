"""The ledger is gone and the rest of the home is there: it is told, and not taken for a new home."""

from pathlib import Path

import pytest

from hippograph.bench.hashed import hashed
from hippograph.memory import Memory
from hippograph.memory.backup.rescuing import restore_closed
from hippograph.state import BadInput, HomeUnusable, Turn


def opened(home: Path) -> Memory:
    return Memory.open(home, hashed(), reranker="fusion", extractor="none")


def lose(home: Path, *, snapshot: bool) -> str:
    """Fill a home and delete its ledger; return the name of its embedding model."""
    with opened(home) as memory:
        memory.add_turns("ann", "t", [Turn(role="user", text="The lamp is in room 7.")])
        assert memory.flush(30)
        if snapshot:
            memory.snapshot()
        name = memory.embedder.spec
    for path in home.glob("ledger.db*"):
        path.unlink()
    return name


def test_a_home_with_snapshots_names_the_cure_and_the_cure_works(tmp_path: Path) -> None:
    home = tmp_path / "home"
    name = lose(home, snapshot=True)
    with pytest.raises(HomeUnusable, match="hippograph restore latest") as refused:
        opened(home)
    with pytest.raises(BadInput):
        restore_closed(home, "nonsense", name, reindex=False, because=refused.value)
    assert not (home / "ledger.db").exists()
    restore_closed(home, "latest", name, reindex=False, because=refused.value)
    with opened(home) as memory:
        assert [each.text for each in memory.list("ann")] == ["The lamp is in room 7."]


def test_a_home_without_snapshots_says_that_it_begins_anew(tmp_path: Path) -> None:
    home = tmp_path / "home"
    lose(home, snapshot=False)
    with opened(home) as memory:
        assert len(memory.notices) == 1
        assert "ledger.db is missing" in memory.notices[0]
        memory.add_turns("ann", "t", [Turn(role="user", text="The kite is red.")])
        assert memory.flush(30)
        assert [each.text for each in memory.recall("ann", "lamp in room 7 or kite")] == ["The kite is red."]
    with opened(home) as memory:
        assert memory.notices == []
