"""Who waits for the index goes before the worker that fills it."""

import threading
import time

import pytest

from hippograph.memory.work.turnstile import Turnstile

LONG = 60.0


def until(wanted: bool, turnstile: Turnstile) -> None:
    """Wait until somebody waits, or nobody does."""
    end = time.monotonic() + LONG
    while turnstile.wanted != wanted:
        assert time.monotonic() < end
        time.sleep(0.001)


def test_a_worker_lets_whoever_waits_go_first() -> None:
    turnstile, order, first = Turnstile(), list[str](), threading.Event()

    def work() -> None:
        for _ in range(3):
            with turnstile.behind():
                order.append("worker")
                first.set()
                if len(order) == 1:
                    until(True, turnstile)

    worker = threading.Thread(target=work)
    worker.start()
    assert first.wait(LONG)
    with turnstile:
        order.append("other")
    worker.join(LONG)
    assert order == ["worker", "other", "worker", "worker"]


def test_it_is_given_up_after_a_while_and_given_back_after_an_error() -> None:
    turnstile = Turnstile()
    with turnstile:
        assert not turnstile.acquire(timeout=0)
        assert not turnstile.wanted
    with pytest.raises(ZeroDivisionError), turnstile:
        raise ZeroDivisionError
    assert turnstile.acquire(timeout=0)
    turnstile.release()
