from pathlib import Path

import pytest

from hippograph.graph.drawing import GRAPHS, mermaid, refreshed
from hippograph.state.upkeep import STEPS

PAGE = Path(__file__).parents[2] / "docs" / "architecture.md"


def test_the_documentation_shows_the_graph_as_it_is() -> None:
    page = PAGE.read_text("utf-8")
    assert all(mermaid(each) in page for each in GRAPHS), "run: python -m hippograph.graph.drawing docs/architecture.md"
    assert refreshed(page) == page


def test_the_drawing_names_every_node_and_the_choice() -> None:
    drawn = mermaid()
    assert drawn.startswith("```mermaid\n")
    assert drawn.endswith("```\n")
    for arrow in ("check_trigger -.-> retrieve", "check_trigger -.-> respond", "respond --> write_back"):
        assert arrow in drawn.replace("&nbsp;", "")


@pytest.mark.parametrize("between", ["", "old\n", "```mermaid\nold\n```\n"])
def test_refreshing_replaces_what_stands_between_the_markers(between: str) -> None:
    page = f"# Title\n\n<!-- graph -->\n{between}<!-- /graph -->\n\nText.\n"
    assert refreshed(page) == f"# Title\n\n<!-- graph -->\n{mermaid()}<!-- /graph -->\n\nText.\n"
    assert refreshed("no markers") == "no markers"


def test_upkeep_is_drawn_as_a_line_of_steps_that_a_second_run_leaves_at_once() -> None:
    drawn = mermaid("upkeep").replace("&nbsp;", "")
    for arrow in ("begin -. busy .-> __end__", "begin -. work .-> expire", "compact --> finish"):
        assert arrow in drawn
    assert [drawn.count(f"{step} --> ") for step in STEPS] == [1] * len(STEPS)
