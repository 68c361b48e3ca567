"""A model that failed several times in a row is left alone for a while: no turn waits for it again and again.

The circuit breaker of M. Nygard, Release It! (2nd ed. 2018, ch. 5): closed while calls go well; open after some
failures in a row; then half-open, when one call may try whether the model is back. A try that fails doubles the wait.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from hippograph.state import ModelError, ModelUnavailable, NothingNoted, PromptTooLong

FAILURES = 3
"""Failures in a row after which a model is left alone."""
FIRST_WAIT = 30.0
"""Seconds that it is left alone first; each try that fails doubles them."""
LONGEST_WAIT = 1800.0

Clock = Callable[[], float]
"""Returns seconds that never go back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a model stands."""

    state: Literal["closed", "open", "half-open"]
    """closed: it is called. open: it is left alone. half-open: the next call, or one under way, tries it."""
    failures: int
    """In a row."""
    seconds: float
    """How long it is still left alone; 0 unless open."""
    why: str
    """Its last failure; empty where the last call went well."""


class Breaker:
    """Counts one model's failures and says whether to call it. Thread-safe."""

    def __init__(self, spec: str, clock: Clock = time.monotonic) -> None:
        """Begin closed."""
        self._spec, self._clock = spec, clock
        self._lock = threading.Lock()
        self._failures, self._why = 0, ""
        self._until = 0.0
        self._wait = 0.0
        self._trying = False

    @contextmanager
    def guard(self) -> Iterator[None]:
        """Wrap one call: a ModelError counts as a failure; anything else but success counts as nothing.

        A prompt that is too long for the model says nothing about the model; one that notes nothing has answered.

        Raises:
            ModelUnavailable: It is left alone for now.
        """
        self._enter()
        try:
            yield
        except PromptTooLong:
            self._leave()
            raise
        except NothingNoted:
            self._succeeded()
            raise
        except ModelError as error:
            self._failed(str(error))
            raise
        except BaseException:
            self._leave()
            raise
        self._succeeded()

    @property
    def standing(self) -> Standing:
        """How it stands now."""
        with self._lock:
            left = max(0.0, self._until - self._clock()) if self._wait and not self._trying else 0.0
            state: Literal["closed", "open", "half-open"] = (
                "closed" if not self._wait else "open" if left else "half-open"
            )
            return Standing(state=state, failures=self._failures, seconds=left, why=self._why)

    def _enter(self) -> None:
        with self._lock:
            if not self._wait:
                return
            left = self._until - self._clock()
            if left <= 0 and not self._trying:
                self._trying = True
                return
            when = "another turn tries it now" if self._trying else f"for {left:.0f} s more"
            raise ModelUnavailable(
                f"{self._spec} is left alone after {self._failures} failures in a row, {when} (the last: {self._why})"
            )

    def _leave(self) -> None:
        with self._lock:
            self._trying = False

    def _succeeded(self) -> None:
        with self._lock:
            self._failures, self._why, self._wait, self._trying = 0, "", 0.0, False

    def _failed(self, why: str) -> None:
        with self._lock:
            self._failures += 1
            self._why = why
            if self._trying or (self._failures >= FAILURES and not self._wait):
                self._wait = min(LONGEST_WAIT, 2 * self._wait or FIRST_WAIT)
                self._until = self._clock() + self._wait
            self._trying = False


class Breakers:
    """One breaker for each model, made when first asked for. Thread-safe."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        """Begin with none."""
        self._clock = clock
        self._lock = threading.Lock()
        self._known: dict[str, Breaker] = {}

    def of(self, spec: str) -> Breaker:
        """Return a model's breaker."""
        with self._lock:
            return self._known.setdefault(spec, Breaker(spec, self._clock))

    def standings(self) -> dict[str, Standing]:
        """Return how each model stands that was called so far."""
        with self._lock:
            known = dict(self._known)
        return {spec: breaker.standing for spec, breaker in known.items()}
