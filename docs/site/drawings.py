"""Mermaid's simple graphs as SVG, drawn when the site is built: rows of boxes from top to bottom, and arrows."""

import re

_FENCE = re.compile(r"^```mermaid\n(?P<text>graph TD;\n.*?)^```$", re.DOTALL | re.MULTILINE)
_EDGE = re.compile(r"^\s*(\w+) (-->|-\.->)(?:\|(.*?)\|)? (\w+);$", re.MULTILINE)
WIDTH, HEIGHT, ACROSS, DOWN = 132, 30, 168, 66
"""Size of a box and distance of two, in pixels."""


def drawn(markdown: str) -> str:
    """Return a page with its graphs drawn; one that is not simple stays text."""
    return _FENCE.sub(lambda found: _svg(_EDGE.findall(found["text"])) or found[0], markdown)


def _svg(edges: list[tuple[str, str, str, str]]) -> str:
    if not edges:
        return ""
    rows = _rows([(start, end) for start, _, _, end in edges])
    widest = max(map(len, rows))
    places = {
        name: ((widest - len(row)) * ACROSS / 2 + at * ACROSS + 20, number * DOWN + 10)
        for number, row in enumerate(rows)
        for at, name in enumerate(row)
    }
    width, height = widest * ACROSS + 40, len(rows) * DOWN
    lines = [_arrow(places, start, end, dotted=kind != "-->") for start, kind, _, end in edges]
    boxes = [_box(name, *place) for name, place in places.items()]
    title = ", ".join(f"{start} to {end}" for start, _, _, end in edges).replace("__", "")
    head = (
        f'<svg class="graph" viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{title}" '
        f'style="max-width: {width:g}px; font: 13px monospace" xmlns="http://www.w3.org/2000/svg">'
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
        '<path d="M0 0 8 4 0 8z" fill="currentColor"/></marker></defs>'
    )
    return f"{head}{''.join(lines)}{''.join(boxes)}</svg>\n"


def _rows(edges: list[tuple[str, str]]) -> list[list[str]]:
    """Return the nodes by the longest way to them; what goes back does not count."""
    names = list(dict.fromkeys(name for edge in edges for name in edge))
    depth = dict.fromkeys(names, 0)
    for _ in names:
        for start, end in edges:
            if depth[start] + 1 < len(names):
                depth[end] = max(depth[end], depth[start] + 1)
    rows = dict[int, list[str]]()
    for name in names:
        rows.setdefault(depth[name], []).append(name)
    return [rows[each] for each in sorted(rows)]


def _arrow(places: dict[str, tuple[float, float]], start: str, end: str, *, dotted: bool) -> str:
    x1, y1 = places[start][0] + WIDTH / 2, places[start][1] + HEIGHT
    x2, y2 = places[end][0] + WIDTH / 2, places[end][1]
    rows = round((y2 - y1) / DOWN)
    side = WIDTH / 2 + 18 if rows > 1 else 0  # around the boxes between
    middle = (y1 + y2) / 2
    path = f"M{x1:g} {y1:g}C{x1 + side * 1.6:g} {middle:g} {x2 + side * 1.6:g} {middle:g} {x2:g} {y2:g}"
    dash = ' stroke-dasharray="4 3"' if dotted else ""
    return f'<path d="{path}" fill="none" stroke="currentColor"{dash} marker-end="url(#tip)"/>'


def _box(name: str, x: float, y: float) -> str:
    label = name.strip("_")
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{WIDTH}" height="{HEIGHT}" rx="6" fill="var(--md-code-bg-color, #eee)" '
        f'stroke="currentColor"/><text x="{x + WIDTH / 2:g}" y="{y + 20:g}" text-anchor="middle" fill="currentColor">'
        f"{label}</text>"
    )
