"""Rows of figures as text."""

from hippograph.bench.table import grid, shown


def test_columns_stand_under_their_names_and_what_is_missing_is_a_dash() -> None:
    head, first, second = grid(
        {"ours": {"n": 12, "R@10": 0.5, "ms_p50": 123.456}, "bm25": {"n": 12}}, ["n", "R@10", "ms_p50"]
    )
    assert len(head) == len(first) == len(second)
    assert head.split() == ["n", "R@10", "ms_p50"]
    assert first.split() == ["ours", "12", "0.500", "123.5"]
    assert second.split() == ["bm25", "12", "-", "-"]


def test_shares_have_three_places_and_milliseconds_fewer() -> None:
    assert [shown(value) for value in (1.0, 0.12345, 46.951, 1047.52, 760)] == [
        "1.000",
        "0.123",
        "46.95",
        "1047.5",
        "760",
    ]
