"""What a memory is asked: searches, and reading without searching."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from hippograph.memory.costs.recorder import Recorder
from hippograph.memory.filters import Where
from hippograph.memory.intake import MOST, asked, clean, counted, space_name
from hippograph.memory.keywords import space_key
from hippograph.memory.ledger import Ledger
from hippograph.memory.reading import Reading
from hippograph.memory.search.fuse import fuse
from hippograph.memory.search.recall import Candidates, Recall
from hippograph.memory.search.second import RESCORED, Ranked, look_again
from hippograph.memory.threads import Space, Thread, spaces, threads
from hippograph.memory.times import local, utc
from hippograph.memory.twin import twin
from hippograph.memory.vectors.index import Index
from hippograph.memory.work.gathering import Gathering
from hippograph.models import Reranker
from hippograph.state import Recollection

log = logging.getLogger(__name__)


class Searching:
    """The part of `Memory` that finds and reads."""

    reranker: Reranker | None
    lifts: bool
    _gathering: Gathering
    _index: Index
    _ledger: Ledger
    _reading: Reading
    _recorder: Recorder
    _recall: Recall

    def candidates(
        self,
        space: str,
        query: str,
        *,
        limit: int = 40,
        at: str | datetime | None = None,
        kinds: Sequence[str] | None = None,
        where: Where | None = None,
        asked_at: str | datetime | None = None,
        legs: Sequence[str] | None = None,
        archived: bool = False,
    ) -> Candidates:
        """Return what each leg finds (at most `limit` each) and what is beside or like the best of it, unranked."""
        when = None if at is None else utc(at)
        present = local(at if asked_at is None else asked_at)
        self._gathering.catch_up(space_name(space))
        return self._recall.candidates(
            space_name(space),
            asked(query),
            counted("limit", limit),
            present,
            when,
            kinds,
            where,
            legs,
            archived=archived,
        )

    def rank(
        self,
        query: str,
        found: Sequence[Recollection],
        k: int,
        *,
        asked_at: str | datetime | None = None,
        rerank: bool = True,
    ) -> Ranked:
        """Return the `k` best of some candidates with their scores, best first.

        Args:
            query: What is asked.
            found: From `candidates`.
            k: How many at most.
            asked_at: When it is asked, where that is not now.
            rerank: Whether the reranker, if there is one, looks at the best again; where it fails, the order of fusion
                stands, and `degraded` says why.
        """
        query = asked(query)
        present = local(asked_at)
        fused = fuse(query, found, present, lifts=self.lifts, most=max(counted("k", k), RESCORED))
        ranked = Ranked(found=fused, degraded=[])
        if rerank and self.reranker is not None and fused:
            ranked = look_again(self.reranker, query, fused, present)
        return Ranked(found=ranked.found[:k], degraded=ranked.degraded)

    def recall(
        self,
        space: str,
        query: str,
        k: int = 8,
        at: str | datetime | None = None,
        kinds: Sequence[str] | None = None,
        where: Where | None = None,
        explain: bool = True,
        asked_at: str | datetime | None = None,
        legs: Sequence[str] | None = None,
        archived: bool = False,
    ) -> list[Recollection]:
        """Return the `k` memories of a space that fit a query best.

        Args:
            space: Whose memories are searched; no other's are seen.
            query: A question or any text.
            k: How many at most.
            at: What held at this time, instead of what holds now.
            kinds: Only these kinds.
            where: Conditions on fields: {"speaker": "Ann", "said_at": {"$gte": "2023-05-01"}}.
            explain: Whether `why` says what each score is made of.
            asked_at: When it is asked, which "last week" is relative to; without it, `at`, or now.
            legs: Only these of "vector", "keyword", "subject", "time" and "entity"; without it, all.
            archived: Also memories whose place a summary took.

        Returns:
            Best first, scores in [0, 1] and comparable between queries. What could not be asked is logged as a warning;
            `candidates` and `rank` return it.

        Raises:
            BadInput: No text, k below 1, an unknown filter, leg or kind, or a time that is none.
        """
        asked_at = at if asked_at is None else asked_at
        candidates = self.candidates(
            space,
            query,
            limit=min(max(40, 2 * counted("k", k)), MOST),
            at=at,
            kinds=kinds,
            where=where,
            asked_at=asked_at,
            legs=legs,
            archived=archived,
        )
        with self._recorder.metering(space_key(space), "rerank"):
            ranked = self.rank(query, candidates.found, k, asked_at=asked_at)
        for reason in (*candidates.degraded, *ranked.degraded):
            log.warning("Recall is degraded: %s", reason)
        return ranked.found if explain else [replace(each, why={}) for each in ranked.found]

    def _among(self, space: str, query: str, k: int, seqs: Sequence[int]) -> dict[str, float]:
        """Return the `k` best of some memories of a space, given by number: their ids with their scores."""
        limit = min(max(40, 2 * k), MOST)
        candidates = self._recall.candidates(space, asked(query), limit, local(None), only=seqs)
        with self._recorder.metering(space_key(space), "rerank"):
            ranked = self.rank(query, candidates.found, max(1, min(k, MOST)))
        for reason in (*candidates.degraded, *ranked.degraded):
            log.warning("Search is degraded: %s", reason)
        return {each.id: each.score for each in ranked.found}

    def warm(self, space: str) -> None:
        """Open what a search needs, apart from models: the first one does not wait for it then."""
        if self.count(space):
            self._index.warm(space_name(space))

    def knows(self, space: str, text: str) -> str | None:
        """Return a telling word of a text that this space's memories contain, or None; a few indexed look-ups."""
        return self._recall.knows(space_name(space), clean(text))

    def get(self, id: str, space: str | None = None) -> Recollection:  # noqa: A002
        """Return one memory by id, whatever its status; one that was forgotten is gone.

        Raises:
            BadInput: There is none, or several spaces have one of this id and `space` does not say which.
        """
        return self._reading.get(id, space)

    def matching(self, start: str, space: str, limit: int = 2) -> Sequence[Recollection]:
        """Return up to `limit` memories of a space whose id begins with a text, whatever their status."""
        return self._reading.beginning(start, space_name(space), limit)

    def list(
        self,
        space: str,
        *,
        kinds: Sequence[str] | None = None,
        thread: str | None = None,
        where: Where | None = None,
        limit: int | None = 50,
        offset: int = 0,
        newest_first: bool = True,
        archived: bool = False,
    ) -> list[Recollection]:
        """Return a space's current memories in the order they were said; `archived`: also what summaries stand for."""
        wanted = {**(where or {}), **({} if thread is None else {"thread": thread})}
        return self._reading.listed(space_name(space), kinds, wanted, limit, offset, newest_first, archived)

    def count(self, space: str | None = None) -> int:
        """Return how many current memories a space has, or all spaces together."""
        return self._ledger.count(space)

    def spaces(self) -> Sequence[Space]:
        """Return whose memories the home has, by name."""
        with self._ledger.read() as connection:
            return spaces(connection)

    def threads(self, space: str, limit: int = 50) -> Sequence[Thread]:
        """Return a space's conversations, the one talked in last first."""
        with self._ledger.read() as connection:
            return threads(connection, space_name(space), limit)

    acandidates = twin(candidates)
    arank = twin(rank)
    arecall = twin(recall)
    awarm = twin(warm)
    aknows = twin(knows)
    aget = twin(get)
    amatching = twin(matching)
    alist = twin(list)  # noqa: A003
    acount = twin(count)
    aspaces = twin(spaces)
    athreads = twin(threads)
