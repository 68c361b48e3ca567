"""A text far longer than a batch, while it is being embedded: nobody waits for it, and it can be forgotten."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from langchain_core.embeddings import Embeddings

from hippograph.bench.hashed import hashed
from hippograph.memory import Memory
from hippograph.memory.work.line import Line
from hippograph.memory.work.writer import BATCH_CHARS

LONG = "A heron nests by the weir. " * (3 * BATCH_CHARS // 27)
SECONDS = 60.0
"""After so long a thread that should have been let go on is taken for stuck."""


class Slow(Embeddings):
    """Stops within the second batch that it embeds of a long text, until it is let go on."""

    def __init__(self, inner: Embeddings) -> None:
        self.inner = inner
        self.within, self.go_on = threading.Event(), threading.Event()
        self._herons = 0

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        if any("heron" in text for text in texts):
            self._herons += 1
            if self._herons == 2:
                self.within.set()
                assert self.go_on.wait(SECONDS)
        return self.inner.embed_documents(texts)

    def embed_query(self, text: str) -> list[float]:
        return self.inner.embed_query(text)


@contextmanager
def embedding(home: Path) -> Iterator[tuple[Memory, str, threading.Event]]:
    """Give a memory that is in the midst of embedding a long text, that text's id, and what lets it go on."""
    slow = Slow(hashed().embeddings)
    with Memory.open(home, replace(hashed(), embeddings=slow), extractor="none", reranker="fusion") as memory:
        try:
            id_ = memory.remember("ann", LONG)
            assert slow.within.wait(SECONDS)
            yield memory, id_, slow.go_on
        finally:
            slow.go_on.set()


def test_nobody_waits_for_a_long_text_of_somebody_else(tmp_path: Path) -> None:
    with embedding(tmp_path) as (memory, _, _):
        memory.remember("bob", "Bob has a cat.")
        found = memory.candidates("bob", "cat")
        assert found.degraded == []
        assert [each.text for each in found.found] == ["Bob has a cat."]
        assert memory.foreseen("bob", thread="nope")[1].ids == ()
        found = memory.candidates("ann", "heron")
        assert "not indexed yet" in found.degraded[0], "its own memories are still on the way"


def test_a_long_text_that_is_forgotten_while_it_is_embedded_leaves_no_vector(tmp_path: Path) -> None:
    with embedding(tmp_path) as (memory, id_, go_on):
        assert memory.foreseen("ann", ids=[id_])[1].vectors > 0
        assert memory.forget("ann", ids=[id_]).vectors > 0
        go_on.set()
        memory.remember("ann", "Ann has a dog.")
        assert memory.flush(SECONDS)
        assert memory._index.size("ann") == 1


def test_a_long_text_that_is_reworded_while_it_is_embedded_has_the_new_vectors_alone(tmp_path: Path) -> None:
    with embedding(tmp_path) as (memory, id_, go_on):
        memory.update(id_, "ann", text="An otter sleeps.")
        go_on.set()
        assert memory.flush(SECONDS)
        assert memory._index.size("ann") == 1
        assert memory.candidates("ann", "otter").found[0].id == id_


def test_a_long_text_is_found_by_all_its_parts_when_it_is_done(tmp_path: Path) -> None:
    with embedding(tmp_path) as (memory, id_, go_on):
        go_on.set()
        assert memory.flush(SECONDS)
        assert memory.status().index.pending == 0
        (seq,) = memory._index.held("ann")
        assert memory._index.held("ann")[seq] == memory.foreseen("ann", ids=[id_])[1].vectors > 16


def test_who_asks_for_a_line_first_has_it_first() -> None:
    line, had, waits = Line(), list[str](), threading.Event()

    def other() -> None:
        waits.set()
        with line:
            had.append("other")

    line.acquire()
    assert not line.acquire(0)
    thread = threading.Thread(target=other)
    thread.start()
    assert waits.wait(SECONDS)
    while len(line._line) < 2:
        assert thread.is_alive()
    line.release()
    with line:  # a lock would be taken at once, by whoever let go of it
        had.append("mine")
    thread.join(SECONDS)
    assert had == ["other", "mine"]
