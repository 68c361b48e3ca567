from datetime import UTC, datetime

import pytest

from hippograph.nodes.dating import dated

SAID = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)  # a Monday


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I went there yesterday!", "I went there yesterday (2023-05-07)!"),
        ("Last night and today", "Last night (2023-05-07) and today (2023-05-08)"),
        ("We met last week.", "We met last week (2023-05-01 - 2023-05-07)."),
        ("last Friday", "last Friday (2023-05-05)"),
        ("last Monday", "last Monday (2023-05-01)"),
        ("next Monday", "next Monday (2023-05-15)"),
        ("next Tuesday", "next Tuesday (2023-05-09)"),
        ("two weeks ago", "two weeks ago (2023-04-24)"),
        ("10 days ago", "10 days ago (2023-04-28)"),
        ("last year, next month", "last year (2022), next month (2023-06)"),
        ("昨天我去了", "昨天 (2023-05-07)我去了"),
        ("大前天和后天", "大前天 (2023-05-05)和后天 (2023-05-10)"),
        ("上周五开会", "上周五 (2023-05-05)开会"),
        ("下周日", "下周日 (2023-05-21)"),
        ("上周开会", "上周 (2023-05-01 - 2023-05-07)开会"),
        ("三天前", "三天前 (2023-05-05)"),
        ("去年，上个月", "去年 (2022)，上个月 (2023-04)"),
        ("It lasted yesterdays' week on Monday, 2023-05-01.", "It lasted yesterdays' week on Monday, 2023-05-01."),
        ("nothing here", "nothing here"),
    ],
)
def test_a_relative_date_gets_the_date_it_meant_when_it_was_said(text: str, expected: str) -> None:
    """Case T01."""
    assert dated(text, SAID) == expected


def test_january_looks_back_over_the_new_year() -> None:
    assert dated("last month", datetime(2024, 1, 3, tzinfo=UTC)) == "last month (2023-12)"
