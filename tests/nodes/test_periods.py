from datetime import UTC, datetime, timedelta, timezone

import pytest

from hippograph.nodes.periods import period

NOW = datetime(2025, 11, 26, 15, 30, tzinfo=UTC)  # A Wednesday.


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("What happened yesterday?", "2025-11-25", "2025-11-25"),
        ("昨天聊了什么", "2025-11-25", "2025-11-25"),
        ("前天呢", "2025-11-24", "2025-11-24"),
        ("last week", "2025-11-17", "2025-11-23"),
        ("上周的会", "2025-11-17", "2025-11-23"),
        ("上个月花了多少", "2025-10-01", "2025-10-31"),
        ("this month", "2025-11-01", "2025-11-30"),
        ("去年夏天", "2024-01-01", "2024-12-31"),
        ("on 2023-05-08", "2023-05-08", "2023-05-08"),
        ("on 8 May, 2023", "2023-05-08", "2023-05-08"),
        ("on May 8th, 2023", "2023-05-08", "2023-05-08"),
        ("2023年5月8日", "2023-05-08", "2023-05-08"),
        ("in February 2024", "2024-02-01", "2024-02-29"),
        ("2023 年 2 月", "2023-02-01", "2023-02-28"),
        ("in 2022", "2022-01-01", "2022-12-31"),
        ("2022年", "2022-01-01", "2022-12-31"),
    ],
)
def test_a_named_time_becomes_its_first_and_last_instant(text: str, first: str, last: str) -> None:
    assert period(text, NOW) == [f"{first}T00:00:00+00:00", f"{last}T23:59:59.999999+00:00"]


@pytest.mark.parametrize(
    ("text", "centre"), [("two weeks ago", "2025-11-12"), ("三天前", "2025-11-23"), ("5 months ago", "2025-06-29")]
)
def test_so_long_ago_is_a_window_around_that_day(text: str, centre: str) -> None:
    first, last = period(text, NOW)
    assert first[:10] < centre < last[:10]


@pytest.mark.parametrize(
    "text", ["", "What is my cat called?", "on 2023-02-31", "99999999 years ago", "2 pm", "我的猫"]
)
def test_no_time_or_an_impossible_one_is_no_window(text: str) -> None:
    assert period(text, NOW) == []


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("今天", "2026-05-01"),
        ("大前天说的", "2026-04-28"),
        ("前天", "2026-04-29"),
        ("the day before yesterday", "2026-04-29"),
        ("yesterday", "2026-04-30"),
    ],
)
def test_days_are_those_of_the_asker(text: str, first: str) -> None:
    """Case T02: half past midnight in UTC+8 is still the day before in UTC."""
    asked = datetime(2026, 5, 1, 0, 30, tzinfo=timezone(timedelta(hours=8)))
    begins = datetime.fromisoformat(period(text, asked)[0])
    assert begins == datetime.fromisoformat(f"{first}T00:00:00+08:00")
