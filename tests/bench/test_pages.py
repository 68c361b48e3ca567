from pathlib import Path

import pytest

from hippograph.bench import pages

TOP = Path(__file__).parents[2]


@pytest.mark.parametrize("page", pages.PAGES, ids=str)
def test_the_figures_in_the_documentation_are_those_of_the_kept_reports(page: Path) -> None:
    text = (TOP / page).read_text("utf-8")
    reports = pages.kept(TOP / pages.REPORTS)
    assert set(pages.TABLES) <= set(reports)
    assert pages.refreshed(text, reports, page) == text
    assert f"| {pages.shown(reports['smoke']['metrics']['added_ms_p50'], 'ms')} |" in text


def test_the_front_doors_show_a_few_of_the_figures_that_there_are() -> None:
    named = {(name, metric) for name, metrics in pages.FRONT.items() for metric in metrics}
    assert named <= {(name, metric) for name, table in pages.TABLES.items() for metric in table}
    assert len(named) < 20
