"""Gathering: the background work that finds facts in turns, beside the writer, so that a slow model holds up no vector.

What an extractor finds, and that its turns have been read, is stored in one transaction: a kill leaves all or nothing,
and nothing is read twice.
"""

import logging
import threading
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from sqlalchemy import Connection

from hippograph.memory.costs.round import Metering, unmetered
from hippograph.memory.facts import Extracted
from hippograph.memory.keywords import space_key
from hippograph.memory.ledger import Ledger
from hippograph.memory.work.batch import Batch, Batches
from hippograph.memory.work.outage import AWAY, Outage
from hippograph.memory.work.queue import Queue
from hippograph.memory.work.worker import Worker
from hippograph.state import ModelError

if TYPE_CHECKING:
    from hippograph.memory.extraction import Extractor

IDLE = 0.5
"""Seconds between looks for turns whose thread has become silent."""
PATIENCE = 5.0
"""Seconds that recall waits for a batch in hand, and closing for a model that is being asked."""
AT_ONCE = 4
"""Batches that recall reads itself."""

log = logging.getLogger(__name__)


class Settles(Protocol):
    """What makes memories of facts."""

    def settle(
        self,
        connection: Connection,
        space: str,
        extracted: Extracted,
        turns: Mapping[str, int],
        held: Collection[str] = (),
    ) -> object:
        """Store facts, and that their turns (id to number) were read, inside the caller's transaction.

        Doubtful facts of the turns `held` wait for a person.
        """
        ...

    def ponder(self, ledger: Ledger, space: str, extracted: Extracted, turns: Mapping[str, int]) -> None:
        """Find out beforehand what takes a model's word; the caller's transaction has not begun."""
        ...


class Gathering:
    """A worker that empties the queue of turns to be read; without an extractor, they wait for another opening."""

    def __init__(
        self,
        ledger: Ledger,
        queue: Queue,
        extractor: "Extractor | None",
        settling: Settles,
        settled: Callable[[], None],
    ) -> None:
        """Prepare it; `settled` is called when there are new memories to index."""
        self.extractor = extractor
        self.metering: Metering = unmetered
        self._ledger = ledger
        self._queue = queue
        self._settling = settling
        self._settled = settled
        self._batches = Batches(ledger)
        self._reading = threading.Lock()
        self._storing = threading.Lock()
        self._hurry = threading.Event()
        self._outage = Outage()
        self._worker = Worker("hippograph-gathering", self._step, IDLE)

    def start(self) -> None:
        """Begin, with whatever an earlier process left in the queue."""
        if self.extractor is not None:
            self._worker.start()

    def wake(self) -> None:
        """Say that there are new turns."""
        self._worker.wake()

    def hurry(self) -> None:
        """Say that the model is to be asked now, though it was away."""
        self._outage.hurry()
        self.wake()

    def catch_up(self, space: str) -> bool:
        """Read a space's newest turns now, if no model is asked for that; False where some are left for later."""
        if self.extractor is None or not self.extractor.instant or not self._queue.waiting("extract", space)[0]:
            return True
        if not self._reading.acquire(timeout=PATIENCE):
            return False
        try:
            for _ in range(AT_ONCE):
                if (batch := self._batches.claim(space=space)) is None:
                    return True
                self._read(self.extractor, batch)
        finally:
            self._reading.release()
        return not self._queue.waiting("extract", space)[0]

    def flush(self, timeout: float | None = None) -> bool:
        """Wait until every turn has been read once; False where time ran out, or the model cannot be used."""
        if self.extractor is None:
            return True
        deadline = None if timeout is None else time.monotonic() + timeout
        outages = self._outage.times
        while self._queue.fresh("extract"):
            self._hurry.set()
            self.wake()
            over = deadline is not None and time.monotonic() >= deadline
            if over or self._outage.times > outages or not self._worker.runs:
                return False
            time.sleep(0.01)
        return not self._queue.failing("extract")

    def paused(self) -> threading.Lock:
        """Return the lock that keeps turns from being read while it is held."""
        return self._reading

    def close(self) -> None:
        """Stop after the batch in hand; if its model takes long, what it says is dropped, and asked for again."""
        self._worker.stop(PATIENCE)
        with (
            self._storing
        ):  # From here on nothing is stored: the worker looks, under this lock, whether it is stopping.
            pass

    def _step(self) -> bool:
        assert self.extractor is not None
        if self._outage.lasts and not self._hurry.is_set():
            return False
        with self._reading:
            batch = self._batches.claim(hurry=self._hurry.is_set())
            if batch is None:
                self._hurry.clear()
                return False
            return self._read(self.extractor, batch)

    def _read(self, extractor: "Extractor", batch: Batch) -> bool:
        """Read a batch together; if that fails, each turn alone, so that one bad turn holds up no other.

        Returns:
            Whether there is sense in going on at once.
        """
        try:
            with self.metering(space_key(batch.space), "extract"):
                extracted = extractor.extract(batch.turns, batch.before)
                if not extractor.instant:
                    self._settling.ponder(self._ledger, batch.space, extracted, batch.seqs)
            self._store(batch, extracted)
        except Exception as error:
            if isinstance(error, AWAY) and not self._outage.is_theirs(batch.seqs.values()):
                self._away(batch, error)
                return False
            if len(batch.turns) > 1:
                return self._read_singly(extractor, batch)
            log.warning("A turn could not be read for facts and is tried again later: %s", error)
            self._queue.failed("extract", [*batch.seqs.values()], str(error))
        self._outage.over()
        return True

    def _read_singly(self, extractor: "Extractor", batch: Batch) -> bool:
        singles = _singles(batch)
        while singles:
            if not self._read(extractor, singles.pop(0)):
                self._queue.release("extract", [seq for each in singles for seq in each.seqs.values()])
                return False
        return True

    def _store(self, batch: Batch, extracted: Extracted) -> None:
        with self._storing:
            if self._worker.stopping:
                return  # begun again when the home is opened
            with self._ledger.write() as connection:
                held = self._batches.held(connection, batch)
                if mine := self._batches.take_off(connection, batch):
                    facts = [fact for fact in extracted.facts if fact.turn in mine]
                    self._settling.settle(connection, batch.space, replace(extracted, facts=facts), mine, held)
        if extracted.facts:
            self._settled()

    def _away(self, batch: Batch, error: ModelError) -> None:
        """Put a batch back, and ask the model for nothing until it may be there again."""
        seqs, pause, given_up = [*batch.seqs.values()], self._outage.pause, self._outage.is_given_up
        if not self._outage.is_on:
            log.warning("Turns wait to be read for facts: %s", error)
        self._queue.postponed("extract", seqs, str(error), pause, given_up=given_up)
        self._outage.noticed(seqs, pause)
        self._hurry.clear()


def _singles(batch: Batch) -> list[Batch]:
    """Return a batch's turns as batches of their own."""
    return [
        replace(batch, turns=[turn], before=[*batch.before, *batch.turns[:place]], seqs={turn.id: batch.seqs[turn.id]})
        for place, turn in enumerate(batch.turns)
    ]
