"""The candidates of one search as they come together: rows of the ledger, their words, and how near they are."""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, Text, column, text

from hippograph.memory import keywords
from hippograph.memory.dates.periods import Window
from hippograph.memory.reading import NEEDED, Why
from hippograph.memory.schema import memories
from hippograph.memory.search import evidence
from hippograph.memory.search.evidence import Said
from hippograph.memory.search.understanding import Part, Understood

Weights = Mapping[str, float]
Shares = dict[int, float]
"""Memory to what a leg says for it, in [0, 1]."""

WHOLE = 0.6
"""What the whole of a query of several lines counts, against the line that fits best."""

IN_ORDER = ("turn", "document")
"""Kinds of memories that stand in their thread one after the other: what is beside them says more of them."""

_COLUMNS = ", ".join(f"memories.{each.name}" for each in NEEDED)
# The words are read past FTS5 from the table it keeps them in: a fifth of the time.
_ROWS = text(
    f"SELECT {_COLUMNS}, said.c0 AS words FROM json_each(:seqs) AS each "
    "CROSS JOIN memories ON memories.seq = each.value LEFT JOIN keywords_content AS said ON said.id = memories.seq "
    "WHERE memories.space = :space"
).columns(*NEEDED, column("words", Text))
_BESIDE = text(
    "SELECT memories.seq FROM json_each(:places) AS each CROSS JOIN memories ON memories.space = :space "
    "AND memories.thread = json_extract(each.value, '$[0]') "
    "AND memories.position BETWEEN json_extract(each.value, '$[1]') AND json_extract(each.value, '$[2]')"
).columns(memories.c.seq)


class Pool:
    """What one search has found so far; only memories that fit its filters get in."""

    def __init__(
        self,
        connection: Connection,
        space: str,
        weights: Mapping[Part, Weights],
        admits: Callable[[int], bool],
    ) -> None:
        """Begin with nothing.

        Args:
            connection: To the ledger; all is read in one state of it.
            space: Whose memories.
            weights: The words of each part of the query, with their weights.
            admits: Whether a memory fits the filters.
        """
        self.rows: dict[int, Row[Any]] = {}
        self.near: dict[Part, Shares] = {}
        """For each part, how alike memories are to it."""
        self.hop: Shares = {}
        """How alike memories are to what was found first, times how well that fits."""
        self._fit: Shares = {}
        self._seen: set[int] = set()
        self._said: dict[int, Said] = {}
        self._connection, self._space, self._admits = connection, space, admits
        self._weights = {part: of for part, of in weights.items() if of}
        self._keyword: dict[Part, Shares] = {part: {} for part in self._weights}
        self._terms = keywords.terms_of(space, {word for of in self._weights.values() for word in of})

    def add(self, seqs: Iterable[int]) -> None:
        """Take in those of some memories that fit and have a text."""
        new = [seq for seq in dict.fromkeys(seqs) if seq not in self._seen and self._admits(seq)]
        if not new:
            return
        self._seen.update(new)
        rows = self._connection.execute(_ROWS, {"seqs": json.dumps(new), "space": self._space}).all()
        found = [row for row in rows if row.text.strip()]
        said = {row.seq: self._counted(row) for row in found}
        self.rows.update((row.seq, row) for row in found)
        self._said |= said
        for part, of in self._weights.items():
            self._keyword[part] |= evidence.keyword_shares(of, said)

    def beside(self, n: int) -> list[int]:
        """Return the turns before and after the `n` best candidates."""
        reach, best = evidence.REACH, [self.rows[seq] for seq in self.best(n)]
        places = [(row.thread, row.position - reach, row.position + reach) for row in best if row.kind in IN_ORDER]
        asked = {"places": json.dumps(places), "space": self._space}
        return list(self._connection.execute(_BESIDE, asked).scalars().all()) if places else []

    def best(self, n: int) -> list[int]:
        """Return the `n` candidates that vectors and keywords together speak for most, the best first."""
        vector, keyword = _together(self.near), _together(self._keyword)
        self._fit = {seq: vector.get(seq, 0.0) + keyword.get(seq, 0.0) for seq in self.rows}
        return sorted(self.rows, key=lambda seq: -self._fit[seq])[:n]

    def fit(self, seq: int) -> float:
        """Return how well a candidate fitted when `best` was last asked, in [0, 1]."""
        return min(1.0, self._fit[seq])

    def why(self, understood: Understood, related: Mapping[int, float], properties: Collection[str]) -> dict[int, Why]:
        """Return each candidate's shares, leg by leg; a leg that says nothing for it is left out.

        Args:
            understood: The query.
            related: What the entity leg says.
            properties: Those that the query asks for, and of which one is so at a time.
        """
        context = {part: evidence.context_shares(of, self._said) for part, of in self._weights.items()}
        told = self.rows.items() if understood.windows else ()
        time = {seq: _time(row, understood.windows, properties) for seq, row in told}
        why: dict[int, Why] = {seq: {} for seq in self.rows}
        legs = {
            "vector": _together(self.near),
            "keyword": _together(self._keyword),
            "context": _together(context),
            "hop": self.hop,
            "time": time,
            "entity": related,
        }
        for leg, shares in legs.items():
            for seq, share in shares.items():
                if share > 0 and seq in why:
                    why[seq][leg] = round(share, 4)
        return why

    def _counted(self, row: Row[Any]) -> Said:
        """Return where a memory stands, and what it has of the words asked for."""
        counts, terms = dict[str, int](), (row.words or "").split()
        for term in self._terms.keys() & terms:
            counts[self._terms[term]] = terms.count(term)
        # The first term is the space's key alone.
        return Said((row.thread, row.position) if row.kind in IN_ORDER else None, counts, max(0, len(terms) - 1))


def _time(row: Row[Any], windows: Sequence[Window], properties: Collection[str]) -> float:
    """Return how well a memory fits some stretches: a property asked for by when it was so, all else when said."""
    if row.attribute in properties and row.kind != "event":
        return evidence.valid_share(row.valid_from, row.valid_until, windows)
    return evidence.time_share(row.said_at, windows)


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
