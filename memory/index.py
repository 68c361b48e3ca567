"""The vector index: one Chroma collection per space, cosine distance. Deletable: the ledger can rebuild it."""

import contextlib
import shutil
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from hippograph.memory.keywords import space_key
from hippograph.models import Embedder
from hippograph.state import HomeUnusable

if TYPE_CHECKING:
    from chromadb import Collection, Where
    from chromadb.api.collection_configuration import CreateHNSWConfiguration
    from langchain_chroma import Chroma

HNSW: "CreateHNSWConfiguration" = {"space": "cosine", "max_neighbors": 32, "ef_construction": 200, "ef_search": 200}
"""Chroma's defaults (16, 100, 100) miss many of the true nearest in large collections."""


class Passage(NamedTuple):
    """A text to embed: the `n`th of its memory, from 0."""

    seq: int
    n: int
    text: str


class Index:
    """The vectors of one home. Safe to use from several threads."""

    def __init__(self, folder: Path, embedder: Embedder) -> None:
        """Prepare the index in `folder`; nothing is read until the first search or addition."""
        self.folder = folder
        self.embedder = embedder
        self._opening = threading.Lock()
        self._client: Any = None
        self._stores: dict[str, Chroma] = {}

    def exists(self) -> bool:
        """Tell whether there is an index on disk."""
        return (self.folder / "chroma.sqlite3").exists()

    def add(self, space: str, passages: Sequence[Passage]) -> None:
        """Embed some passages in one batch and store their vectors, replacing what they had."""
        import numpy as np

        vectors = self.embedder.embeddings.embed_documents([each.text for each in passages])
        ids = [_id(each.seq, each.n) for each in passages]
        with self._reported():
            # Ids stand where Chroma keeps documents: what was said is in the ledger alone, so that it can be forgotten.
            self._collection(space).upsert(
                ids, np.asarray(vectors, np.float32), [{"seq": each.seq} for each in passages], ids
            )

    def search(self, space: str, vector: Sequence[float], n: int) -> dict[int, float]:
        """Return the memories of the `n` nearest vectors, by number, with the cosine of their nearest one."""
        with self._reported():
            found = self._store(space).similarity_search_by_vector_with_relevance_scores(list(vector), k=n)
        cosines: dict[int, float] = {}
        for document, distance in found:
            seq = int(document.metadata["seq"])
            cosines[seq] = max(1 - distance, cosines.get(seq, -1))
        return cosines

    def cosines(self, space: str, vector: Sequence[float], seqs: Sequence[int]) -> dict[int, float]:
        """Return the cosines of given memories' first vectors; one that has none is left out."""
        import numpy as np

        if not seqs:
            return {}
        with self._reported():
            found = self._store(space).get(ids=[_id(seq, 0) for seq in seqs], include=["embeddings"])
        matrix = np.asarray(found["embeddings"], dtype=np.float32).reshape(-1, len(vector))
        asked = np.asarray(vector, dtype=np.float32)
        lengths = np.linalg.norm(matrix, axis=1) * np.linalg.norm(asked)
        cosines = (matrix @ asked) / np.where(lengths == 0, 1, lengths)
        return {int(key.split(".")[0]): float(value) for key, value in zip(found["ids"], cosines, strict=True)}

    def size(self, space: str) -> int:
        """Return how many vectors a space has."""
        with self._reported():
            return self._collection(space).count()

    def remove(self, space: str, seqs: Sequence[int]) -> int:
        """Delete memories' vectors; returns how many were deleted."""
        before = self.size(space)
        with self._reported():
            for start in range(0, len(seqs), 1000):
                where = cast("Where", {"seq": {"$in": [*seqs[start : start + 1000]]}})
                self._collection(space).delete(where=where)
        return before - self.size(space)

    def drop(self, space: str) -> None:
        """Delete a whole space's vectors."""
        with self._reported():
            self._store(space).delete_collection()
        self._stores.pop(space, None)

    def destroy(self) -> None:
        """Delete the index from disk."""
        self.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def close(self) -> None:
        """Let go of the files."""
        client, self._client, self._stores = self._client, None, {}
        if client is not None:
            client.close()

    def _store(self, space: str) -> "Chroma":
        with self._opening:
            if space not in self._stores:
                self._stores[space] = self._open(space)
            return self._stores[space]

    def _collection(self, space: str) -> "Collection":
        self._store(space)
        found: Collection = self._client.get_collection(_name(space))
        return found

    def _open(self, space: str) -> "Chroma":
        from langchain_chroma import Chroma

        if self._client is None:
            import chromadb
            from chromadb.config import Settings

            settings = Settings(anonymized_telemetry=False)
            self._client = chromadb.PersistentClient(str(self.folder), settings=settings)
        return Chroma(
            collection_name=_name(space),
            embedding_function=self.embedder.embeddings,
            client=self._client,
            collection_configuration={"hnsw": HNSW},
        )

    @contextlib.contextmanager
    def _reported(self) -> Iterator[None]:
        from chromadb.errors import ChromaError

        try:
            yield
        except ChromaError as error:
            raise HomeUnusable(
                f"The vector index in {self.folder} cannot be used ({error}). Memories are safe in the ledger: "
                "free disk space if it is full, then run `hippograph reindex`."
            ) from error


def _name(space: str) -> str:
    return f"space-{space_key(space)}"


def _id(seq: int, n: int) -> str:
    return f"{seq}.{n}"
