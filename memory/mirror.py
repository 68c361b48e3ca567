"""A space's vectors in memory: exact cosines with any memory, at a fraction of what asking the index for them costs."""

import threading
from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

Vectors = NDArray[np.float32]
"""Shape (n, dimension), or (dimension,) for one."""


class Mirror:
    """The vectors of one space at unit length, each with its memory's number. Safe to use from several threads.

    A search works on what was held when it began: changes swap in new arrays.
    """

    def __init__(self, places: Sequence[tuple[int, int]], vectors: ArrayLike) -> None:
        """Hold some vectors.

        Args:
            places: For each vector the number of its memory, and which of the memory's passages it is of.
            vectors: Shape (n, dimension).
        """
        self._changing = threading.Lock()
        self._held = _places(places), unit(vectors)

    def __len__(self) -> int:
        """Return how many vectors there are."""
        return len(self._held[0])

    def put(self, places: Sequence[tuple[int, int]], vectors: ArrayLike) -> None:
        """Hold some vectors, in place of those that their passages had."""
        with self._changing:
            held, matrix = self._held
            new = _places(places)
            stay = ~(held[:, None] == new[None]).all(-1).any(-1) if len(held) else np.empty(0, bool)
            self._held = np.vstack([held[stay], new]), np.vstack([matrix[stay], unit(vectors)])

    def drop(self, seqs: Collection[int]) -> None:
        """Let go of memories' vectors."""
        with self._changing:
            held, matrix = self._held
            stay = ~np.isin(held[:, 0], [*seqs])
            self._held = held[stay], matrix[stay]

    def nearest(self, vector: ArrayLike, n: int, among: Collection[int] | None = None) -> dict[int, float]:
        """Return the `n` memories nearest to a vector, the nearest first, with the cosine of each's nearest passage.

        Args:
            vector: Shape (dimension,).
            n: How many at most.
            among: Only these memories; without it, all.
        """
        held, matrix = self._held
        seqs = held[:, 0]
        if among is not None:
            rows = np.flatnonzero(np.isin(seqs, [*among]))
            seqs, matrix = seqs[rows], matrix[rows]
        cosines = matrix @ unit(vector)
        order = np.argsort(-cosines, kind="stable") if len(seqs) <= 4 * n else _top(cosines, 4 * n)
        found: dict[int, float] = {}
        for row in order:
            found.setdefault(int(seqs[row]), float(cosines[row]))
            if len(found) == n:
                break
        return found

    def of(self, seqs: Sequence[int]) -> Vectors:
        """Return the first passages' vectors of given memories, shape (at most their number, dimension)."""
        held, matrix = self._held
        return np.asarray(matrix[np.isin(held[:, 0], seqs) & (held[:, 1] == 0)], np.float32)


def unit(vectors: ArrayLike) -> Vectors:
    """Return vectors at unit length along the last axis; a zero vector stays zero."""
    given = np.asarray(vectors, np.float32)
    lengths = np.linalg.norm(given, axis=-1, keepdims=True)
    return np.asarray(given / np.where(lengths == 0, 1, lengths), np.float32)


def _top(values: Vectors, n: int) -> NDArray[np.intp]:
    """Return the places of the `n` highest values, the highest first."""
    best = np.argpartition(-values, n)[:n]
    return best[np.argsort(-values[best], kind="stable")]


def _places(places: Sequence[tuple[int, int]]) -> NDArray[np.int64]:
    return np.asarray(places, np.int64).reshape(-1, 2)
