"""An embedding model that costs next to nothing: hashed bags of words, projected at random.

For benchmarks of what comes after embedding: a transformer would take hours over 100,000 turns. What matters to an
index is as with a real one: dimension, length 1, texts that share words near each other, all others nearly at right
angles.
"""

from functools import lru_cache
from hashlib import shake_256

import numpy as np
from langchain_core.embeddings import Embeddings
from numpy.typing import NDArray
from typing_extensions import override

from hippograph.memory.tokens import words
from hippograph.models import Embedder

SPEC = "hashed"
DIMENSION = 384
"""That of the default model."""
CHUNK_CHARS = 700
"""Likewise."""


class HashedEmbeddings(Embeddings):
    """The sum of the signs of a text's different words, to length 1; the same in every process."""

    @override
    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]

    @override
    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        made: list[list[float]] = vectors(texts).tolist()
        return made


def hashed(embeddings: Embeddings | None = None) -> Embedder:
    """Return the embedder; with `embeddings` that wrap or extend HashedEmbeddings, around those."""
    return Embedder(
        spec=SPEC, dimension=DIMENSION, embeddings=embeddings or HashedEmbeddings(), chunk_chars=CHUNK_CHARS
    )


def vectors(texts: list[str]) -> NDArray[np.float32]:
    """Return one unit vector a text, as a matrix of texts by DIMENSION."""
    if not texts:
        return np.empty((0, DIMENSION), np.float32)
    bags = [dict.fromkeys(words(text)) or {"": None} for text in texts]
    starts = np.cumsum([0, *map(len, bags[:-1])])
    summed = np.add.reduceat(np.stack([_signs(word) for bag in bags for word in bag]), starts, axis=0)
    lengths = np.linalg.norm(summed, axis=1, keepdims=True)
    return (summed / np.where(lengths == 0, 1, lengths)).astype(np.float32)


@lru_cache(maxsize=50_000)
def _signs(word: str) -> NDArray[np.float32]:
    """Return a word's row of the projection: signs keep distances as Gaussian numbers do (Achlioptas, 2003)."""
    bits = np.unpackbits(np.frombuffer(shake_256(word.encode()).digest(DIMENSION // 8), np.uint8))
    return bits.astype(np.float32) * 2 - 1
