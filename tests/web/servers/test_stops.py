import pytest

from hippograph.web.stops import Stops


@pytest.mark.parametrize(
    ("stops", "pieces", "shown"),
    [
        ([], ["one ", "two"], "one two"),
        (["\n\n"], ["one\n", "two\n", "\nthree"], "one\ntwo"),
        (["END", "STOP"], ["a ST", "OP b END"], "a "),
        (["STOP"], ["a ST", "ART"], "a START"),
        (["STOP"], ["a ST"], "a ST"),
        (["aab"], ["aa", "ab", "c"], "a"),
        (["。"], ["好的", "。还有"], "好的"),
    ],
)
def test_an_answer_ends_before_a_stop(stops: list[str], pieces: list[str], shown: str) -> None:
    stop = Stops(stops)
    assert "".join([*map(stop.feed, pieces), stop.rest()]) == shown


def test_nothing_is_shown_that_may_be_the_beginning_of_a_stop() -> None:
    stop = Stops(["STOP"])
    assert [stop.feed(piece) for piece in ("a S", "T", "ART")] == ["a ", "", "START"]
    assert not stop.met
