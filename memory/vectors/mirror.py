"""A space's vectors in memory: exact cosines with any memory, at a fraction of what asking the index for them costs."""

import threading
from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

Vectors = NDArray[np.float32]
"""Shape (n, dimension), or (dimension,) for one."""
Places = NDArray[np.int64]
"""Shape (n, 2): a memory's number, and which of its passages it is, from 0; by number and passage."""


class Mirror:
    """The vectors of one space at unit length, each with its memory's number. Safe to use from several threads.

    A search works on what was held when it began: nothing that it may look at is ever changed.
    """

    def __init__(self, places: Sequence[tuple[int, int]], vectors: ArrayLike) -> None:
        """Hold some vectors.

        Args:
            places: For each vector the number of its memory, and which of the memory's passages it is of.
            vectors: Shape (n, dimension).
        """
        self._changing = threading.Lock()
        self._held = _sorted(_places(places), unit(vectors))
        self._room = self._held
        """Arrays that begin with what is held; new rows are written behind it while there is room."""

    def __len__(self) -> int:
        """Return how many vectors there are."""
        return len(self._held[0])

    def put(self, places: Sequence[tuple[int, int]], vectors: ArrayLike) -> None:
        """Hold some vectors, in place of those that their passages had."""
        with self._changing:
            new = _sorted(_places(places), unit(vectors))
            held, matrix = self._held
            if not len(new[0]):
                return
            if not len(held) or tuple(new[0][0]) > tuple(held[-1]):
                self._append(*new)
                return
            stay = np.ones(len(held), np.bool_)
            same = np.flatnonzero(np.isin(held[:, 0], new[0][:, 0]))
            stay[same] = (held[same][:, None] != new[0][None]).any(-1).all(-1)
            self._held = _sorted(np.vstack([held[stay], new[0]]), np.vstack([matrix[stay], new[1]]))
            self._room = self._held

    def drop(self, seqs: Collection[int]) -> None:
        """Let go of memories' vectors."""
        with self._changing:
            held, matrix = self._held
            stay = ~np.isin(held[:, 0], [*seqs])
            self._held = self._room = held[stay], matrix[stay]

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
            rows = _rows(seqs, among)
            seqs, matrix = seqs[rows], matrix[rows]
        cosines = matrix @ unit(vector)
        looked_at = 4 * max(1, n)
        while True:
            order = _top(cosines, looked_at)
            found: dict[int, float] = {}
            for seq, cosine in zip(seqs[order].tolist(), cosines[order].tolist(), strict=True):
                found.setdefault(seq, cosine)
                if len(found) == n:
                    return found
            if len(order) == len(seqs):
                return found
            looked_at *= 4  # one memory of many passages took the places

    def passages(self, vector: ArrayLike, seq: int) -> dict[int, float]:
        """Return the cosine of each passage of a memory, by its place from 0.

        Args:
            vector: Shape (dimension,).
            seq: The memory's number.
        """
        held, matrix = self._held
        rows = _rows(held[:, 0], [seq])
        return dict(zip(held[rows, 1].tolist(), (matrix[rows] @ unit(vector)).tolist(), strict=True))

    def of(self, seqs: Sequence[int]) -> Vectors:
        """Return the first passages' vectors of given memories, shape (at most their number, dimension)."""
        held, matrix = self._held
        rows = _rows(held[:, 0], seqs)
        return np.asarray(matrix[rows[held[rows, 1] == 0]], np.float32)

    def first(self) -> dict[int, Vectors]:
        """Return each memory's first passage's vector, by number; shape (dimension,)."""
        held, matrix = self._held
        rows = np.flatnonzero(held[:, 1] == 0)
        return dict(zip(held[rows, 0].tolist(), matrix[rows], strict=True))

    def _append(self, new: Places, vectors: Vectors) -> None:
        """Write rows behind those that are held, in arrays of twice the room where there is none left."""
        (held, matrix), (places, room) = self._held, self._room
        begin, end = len(held), len(held) + len(new)
        if len(places) < end:
            places, room = np.empty((2 * end, 2), np.int64), np.empty((2 * end, vectors.shape[-1]), np.float32)
            places[:begin], room[:begin] = held, matrix
        places[begin:end], room[begin:end] = new, vectors
        self._room, self._held = (places, room), (places[:end], room[:end])


def unit(vectors: ArrayLike) -> Vectors:
    """Return vectors at unit length along the last axis; a zero vector stays zero."""
    given = np.asarray(vectors, np.float32)
    lengths = np.linalg.norm(given, axis=-1, keepdims=True)
    return np.asarray(given / np.where(lengths == 0, 1, lengths), np.float32)


def _top(values: Vectors, n: int) -> NDArray[np.intp]:
    """Return the places of the `n` highest values (or of all), the highest first."""
    if len(values) <= n:
        return np.argsort(-values, kind="stable")
    best = np.sort(np.argpartition(-values, n)[:n])
    return best[np.argsort(-values[best], kind="stable")]


def _places(places: Sequence[tuple[int, int]]) -> Places:
    return np.asarray(places, np.int64).reshape(-1, 2)


def _sorted(places: Places, vectors: Vectors) -> tuple[Places, Vectors]:
    """Return places and their vectors by memory and passage."""
    order = np.lexsort((places[:, 1], places[:, 0]))
    return (places, vectors) if (order == np.arange(len(order))).all() else (places[order], vectors[order])


def _rows(seqs: NDArray[np.int64], wanted: Collection[int]) -> NDArray[np.intp]:
    """Return where given numbers stand among sorted ones that may repeat, in rising order."""
    each = np.unique(np.fromiter(wanted, np.int64, len(wanted)))
    first, last = np.searchsorted(seqs, each, "left"), np.searchsorted(seqs, each, "right")
    many = last - first
    return np.repeat(first - np.cumsum(many) + many, many) + np.arange(many.sum())
