"""The vector index above and below the size up to which it is searched in memory; on real Chroma."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from hippograph.bench.hashed import hashed
from hippograph.memory import Memory
from hippograph.memory.vectors import index, scrubbing
from hippograph.memory.vectors.index import Index, Passage
from hippograph.state import Turn

TEXTS = [f"{animal} {verb} near the {place}" for animal in ("heron", "otter", "lynx", "newt") for verb in
         ("nests", "sleeps", "feeds") for place in ("weir", "mill", "quarry", "harbour", "chapel")]  # fmt: skip


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    """60 memories, the first of two passages."""
    made = Index(tmp_path_factory.mktemp("index"), hashed())
    made.add("ann", [Passage(seq, 0, text) for seq, text in enumerate(TEXTS, 1)])
    made.add("ann", [Passage(1, 1, "a second passage about glaciers")])
    yield made
    made.close()


@pytest.fixture
def above(filled: Index, monkeypatch: pytest.MonkeyPatch) -> Iterator[Index]:
    """The same, opened anew with so many vectors that none are held in memory."""
    filled.close()
    monkeypatch.setattr(index, "MIRRORED", 10)
    made = Index(filled.folder, filled.embedder)
    yield made
    made.close()


def vector(of: Index, text: str) -> list[float]:
    return of.embedder.embeddings.embed_query(text)


QUERIES = ["heron by the weir", "the newt sleeps", "glaciers", "quarry", "lynx feeds near the chapel"]


@pytest.fixture(scope="module")
def exact(filled: Index) -> list[dict[int, float]]:
    """What each query finds in memory."""
    found = [filled.search("ann", vector(filled, query), 10) for query in QUERIES]
    assert filled._mirrors["ann"] is not None
    return found


def test_above_the_limit_chroma_finds_what_memory_finds_below(exact: list[dict[int, float]], above: Index) -> None:
    for query, wanted in zip(QUERIES, exact, strict=True):
        found = above.search("ann", vector(above, query), 10)
        assert sorted(found.values(), reverse=True) == pytest.approx(sorted(wanted.values(), reverse=True), abs=1e-5)
        assert next(iter(found.values())) == pytest.approx(next(iter(wanted.values())), abs=1e-5)
    assert above._mirrors == {"ann": None}


def test_above_the_limit_filters_cosines_and_the_middle_are_exact(above: Index) -> None:
    asked = vector(above, "glaciers")
    every = above.cosines("ann", asked, range(1, 61))
    assert next(iter(every)) == 1, "its second passage is the nearest"
    assert len(every) == 60
    few = above.search("ann", asked, 2, among={1, 7, 9, 4711})
    assert few == pytest.approx({seq: cosine for seq, cosine in every.items() if seq in few})
    assert 1 in few
    assert len(few) == 2
    assert above.cosines("ann", asked, []) == {}
    middle = above.middle("ann", [2, 3])
    assert middle is not None
    assert {*above.search("ann", middle, 2)} == {2, 3}
    assert above.middle("ann", [4711]) is None


def test_above_the_limit_what_is_added_and_removed_shows_at_once(above: Index) -> None:
    above.add("bo", [Passage(n, 0, text) for n, text in enumerate(TEXTS, 100)])
    asked = vector(above, "a walrus sings")
    above.add("bo", [Passage(500, 0, "a walrus sings")])
    assert next(iter(above.search("bo", asked, 3))) == 500
    assert above.remove("bo", [500]) == 1
    assert 500 not in above.search("bo", asked, 100)
    above.drop("bo")
    assert above.search("bo", asked, 3) == {}


def test_growing_past_the_limit_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "MIRRORED", 10)
    made = Index(tmp_path, hashed())
    for n, text in enumerate(TEXTS[:20], 1):
        made.add("ann", [Passage(n, 0, text)])
        assert next(iter(made.search("ann", vector(made, text), 1))) == n
        assert (made._mirrors["ann"] is None) == (n > 10)
    made.close()


def test_only_the_spaces_used_last_are_held_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "MIRRORS", 2)
    made = Index(tmp_path, hashed())
    for space in ("a", "b", "c", "a", "d"):
        made.add(space, [Passage(1, 0, f"space {space}")])
        assert made.search(space, vector(made, f"space {space}"), 1) == pytest.approx({1: 1.0})
    assert [*made._mirrors] == ["a", "d"]
    made.close()


def test_recall_above_the_limit_gives_what_it_gives_below(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def asked(home: Path) -> list[list[tuple[str, float]]]:
        with Memory.open(home, hashed(), reranker="fusion") as memory:
            turns = [Turn(role="user", text=text, said_at="2026-01-01", id=text) for text in TEXTS]
            memory.add_turns("ann", "t", turns)
            assert memory.flush(60)
            where = {"thread": "t"}
            return [
                [(each.id, each.score) for each in memory.recall("ann", query, asked_at="2026-02-01", where=filters)]
                for query in QUERIES
                for filters in (None, where)
            ]

    below = asked(tmp_path / "below")
    monkeypatch.setattr(index, "MIRRORED", 10)
    above = asked(tmp_path / "above")
    for one, other in zip(below, above, strict=True):
        assert [score for _, score in one] == pytest.approx([score for _, score in other], abs=1e-3)
        assert one[0][0] == other[0][0]


def test_what_the_process_had_in_memory_is_not_left_in_the_files_of_a_graph(tmp_path: Path) -> None:
    """Chroma writes a graph with room for more as it finds it, whenever it loads one; and memory is used again."""
    with closing(Index(tmp_path / "index", hashed())) as made:
        for n in range(8):
            fill_memory()
            made.add(f"space {n % 4}", [Passage(n + 1, 0, TEXTS[n])])
            assert not room(made.folder)
            fill_memory()
            assert made.compact(), "closes it: it is loaded anew"
            fill_memory()
            assert made.search("space 0", vector(made, TEXTS[0]), 1).keys() <= {1, 5}
            assert not room(made.folder)
        assert [made.size(f"space {n}") for n in range(4)] == [2] * 4
        assert made.harm is None


def test_graphs_are_loaded_and_written_at_once_without_harm(tmp_path: Path) -> None:
    filler = Index(tmp_path / "index", hashed())
    for n in range(12):
        filler.add(f"space {n}", [Passage(n, 0, TEXTS[n])])
    with closing(filler), ThreadPoolExecutor(4) as pool:
        for _ in range(5):
            assert filler.compact()
            sizes = [pool.submit(filler.vectors, f"space {n}", [n]) for n in range(12)]
            added = [pool.submit(filler.add, f"space {n}", [Passage(n, 0, TEXTS[n])]) for n in range(12)]
            assert [len(each.result()) for each in sizes] == [1] * 12
            assert [each.result() for each in added] == [None] * 12
        assert filler.harm is None
        assert not room(filler.folder)


def fill_memory() -> None:
    """Use memory of the size of a small graph, and give it back to be used again."""
    used = [b"zanzibar" * 22_550 for _ in range(40)]
    del used[::2]


def room(folder: Path) -> list[Path]:
    """Return the graphs' files in whose room for more there is something."""
    found = list[Path]()
    for path in folder.glob("*/data_level0.bin"):
        count, size, *_ = scrubbing._layout(path.parent)
        found += [path] * any(path.read_bytes()[count * size :])
    return found
