"""Shares worked out by hand."""

from datetime import UTC, datetime, timedelta

import pytest

from hippograph.memory.dates.periods import Window
from hippograph.memory.search.evidence import Said, context_shares, keyword_shares, time_share

WEIGHTS = {"wedding": 3.0, "june": 1.0}


def turn(position: int, *words: str, thread: str = "t", length: int = 30) -> Said:
    return Said((thread, position), {word: words.count(word) for word in words}, length)


def test_keyword_shares_are_bm25_of_the_most_the_words_can_reach() -> None:
    said = {1: turn(1, "wedding"), 2: turn(2, "wedding", "wedding", "june"), 3: turn(3), 4: turn(4, "june", length=70)}
    shares = keyword_shares(WEIGHTS, said)
    # n / (n + 1.2) at the usual length of 30 words; a text of 70 counts as 1.2 × (0.25 + 0.75 × 70 / 30) = 2.4.
    assert shares == pytest.approx({1: 3 / 2.2 / 4, 2: (3 * 2 / 3.2 + 1 / 2.2) / 4, 4: 1 / 3.4 / 4})


def test_a_word_counts_less_one_turn_away_and_less_again_two_away() -> None:
    said = {n: turn(n) for n in (1, 2, 4, 5, 6)} | {3: turn(3, "wedding")}
    assert context_shares(WEIGHTS, said) == pytest.approx(
        {1: 0.36 * 3 / 4, 2: 0.6 * 3 / 4, 3: 3 / 4, 4: 0.6 * 3 / 4, 5: 0.36 * 3 / 4}
    )


def test_a_word_counts_once_where_it_stands_nearest() -> None:
    said = {1: turn(1, "wedding", "june"), 2: turn(2, "wedding"), 3: turn(3, "june", "june")}
    assert context_shares(WEIGHTS, said) == pytest.approx({1: 1.0, 2: (3 + 0.6 * 1) / 4, 3: (1 + 0.6 * 3) / 4}), (
        "2 has its own wedding and the june of either side; 3 its june and the wedding beside it"
    )


def test_turns_of_another_thread_and_memories_without_a_place_lend_nothing() -> None:
    said = {1: turn(1, "wedding"), 2: turn(2, thread="u"), 3: Said(None, {"june": 1}, 5), 4: Said(None, {}, 5)}
    assert context_shares(WEIGHTS, said) == pytest.approx({1: 0.75, 3: 0.25})


def test_words_of_other_parts_are_passed_over_and_no_words_are_no_share() -> None:
    assert context_shares({"june": 1.0}, {1: turn(1, "wedding"), 2: turn(2, "june")}) == pytest.approx({1: 0.6, 2: 1})
    assert context_shares({}, {1: turn(1, "wedding")}) == {}
    assert keyword_shares({"june": 1.0}, {1: turn(1, "wedding")}) == {}


DAY = timedelta(days=1)
START = datetime(2026, 5, 4, tzinfo=UTC)


def window(days: int) -> Window:
    return Window(START, START + days * DAY, "then")


@pytest.mark.parametrize(
    ("length", "after", "share"),
    [
        (7, 0, 1.0),
        (7, 6.99, 1.0),
        (7, 7, 0.4),
        (7, 13.99, 0.4),
        (7, 14, 0.1),
        (7, 37.99, 0.1),
        (7, 38, 0.0),
        (7, -0.01, 0.3),
        (7, -7, 0.3),
        (7, -7.01, 0.0),
        (11, -1, 0.3),
        (12, -1, 0.0),
        (93, 50, 1.0),
        (94, 50, 0.3),
        (94, 95, 0.12),
    ],
)
def test_a_time_fits_within_less_after_and_only_plans_before(length: int, after: float, share: float) -> None:
    assert time_share(START + after * DAY, [window(length)]) == pytest.approx(share)


def test_the_best_of_several_stretches_counts_and_none_says_nothing() -> None:
    assert time_share(START + 8 * DAY, [window(7), Window(START + 8 * DAY, START + 9 * DAY, "")]) == 1
    assert time_share(START, []) == 0
