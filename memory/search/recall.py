"""Recall: the union of the legs over one space, joined with the ledger, and what speaks for each candidate."""

import contextlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import islice

from sqlalchemy import Connection, TextClause, bindparam, select, text

from hippograph.memory import keywords
from hippograph.memory.facts import SELF
from hippograph.memory.filters import Held, Where, condition, ended
from hippograph.memory.ledger import Ledger
from hippograph.memory.reading import recollected
from hippograph.memory.schema import Utc, memories
from hippograph.memory.search import evidence, properties
from hippograph.memory.search.excerpts import LONG, excerpted
from hippograph.memory.search.names import Names, subjects
from hippograph.memory.search.pool import Pool, Shares, Weights
from hippograph.memory.search.related import related
from hippograph.memory.search.standing import Outdated, outdated
from hippograph.memory.search.tense import asks_for_what_was
from hippograph.memory.search.understanding import Part, Understood, names, understand
from hippograph.memory.vectors.index import Index
from hippograph.memory.work.writer import Writer
from hippograph.state import BadInput, HomeUnusable, Recollection

LEGS = ("vector", "keyword", "subject", "time", "entity")
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

_SAID = text(
    "SELECT seq, said_at FROM memories INDEXED BY memories_by_time "
    "WHERE space = :space AND said_at BETWEEN :start AND :end ORDER BY said_at DESC LIMIT :most"
).bindparams(bindparam("start", type_=Utc()), bindparam("end", type_=Utc()))
_ABOUT = (
    "SELECT seq FROM memories INDEXED BY memories_by_subject WHERE space = :space AND subject IS NOT NULL "
    "AND subject IN (SELECT value FROM json_each(:named)) {} ORDER BY said_at DESC LIMIT :most"
)
_TELLING = text(_ABOUT.format("AND attribute IN (SELECT value FROM json_each(:told))"))
_ABOUT_ANYTHING = text(_ABOUT.format(""))


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """What the legs found, unranked."""

    found: list[Recollection]
    """Each with the legs' shares in `why` and a score of 0."""
    degraded: list[str]
    """Legs that could not be asked, with the reason."""
    understood: Understood
    """What the query was taken to ask for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One search."""

    space: str
    query: str
    understood: Understood
    limit: int
    legs: Collection[str]
    among: Collection[int] | None
    """The memories that filters admit; None where there are none but to be current."""
    ended: Collection[int]
    """Memories that are not current any more and so must not take the places of those that are."""
    then: Sequence[int] = ()
    """Admitted memories of the times that the query names, the newest first."""
    properties: Collection[str] = ()
    """Keys of the properties that the query asks for."""
    related: Mapping[int, float] = field(default_factory=dict)
    """Admitted memories of the entities that the query names, with how much that says, in (0, 1]."""

    def admits(self, seq: int) -> bool:
        """Tell whether a memory fits the filters and has not ended."""
        return seq not in self.ended if self.among is None else seq in self.among

    def most(self, n: int) -> int:
        """Return how many memories must be read so that `n` are admitted; -1: all."""
        return n + len(self.ended) if self.among is None else -1


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
        *,
        archived: bool = False,
        only: Collection[int] | None = None,
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
            archived: Also what summaries took the place of.
            only: Only memories of these numbers.

        Raises:
            BadInput: An unknown filter or leg.
        """
        if legs is not None and (isinstance(legs, str) or not isinstance(legs, Collection) or not legs):
            raise BadInput(f"legs is {legs!r}: give a list of {', '.join(LEGS)}, or nothing for all.")
        if unknown := [each for each in legs or () if each not in LEGS]:
            raise BadInput(f"There is no leg {unknown[0]!r}: use {', '.join(LEGS)}.")
        with self._ledger.read() as connection:
            understood = understand(query, self._names.speakers(connection, space), now)
        past = at is None and asks_for_what_was(query, understood.windows, now)
        held = Held(at=at, during=understood.windows if past else (), once=past, archived=archived)
        filtered = at is not None or kinds or where or only is not None
        fits = condition(space, held, kinds, where) if filtered else None
        asking, degraded = legs or LEGS, list[str]()
        vectors = self._embedded(space, understood, degraded) if "vector" in asking else {}
        with self._ledger.read() as connection:
            gone = ended(connection, space, held) if fits is None else ()
            among = None if fits is None else {*connection.scalars(select(memories.c.seq).where(fits)).all()}
            among = among if among is None or only is None else among & {*only}
            asked = Asked(
                space=space,
                query=query,
                understood=understood,
                limit=limit,
                legs=asking,
                among=among,
                ended=gone,
                properties=self._properties(connection, space, query),
            )
            asked = _prepared(connection, asked)
            counts = keywords.Counts(connection, space)
            weights = {part: keywords.weights(counts, part.text) for part in understood.parts}
            pool = Pool(connection, space, weights if "keyword" in asking else {}, asked.admits)
            found = [*self._about(connection, asked), *self._by_keyword(counts, asked, weights)]
            try:
                self._by_vector(pool, asked, vectors, found)
                pool.add(pool.beside(SEEDS))
                self._second_hop(pool, asked, vectors)
            except HomeUnusable as error:
                pool.add(found)
                degraded.append(f"vectors: {error}")
            over = self._outdated(connection, pool, asked, vectors, at)
            why = pool.why(understood, asked.related, properties.states(asked.properties, query))
            whole = zip(pool.rows, recollected(connection, [*pool.rows.values()], why, over), strict=True)
            parts = [self._excerpted(space, seq, each, vectors, weights) for seq, each in whole]
            return Candidates(found=parts, degraded=degraded, understood=understood)

    def vector(self, text: str) -> Sequence[float]:
        """Return the vector of a question, made once for those asked last; raises what the embedding model does."""
        return self._vector(text)

    def knows(self, space: str, text: str) -> str | None:
        """Return a word of a text that some of a space's memories contain, but few enough to tell, or None."""
        with self._ledger.read() as connection:
            return keywords.known(keywords.Counts(connection, space), text, RARE)

    def forget(self, space: str) -> None:
        """Drop what is kept of a space's names, and of what was asked: a question may quote what is forgotten."""
        self._names.forget(space)
        properties.forget()
        self._vector.cache_clear()

    def _embedded(self, space: str, understood: Understood, degraded: list[str]) -> Vectors:
        """Return the vector of each part; none where the embedding model fails, in whatever way."""
        try:
            vectors = {part: self._vector(part.text) for part in understood.parts}
        except Exception as error:
            degraded.append(f"vectors: {error}")
            return {}
        try:
            if vectors and not self._writer.catch_up(space):
                degraded.append("vectors: some memories are not indexed yet; keywords alone find them")
        except HomeUnusable as error:
            degraded.append(f"vectors: {error}")
        return vectors

    def _about(self, connection: Connection, asked: Asked) -> list[int]:
        """Return the memories about what the query names, and the newest of the times it names."""
        found: list[int] = []
        if "subject" in asked.legs:
            # The parts lack the speakers' names; memories may be about speakers.
            query = " ".join([*(part.text for part in asked.understood.parts), *asked.understood.speakers])
            told = self._names.told(connection, asked.space)
            named = [each for each in subjects(told, query) if each != SELF and names(query, each)]
            if asked.properties:
                telling = json.dumps([*asked.properties])
                found += _newest(connection, asked, _TELLING, named or [SELF], told=telling)
            found += _newest(connection, asked, _ABOUT_ANYTHING, named) if named else ()
        return [*found, *asked.related, *asked.then[: asked.limit // 2]]

    def _properties(self, connection: Connection, space: str, query: str) -> frozenset[str]:
        """Return the keys of properties that some memory tells and a query asks for."""
        told = {each for of in self._names.told(connection, space).values() for each in of}
        wanted, said = properties.asked_for(query), properties.said_in(query)
        return frozenset(each for each in told if properties.fits(each, wanted, said))

    def _by_keyword(self, counts: keywords.Counts, asked: Asked, weights: Mapping[Part, Weights]) -> list[int]:
        """Return what the words of each part find; where times are named, also among what was said then."""
        found: list[int] = []
        then = set(asked.then)
        for asking in filter(None, weights.values()) if "keyword" in asked.legs else ():
            found += keywords.search(counts, asking, asked.limit, asked.among, asked.ended)
            if then:
                found += keywords.search(counts, asking, asked.limit, then)
        return found

    def _by_vector(self, pool: Pool, asked: Asked, vectors: Vectors, found: Sequence[int]) -> None:
        """Add what was found, and what is near to each part."""
        for part, vector in vectors.items():
            pool.near[part] = self._alike(self._near(asked, vector, asked.limit))
        pool.add([*found, *(seq for near in pool.near.values() for seq in near)])
        self._compare(pool, asked, vectors)

    def _near(self, asked: Asked, vector: Sequence[float], limit: int) -> dict[int, float]:
        """Return the memories nearest to a vector, with their cosines."""
        near = self._index.search(asked.space, vector, limit + len(asked.ended), asked.among)
        admitted = ((seq, cosine) for seq, cosine in near.items() if seq not in asked.ended)
        return dict(islice(admitted, limit))

    def _compare(self, pool: Pool, asked: Asked, vectors: Vectors) -> None:
        """Note how alike to each part those candidates are that something else found."""
        for part, vector in vectors.items():
            others = [seq for seq in pool.rows if seq not in pool.near[part]]
            pool.near[part] |= self._alike(self._index.cosines(asked.space, vector, others))

    def _second_hop(self, pool: Pool, asked: Asked, vectors: Vectors) -> None:
        """Add what is like the best that was found: the answer's second half often shares no word with the question."""
        first = pool.best(FIRST)
        middle = self._index.middle(asked.space, first) if vectors and first else None
        if middle is not None:
            cosines = self._near(asked, middle, asked.limit // 2)
            pool.add(cosines)
            others = [seq for seq in pool.rows if seq not in cosines]
            alike = self._alike(cosines | self._index.cosines(asked.space, middle, others))
            sure = sum(pool.fit(seq) for seq in first) / len(first)
            pool.hop = {seq: sure * share for seq, share in alike.items()}
        self._compare(pool, asked, vectors)

    def _outdated(
        self, connection: Connection, pool: Pool, asked: Asked, vectors: Vectors, at: datetime | None
    ) -> dict[int, Outdated]:
        """Return which candidates are out of date, after adding what holds instead."""
        over = outdated(connection, asked.space, pool.rows, at)
        if over:
            pool.add(each.successor for each in over.values())
            if pool.near:
                self._compare(pool, asked, vectors)
        return over

    def _excerpted(
        self, space: str, seq: int, memory: Recollection, vectors: Vectors, weights: Mapping[Part, Weights]
    ) -> Recollection:
        """Return a memory with the passage that fits the query, where it is long."""
        if len(memory.text) <= LONG:
            return memory
        near: Shares = {}
        with contextlib.suppress(HomeUnusable):  # said before, where the legs were asked
            for vector in vectors.values():
                for n, share in self._alike(self._index.passages(space, vector, seq)).items():
                    near[n] = max(near.get(n, 0.0), share)
        words = {word: weight for of in weights.values() for word, weight in of.items()}
        return excerpted(memory, words, near, self._index.embedder.chunk_chars)

    def _alike(self, cosines: Mapping[int, float]) -> Shares:
        similarity = self._index.embedder.similarity
        return {seq: similarity(cosine) for seq, cosine in cosines.items()}


def _prepared(connection: Connection, asked: Asked) -> Asked:
    """Return a search with what the times and the entities that it names find."""
    then, found = list[int](), dict[int, float]()
    if "time" in asked.legs and asked.understood.windows:
        then = _in_time(connection, asked)
    if "entity" in asked.legs:
        found = related(connection, asked.space, asked.query, asked.most(asked.limit))
    return replace(asked, then=then, related={seq: share for seq, share in found.items() if asked.admits(seq)})


def _newest(connection: Connection, asked: Asked, query: TextClause, about: Sequence[str], **more: str) -> list[int]:
    values = {"space": asked.space, "named": json.dumps(about), "most": asked.most(asked.limit), **more}
    return [seq for seq in connection.execute(query, values).scalars().all() if asked.admits(seq)][: asked.limit]


def _in_time(connection: Connection, asked: Asked) -> list[int]:
    """Return the admitted memories that were said when the query means, the newest first."""
    said: dict[int, str] = {}
    for window in asked.understood.windows:
        around = {"start": _moved(window.start, -evidence.SOON), "end": _moved(window.end, evidence.SOON)}
        values = {"space": asked.space, "most": asked.most(MOST_IN_TIME), **around}
        said.update((seq, when) for seq, when in connection.execute(_SAID, values).all() if asked.admits(seq))
    return sorted(said, key=said.__getitem__, reverse=True)[:MOST_IN_TIME]


def _moved(moment: datetime, by: timedelta) -> datetime:
    """Return a moment moved, but not beyond the calendar."""
    try:
        return moment + by
    except OverflowError:
        return moment
