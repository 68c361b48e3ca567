import threading

import pytest

from hippograph.models.deadline import MOST_LATE, Interrupted, within
from hippograph.state import ModelUnavailable


def test_a_call_in_time_gives_what_it_returns_or_raises() -> None:
    assert within(10, lambda: 7, "x") == 7
    with pytest.raises(KeyError):
        within(10, lambda: {}["no"], "x")


def test_a_late_call_is_not_waited_for() -> None:
    end = threading.Event()
    with pytest.raises(ModelUnavailable, match=r"late:one did not answer within 0.01 s; .*HIPPOGRAPH_DEADLINE"):
        within(0.01, lambda: end.wait(30), "late:one")
    end.set()


def test_late_calls_do_not_pile_up_and_other_models_go_on() -> None:
    end, begun = threading.Event(), []

    def call() -> bool:
        begun.append(1)
        return end.wait(30)

    for _ in range(MOST_LATE):
        with pytest.raises(ModelUnavailable, match="did not answer"):
            within(0.01, call, "hung:one")
    with pytest.raises(ModelUnavailable, match="has not answered 4 earlier calls"):
        within(0.01, call, "hung:one")
    assert len(begun) == MOST_LATE
    assert within(10, lambda: 1, "other:one") == 1
    end.set()
    for thread in threading.enumerate():
        if thread.name == "hippograph-call":
            thread.join(10)
    assert within(10, lambda: 2, "hung:one") == 2


def test_a_wait_ends_when_the_turn_does() -> None:
    end = threading.Event()
    with pytest.raises(Interrupted):
        within(30, lambda: end.wait(30), "stopped:one", stopping=lambda: True)
    end.set()
