"""Records what turns cost, in a thread of its own: no turn waits for it, or fails for what goes wrong here.

A killed process loses what it had not recorded yet, of a moment: no turn depends on it.
"""

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta

from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

from hippograph.memory.costs import samples
from hippograph.memory.costs.book import day_of, enter, enter_work, fold, midnight
from hippograph.memory.costs.erasing import keep_day
from hippograph.memory.costs.round import Round, Work
from hippograph.memory.erasure.tombstones import buried
from hippograph.memory.ledger import Ledger
from hippograph.memory.times import now
from hippograph.memory.work.worker import Worker
from hippograph.models import Prices, metered
from hippograph.state import HomeUnusable
from hippograph.state.settings import COST_DAYS
from hippograph.state.turn import Call

IDLE = 60.0
"""Seconds between looks whether a day has ended."""
MOST = 1000
"""What waits to be recorded, at most: of more, where the disk takes nothing, the oldest is given up."""

log = logging.getLogger(__name__)


FAR = 36_500
"""Days that no home is old."""


class Recorder:
    """Keeps account of one home. Safe to use from several threads."""

    def __init__(self, ledger: Ledger) -> None:
        self.prices = Prices()
        self.sample = 0.0
        """The share of summaries that is kept to be judged."""
        self.days = COST_DAYS
        """Days after which rows are folded into the sums of their day; 0: never."""
        self.clock: Callable[[], datetime] = now
        self._ledger = ledger
        self._waiting = deque[Round | Work](maxlen=MOST)
        self._writing = threading.RLock()
        self._folded = ""
        """The day on which it was last looked for days to fold."""
        self._worker = Worker("hippograph-costs", self._step, IDLE)

    def start(self) -> None:
        """Begin to record in the background; without it, `flush` does."""
        self._worker.start()

    def note(self, item: Round | Work) -> None:
        """Take note of a turn or of some work; it is recorded in a moment."""
        self._waiting.append(item)
        self._worker.wake()

    @contextmanager
    def metering(self, key: str, stage: str) -> Iterator[None]:
        """Take note of the calls of models that are made in the block, for the work of one kind on a space's key."""
        made = list[Call]()
        try:
            with metered(made.append):
                yield
        finally:
            if made:
                self.note(Work(key=key, stage=stage, at=self.clock(), calls=made))

    def flush(self) -> bool:
        """Record all that was noted; False where the ledger cannot be written, and it goes on waiting."""
        with self._writing:
            items = [*self._waiting]
            try:
                if items:
                    self._record(items)
                for _ in items:  # before anything else can fail: what is recorded must not be recorded again
                    self._waiting.popleft()
                self._fold()
            except HomeUnusable as error:
                log.warning("What turns cost cannot be recorded now: %s", error)
                return False
        return True

    def close(self) -> None:
        """Record what was noted, and stop."""
        self._worker.stop()
        self.flush()

    def _step(self) -> bool:
        self.flush()
        return False

    def _record(self, items: Sequence[Round | Work]) -> None:
        with self._ledger.write(lasting=False) as connection:
            for item in items:
                try:
                    with connection.begin_nested():
                        self._enter(connection, item)
                except OperationalError:
                    raise  # the disk, not the turn
                except Exception:  # nothing else depends on it: one odd turn must not hold up the others
                    log.warning("What a turn cost could not be recorded.", exc_info=True)

    def _enter(self, connection: Connection, item: Round | Work) -> None:
        if isinstance(item, Work):
            enter_work(connection, item, self.prices)
            return
        seq = enter(connection, item, self.prices)
        if buried(connection, item.space, [item.turn]):  # forgotten between its end and now
            keep_day(connection, {seq: midnight(item.at)})
        elif samples.chosen(item, self.sample):
            samples.keep(connection, item)

    def _fold(self) -> None:
        """Once a day, put what is older than the days that are kept into the sums of its days."""
        present = self.clock()
        if not self.days or self._folded == day_of(present):
            return
        with self._ledger.write(lasting=False) as connection:
            fold(connection, present - timedelta(days=min(self.days, FAR)))
        self._folded = day_of(present)
