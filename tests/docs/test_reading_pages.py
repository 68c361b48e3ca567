"""Pages are read as their readers see them."""

from pathlib import Path

import pages
import pytest
from pages import blocks

PAGE = """# A page

```python
x = 1
```

<!-- run
y = x + 1
-->
- a list
  ```json title="talk.jsonl"
  {"a": 1}
  ```

<!-- not run: it needs a phone -->

```python
call(y)
```
```bash
hippograph chat
```
"""


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.md"
    path.write_text(PAGE)
    return path


def test_blocks_come_in_order_with_their_lines(page: Path) -> None:
    assert [(block.language, block.line, block.text) for block in blocks(page)] == [
        ("python", 4, "x = 1"),
        ("hidden", 8, "y = x + 1"),
        ("json", 12, '{"a": 1}'),
        ("python", 18, "call(y)"),
        ("bash", 21, "hippograph chat"),
    ]


def test_a_title_makes_a_file_and_a_comment_keeps_a_block_from_being_run(page: Path) -> None:
    assert [block.title for block in blocks(page)] == ["", "", "talk.jsonl", "", ""]
    assert [block.not_run for block in blocks(page)] == [None, None, None, "it needs a phone", None]


def test_a_fence_without_an_end_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text("```python\nx = 1\n")
    with pytest.raises(AssertionError, match="has no end"):
        blocks(path)


def test_every_page_is_looked_at() -> None:
    names = [str(path.relative_to(pages.ROOT)) for path in pages.pages()]
    assert {"README.md", "README.zh.md", "CONTRIBUTING.md", "docs/architecture.md"} <= {*names}
