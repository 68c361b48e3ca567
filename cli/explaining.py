"""Why a search answered as it did, as text and as JSON."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import timedelta
from typing import TYPE_CHECKING

from hippograph.cli.lines import fitted, memory_json, origin, shortened

if TYPE_CHECKING:
    from hippograph.memory.dates.periods import Window
    from hippograph.memory.search.explain import Explanation, Parts, Shown
    from hippograph.memory.search.understanding import Understood

CELLS = 100
"""Terminal cells of a memory's text; a Chinese character takes two."""
CUT_SHOWN = 10
_INDENT = " " * 10


def explanation_json(explanation: "Explanation") -> dict[str, object]:
    """Return an explanation as `--json` prints it."""
    understood = explanation.understood
    return {
        "query": {
            "parts": [asdict(part) for part in understood.parts],
            "speakers": sorted(understood.speakers),
            "windows": [
                {"text": each.text, "start": each.start.isoformat(), "end": each.end.isoformat()}
                for each in understood.windows
            ],
        },
        "degraded": explanation.degraded,
        "memories": [
            {**memory_json(each.memory), **asdict(each.parts), "doubt": each.doubt} for each in explanation.shown
        ],
        "cut": [{**memory_json(each.memory), "reason": each.reason} for each in explanation.cut],
    }


def explanation_lines(explanation: "Explanation") -> Iterator[str]:
    """Return an explanation as lines; what may be Chinese stands last in its line, so that columns stay aligned."""
    yield from _understood_lines(explanation.understood, explanation.degraded)
    for number, shown in enumerate(explanation.shown, start=1):
        yield ""
        yield from _shown_lines(number, shown)
    cut = explanation.cut
    if cut:
        yield ""
        yield f"Cut: {len(cut)}" + (f", of which the best {CUT_SHOWN}:" if len(cut) > CUT_SHOWN else ":")
    yield from cut_lines([(each.memory.score, each.reason, each.memory.text) for each in cut[:CUT_SHOWN]])


def cut_lines(cut: Sequence[tuple[float, str, str]]) -> list[str]:
    """Return score, reason and text of what was cut, in columns."""
    widest = max((len(reason) for _, reason, _ in cut), default=0)
    return [f"  {score:.2f}  {reason:{widest}}  {fitted(text, CELLS)}" for score, reason, text in cut]


def parts_line(parts: "Parts") -> str:
    """Return on one line what a score is made of."""
    legs = [f"{leg.name} {leg.share:.2f} × {leg.weight:.2f} = {leg.adds:.2f}" for leg in parts.legs]
    lifts = [f"{name} {part:+.2f}" for name, part in parts.lifts.items()]
    return " · ".join([*legs, *lifts, *(_later(name, change) for name, change in parts.later.items())])


def _understood_lines(understood: "Understood", degraded: Sequence[str]) -> Iterator[str]:
    searched = [f"{part.weight:.2f} × {fitted(part.text, CELLS)}" for part in understood.parts]
    rows = {
        "searched": searched,
        "speakers": sorted(fitted(each, CELLS) for each in understood.speakers),
        "times": [_window(each) for each in understood.windows],
        "degraded": [shortened(each, 2 * CELLS) for each in degraded],
    }
    yield "How the query was understood:"
    for name, values in rows.items():
        for number, value in enumerate(values or ["none"]):
            yield f"  {'' if number else name:10}{value}"


def _window(window: "Window") -> str:
    last = window.end - timedelta(microseconds=1)
    return f"{window.start:%Y-%m-%d} to {last:%Y-%m-%d}: {window.text}"


def _shown_lines(number: int, shown: "Shown") -> Iterator[str]:
    memory, parts = shown.memory, shown.parts
    yield f"{number:2}. {memory.score:.2f}  {fitted(memory.text, CELLS)}"
    yield f"{_INDENT}{memory.id}, {origin(memory)}"
    if shown.doubt:
        yield f"{_INDENT}kept out of a turn's prompt: {shown.doubt}"
    yield f"{_INDENT}{'leg or lift':16}  share  weight   adds  rank"
    for leg in parts.legs:
        rank = f"{leg.rank} of {leg.of}"
        yield f"{_INDENT}{leg.name:16}  {leg.share:5.2f}  {leg.weight:6.2f}  {leg.adds:+5.2f}  {rank}"
    for name, part in parts.lifts.items():
        yield f"{_INDENT}{name:16}  {'':5}  {'':6}  {part:+5.2f}"
    yield f"{_INDENT}{'evidence':16}  {'':5}  {'':6}  {parts.evidence:5.2f}  score {parts.fused:.2f}"
    for name, change in parts.later.items():
        yield f"{_INDENT}then {_later(name, change)}"


def _later(name: str, change: float) -> str:
    return f"{name} {change:.2f}" if name == "reranker" else f"{name} {change:+.2f}"
