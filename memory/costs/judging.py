"""Judging in the background: one sample after the other, while nobody talks to the home."""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from hippograph.memory.costs import samples
from hippograph.memory.costs.judge import Judge
from hippograph.memory.costs.recorder import Recorder
from hippograph.memory.ledger import Ledger
from hippograph.memory.work.outage import AWAY
from hippograph.memory.work.worker import Worker
from hippograph.state import ModelError
from hippograph.state.costs import Sample

IDLE = 30.0
"""Seconds between looks for samples, and before a model that is away is asked again."""
PATIENCE = 2.0
"""Seconds that closing waits for a verdict in hand, which is then asked for again the next time."""

log = logging.getLogger(__name__)


class Judging:
    """Asks a model for verdicts on what was sampled. Without one, samples wait for a person."""

    def __init__(self, ledger: Ledger, recorder: Recorder) -> None:
        self.judge: Judge | None = None
        self._ledger = ledger
        self._recorder = recorder
        self._last = time.monotonic()
        self._away = False
        self._talks = 0
        """Turns under way."""
        self._lock = threading.Lock()
        self._worker = Worker("hippograph-judge", self._step, IDLE)

    def start(self) -> None:
        """Begin, if there is a judge, and something to be judged or to come."""
        if self.judge is not None and (self._recorder.sample or self._left()):
            self._worker.start()

    def busy(self) -> None:
        """Say that somebody talks to the home: the models are theirs."""
        self._last = time.monotonic()

    @contextmanager
    def talking(self) -> Iterator[None]:
        """Say, until the block ends, that somebody talks to the home, however long that takes."""
        with self._lock:
            self._talks += 1
        try:
            yield
        finally:
            with self._lock:
                self._talks -= 1
            self.busy()

    def close(self) -> None:
        """Stop."""
        self._worker.stop(PATIENCE)

    def all(
        self, limit: int | None = None, stopping: Callable[[], bool] = lambda: False, space: str | None = None
    ) -> int:
        """Ask for verdicts on what waits of a space, or of all, `limit` at most; returns how many were given.

        Raises:
            ModelError: The judge is away.
        """
        given = 0
        with self._ledger.read() as connection:
            found = samples.waiting(connection, space, tries=samples.ATTEMPTS)
        for sample in found[:limit]:
            if stopping():
                break
            given += self._one(sample)
        return given

    def _one(self, sample: Sample) -> bool:
        assert self.judge is not None
        verdict = None
        if sample.evidence:  # else what it rests on is gone, and there is nothing to judge it by
            try:
                with self._recorder.metering(sample.space, "judge"):
                    verdict = self.judge(sample)
            except AWAY:
                raise
            except ModelError as error:
                log.warning("A summary could not be judged: %s", error)
        with self._ledger.write(lasting=False) as connection:
            if verdict is None:
                samples.tried(connection, sample.id)
                return False
            return samples.judged(connection, sample.id, verdict, self.judge.spec)

    def _step(self) -> bool:
        if self._talks or time.monotonic() - self._last < IDLE:
            return False
        try:
            self.all(1, lambda: self._worker.stopping)
        except ModelError as error:
            log.log(logging.DEBUG if self._away else logging.WARNING, "Summaries wait to be judged: %s", error)
            self._away = True
            return False
        self._away = False
        return self._left()

    def _left(self) -> bool:
        with self._ledger.read() as connection:
            return bool(samples.waiting(connection, tries=samples.ATTEMPTS))
