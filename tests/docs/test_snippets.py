"""Every Python example of the project's pages runs as it stands (`tests/pages.py` says how a page may help it)."""

import ast
import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from pages import ROOT, Block, blocks, pages

RUN = {"python", "hidden"}


def pages_with_python() -> list[Path]:
    return [page for page in pages() if any(block.language in RUN for block in blocks(page))]


@pytest.fixture
def namespace(request: pytest.FixtureRequest) -> Iterator[ModuleType]:
    """The module that a page's blocks are; its `instead` changes the text of the blocks after it."""
    module = ModuleType("page")
    module.__dict__["instead"] = dict[str, str]()
    sys.modules["page"] = module
    yield module
    del sys.modules["page"]


def compiled(block: Block, instead: dict[str, str] | None = None) -> object:
    """The block's code, which may `await` as in a notebook; errors name the page and its line."""
    text = block.text
    for old, new in (instead or {}).items():
        text = text.replace(old, new)
    source = "\n" * (block.line - 1) + text
    return compile(source, str(block.page), "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


@pytest.mark.parametrize("page", pages_with_python(), ids=lambda page: str(page.relative_to(ROOT)))
def test_the_examples_of_a_page_run(page: Path, machine: Path, namespace: ModuleType) -> None:
    with asyncio.Runner() as runner:
        for block in blocks(page):
            if block.title:
                machine.joinpath(block.title).write_text(block.text + "\n", "utf-8")
            elif block.language in RUN and block.not_run is None:
                run(block, namespace, runner)


def run(block: Block, namespace: ModuleType, runner: asyncio.Runner) -> None:
    code = compiled(block, namespace.__dict__["instead"])
    result = eval(code, namespace.__dict__)
    if asyncio.iscoroutine(result):
        runner.run(result)


def test_what_is_not_run_is_python_all_the_same_and_says_why() -> None:
    for block in [each for page in pages() for each in blocks(page)]:
        if block.not_run is not None:
            assert len(block.not_run) > 10, block.place
            assert block.language == "python", f"{block.place}: only Python is run"
            compiled(block)


def test_examples_are_typed_as_python_where_they_are_python() -> None:
    """A ```py fence, or one without a language that imports us, would never be run."""
    for block in [each for page in pages() for each in blocks(page)]:
        assert block.language not in {"py", "python3", "pycon"}, f"{block.place}: write ```python"
        if not block.language:
            assert "import hippograph" not in block.text, block.place
            assert "from hippograph" not in block.text, block.place
