"""Notebooks run from top to bottom and become pages: their text, their code, and what it printed and drew."""

import base64
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nbformat import NotebookNode

KEPT = {"image/png": "png"}
SECONDS = 180
QUIET = ["--log-level=ERROR"]
"""It warns that a kernel of this machine talks to this machine without encryption."""
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def page_of(path: Path) -> dict[str, str | bytes]:
    """Return the page of a notebook and its pictures, by file name.

    Raises:
        CellExecutionError: A cell fails.
    """
    import nbformat
    from nbclient import NotebookClient

    os.environ.setdefault("OMP_NUM_THREADS", "1")
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=SECONDS, kernel_name="python3", extra_arguments=QUIET).execute()
    files, parts = dict[str, str | bytes](), list[str]()
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            parts.append(cell.source)
            continue
        parts.append(f"```python\n{cell.source}\n```")
        for output in cell.outputs:
            parts += _shown(output, path.stem, files)
    return {**files, f"{path.stem}.md": "\n\n".join(parts) + "\n"}


def _shown(output: "NotebookNode", stem: str, files: dict[str, str | bytes]) -> list[str]:
    """Return an output as Markdown; a picture is put among the files."""
    if output.output_type == "stream":
        return [_text(output.text)]
    for kind, ending in KEPT.items():
        if kind in output.data:
            name = f"{stem}-{len(files) + 1}.{ending}"
            files[name] = base64.b64decode(output.data[kind])
            return [f"![What the cell above draws]({name})"]
    return [_text(output.data.get("text/plain", ""))]


def _text(text: str) -> str:
    return f"```text\n{_COLOURS.sub('', text).rstrip()}\n```"
