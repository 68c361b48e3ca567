from pathlib import Path

import pytest

from hippograph.bench import pages

TOP = Path(__file__).parents[2]


@pytest.mark.parametrize("page", pages.PAGES, ids=str)
def test_the_figures_in_the_documentation_are_those_of_the_kept_reports(page: Path) -> None:
    text = (TOP / page).read_text("utf-8")
    reports = pages.kept(TOP / pages.REPORTS)
    assert set(pages.TABLES) <= set(reports)
    assert pages.refreshed(text, reports, chinese=page.name.endswith(".zh.md")) == text
    assert f"| {pages.shown(reports['smoke']['metrics']['added_ms_p50'], 'ms')} |" in text
