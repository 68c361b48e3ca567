"""What mkdocs does not do by itself: navigation by pattern, drawings without a script, notebooks that are run."""

import json
import re
import sys
from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

sys.path.insert(0, str(Path(__file__).parent))

from drawings import drawn
from notebooks import page_of

_HAN = re.compile(r"(?<=[\u4e00-\u9fff])(?=[\u4e00-\u9fff])")
PARTED = "\u200b"
"""A space without width, which the theme takes for the end of a word and does not show."""
Entry = str | dict[str, "str | list[Entry]"]
"""A page or a pattern of pages; or a title with a page, or with what stands under it."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Run the notebooks into pages, and fill the navigation's patterns with the pages that are there."""
    for path in sorted(Path(config.docs_dir, "notebook").glob("*.ipynb")):
        for name, content in page_of(path).items():
            files.append(File.generated(config, f"notebook/{name}", content=content))
    pages = sorted(file.src_uri for file in files.documentation_pages())
    nav: Sequence[Entry] = config.nav or []
    named = {each for each in _pages(nav) if "*" not in each}
    config.nav = [filled for entry in nav for filled in _filled(entry, pages, named)]
    return files


def on_page_markdown(markdown: str, **_: object) -> str:
    """Draw Mermaid's diagrams: its script would have to come from elsewhere."""
    return drawn(markdown)


def on_post_page(output: str, page: Page, **_: object) -> str:
    """Say which language a page is in: readers aloud and search go by it."""
    chinese = page.file.src_uri.startswith("zh/")
    return output.replace('<html lang="en"', '<html lang="zh-CN"', 1) if chinese else output


def on_post_build(config: MkDocsConfig, **_: object) -> None:
    """Part the characters of Chinese in the search's index, each a word of its own: nothing else would find them."""
    path = Path(config.site_dir, "search", "search_index.json")
    index = json.loads(path.read_text("utf-8"))
    for page in index["docs"]:
        page.update({name: _HAN.sub(PARTED, page[name]) for name in ("title", "text")})
    path.write_text(json.dumps(index, ensure_ascii=False, separators=(",", ":")), "utf-8")


def _pages(nav: Sequence[Entry]) -> list[str]:
    """Return all pages and patterns of a navigation."""
    below = [value for entry in nav for value in (entry.values() if isinstance(entry, dict) else [entry])]
    return [page for value in below for page in (_pages(value) if isinstance(value, list) else [value])]


def _filled(entry: Entry, pages: Sequence[str], named: set[str]) -> list[Entry]:
    """Return what stands for an entry: for a pattern, the pages that are named nowhere before."""
    if isinstance(entry, dict):
        ((title, below),) = entry.items()
        if isinstance(below, str):
            return [entry]
        inside = [each for one in below for each in _filled(one, pages, named)]
        return [{title: inside}] if inside else []
    if "*" not in entry:
        return [entry]
    met = [page for page in pages if fnmatch(page, entry) and page.count("/") == entry.count("/")]
    new = [page for page in met if page not in named]
    named.update(new)
    return [*new]
