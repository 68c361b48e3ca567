"""The graph's own drawing, for the documentation: `python -m hippograph.graph.drawing docs/architecture.md`."""

import re
import sys
from pathlib import Path

from hippograph.graph.agent import graph

_MARKED = re.compile(r"(?<=<!-- graph -->\n).*?(?=<!-- /graph -->)", re.DOTALL)


def mermaid() -> str:
    """Return the graph as a fenced Mermaid diagram."""
    return f"```mermaid\n{graph.get_graph().draw_mermaid(with_styles=False)}```\n"


def refreshed(text: str) -> str:
    """Return a page with the drawing between its markers `<!-- graph -->` and `<!-- /graph -->` renewed."""
    return _MARKED.sub(lambda _: mermaid(), text)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        page = Path(name)
        page.write_text(refreshed(page.read_text("utf-8")), "utf-8")
