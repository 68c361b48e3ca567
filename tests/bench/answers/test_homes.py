"""The kept home of a set: used again, added to, and made anew where what it was made of changed."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from talks import SAID

from hippograph.bench.answers import homes
from hippograph.bench.vectors import CachedEmbeddings, cached
from hippograph.memory.exchange.transfer import Told
from hippograph.models import Embedder, embedder
from hippograph.state import Settings, Turn

TOLD = [
    Told("s1", Turn(role="user", speaker=who, text=text, said_at="2023-05-08T13:56:00Z", id=f"D1:{number}"))
    for number, (who, text) in enumerate(SAID, start=1)
]


@pytest.fixture
def vectors(tmp_path: Path) -> Iterator[tuple[Embedder, CachedEmbeddings]]:
    settings = Settings.from_env()
    plain, kept = cached(embedder(None, settings), tmp_path / "vectors")
    yield plain, kept
    kept.close()


def stored(tmp_path: Path, plain: Embedder, spaces: homes.Spaces) -> tuple[dict[str, int], list[str]]:
    """Open the home; return how many turns each space has, and what was told of the work."""
    work = list[str]()
    with homes.opened("set", spaces, plain, Settings.from_env(), tmp_path, work.append) as memory:
        found = {space: len(memory.list(f"set/{space}", kinds=["turn"])) for space in spaces}
    return found, [line for line in work if line.startswith("Storing")]


def test_a_home_is_used_again_added_to_and_made_anew(
    tmp_path: Path, vectors: tuple[Embedder, CachedEmbeddings], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, kept = vectors
    assert stored(tmp_path, plain, {"a": TOLD}) == ({"a": 4}, ["Storing set/a: 4 turns."])
    assert stored(tmp_path, plain, {"a": TOLD}) == ({"a": 4}, [])
    assert stored(tmp_path, plain, {"a": TOLD, "b": TOLD[:2]}) == ({"a": 4, "b": 2}, ["Storing set/b: 2 turns."])
    asked = kept.asked
    _, work = stored(tmp_path, plain, {"a": TOLD[:3]})
    assert work == ["Storing set/a: 3 turns."], "what was said differs"
    monkeypatch.setattr(homes, "written_by", lambda models: "other code")
    assert stored(tmp_path, plain, {"a": TOLD[:3]}) == ({"a": 3}, ["Storing set/a: 3 turns."])
    assert kept.asked == asked, "no vector is made twice"


def test_a_home_that_was_left_half_made_is_made_anew(
    tmp_path: Path, vectors: tuple[Embedder, CachedEmbeddings]
) -> None:
    plain, _ = vectors
    stored(tmp_path, plain, {"a": TOLD})
    (tmp_path / "set" / homes.STAMP).unlink()
    assert stored(tmp_path, plain, {"a": TOLD}) == ({"a": 4}, ["Storing set/a: 4 turns."])
