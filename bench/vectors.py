"""Vectors kept on disk between runs, so that a benchmark over the same texts takes minutes, not hours."""

import sqlite3
import threading
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
from langchain_core.embeddings import Embeddings
from typing_extensions import override

from hippograph.models import Embedder
from hippograph.state import HomeUnusable

Kind = Literal["query", "passage"]
FILE = "vectors.db"
BATCH = 64
"""Texts embedded between two writes: what is interrupted goes on from there."""


class Kept(NamedTuple):
    """A vector and what it cost when it was made."""

    vector: list[float]
    seconds: float


class CachedEmbeddings(Embeddings):
    """Embeddings that ask the model only for texts they have not kept; thread-safe, also between processes."""

    def __init__(self, model: str, inner: Embeddings, path: Path) -> None:
        """Open or create the file of kept vectors.

        Args:
            model: The model's full name; other models' vectors in the file are not seen.
            inner: The model.
            path: The file.

        Raises:
            HomeUnusable: The file cannot be written.
        """
        self._model, self._inner = model, inner
        self._lock = threading.Lock()
        self.query_seconds = 0.0
        """What the model took for all queries so far, measured when each was first embedded."""
        self.waited_seconds = 0.0
        """How long callers have waited for query vectors, kept or not."""
        self.asked = 0
        """Texts the model itself was asked for."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = sqlite3.connect(path, timeout=60, check_same_thread=False)
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.execute("PRAGMA synchronous = NORMAL")
            self._file.execute("CREATE TABLE IF NOT EXISTS vectors (hash BLOB PRIMARY KEY, vector BLOB, seconds REAL)")
        except (OSError, sqlite3.Error) as error:
            raise HomeUnusable(f"{path} cannot hold vectors ({error}): give another folder with --cache.") from error

    @override
    def embed_query(self, text: str) -> list[float]:
        began = time.perf_counter()
        with self._lock:
            (kept,) = self._kept("query", [text])
            self.query_seconds += kept.seconds
            self.waited_seconds += time.perf_counter() - began
        return kept.vector

    @override
    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        found = list[list[float]]()
        for start in range(0, len(texts), BATCH):
            with self._lock:
                found += [kept.vector for kept in self._kept("passage", texts[start : start + BATCH])]
        return found

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._file.close()

    def _kept(self, kind: Kind, texts: Sequence[str]) -> list[Kept]:
        keys = [self._key(kind, text) for text in texts]
        known = self._read(keys)
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if new:
            began = time.perf_counter()
            made = (
                self._inner.embed_documents([*new.values()])
                if kind == "passage"
                else [self._inner.embed_query(text) for text in new.values()]
            )
            seconds = (time.perf_counter() - began) / len(new)
            self.asked += len(new)
            self._write(dict(zip(new, made, strict=True)), seconds)
            known |= self._read([*new])
        return [known[key] for key in keys]

    def _key(self, kind: Kind, text: str) -> bytes:
        return sha256("\0".join((self._model, kind, text)).encode("utf-8", "surrogatepass")).digest()

    def _read(self, keys: Sequence[bytes]) -> dict[bytes, Kept]:
        marks = ", ".join("?" * len(keys))
        with closing(self._file.execute(f"SELECT * FROM vectors WHERE hash IN ({marks})", keys)) as rows:
            return {key: Kept(np.frombuffer(vector, np.float32).tolist(), seconds) for key, vector, seconds in rows}

    def _write(self, made: dict[bytes, list[float]], seconds: float) -> None:
        rows = [(key, np.asarray(vector, np.float32).tobytes(), seconds) for key, vector in made.items()]
        with self._file:
            self._file.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?, ?)", rows)


def cached(plain: Embedder, folder: Path) -> tuple[Embedder, CachedEmbeddings]:
    """Return an embedder whose vectors are kept in a folder, and the embeddings it has got."""
    embeddings = CachedEmbeddings(plain.spec, plain.embeddings, folder / FILE)
    return replace(plain, embeddings=embeddings), embeddings
