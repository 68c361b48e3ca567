from collections.abc import Iterator
from itertools import count
from threading import Event

import pytest

from hippograph.nodes.stopping import Stopped, until


def test_a_piece_shown_before_the_stop_is_kept_though_it_arrives_after_it() -> None:
    stop, noticed, release = Event(), Event(), Event()

    def stopping() -> bool:
        if stop.is_set():
            noticed.set()
        return stop.is_set()

    def pieces() -> Iterator[str]:
        yield "one"
        stop.set()  # as if somebody had read "two" in a callback
        assert noticed.wait(10)
        yield "two"
        release.wait(10)
        yield "three"

    taken = until(stopping, pieces())
    assert [next(taken), next(taken)] == ["one", "two"]
    with pytest.raises(Stopped):
        next(taken)
    release.set()


def test_a_stream_faster_than_its_reader_is_stopped_too() -> None:
    stop = Event()
    taken = until(stop.is_set, count())
    assert [next(taken) for _ in range(3)] == [0, 1, 2]
    stop.set()
    with pytest.raises(Stopped):
        list(taken)


def test_without_a_stop_all_comes_and_errors_do_too() -> None:
    def broken() -> Iterator[int]:
        yield 1
        raise ValueError("the server went away")

    assert [*until(lambda: False, iter("abc"))] == ["a", "b", "c"]
    with pytest.raises(ValueError, match="went away"):
        list(until(lambda: False, broken()))
