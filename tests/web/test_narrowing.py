"""Filters of the memories' list: what a query string says, and what it is made of."""

from datetime import date, timedelta
from urllib.parse import parse_qsl

import pytest

from hippograph.state import BadInput
from hippograph.web.narrowing import LOW, MOST_BARS, Narrowing, bars


def read(query: str) -> Narrowing:
    return Narrowing.read(parse_qsl(query, keep_blank_values=True))


def test_nothing_said_lists_what_is_current_newest_first() -> None:
    wanted = read("q=&kind=&since=").wanted()
    assert (wanted.statuses, wanted.words, wanted.kinds, wanted.since) == (("current",), "", (), None)
    assert read("") == Narrowing()
    assert Narrowing().query() == ""


def test_a_query_string_says_the_same_when_it_is_made_again() -> None:
    said = "q=烟台&order=old&kind=fact&kind=turn&status=all&topic=a&about=Ann&thread=t 1&since=2026-05-01&pinned=1"
    narrowing = read(said)
    assert Narrowing.read(narrowing.pairs()) == narrowing
    assert read(narrowing.query()[1:]) == narrowing
    assert narrowing.wanted().statuses == ()
    assert read(narrowing.query(kind=(), since=None)[1:]).kind == ()


def test_a_kind_is_added_and_taken_away() -> None:
    assert read("kind=fact").with_kind("turn") == "?kind=fact&kind=turn"
    assert read("kind=fact&kind=turn").with_kind("fact") == "?kind=turn"


def test_the_last_day_is_included() -> None:
    wanted = read("since=2026-05-10&until=2026-05-10").wanted()
    assert wanted.since is not None
    assert wanted.until == wanted.since + timedelta(days=1)


@pytest.mark.parametrize(
    "query", ["since=May", "until=2026-02-30", "since=2026-05-02&until=2026-05-01", "until=9999-12-31"]
)
def test_a_day_that_is_none_is_refused(query: str) -> None:
    with pytest.raises(BadInput):
        read(query)


def test_recall_ranks_only_what_it_knows() -> None:
    assert read("q=kiel").by_fit
    assert read("q=kiel&kind=fact&topic=x").by_fit
    for query in ("", "q=kiel&status=all", "q=kiel&order=new", "q=kiel&pinned=1"):
        assert not read(query).by_fit, query


def test_recall_is_told_the_same_filters() -> None:
    where = read("q=x&topic=a&about=Ann&until=2026-05-10").where()
    assert {**where, "said_at": [*where["said_at"]]} == {"topic": "a", "subject": "Ann", "said_at": ["$lt"]}


def test_a_timeline_has_no_gaps_and_low_bars_for_few() -> None:
    found = bars({"2025-11": 100, "2026-02": 1}, Narrowing())
    assert [(bar.label, bar.memories) for bar in found] == [
        ("2025-11", 100),
        ("2025-12", 0),
        ("2026-01", 0),
        ("2026-02", 1),
    ]
    assert [bar.height for bar in found] == [1.0, 0.0, 0.0, LOW]
    assert (found[-1].since, found[-1].until) == (date(2026, 2, 1), date(2026, 2, 28))
    assert bars({}, Narrowing()) == []


def test_long_timelines_are_drawn_by_quarters_and_years() -> None:
    quarters = bars({"2018-02": 2, "2026-05": 3}, Narrowing())
    assert (quarters[0].label, quarters[-1].label) == ("2018 Q1", "2026 Q2")
    assert len(quarters) <= MOST_BARS
    years = bars({"1950-02": 2, "1950-07": 1, "2026-05": 3}, Narrowing())
    assert (years[0].label, years[0].memories, years[0].until) == ("1950", 3, date(1950, 12, 31))


def test_bars_of_the_time_that_is_chosen_are_chosen() -> None:
    months = {"2026-03": 1, "2026-04": 1, "2026-05": 1}
    chosen = [bar.label for bar in bars(months, read("since=2026-04-10&until=2026-04-12")) if bar.chosen]
    assert chosen == ["2026-04"]
