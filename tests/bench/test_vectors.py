"""Vectors kept on disk."""

from pathlib import Path

import pytest
from langchain_core.embeddings import Embeddings

from hippograph.bench.vectors import CachedEmbeddings
from hippograph.state import HomeUnusable


class Counting(Embeddings):
    """Tells queries from passages, and counts what it is asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed_query(self, text: str) -> list[float]:
        self.asked.append(text)
        return [1.0, float(len(text))]

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.asked += texts
        return [[2.0, float(len(text))] for text in texts]


def test_a_text_is_embedded_once_even_by_a_later_run(tmp_path: Path) -> None:
    inner = Counting()
    first = CachedEmbeddings("m", inner, tmp_path / "kept" / "v.db")
    assert first.embed_documents(["a", "bb", "a"]) == [[2, 1], [2, 2], [2, 1]]
    first.close()
    again = CachedEmbeddings("m", inner, tmp_path / "kept" / "v.db")
    assert again.embed_documents(["bb", "ccc", "a"]) == [[2, 2], [2, 3], [2, 1]]
    assert inner.asked == ["a", "bb", "ccc"]
    assert again.asked == 1


def test_queries_passages_and_models_are_kept_apart(tmp_path: Path) -> None:
    inner = Counting()
    embeddings = CachedEmbeddings("m", inner, tmp_path / "v.db")
    assert embeddings.embed_documents(["a"]) == [[2, 1]]
    assert embeddings.embed_query("a") == [1, 1]
    assert CachedEmbeddings("other", inner, tmp_path / "v.db").embed_query("a") == [1, 1]
    assert inner.asked == ["a", "a", "a"]


def test_what_a_query_cost_is_remembered_with_it(tmp_path: Path) -> None:
    first = CachedEmbeddings("m", Counting(), tmp_path / "v.db")
    first.embed_query("a")
    again = CachedEmbeddings("m", Counting(), tmp_path / "v.db")
    again.embed_query("a")
    assert again.query_seconds == first.query_seconds > 0
    assert again.asked == 0


def test_more_texts_than_one_batch_keep_their_order_whatever_they_hold(tmp_path: Path) -> None:
    texts = ["x" * n for n in range(1, 200)]
    embeddings = CachedEmbeddings("m", Counting(), tmp_path / "v.db")
    assert [vector[1] for vector in embeddings.embed_documents(texts)] == list(range(1, 200))
    assert embeddings.embed_documents([]) == []
    assert embeddings.embed_documents(["", "\0\ud800"]) == [[2, 0], [2, 2]]


def test_a_folder_that_cannot_hold_vectors_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(HomeUnusable, match="--cache"):
        CachedEmbeddings("m", Counting(), tmp_path / "file" / "v.db")
