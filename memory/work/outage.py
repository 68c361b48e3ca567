"""An outage: while a model cannot be used at all, it is asked now and then for all jobs, and none is to blame."""

import time
from collections.abc import Collection
from datetime import timedelta

from hippograph.memory.work.queue import backoff
from hippograph.state import MissingKey, ModelNotFound, ModelNotPulled, ModelUnavailable

AWAY = (ModelUnavailable, ModelNotFound, ModelNotPulled, MissingKey)
"""What makes it useless to try any other job just now."""
LONGEST_PAUSE = timedelta(minutes=1)
"""Longest wait before a model that is away is asked again: that costs one call, for whatever number of jobs."""
GIVEN_UP = timedelta(days=3)
"""How long a model must be away, without a stop of ours between, before jobs that wait for it are dead."""


class Outage:
    """What one worker knows of whether its model is there."""

    def __init__(self) -> None:
        self.times = 0
        """How often the model could not be used, at all."""
        self._in_a_row = 0
        self._since = self._again_at = 0.0
        self._suspects = set[int]()

    @property
    def lasts(self) -> bool:
        """Whether the model is not to be asked yet."""
        return time.monotonic() < self._again_at

    @property
    def is_given_up(self) -> bool:
        """Whether it lasts so long that somebody must see to it."""
        return self.is_on and time.monotonic() - self._since >= GIVEN_UP.total_seconds()

    @property
    def is_on(self) -> bool:
        """Whether the model was away when it was asked last."""
        return self._in_a_row > 0

    @property
    def pause(self) -> timedelta:
        """How long to wait if it is away now; jittered."""
        return min(LONGEST_PAUSE, backoff(self._in_a_row))

    def is_theirs(self, jobs: Collection[int]) -> bool:
        """Whether it is some jobs that the model fails on, by number: it failed on them before, and answered since."""
        return not self.is_on and not self._suspects.isdisjoint(jobs)

    def noticed(self, jobs: Collection[int], pause: timedelta) -> None:
        """Note that the model could not be used for some jobs, and is not to be asked for a while."""
        if not self.is_on:
            self._since = time.monotonic()
            self._suspects.clear()
        self._suspects.update(jobs)
        self._again_at = time.monotonic() + pause.total_seconds()
        self._in_a_row += 1
        self.times += 1

    def hurry(self) -> None:
        """Let the model be asked now, whatever it said last."""
        self._again_at = 0.0

    def over(self) -> None:
        """Note that the model answered."""
        self._in_a_row = 0
        self.hurry()
