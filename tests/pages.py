"""What stands in the project's pages: fenced blocks with the file and line they begin at.

A page is Markdown. What its reader sees is what is run: ```python blocks in order, in one namespace and one folder.
Beside them a page may hold, as comments that no reader sees:

    <!-- not run: why -->         before a block: it is read as Python, and left at that
    <!-- run                      Python that is run where it stands: what the blocks after it need
    …
    -->

A fence of any language with a title (```json title="chats.jsonl") is a file in that folder.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
_FENCE = re.compile(r"^(?P<indent> *)(?P<fence>`{3,}|~{3,})(?P<language>[\w+-]*)(?P<rest>[^\n`]*)$")
_TITLE = re.compile(r'title="([^"]+)"')
_NOT_RUN = re.compile(r"<!-- not run:(.*?)-->")


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block, or one hidden piece of Python."""

    page: Path
    line: int
    """Line of its first line of text, from 1."""
    language: str
    """Empty where the fence names none; "hidden" for Python that no reader sees."""
    text: str
    title: str = ""
    not_run: str | None = None
    """Why it is not run."""

    @property
    def place(self) -> str:
        """Where it stands, as in an error message."""
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def pages() -> list[Path]:
    """Return every page of the project that a reader is sent to, the front doors first."""
    front = [ROOT / name for name in ("README.md", "README.zh.md", "CONTRIBUTING.md")]
    return [*front, *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(page: Path) -> list[Block]:
    """Return a page's blocks, from top to bottom."""
    return list(_read(page, page.read_text("utf-8").split("\n")))


def _read(page: Path, lines: list[str]) -> Iterator[Block]:
    at, reason = 0, None
    while at < len(lines):
        line = lines[at]
        if line.strip() == "<!-- run":
            end = _index(lines, at + 1, lambda each: each.strip() == "-->", page)
            yield Block(page, at + 2, "hidden", "\n".join(lines[at + 1 : end]))
            at = end
        elif (opening := _FENCE.match(line)) is not None:
            close = opening["indent"] + opening["fence"]
            end = _index(lines, at + 1, lambda each, close=close: each.rstrip() == close, page)
            inside = [each.removeprefix(opening["indent"]) for each in lines[at + 1 : end]]
            title = _TITLE.search(opening["rest"])
            yield Block(page, at + 2, opening["language"], "\n".join(inside), title[1] if title else "", reason)
            at = end
        if line.strip():
            found = _NOT_RUN.search(line)
            reason = found[1].strip() if found else None
        at += 1


def _index(lines: list[str], start: int, is_end: Callable[[str], bool], page: Path) -> int:
    for at in range(start, len(lines)):
        if is_end(lines[at]):
            return at
    raise AssertionError(f"{page}:{start}: what begins here has no end")
