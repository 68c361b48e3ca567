"""The graphs' own drawings, for the documentation: `python -m hippograph.graph.drawing docs/architecture.md`."""

import re
import sys
from pathlib import Path
from typing import Any

from langgraph.graph.state import CompiledStateGraph

from hippograph.graph import agent, upkeep

GRAPHS: dict[str, CompiledStateGraph[Any, Any, Any, Any]] = {"graph": agent.graph, "upkeep": upkeep.graph}
"""What stands between the markers of a name, as `<!-- graph -->` and `<!-- /graph -->`."""

_MARKED = re.compile(rf"(<!-- ({'|'.join(GRAPHS)}) -->\n).*?(?=<!-- /\2 -->)", re.DOTALL)


def mermaid(name: str = "graph") -> str:
    """Return a graph as a fenced Mermaid diagram."""
    return f"```mermaid\n{GRAPHS[name].get_graph().draw_mermaid(with_styles=False)}```\n"


def refreshed(text: str) -> str:
    """Return a page with the drawing between each pair of markers renewed."""
    return _MARKED.sub(lambda found: f"{found[1]}{mermaid(found[2])}", text)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        page = Path(name)
        page.write_text(refreshed(page.read_text("utf-8")), "utf-8")
