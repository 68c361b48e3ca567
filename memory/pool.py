"""The candidates of one search as they come together: rows of the ledger, their words, and how near they are."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, select

from hippograph.memory import evidence, keywords
from hippograph.memory.evidence import Said
from hippograph.memory.ledger import BATCH
from hippograph.memory.reading import NEEDED, Why
from hippograph.memory.schema import memories
from hippograph.memory.understanding import Part, Understood

Weights = Mapping[str, float]
Shares = dict[int, float]
"""Memory to what a leg says for it, in [0, 1]."""

WHOLE = 0.6
"""What the whole of a query of several lines counts, against the line that fits best."""


class Pool:
    """What one search has found so far; only memories that fit its filters get in."""

    def __init__(
        self, connection: Connection, space: str, fits: ColumnElement[bool], weights: Mapping[Part, Weights]
    ) -> None:
        """Begin with nothing.

        Args:
            connection: To the ledger; all is read in one state of it.
            space: Whose memories.
            fits: What the filters admit.
            weights: The words of each part of the query, with their weights.
        """
        self.rows: dict[int, Row[Any]] = {}
        self.near: dict[Part, Shares] = {}
        """For each part, how alike memories are to it."""
        self.hop: Shares = {}
        """How alike memories are to what was found first, times how well that fits."""
        self._words: dict[int, list[str]] = {}
        self._fit: Shares = {}
        self.space = space
        self._connection, self._fits, self._weights = connection, fits, weights

    def add(self, seqs: Iterable[int]) -> None:
        """Take in those of some memories that fit and have a text."""
        new = [seq for seq in seqs if seq not in self._words]
        for start in range(0, len(new), BATCH):
            batch = new[start : start + BATCH]
            query = select(*NEEDED).where(self._fits, memories.c.seq.in_(batch))
            self.rows.update((row.seq, row) for row in self._connection.execute(query) if row.text.strip())
            self._words |= {seq: [] for seq in batch} | keywords.words_of(self._connection, self.space, batch)

    def best(self, n: int) -> list[int]:
        """Return the `n` candidates that vectors and keywords together speak for most, the best first."""
        vector, keyword = self._vector(), self._over_parts(evidence.keyword_shares)
        self._fit = {seq: vector.get(seq, 0.0) + keyword.get(seq, 0.0) for seq in self.rows}
        return sorted(self.rows, key=lambda seq: -self._fit[seq])[:n]

    def fit(self, seq: int) -> float:
        """Return how well a candidate fitted when `best` was last asked, in [0, 1]."""
        return min(1.0, self._fit[seq])

    def why(self, understood: Understood) -> dict[int, Why]:
        """Return each candidate's shares, leg by leg; a leg that says nothing for it is left out."""
        legs = {
            "vector": self._vector(),
            "keyword": self._over_parts(evidence.keyword_shares),
            "context": self._over_parts(evidence.context_shares),
            "hop": self.hop,
            "time": {seq: evidence.time_share(row.said_at, understood.windows) for seq, row in self.rows.items()},
        }
        return {
            seq: {leg: round(shares[seq], 4) for leg, shares in legs.items() if shares.get(seq, 0.0) > 0}
            for seq in self.rows
        }

    def _vector(self) -> Shares:
        return _together(self.near)

    def _over_parts(self, shares: Callable[[Weights, Mapping[int, Said]], Shares]) -> Shares:
        said = {seq: Said(_place(row), self._words[seq]) for seq, row in self.rows.items()}
        return _together({part: shares(weights, said) for part, weights in self._weights.items() if weights})


def _together(parts: Mapping[Part, Shares]) -> Shares:
    """Return for each memory its share of the whole query and, where there are lines, of the one it fits best."""
    whole, line = Shares(), Shares()
    for part, shares in parts.items():
        kept = line if part.is_line else whole
        for seq, share in shares.items():
            kept[seq] = max(kept.get(seq, 0.0), part.weight * share)
    if not any(part.is_line for part in parts):
        return whole
    return {seq: WHOLE * whole.get(seq, 0.0) + (1 - WHOLE) * line.get(seq, 0.0) for seq in whole.keys() | line.keys()}


def _place(row: Row[Any]) -> tuple[str, int] | None:
    return (row.thread, row.position) if row.kind == "turn" else None


def places_beside(rows: Sequence[Row[Any]], reach: int) -> list[tuple[str, int]]:
    """Return thread and position of the turns up to `reach` before and after some turns."""
    steps = [step for step in range(-reach, reach + 1) if step]
    return list(
        dict.fromkeys((row.thread, row.position + step) for row in rows if row.kind == "turn" for step in steps)
    )
