from datetime import UTC, datetime

from rich.cells import cell_len

from hippograph.cli.explaining import CELLS, cut_lines, explanation_lines, parts_line
from hippograph.cli.lines import fitted
from hippograph.memory.search.explain import explain, parts
from hippograph.memory.search.understanding import understand
from hippograph.state import Recollection

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


def memory_of(text: str, **why: float) -> Recollection:
    return Recollection(id=f"id-{text[:2]}", text=text, kind="turn", said_at=NOW, score=0.5, why=why)


def test_no_text_takes_more_cells_than_it_may_in_either_script() -> None:
    for text in ("荔枝" * 100, "lychee " * 50, "a荔" * 80):
        for cells in (10, 11, CELLS):
            assert cells - 2 <= cell_len(fitted(text, cells)) <= cells
    assert fitted("荔枝\n过敏\x1b[0m", 20) == "荔枝 过敏[0m"


def test_columns_stay_aligned_whatever_the_script() -> None:
    lines = cut_lines([(0.5, "says nothing", "我不知道"), (0.1, "too weak: below 0.28", "curtains")])
    starts = [cell_len(line.partition(text)[0]) for line, text in zip(lines, ("我不知道", "curtains"), strict=True)]
    assert starts[0] == starts[1]
    ranked = [memory_of("我对荔枝过敏", vector=0.9, keyword=0.4, recent=0.05), memory_of("I keep bees", vector=0.2)]
    shown = list(explanation_lines(explain(understand("荔枝?", (), NOW), ranked, 8, {}, [])))
    numbers = [line for line in shown if line.startswith(("          vector", "          keyword", "          recent"))]
    assert len(numbers) == 4
    assert {line.index("+") for line in numbers} == {numbers[0].index("+")}


def test_the_query_is_told_with_its_parts_speakers_and_times() -> None:
    understood = understand("安娜上周五说了什么？\nAnd Ben?", ("安娜", "Ben"), NOW)
    text = "\n".join(explanation_lines(explain(understood, [], 8, {}, ["vectors: gone"])))
    assert "0.60 × 上周五说了什么？" in text
    assert "speakers  Ben\n            安娜" in text
    assert "2026-05-29 to 2026-05-29: 上周五" in text
    assert "degraded  vectors: gone" in text


def test_a_doubt_stands_beside_what_is_shown_and_a_reason_beside_what_is_cut() -> None:
    ranked = [memory_of("first", vector=0.2), memory_of("second", vector=0.1)]
    lines = list(explanation_lines(explain(understand("q", (), NOW), ranked, 1, {"id-fi": "too weak: below 0.28"}, [])))
    assert any("kept out of a turn's prompt: too weak: below 0.28" in line for line in lines)
    assert lines[-1].split("  ")[2:] == ["below the best 1", "second"]


def test_one_line_tells_legs_lifts_and_what_came_later() -> None:
    line = parts_line(parts(memory_of("x", vector=0.5, speaker=0.3, newest=-0.02)))
    assert line == "vector 0.50 × 0.80 = 0.40 · speaker +0.30 · newest -0.02"
