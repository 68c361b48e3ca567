"""Recall: the union of the legs over one space, joined with the ledger, and what speaks for each candidate."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache

from sqlalchemy import ColumnElement, Connection, or_, select, tuple_

from hippograph.memory import evidence, keywords
from hippograph.memory.filters import Where, condition, ended
from hippograph.memory.index import Index
from hippograph.memory.ledger import Ledger
from hippograph.memory.names import Names, subjects
from hippograph.memory.pool import Pool, Shares, Weights, places_beside
from hippograph.memory.reading import recollected
from hippograph.memory.schema import memories
from hippograph.memory.understanding import Part, Understood, names, understand
from hippograph.memory.writer import Writer
from hippograph.state import BadInput, HomeUnusable, Recollection

LEGS = ("vector", "keyword", "subject", "time")
"""What finds candidates: all of them, unless fewer are asked for."""
RARE = 20
"""A word that more memories of a space than this contain does not tell that a text is about them."""
KEPT_QUERIES = 64
"""Queries whose vectors are kept: one turn may search several times."""
SEEDS = 24
"""Best candidates whose neighbouring turns become candidates too."""
FIRST = 3
"""Best candidates that the second hop starts from."""
MOST_IN_TIME = 5000
"""Memories of the named times that are looked at, the newest."""

Vectors = dict[Part, list[float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """What the legs found, unranked."""

    found: list[Recollection]
    """Each with the legs' shares in `why` and a score of 0."""
    degraded: list[str]
    """Legs that could not be asked, with the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One search."""

    space: str
    understood: Understood
    limit: int
    legs: Collection[str]
    fits: ColumnElement[bool]
    among: Collection[int] | None
    """The memories that filters admit; None where there are none but to be current."""
    ended: Collection[int]
    """Memories that are not current any more and so must not take the places of those that are."""


