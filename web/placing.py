"""Where the names of a map stand: pure geometry, the same for the same names every time."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

ROUNDS = 260
WIDE = 1.6
"""Width of a map to its height."""


class Point(NamedTuple):
    """A place on a map, in its units: x to the right, y downwards, (0, 0) in the middle."""

    x: float
    y: float


def spread(sizes: Sequence[float], links: Mapping[tuple[int, int], float], unit: float = 90.0) -> list[Point]:
    """Place names so that those that are linked are near each other and none covers another.

    Springs and repulsion of Fruchterman and Reingold (1991), a pull to the middle, then circles that touch are pushed
    apart. What begins on a sunflower's spiral ends the same every time.

    Args:
        sizes: Each name's radius, in units of the map.
        links: Pairs of places in `sizes` with how much links them, from 0 to 1.
        unit: The distance that two linked names would keep.
    """
    count = len(sizes)
    if not count:
        return []
    turn = np.arange(count) * math.pi * (3 - math.sqrt(5))
    out = unit * 0.6 * np.sqrt(np.arange(count) + 0.5)
    places = np.stack([WIDE * out * np.cos(turn), out * np.sin(turn)], axis=1)
    pull = np.zeros((count, count))
    for (one, other), strength in links.items():
        pull[one, other] = pull[other, one] = 0.3 + 0.7 * strength
    for step in range(ROUNDS):
        places += _moves(places, pull, unit, most=unit * (1 - step / ROUNDS) + 0.5)
    width, height = np.maximum(np.ptp(places, axis=0), 1.0)
    places[:, 0] *= min(max(WIDE * height / width, 1.0), WIDE)
    places = _apart(places, np.asarray(sizes, float))
    places -= (places.max(axis=0) + places.min(axis=0)) / 2
    return [Point(round(x, 1), round(y, 1)) for x, y in places.tolist()]


def _moves(places: NDArray[np.float64], pull: NDArray[np.float64], unit: float, most: float) -> NDArray[np.float64]:
    """Return how each name moves in one step, `most` units at most."""
    between = places[:, None, :] - places[None, :, :]
    far = np.maximum(np.linalg.norm(between, axis=2), 1.0)
    force = unit**2 / far - pull * far**2 / unit  # apart, together
    moves = (between / far[:, :, None] * force[:, :, None]).sum(axis=1)
    lonely = 1 + 2 / (1 + pull.sum(axis=1, keepdims=True))  # else nothing holds what is linked to little
    moves -= places * np.array([0.55 / WIDE, 0.55]) * lonely * math.sqrt(len(places)) / 2  # to the middle
    length = np.maximum(np.linalg.norm(moves, axis=1, keepdims=True), 1e-9)
    step: NDArray[np.float64] = moves / length * np.minimum(length, most) * 0.5
    return step


def _apart(places: NDArray[np.float64], sizes: NDArray[np.float64], gap: float = 34.0) -> NDArray[np.float64]:
    """Push names apart that would cover each other, or each other's labels, which are wide and stand below."""
    needed = sizes[:, None] + sizes[None, :] + gap
    np.fill_diagonal(needed, 0)
    places = places.copy()
    for _ in range(90):
        between = places[:, None, :] - places[None, :, :]
        between[:, :, 0] /= 1.25
        far = np.maximum(np.linalg.norm(between, axis=2), 0.1)
        lacking = np.maximum(needed - far, 0)
        if not lacking.any():
            break
        places += (between / far[:, :, None] * (lacking / 2)[:, :, None]).sum(axis=1) * 0.5
    return places


def ringed(inner: int, outer: Mapping[int, Sequence[int]], first: float = 200.0, second: float = 350.0) -> list[Point]:
    """Place names in rings around the middle: a first ring, and behind each of its names those reached by it.

    Args:
        inner: How many names are in the first ring; they are numbered from 0.
        outer: A name of the first ring to the numbers of those behind it, which go on from `inner`.
        first: Radius of the first ring, in height; in width it is WIDE times as much.
        second: Of the second.

    Returns:
        Each name's place, by number.
    """
    widths = [max(1.0, 0.8 * len(outer.get(each, ()))) for each in range(inner)]
    total, before = sum(widths) or 1.0, 0.0
    found = dict[int, Point]()
    crowded = inner > 14
    for each, width in enumerate(widths):
        angle = 2 * math.pi * (before + width / 2) / total - math.pi / 2
        radius = first * (1.18 if crowded and each % 2 else 0.88 if crowded else 1.0)
        found[each] = _at(angle, radius)
        behind = outer.get(each, ())
        for place, number in enumerate(behind):
            share = (place + 0.5) / len(behind) - 0.5
            found[number] = _at(angle + share * 2 * math.pi * width / total, second * (1.12 if place % 2 else 1.0))
        before += width
    return [found[number] for number in sorted(found)]


def _at(angle: float, radius: float) -> Point:
    return Point(round(WIDE * radius * math.cos(angle), 1), round(radius * math.sin(angle), 1))
