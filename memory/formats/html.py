"""Web pages, by Beautiful Soup: all text that is meant to be read."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bs4 import BeautifulSoup
from bs4.element import NavigableString, PreformattedString, Tag

from hippograph.memory.formats.loaded import Composed, Loaded
from hippograph.memory.formats.plain import decoded

UNREAD = frozenset("script style template noscript head svg math iframe object".split())
"""Elements whose text nobody reads."""
INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q rp rt ruby s samp small span "
    "strike strong sub sup time tt u var wbr".split()
)
"""Elements within a paragraph; any other begins one of its own."""

_DECLARED = re.compile(rb"<(?:meta|\?xml)[^>]+?(?:charset|encoding)\s*=\s*[\"']?([\w-]+)", re.IGNORECASE)
_BLANKS = re.compile(r"\s+")
_HEADING = re.compile(r"h([1-6])")


def load_html(path: Path, data: bytes) -> Loaded:
    """Return a page's text: its title, then paragraph by paragraph; a table's row is one line."""
    declared = _DECLARED.search(data[:4096])
    text, notes = decoded(path, data, declared[1].decode() if declared else None)
    soup = BeautifulSoup(text, "html.parser")
    page = _Page()
    title = soup.title.get_text() if soup.title else ""
    if title and not any(heading.get_text().strip() == title.strip() for heading in soup.find_all("h1")):
        page.composed.add(title, 1)
    page.read(soup.body or soup)
    page.end()
    return page.composed.loaded(notes)


@dataclass(frozen=True, slots=True)
class _End:
    """Where an element that is a paragraph ends."""

    level: int | None
    """Its level where it is a heading."""


class _Page:
    """The paragraphs of a page as they are read."""

    def __init__(self) -> None:
        self.composed = Composed()
        self._words: list[str] = []

    def read(self, root: Tag) -> None:
        """Take in an element and all in it; by a list of what is to come, for pages nest as deep as they like."""
        coming: list[object] = [root]
        while coming:
            each = coming.pop()
            if isinstance(each, _End):
                self.end(each.level)
            elif isinstance(each, Tag):
                coming += self._begin(each) if each.name not in UNREAD else ()
            elif isinstance(each, NavigableString) and not isinstance(each, PreformattedString):
                self._words.append(_BLANKS.sub(" ", each))

    def end(self, level: int | None = None) -> None:
        """End a paragraph."""
        lines = (line.strip() for line in "".join(self._words).split("\n"))
        self.composed.add("\n".join(lines), level)
        self._words = []

    def _begin(self, element: Tag) -> Sequence[object]:
        """Return what of an element is to be read, the last first."""
        if element.name == "br":
            self._words.append("\n")
            return ()
        if element.name in INLINE:
            return element.contents[::-1]
        self.end()
        if element.name == "pre":
            self.composed.add(element.get_text().strip("\n"))
            return ()
        if element.name == "tr" and not element.find("table"):
            cells = (" ".join(cell.get_text(" ").split()) for cell in element.find_all(["td", "th"]))
            self.composed.add(" | ".join(cells))
            return ()
        if element.name == "li":
            self._words.append("- ")
        level = _HEADING.fullmatch(element.name)
        return [_End(int(level[1]) if level else None), *element.contents[::-1]]
