import pytest

from hippograph.web.charts import HEIGHT, LEFT, RIGHT, RING, TOP, WIDTH, Chart, bars, curves


def plain(value: float) -> str:
    return f"{value:g}"


def drawn(*values: float) -> Chart:
    return bars([f"d{number}" for number in range(len(values))], {"facts": values}, plain)


def test_a_bar_is_as_high_as_its_number_against_the_axis() -> None:
    chart = drawn(50, 100)
    half, whole = chart.bars
    assert whole.y == TOP
    assert half.height == pytest.approx(whole.height / 2)
    assert half.y + half.height == whole.y + whole.height == chart.base


def test_series_stand_on_each_other_and_say_what_they_are() -> None:
    chart = bars(["Monday"], {"facts": [3], "turns": [1]}, plain)
    facts, turns = chart.bars
    assert turns.y + turns.height == facts.y
    assert [chart.names[each.series] for each in chart.bars] == ["facts", "turns"]
    assert [(each.place, each.value) for each in chart.bars] == [("Monday", "3"), ("Monday", "1")]


@pytest.mark.parametrize(
    ("most", "steps"),
    [(7, ["0", "2", "4", "6", "8"]), (0.3, ["0", "0.1", "0.2", "0.3"]), (1234, ["0", "500", "1000", "1500"])],
)
def test_the_axis_has_round_steps_and_ends_at_or_above_the_most(most: float, steps: list[str]) -> None:
    assert [tick.text for tick in drawn(most).ys] == steps


def test_nothing_is_drawn_of_nothing() -> None:
    assert drawn().empty
    assert drawn(0, 0).empty
    assert curves(["a"], {"ms": [None]}, plain).empty


def test_all_is_inside_the_view_box() -> None:
    chart = drawn(*range(90))
    assert min(bar.x for bar in chart.bars) >= LEFT
    assert max(bar.x + bar.width for bar in chart.bars) <= WIDTH - RIGHT + 0.01
    assert all(0 <= tick.at <= WIDTH for tick in chart.xs)
    assert all(TOP <= tick.at <= HEIGHT for tick in chart.ys)
    assert len(chart.xs) <= 6


def test_a_curve_is_broken_where_nothing_is_known() -> None:
    (line,) = curves(["1", "2", "3", "4", "5"], {"ms": [1, 2, None, 4, 4]}, plain).lines
    assert line.path.count("M") == 2
    assert line.path.count("L") == 2


def test_a_point_alone_is_seen() -> None:
    (line,) = curves(["1", "2"], {"ms": [None, 4]}, plain).lines
    assert line.path.endswith(RING)


def test_the_numbers_are_there_as_a_table_too() -> None:
    chart = curves(["1", "2"], {"p50": [10, None], "p95": [20, 30]}, plain)
    assert chart.names == ["p50", "p95"]
    assert chart.rows == [("1", ["10", "20"]), ("2", ["–", "30"])]


def test_an_axis_ends_no_lower_than_it_is_told_to() -> None:
    assert curves(["now"], {"fact": [0.4]}, plain, top=1).ys[-1].text == "1"
