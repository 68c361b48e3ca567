"""A served page and a real Chromium, for the tests of the page."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from visiting import CHROMIUM, Site, Visitor, launched, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with served(tmp_path_factory.mktemp("home")) as opened:
        yield opened


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    """A real Chromium; of one module, as Playwright's loop must not run while others' tests are asynchronous."""
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine: install it, or name it by CHROMIUM")
    with launched() as opened:
        yield opened


@pytest.fixture
def visit(browser: "Browser", site: Site) -> Iterator[Visitor]:
    visitor = Visitor(browser, site.url)
    yield visitor
    visitor.close()
    assert visitor.left() == []
