"""Charts, drawn by the server: numbers in, the geometry of an SVG out, which `templates/charts.html` writes down.

All lengths are in units of a view box WIDTH by HEIGHT. Each chart carries its numbers as a table, too: whoever cannot
see it reads that.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

WIDTH, HEIGHT = 480.0, 180.0
LEFT, RIGHT, TOP, BOTTOM = 52.0, 18.0, 10.0, 24.0
"""Room around the plot for what stands at its axes."""
TICKS = 4
"""About how many steps an axis has."""
RING = "m-2.5 0a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0"
"""As SVG's `d` has it, around the place before it."""
GAP = 0.15
"""Share of a bar's place that is left free."""

Form = Callable[[float], str]
"""A number as people read it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """A mark at an axis."""

    at: float
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One rectangle."""

    x: float
    y: float
    width: float
    height: float
    series: int
    """Number of its series, which gives it a colour."""
    place: str
    """Where at the lower axis it stands."""
    value: str
    """Its number, as text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One curve; it is broken where nothing is known."""

    path: str
    """As SVG's `d` has it."""
    series: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """What is drawn, and the numbers behind it."""

    names: Sequence[str]
    """The series, in the order of their colours."""
    xs: Sequence[Tick]
    ys: Sequence[Tick]
    rows: Sequence[tuple[str, Sequence[str]]]
    """Where at the lower axis, and each series' number there, as text."""
    bars: Sequence[Bar] = ()
    lines: Sequence[Line] = ()
    width: float = WIDTH
    height: float = HEIGHT
    left: float = LEFT
    right: float = WIDTH - RIGHT
    top: float = TOP
    base: float = HEIGHT - BOTTOM

    @property
    def empty(self) -> bool:
        """Whether there is nothing to see."""
        return not self.bars and not any(line.path for line in self.lines)


@dataclass(frozen=True, slots=True)
class _Scale:
    """Numbers to places at the left axis: 0 at the base, `top` at the upper rim."""

    top: float
    steps: Sequence[float] = field(default_factory=list)

    def y(self, value: float) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * min(value, self.top) / self.top, 2)


def bars(places: Sequence[str], series: Mapping[str, Sequence[float]], form: Form) -> Chart:
    """Return bars side by side, a bar's series one above the other.

    Args:
        places: What stands at the lower axis, one for each bar.
        series: Name to a number for each place, not negative.
        form: How a number is written.
    """
    scale = _scale(max((sum(column) for column in zip(*series.values(), strict=True)), default=0.0))
    slot = (WIDTH - LEFT - RIGHT) / max(1, len(places))
    drawn = [
        bar
        for number, place in enumerate(places)
        for bar in _stacked(place, [values[number] for values in series.values()], number, slot, scale, form)
    ]
    return Chart(
        names=[*series],
        xs=_named([LEFT + slot * (number + 0.5) for number in range(len(places))], places),
        ys=[Tick(at=scale.y(step), text=form(step)) for step in scale.steps],
        rows=_rows(places, series, form),
        bars=drawn,
    )


def curves(places: Sequence[str], series: Mapping[str, Sequence[float | None]], form: Form, top: float = 0) -> Chart:
    """Return a curve for each series; arguments as those of `bars`, None where nothing is known.

    With `top` the left axis ends there, or above it.
    """
    known = [value for values in series.values() for value in values if value is not None]
    scale = _scale(max([top, *known]))
    step = (WIDTH - LEFT - RIGHT) / max(1, len(places) - 1)
    at = [round(LEFT + step * number, 2) for number in range(len(places))]
    return Chart(
        names=[*series],
        xs=_named(at, places),
        ys=[Tick(at=scale.y(each), text=form(each)) for each in scale.steps],
        rows=_rows(places, series, form),
        lines=[Line(path=_path(at, values, scale), series=number) for number, values in enumerate(series.values())],
    )


def _stacked(place: str, parts: Sequence[float], number: int, slot: float, scale: _Scale, form: Form) -> list[Bar]:
    drawn, below = list[Bar](), 0.0
    for which, value in enumerate(parts):
        if value > 0:
            upper, lower = scale.y(below + value), scale.y(below)
            drawn.append(
                Bar(
                    x=round(LEFT + slot * (number + GAP / 2), 2),
                    y=upper,
                    width=round(slot * (1 - GAP), 2),
                    height=round(lower - upper, 2),
                    series=which,
                    place=place,
                    value=form(value),
                )
            )
        below += value
    return drawn


def _path(at: Sequence[float], values: Sequence[float | None], scale: _Scale) -> str:
    """Return a curve through what is known; a point with nothing beside it becomes a ring."""
    parts, drawing = list[str](), False
    for number, value in enumerate(values):
        if value is None:
            drawing = False
            continue
        alone = not drawing and (number + 1 == len(values) or values[number + 1] is None)
        parts.append(f"{'L' if drawing else 'M'}{at[number]:g} {scale.y(value):g}{RING if alone else ''}")
        drawing = True
    return "".join(parts)


def _scale(most: float) -> _Scale:
    """Return a scale whose steps are 1, 2 or 5 times a power of ten, the last at or above `most`."""
    if most <= 0:
        return _Scale(1.0, [0.0, 1.0])
    rough = most / TICKS
    power = 10.0 ** math.floor(math.log10(rough))
    step = power * next(each for each in (1, 2, 5, 10) if each * power >= rough * (1 - 1e-9))
    count = math.ceil(most / step - 1e-9)
    return _Scale(step * count, [round(step * number, 12) for number in range(count + 1)])


def _named(at: Sequence[float], names: Sequence[str], most: int = 6) -> list[Tick]:
    """Return ticks for some of the places, evenly, so that they do not run into each other."""
    every = max(1, math.ceil(len(names) / most))
    return [Tick(at=round(at[number], 2), text=names[number]) for number in range(0, len(names), every)]


def _rows(
    places: Sequence[str], series: Mapping[str, Sequence[float | None]], form: Form
) -> list[tuple[str, list[str]]]:
    return [
        (place, ["–" if (value := values[number]) is None else form(value) for values in series.values()])
        for number, place in enumerate(places)
    ]