class Recall:
    """Searches one home."""

    def __init__(self, ledger: Ledger, index: Index, writer: Writer) -> None:
        self._ledger = ledger
        self._index = index
        self._writer = writer
        self._names = Names()
        self._vector = lru_cache(maxsize=KEPT_QUERIES)(index.embedder.embeddings.embed_query)

    def candidates(
        self,
        space: str,
        query: str,
        limit: int,
        now: datetime,
        at: datetime | None = None,
        kinds: Sequence[str] | None = None,
        where: Where | None = None,
        legs: Collection[str] | None = None,
    ) -> Candidates:
        """Return what the legs find, the turns beside the best of it, and what is like the best of it.

        Args:
            space: Whose memories.
            query: What is asked.
            limit: Candidates of each leg, for each part of the query.
            now: When it is asked.
            at: What held at this time, instead of what holds now.
            kinds: Only these kinds.
            where: Conditions on fields.
            legs: Only these of LEGS.

        Raises:
            BadInput: An unknown filter or leg.
        """
        if unknown := [each for each in legs or () if each not in LEGS]:
            raise BadInput(f"There is no leg {unknown[0]!r}: use {', '.join(LEGS)}.")
        fits = condition(space, at, kinds, where)
        with self._ledger.read() as connection:
            filtered = at is not None or bool(kinds) or bool(where)
            asked = Asked(
                space=space,
                understood=understand(query, self._names.speakers(connection, space), now),
                limit=limit,
                legs=legs or LEGS,
                fits=fits,
                among=set(connection.scalars(select(memories.c.seq).where(fits))) if filtered else None,
                ended=() if filtered else set(connection.scalars(ended(space, now))),
            )
        degraded: list[str] = []
        vectors = self._embedded(asked, degraded)
        with self._ledger.read() as connection:
            weights = {part: keywords.weights(connection, space, part.text) for part in asked.understood.parts}
            pool = Pool(connection, space, fits, weights if "keyword" in asked.legs else {})
            if {"subject", "time"} & {*asked.legs}:
                pool.add(self._about(connection, asked))
            self._by_keyword(connection, pool, asked, weights)
            try:
                self._by_vector(pool, asked, vectors)
                pool.add(self._beside(connection, pool))
                self._second_hop(pool, asked, vectors)
            except HomeUnusable as error:
                degraded.append(f"vectors: {error}")
            why = pool.why(asked.understood)
            return Candidates(found=recollected(connection, list(pool.rows.values()), why), degraded=degraded)

    def knows(self, space: str, text: str) -> str | None:
        """Return a word of a text that some of a space's memories contain, but few enough to tell, or None."""
        with self._ledger.read() as connection:
            return keywords.known(connection, space, text, RARE)

    def _embedded(self, asked: Asked, degraded: list[str]) -> Vectors:
        """Return the vector of each part; none where the embedding model fails, in whatever way."""
        if "vector" not in asked.legs:
            return {}
        try:
            vectors = {part: self._vector(part.text) for part in asked.understood.parts}
        except Exception as error:
            degraded.append(f"vectors: {error}")
            return {}
        try:
            if vectors and not self._writer.catch_up(asked.space):
                degraded.append("vectors: some memories are not indexed yet; keywords alone find them")
        except HomeUnusable as error:
            degraded.append(f"vectors: {error}")
        return vectors

    def _about(self, connection: Connection, asked: Asked) -> list[int]:
        """Return the memories about what the query names, and the newest of the times it names."""
        found: list[int] = []
        if "subject" in asked.legs:
            query = " ".join(part.text for part in asked.understood.parts)
            named = [each for each in subjects(connection, asked.space) if names(query, each)]
            newest = select(memories.c.seq).where(asked.fits, memories.c.subject.in_(named)).order_by(_NEWEST)
            found += connection.scalars(newest.limit(asked.limit)) if named else ()
        if "time" in asked.legs:
            found += self._in_time(connection, asked)[: asked.limit // 2]
        return found

    def _in_time(self, connection: Connection, asked: Asked) -> list[int]:
        """Return the memories that were said when the query means, the newest first."""
        windows = asked.understood.windows
        if not windows:
            return []
        around = [
            memories.c.said_at.between(_moved(each.start, -evidence.SOON), _moved(each.end, evidence.SOON))
            for each in windows
        ]
        query = select(memories.c.seq).where(asked.fits, or_(*around)).order_by(_NEWEST).limit(MOST_IN_TIME)
        return list(connection.scalars(query))

    def _by_keyword(self, connection: Connection, pool: Pool, asked: Asked, weights: Mapping[Part, Weights]) -> None:
        """Add what the words of each part find; where times are named, also among what was said then."""
        if "keyword" not in asked.legs:
            return
        limit = asked.limit + len(asked.ended)
        then = set(self._in_time(connection, asked)) if "time" in asked.legs else set()
        for words in filter(None, weights.values()):
            pool.add(keywords.search(connection, asked.space, words, limit, asked.among))
            if then:
                pool.add(keywords.search(connection, asked.space, words, asked.limit, then))

    def _by_vector(self, pool: Pool, asked: Asked, vectors: Vectors) -> None:
        """Add what is near to each part."""
        for part, vector in vectors.items():
            cosines = self._index.search(asked.space, vector, asked.limit + len(asked.ended), asked.among)
            pool.near[part] = self._alike(cosines)
            pool.add(cosines)
        self._compare(pool, asked, vectors)

    def _compare(self, pool: Pool, asked: Asked, vectors: Vectors) -> None:
        """Note how alike to each part those candidates are that something else found."""
        for part, vector in vectors.items():
            others = [seq for seq in pool.rows if seq not in pool.near[part]]
            pool.near[part] |= self._alike(self._index.cosines(asked.space, vector, others))

    def _beside(self, connection: Connection, pool: Pool) -> list[int]:
        """Return the turns before and after the best candidates."""
        places = places_beside([pool.rows[seq] for seq in pool.best(SEEDS)], evidence.REACH)
        query = select(memories.c.seq).where(
            memories.c.space == pool.space, tuple_(memories.c.thread, memories.c.position).in_(places)
        )
        return list(connection.scalars(query)) if places else []

    def _second_hop(self, pool: Pool, asked: Asked, vectors: Vectors) -> None:
        """Add what is like the best that was found: the answer's second half often shares no word with the question."""
        first = pool.best(FIRST)
        middle = self._index.middle(asked.space, first) if vectors and first else None
        if middle is not None:
            cosines = self._index.search(asked.space, middle, asked.limit // 2 + len(asked.ended), asked.among)
            pool.add(cosines)
            others = [seq for seq in pool.rows if seq not in cosines]
            alike = self._alike(cosines | self._index.cosines(asked.space, middle, others))
            sure = sum(pool.fit(seq) for seq in first) / len(first)
            pool.hop = {seq: sure * share for seq, share in alike.items()}
        self._compare(pool, asked, vectors)

    def _alike(self, cosines: Mapping[int, float]) -> Shares:
        similarity = self._index.embedder.similarity
        return {seq: similarity(cosine) for seq, cosine in cosines.items()}


_NEWEST = memories.c.said_at.desc()


def _moved(moment: datetime, by: timedelta) -> datetime:
    """Return a moment moved, but not beyond the calendar."""
    try:
        return moment + by
    except OverflowError:
        return moment
