from datetime import UTC, datetime
from typing import get_args

import pytest

from hippograph.memory.growth import Growth
from hippograph.state.costs import Figures, Spread
from hippograph.state.recollection import Kind
from hippograph.state.turn import Role
from hippograph.web.stats import calendar, dollars, fading, labels, lasting, learned, recall_ms, short, span, times


def spread(p50: float, p95: float, n: int = 5) -> Spread:
    return Spread(n=n, p50=p50, p95=p95)


def test_the_days_shown_end_today_and_leave_none_out() -> None:
    noon = datetime(2026, 3, 2, 12, tzinfo=UTC)
    assert calendar(noon, 4) == ["2026-02-27", "2026-02-28", "2026-03-01", "2026-03-02"]


def test_memories_learned_are_drawn_by_day_and_by_the_kinds_there_are() -> None:
    growth = Growth(days={"2026-03-02": {"turn": 4, "fact": 2}}, kinds={}, standings={})
    chart = learned(growth, ["2026-03-01", "2026-03-02"])
    assert chart.names == ["turn", "fact"]
    assert chart.rows == [("03-01", ["0", "0"]), ("03-02", ["4", "2"])]


def test_recall_takes_what_its_nodes_take() -> None:
    told = Figures(stages={"retrieve": spread(20, 40), "rerank": spread(2, 5), "respond": spread(900, 2000)})
    assert recall_ms(told) == spread(22, 45)
    assert recall_ms(Figures(stages={"respond": spread(900, 2000)})) is None


def test_a_day_without_turns_breaks_the_curve_of_times() -> None:
    chart = times(["1", "2", "3"], [spread(20, 40), None, spread(30, 60)])
    assert chart.rows[1] == ("2", ["–", "–"])
    assert [line.path.count("M") for line in chart.lines] == [2, 2]


def test_decay_is_a_half_at_the_half_life() -> None:
    rows = dict(fading({"turn": ("turn", 0), "used once": ("turn", 1)}).rows)
    assert rows["0"] == ["100 %", "100 %"]
    assert rows["90"][0] == "50 %"
    assert rows["135"][1] == "50 %"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_each_kind_of_memory_and_each_role_of_a_model_has_a_word(lang: str) -> None:
    assert {*get_args(Kind), *get_args(Role)} <= labels(lang).keys()


@pytest.mark.parametrize(("asked", "days"), [(None, 30), ("7", 7), ("365", 365), ("8", 30), ("<b>", 30)])
def test_only_the_offered_spans_can_be_asked_for(asked: str | None, days: int) -> None:
    assert span(asked) == days


def test_numbers_are_short() -> None:
    assert [short(value) for value in (0, 999, 1234, 2_500_000)] == ["0", "999", "1.23k", "2.5M"]
    assert [dollars(value) for value in (0, 0.00123, 12)] == ["$0.00", "$0.0012", "$12.00"]
    assert [lasting(value) for value in (0.5, 850, 1500)] == ["0.5 ms", "850 ms", "1.5 s"]
