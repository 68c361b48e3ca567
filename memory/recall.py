"""Recall: the union of the legs over one space, joined with the ledger, then fused."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, select, tuple_

from hippograph.memory import keywords
from hippograph.memory.filters import Where, condition
from hippograph.memory.index import Index
from hippograph.memory.ledger import BATCH, Ledger, living
from hippograph.memory.schema import memories
from hippograph.memory.writer import Writer
from hippograph.state import BadInput, HomeUnusable, Recollection, Source

RARE = 20
"""A word that more memories of a space than this contain does not tell that a text is about them."""
KEPT_QUERIES = 64
"""Queries whose vectors are kept: one turn may search several times."""
NEEDED = [memories.c[name] for name in "seq id kind text role speaker thread position said_at importance".split()]
"""Columns of which recollections are made."""
SEEDS = 10
"""Best candidates whose neighbouring turns become candidates too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """What the legs found, unranked."""

    found: list[Recollection]
    """Each with the legs' shares in `why` and a score of 0."""
    degraded: list[str]
    """Legs that could not be asked, with the reason."""


class Recall:
    """Searches one home."""

    def __init__(self, ledger: Ledger, index: Index, writer: Writer) -> None:
        self._ledger = ledger
        self._index = index
        self._writer = writer
        self._vector = lru_cache(maxsize=KEPT_QUERIES)(index.embedder.embeddings.embed_query)

    def candidates(
        self,
        space: str,
        query: str,
        limit: int,
        at: datetime | None = None,
        kinds: Sequence[str] | None = None,
        where: Where | None = None,
    ) -> Candidates:
        """Return the union of what vectors and keywords find, and the turns beside the best of it."""
        fits = condition(space, at, kinds, where)
        with self._ledger.read() as connection:
            keyword = keywords.search(connection, space, query, limit, fits)
        degraded: list[str] = []
        asked = self._embed(query, degraded)
        vector: dict[int, float] = {}
        rows: dict[int, Row[Any]] = {}
        try:
            if asked:
                if not self._writer.catch_up(space):
                    degraded.append("vectors: some memories are not indexed yet; keywords alone find them")
                vector, rows = self._nearest(space, asked, limit, fits)
            rows |= self._fitting(fits, [seq for seq in keyword if seq not in rows])
            rows |= self._beside(fits, self._best(vector, keyword), rows)
            if asked:
                vector |= self._index.cosines(space, asked, [seq for seq in rows if seq not in vector])
        except HomeUnusable as error:
            degraded.append(f"vectors: {error}")
            rows |= self._fitting(fits, [seq for seq in keyword if seq not in rows])
        said = {seq: row for seq, row in rows.items() if row.text.strip()}
        return Candidates(found=self._recollections(said, vector, keyword), degraded=degraded)

    def knows(self, space: str, text: str) -> str | None:
        """Return a word of a text that some of a space's memories contain, but few enough to tell, or None."""
        with self._ledger.read() as connection:
            return keywords.known(connection, space, text, RARE)

    def get(self, id: str, space: str | None) -> Recollection:  # noqa: A002
        """Return one memory that is not forgotten, whatever its status; BadInput if there is not exactly one."""
        rows = self._select(living(space).where(memories.c.id == id))
        if not rows:
            raise BadInput(f"There is no memory {id!r}: `hippograph memories` lists those there are.")
        if len(rows) > 1:
            raise BadInput(f"{len(rows)} spaces have a memory {id!r}: say which with space=.")
        return rows[0]

    def listed(
        self,
        space: str,
        kinds: Sequence[str] | None,
        where: Where,
        limit: int | None,
        offset: int,
        newest_first: bool,
    ) -> list[Recollection]:
        """Return a space's current memories in the order they were said, or the other way round."""
        order = [memories.c.said_at, memories.c.seq]
        query = select(*NEEDED).where(condition(space, None, kinds, where))
        query = query.order_by(*(column.desc() for column in order) if newest_first else order)
        return self._select(query.limit(limit).offset(offset))

    def recollections(self, rows: Iterable[Row[Any]]) -> list[Recollection]:
        """Return ledger rows as recollections, in their order, unscored."""
        return self._recollections({row.seq: row for row in rows}, {}, {})

    def _select(self, query: Select[Any]) -> list[Recollection]:
        with self._ledger.read() as connection:
            return self.recollections(connection.execute(query).all())

    def _embed(self, query: str, degraded: list[str]) -> list[float]:
        """Return the query's vector; none for an empty query or where the embedding model fails, in whatever way."""
        try:
            return self._vector(query) if query.strip() else []
        except Exception as error:
            degraded.append(f"vectors: {error}")
            return []

    def _nearest(
        self, space: str, asked: Sequence[float], limit: int, fits: ColumnElement[bool]
    ) -> tuple[dict[int, float], dict[int, Row[Any]]]:
        """Return cosines and rows of the nearest that fit: looks further while filters leave too few."""
        n = limit + limit // 2
        while True:
            cosines = self._index.search(space, asked, n)
            rows = self._fitting(fits, list(cosines))
            if len(rows) >= limit or n >= self._index.size(space):
                return {seq: cosines[seq] for seq in rows}, rows
            n *= 4

    def _best(self, vector: dict[int, float], keyword: dict[int, float]) -> list[int]:
        similarity = self._index.embedder.similarity
        seqs = sorted({*vector, *keyword}, key=lambda seq: -similarity(vector.get(seq, -1)) - keyword.get(seq, 0))
        return seqs[:SEEDS]

    def _beside(
        self, fits: ColumnElement[bool], seeds: Sequence[int], rows: dict[int, Row[Any]]
    ) -> dict[int, Row[Any]]:
        """Return the turns just before and after some turns in their threads."""
        turns = [rows[seq] for seq in seeds if seq in rows and rows[seq].kind == "turn"]
        places = [(turn.thread, turn.position + step) for turn in turns for step in (-1, 1)]
        query = select(*NEEDED).where(fits, tuple_(memories.c.thread, memories.c.position).in_(places))
        with self._ledger.read() as connection:
            return {row.seq: row for row in connection.execute(query) if row.seq not in rows}

    def _fitting(self, fits: ColumnElement[bool], seqs: Sequence[int]) -> dict[int, Row[Any]]:
        found: dict[int, Row[Any]] = {}
        with self._ledger.read() as connection:
            for start in range(0, len(seqs), BATCH):
                query = select(*NEEDED).where(fits, memories.c.seq.in_(seqs[start : start + BATCH]))
                found.update((row.seq, row) for row in connection.execute(query))
        return found

    def _recollections(
        self, rows: dict[int, Row[Any]], vector: dict[int, float], keyword: dict[int, float]
    ) -> list[Recollection]:
        quotes = self._ledger.sources_of([seq for seq, row in rows.items() if row.kind != "turn"])
        similarity = self._index.embedder.similarity
        found = []
        for seq, row in rows.items():
            why: dict[str, float] = {}
            if seq in vector:
                why["vector"] = round(similarity(vector[seq]), 4)
            if seq in keyword:
                why["keyword"] = round(keyword[seq], 4)
            found.append(_recollection(row, why, quotes.get(seq, [])))
        return found


def _recollection(row: Row[Any], why: dict[str, float], quotes: Sequence[Row[Any]]) -> Recollection:
    """Build a recollection; a turn, and a memory given directly, is its own source."""
    own = Source(id=row.id, thread=row.thread, said_at=row.said_at, quote=row.text, start=0, end=len(row.text))
    sources = [
        Source(id=each.id, thread=each.thread, said_at=each.said_at, quote=each.quote, start=each.start, end=each.end)
        for each in quotes
    ]
    return Recollection(
        id=row.id,
        text=row.text,
        kind=row.kind,
        said_at=row.said_at,
        why=why,
        sources=tuple(sources) or (own,),
        role=row.role,
        speaker=row.speaker,
        thread=row.thread,
        position=row.position,
        importance=row.importance,
    )
