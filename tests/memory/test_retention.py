"""Which snapshots are worth keeping."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hippograph.memory.backup.manifests import Snapshot
from hippograph.memory.backup.retention import Retention
from hippograph.state import BadInput

NOON = datetime(2026, 6, 30, 12, tzinfo=UTC)


def taken(*days_ago: float) -> list[Snapshot]:
    return [
        Snapshot(
            id=f"{days}",
            at=NOON - timedelta(days=days),
            note="",
            automatic=False,
            counts={},
            bytes=0,
            new_bytes=0,
            embeddings="",
            folder=Path(),
        )
        for days in days_ago
    ]


def test_the_last_of_each_day_week_and_month_stays() -> None:
    stay = Retention(daily=2, weekly=2, monthly=3).kept(taken(*(each / 2 for each in range(200))))
    days = sorted({each.at.date().isoformat() for each in stay})
    assert days == ["2026-04-30", "2026-05-31", "2026-06-28", "2026-06-29", "2026-06-30"]
    assert len(stay) == len(days)


def test_a_home_that_was_long_at_rest_loses_nothing() -> None:
    old = taken(700, 400, 399, 100)
    assert Retention(daily=7, weekly=0, monthly=0).kept(old) == old
    assert Retention(daily=0, weekly=0, monthly=1).kept(old) == old[-1:]


def test_the_newest_of_a_day_of_many_is_the_one_that_stays() -> None:
    assert [each.id for each in Retention(daily=1, weekly=0, monthly=0).kept(taken(0.1, 0.2, 0.05))] == ["0.05"]


@pytest.mark.parametrize("numbers", [(0, 0, 0), (-1, 3, 3)])
def test_to_keep_none_is_refused(numbers: tuple[int, int, int]) -> None:
    with pytest.raises(BadInput, match="how many"):
        Retention(daily=numbers[0], weekly=numbers[1], monthly=numbers[2])
