from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from hippograph.models.breaker import FAILURES, FIRST_WAIT, LONGEST_WAIT, Breaker, Breakers
from hippograph.state import ModelError, ModelUnavailable, PromptTooLong


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def breaker(clock: Clock) -> Breaker:
    return Breaker("openai:tiny", clock)


def fail(breaker: Breaker, times: int = 1, error: Exception | None = None) -> None:
    for _ in range(times):
        with pytest.raises(type(error or ModelError())), breaker.guard():
            raise error or ModelError("boom")


def test_after_three_failures_in_a_row_a_model_is_left_alone(breaker: Breaker) -> None:
    fail(breaker, FAILURES - 1)
    assert breaker.standing.state == "closed"
    fail(breaker)
    assert (breaker.standing.state, breaker.standing.seconds) == ("open", FIRST_WAIT)
    with pytest.raises(ModelUnavailable, match=r"left alone after 3 failures in a row, for 30 s more \(the last: boom"):
        breaker.guard().__enter__()


def test_a_success_between_begins_the_count_anew(breaker: Breaker) -> None:
    for _ in range(5):
        fail(breaker, FAILURES - 1)
        with breaker.guard():
            pass
    assert breaker.standing.failures == 0
    assert breaker.standing.state == "closed"


def test_after_the_wait_one_call_tries_it_and_success_closes_it(breaker: Breaker, clock: Clock) -> None:
    fail(breaker, FAILURES)
    clock.now += FIRST_WAIT
    assert breaker.standing.state == "half-open"
    with breaker.guard(), pytest.raises(ModelUnavailable, match="another turn tries it now"), breaker.guard():
        pass
    assert breaker.standing.state == "closed"
    fail(breaker, FAILURES - 1)
    assert breaker.standing.state == "closed"


def test_each_try_that_fails_doubles_the_wait_up_to_a_limit(breaker: Breaker, clock: Clock) -> None:
    fail(breaker, FAILURES)
    waits = []
    for _ in range(12):
        clock.now += breaker.standing.seconds
        fail(breaker)
        waits.append(breaker.standing.seconds)
    assert waits[:3] == [2 * FIRST_WAIT, 4 * FIRST_WAIT, 8 * FIRST_WAIT]
    assert waits[-1] == LONGEST_WAIT


def test_what_is_not_the_models_fault_counts_as_nothing(breaker: Breaker, clock: Clock) -> None:
    fail(breaker, 9, PromptTooLong("too long"))
    fail(breaker, 9, KeyError("ours"))
    assert breaker.standing.failures == 0
    fail(breaker, FAILURES)
    clock.now += FIRST_WAIT
    fail(breaker, 1, KeyError("a try that was broken off leaves the next one its turn"))
    with breaker.guard():
        pass
    assert breaker.standing.state == "closed"


def test_of_many_threads_one_tries(breaker: Breaker, clock: Clock) -> None:
    fail(breaker, FAILURES)
    clock.now += FIRST_WAIT
    ready, done = Barrier(8), Barrier(8)

    def call(_: int) -> bool:
        ready.wait(10)
        try:
            with breaker.guard():
                done.wait(10)
        except ModelUnavailable:
            done.wait(10)
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(call, range(8))) == 1
    assert breaker.standing.state == "closed"


def test_each_model_has_its_own(clock: Clock) -> None:
    breakers = Breakers(clock)
    fail(breakers.of("a"), FAILURES)
    with breakers.of("b").guard():
        pass
    assert {spec: each.state for spec, each in breakers.standings().items()} == {"a": "open", "b": "closed"}
    assert breakers.of("a") is breakers.of("a")
