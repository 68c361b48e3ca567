"""Two reports over the same questions."""

import json
from pathlib import Path

import pytest

from hippograph.bench import compare
from hippograph.state import BadInput


def kept(path: Path, **values: float) -> Path:
    """A report with one question for each name."""
    questions = [
        {"id": name, "category": "1", "scored": True, "found": [], "R@10": value} for name, value in values.items()
    ]
    questions.append({"id": "apart", "category": "5", "scored": False, "found": [], "R@10": 0.0})
    path.write_text(json.dumps({"questions": questions}))
    return path


def test_only_scored_questions_that_both_have_are_compared(tmp_path: Path) -> None:
    first, second = kept(tmp_path / "1", a=0.0, b=0.5, c=1.0), kept(tmp_path / "2", b=1.0, a=1.0, d=0.0)
    compared = compare.compare(first, second)
    assert compared["n"] == 2
    assert [*compared["differences"]] == ["R@10"]
    difference = compared["differences"]["R@10"]
    assert (difference["mean"], difference["n"]) == (0.75, 2)
    assert difference["low"] == 0.5
    assert difference["high"] == 1.0
    assert difference["sure"]
    head, line = compare.lines(compared)
    assert "2 questions" in head
    assert "+0.7500" in line
    assert "*" in line


def test_what_is_no_pair_of_reports_is_refused_in_words(tmp_path: Path) -> None:
    first, other = kept(tmp_path / "1", a=0.0), kept(tmp_path / "2", b=0.0)
    with pytest.raises(BadInput, match="no question in common"):
        compare.compare(first, other)
    (tmp_path / "3").write_text('{"metrics": {}}')
    for path in (tmp_path / "none", tmp_path / "3"):
        with pytest.raises(BadInput, match="no report with questions"):
            compare.compare(first, path)
