"""Retrieval measures against values worked out by hand."""

import math

import pytest

from hippograph.bench.measures import (
    all_found,
    fraction,
    hit,
    judged,
    means,
    ndcg,
    newest_above_stale,
    paired,
    reciprocal_rank,
)
from hippograph.bench.sets import Pair, Question, one

FOUND = ["x", "b", "y", "a2", "z"]
GOLD = (frozenset({"a1", "a2"}), one("b"), one("c"))
"""Any id of a group will do; `c` is never found."""


@pytest.mark.parametrize(
    ("k", "share", "any_", "every"), [(1, 0, 0, 0), (2, 1 / 3, 1, 0), (4, 2 / 3, 1, 0), (10, 2 / 3, 1, 0)]
)
def test_fraction_any_and_all_are_kept_apart(k: int, share: float, any_: float, every: float) -> None:
    assert fraction(FOUND, GOLD, k) == pytest.approx(share)
    assert hit(FOUND, GOLD, k) == any_
    assert all_found(FOUND, GOLD, k) == every
    assert all_found(FOUND, GOLD[:2], 4) == 1


def test_ranks_are_judged_by_where_evidence_stands_first() -> None:
    assert reciprocal_rank(FOUND, GOLD) == 1 / 2
    assert reciprocal_rank(["x"], GOLD) == 0
    gain = 1 / math.log2(3) + 1 / math.log2(5)
    ideal = 1 + 1 / math.log2(3) + 1 / math.log2(4)
    assert ndcg(FOUND, GOLD, 10) == pytest.approx(gain / ideal)
    assert ndcg(["a1", "a2", "b", "c"], GOLD, 10) < 1, "the second id of one piece of evidence gains nothing"
    assert ndcg(["a1", "b", "c"], GOLD, 10) == 1


@pytest.mark.parametrize(
    ("found", "share"),
    [(["new", "old"], 1), (["old", "new"], 0), (["new"], 1), (["old"], 0), ([], 0), (["old", "new2", "new"], 0)],
)
def test_the_newer_state_must_stand_above_the_older_one(found: list[str], share: float) -> None:
    assert newest_above_stale(found, [Pair(newer=frozenset({"new", "new2"}), older=one("old"))]) == share


def test_a_question_is_judged_by_what_it_has() -> None:
    plain = judged(Question(id="1", space="s", text="?", gold=(one("a"),)), ["b", "a"], 3)
    assert plain["R@1"] == 0
    assert plain["R@3"] == plain["hit@5"] == plain["all@10"] == 1
    assert not {"forbidden@3", "newest_above_stale", "session R@5"} & plain.keys()
    forbidden = judged(Question(id="1", space="s", text="?", forbidden=(one("a"), one("c"))), ["b", "a"], 3)
    assert forbidden == {"forbidden@3": 0.5}


def test_means_are_over_the_questions_that_have_a_measure() -> None:
    assert means([{"R@1": 1.0}, {"R@1": 0.0, "newest": 1.0}]) == {"R@1": 0.5, "newest": 1.0}


def test_a_paired_difference_has_an_interval_that_widens_with_doubt() -> None:
    same = paired([0.2, 0.4, 0.9], [0.2, 0.4, 0.9])
    assert (same.mean, same.low, same.high, same.sure) == (0, 0, 0, False)
    better = paired([0.0] * 50, [1.0] * 45 + [0.0] * 5)
    assert better.mean == pytest.approx(0.9)
    # The standard error of a share of .9 over 50 is .042: the interval is about ± .083.
    assert better.low == pytest.approx(0.82, abs=0.03)
    assert better.high == pytest.approx(0.98, abs=0.03)
    assert better.sure
    unsure = paired([0, 1, 0, 1], [1, 0, 0, 1])
    assert unsure.low < 0 < unsure.high
    assert not unsure.sure


def test_the_interval_is_the_same_each_time() -> None:
    first, second = [0.1, 0.5, 0.3, 0.9], [0.4, 0.4, 0.8, 1.0]
    assert paired(first, second) == paired(first, second)
