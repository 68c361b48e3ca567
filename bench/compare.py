"""Two reports over the same questions: by how much they differ, and how sure that is."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from typing_extensions import TypedDict

from hippograph.bench.measures import Difference, paired
from hippograph.state import BadInput

SKIPPED = ("scored", "category", "id")
"""Fields of a question that are no measures."""
Measured = Mapping[str, Any]


class Compared(TypedDict):
    """A comparison, as `--json` prints it."""

    n: int
    """Questions that both reports have and score."""
    differences: dict[str, dict[str, float | int | bool]]
    """Measure to mean (second - first), low and high of the 95 % interval, n, and whether it leaves zero out."""


def compare(first: Path, second: Path) -> Compared:
    """Return the paired difference of each measure, second minus first, over the questions both have.

    Raises:
        BadInput: A file is no report with questions, or they have no question in common.
    """
    one, other = questions(first), questions(second)
    common = [id_ for id_ in one if id_ in other]
    if not common:
        raise BadInput(f"{first} and {second} have no question in common: compare two runs of one benchmark.")
    found = differences([one[id_] for id_ in common], [other[id_] for id_ in common])
    return Compared(n=len(common), differences={name: as_json(each) for name, each in found.items()})


def questions(path: Path) -> dict[str, Measured]:
    """Return the scored questions of a report by id.

    Raises:
        BadInput: The file is no report that keeps its questions by id.
    """
    try:
        kept = json.loads(path.read_text("utf-8"))["questions"]
        return {each["id"]: each for each in kept if each.get("scored", True)}
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise BadInput(f"{path} is no report with questions ({error!r}): write one with --json OUT.") from None


def differences(first: Sequence[Measured], second: Sequence[Measured]) -> dict[str, Difference]:
    """Return the paired difference of each measure over the questions where both runs have it."""
    return {
        name: paired([one[name] for one, _ in pairs], [other[name] for _, other in pairs])
        for name in _measures(first)
        if (pairs := [each for each in zip(first, second, strict=True) if name in each[0] and name in each[1]])
    }


def as_json(difference: Difference) -> dict[str, float | int | bool]:
    """Return a difference as JSON-plain values, to four places."""
    return {
        "mean": round(difference.mean, 4),
        "low": round(difference.low, 4),
        "high": round(difference.high, 4),
        "n": difference.n,
        "sure": difference.sure,
    }


def lines(compared: Compared) -> Iterator[str]:
    """Return a comparison as a table."""
    yield f"{compared['n']} questions in common; second - first, 95 % interval (paired bootstrap); * leaves zero out"
    for name, each in compared["differences"].items():
        mark = "*" if each["sure"] else " "
        yield f"  {name:22} {each['mean']:+.4f}  [{each['low']:+.4f}, {each['high']:+.4f}] {mark}  n = {each['n']}"


def _measures(kept: Sequence[Measured]) -> list[str]:
    names = dict.fromkeys(name for each in kept for name in each)
    numbers = {name for each in kept for name, value in each.items() if isinstance(value, int | float)}
    return [name for name in names if name in numbers and name not in SKIPPED]
