from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import get_args

import pytest

from hippograph.memory.decay import HALF_LIFE_DAYS, freshness
from hippograph.memory.search.fuse import fuse
from hippograph.state import Kind, Recollection

NOW = datetime(2026, 6, 1, tzinfo=UTC)


def memory(kind: Kind = "turn", days: float = 0, **fields: object) -> Recollection:
    said_at = NOW - timedelta(days=days)
    return replace(Recollection(id="m", text="m", kind=kind, said_at=said_at), **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", get_args(Kind))
def test_every_kind_is_half_as_fresh_after_its_half_life(kind: Kind) -> None:
    half_life = HALF_LIFE_DAYS[kind]
    assert freshness(memory(kind), NOW) == 1
    assert freshness(memory(kind, half_life), NOW) == pytest.approx(0.5)
    assert freshness(memory(kind, 3 * half_life), NOW) == pytest.approx(0.125)


def test_last_week_is_not_forgotten() -> None:
    """A rate of 0.9 an hour would leave a day 8 % and a week nothing."""
    assert freshness(memory(days=7), NOW) > 0.9


def test_what_is_known_of_a_person_fades_more_slowly_than_what_was_said() -> None:
    year = {kind: freshness(memory(kind, 365), NOW) for kind in HALF_LIFE_DAYS}
    assert year["turn"] < year["fact"] < year["preference"] < year["profile"]


def test_use_counts_as_being_said_again_and_lengthens_the_half_life() -> None:
    unused = memory(days=180)
    assert freshness(replace(unused, used_at=NOW), NOW) == 1
    # log2(1 + 3) doublings, each half of 90 days: 180 days.
    assert freshness(replace(unused, uses=3), NOW) == pytest.approx(0.5)
    falling = [freshness(replace(unused, uses=uses), NOW) for uses in (0, 1, 10, 10_000)]
    assert falling == sorted(falling)
    assert freshness(replace(unused, used_at=NOW - timedelta(days=400)), NOW) == freshness(unused, NOW)


@pytest.mark.parametrize("days", [-1, -1e5, 1e5, 7e5])
def test_times_to_come_and_long_ago_stay_within_0_and_1(days: float) -> None:
    assert freshness(memory(days=days), NOW) == (1 if days < 0 else pytest.approx(0, abs=1e-9))


@pytest.mark.parametrize("kind", ["turn", "fact"])
def test_an_exact_identifier_is_never_behind_a_fresh_and_important_near_miss(kind: Kind) -> None:
    """It shares the words around the identifier, and the embedder takes 4812 for 4821."""
    years = timedelta(days=3650)
    why = {"vector": 0.6, "keyword": 0.62, "context": 1.0, "hop": 0.5}
    exact = Recollection(
        id="exact", text="PRJ-4821 waits for Ann.", kind=kind, said_at=NOW - years, why=why, importance=0, thread="a"
    )
    miss = replace(
        exact,
        id="miss",
        text="PRJ-4812 waits for Ann.",
        said_at=NOW,
        why={"vector": 0.65, "keyword": 0.2, "context": 0.4, "hop": 0.55},
        importance=1,
        uses=1000,
        used_at=NOW,
        thread="b",
    )
    assert [each.id for each in fuse("What does PRJ-4821 wait for?", [miss, exact], NOW)] == ["exact", "miss"]
