"""Two things said one after the other: does the later take the place of the earlier, and only where it should?

Each pair of `data/pairs.jsonl` is told twice to an empty space of a real ledger: by its sentences, read by the rules of
extraction, and by the facts they tell, written down by hand, which measures intake alone.
"""

import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from sqlalchemy import select

from hippograph.bench import machine
from hippograph.bench.labelled import Split
from hippograph.bench.report import Figure, Report
from hippograph.memory.extraction import Rules
from hippograph.memory.facts import Extracted, Fact, Heard
from hippograph.memory.intake import turn_rows
from hippograph.memory.ledger import Ledger
from hippograph.memory.life.settling import Settling
from hippograph.memory.schema import memories, sources
from hippograph.state import Turn

Outcome = Literal["supersede", "refine", "duplicate", "both stay", "nothing"]
"""What becomes of the two; "nothing": one of them told no fact at all."""
Arm = Literal["facts", "rules"]
ARMS: tuple[Arm, ...] = ("facts", "rules")

GOALS = {"precision": 0.95, "recall": 0.90}
SAID = (datetime(2026, 3, 2, 9, tzinfo=UTC), datetime(2026, 5, 11, 9, tzinfo=UTC))
"""When the two were said: on Mondays, ten weeks apart."""
NOTES = [
    "precision: of the pairs where the later superseded the earlier, the share where it should. recall: of the pairs "
    "where it should, the share where it did. A refinement that is taken for a supersession counts against precision.",
    "accuracy: the share of the pairs that became what they should, of supersede, refine, duplicate and both stay.",
    "Figures without a prefix are the test half's, which nothing was tuned on; dev_: the half that was looked at.",
    "facts: intake alone, given the right facts. rules: from the sentences, read by the rules of extraction; a pair "
    "of which the rules read nothing counts as not superseded. No model takes part.",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two things said, and what should become of them."""

    id: str
    split: Split
    kind: str
    language: str
    said: tuple[str, str]
    facts: tuple[Mapping[str, Any], Mapping[str, Any]]
    """What each tells: subject, attribute, value, negated, kind."""
    expected: Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A pair and what became of it."""

    pair: Pair
    outcome: Outcome

    @property
    def right(self) -> bool:
        """Whether that is as it should be."""
        return self.outcome == self.pair.expected

    def line(self, arm: Arm) -> str:
        """Return it as text."""
        first, second = self.pair.said
        return f"  {arm:6} {self.outcome}, not {self.pair.expected}  [{self.pair.id}] {first!r} / {second!r}"


def pairs() -> list[Pair]:
    """Return the pairs of the set."""
    lines = files("hippograph.bench").joinpath("data", "pairs.jsonl").read_text("utf-8").splitlines()
    return [
        Pair(said=(row.pop("first"), row.pop("second")), facts=tuple(row.pop("facts")), **row)
        for row in map(json.loads, lines)
    ]


def run(halves: Sequence[Split], progress: Callable[[str], None], *, mistakes: bool = False) -> Report:
    """Tell all pairs, in both ways.

    Args:
        halves: Which halves to count.
        progress: Told of wrong outcomes where they are asked for.
        mistakes: Whether to tell them.
    """
    where, chosen = machine.describe(), [each for each in pairs() if each.split in halves]
    judged: dict[Arm, list[Judged]] = {}
    with tempfile.TemporaryDirectory(prefix="hippograph-pairs-") as folder, Ledger(Path(folder) / "l.db") as ledger:
        for arm in ARMS:
            judged[arm] = [Judged(pair=each, outcome=outcome(ledger, each, arm)) for each in chosen]
            for each in judged[arm]:
                if mistakes and not each.right:
                    progress(each.line(arm))
    return Report(
        metrics=_metrics(judged, halves),
        machine=where,
        models={},
        n=len(chosen),
        rows={
            f"{half} {arm} {name}": figures(each for each in judged[arm] if each.pair.split == half and fits(each))
            for half in halves
            for arm in ARMS
            for name, fits in _groups(chosen)
        },
        notes=NOTES,
    )


def outcome(ledger: Ledger, pair: Pair, arm: Arm) -> Outcome:
    """Tell a ledger a pair, in a space of its own, and return what became of the two."""
    space = f"{arm} {pair.id}"
    turns = [
        Turn(role="user", text=text, id=str(n), said_at=when)
        for n, (text, when) in enumerate(zip(pair.said, SAID, strict=True))
    ]
    for n, turn in enumerate(turns):
        ledger.add(turn_rows(space, f"t{n}", [turn]))
        heard = Heard(id=str(n), text=turn["text"], role="user", said_at=SAID[n])
        extracted = Rules().extract([heard]) if arm == "rules" else Extracted(facts=[_fact(heard, pair.facts[n])])
        with ledger.write() as connection:
            mine = memories.c.space == space, memories.c.id == heard.id
            seq = connection.execute(select(memories.c.seq).where(*mine)).scalar_one()
            Settling().settle(connection, space, extracted, {heard.id: seq})
    return _became(ledger, space)


def figures(judged: Iterable[Judged]) -> dict[str, Figure]:
    """Return precision and recall of superseding, and how many became what they should."""
    seen = list(judged)
    told = {each.pair.id for each in seen if each.outcome == "supersede"}
    should = {each.pair.id for each in seen if each.pair.expected == "supersede"}
    return {
        "n": len(seen),
        "precision": _share(len(told & should), len(told)),
        "recall": _share(len(told & should), len(should)),
        "accuracy": _share(sum(each.right for each in seen), len(seen)),
        **{f"{name} right": n for name, n in sorted(Counter(e.pair.expected for e in seen if e.right).items())},
    }


def _metrics(judged: Mapping[Arm, Sequence[Judged]], halves: Sequence[Split]) -> dict[str, Figure]:
    """Return the figures of each half and arm; those of the last half, from the sentences, without a prefix."""
    counted = dict[str, Figure]()
    for half in reversed(halves):
        for arm in reversed(ARMS):
            prefix = ("" if half == halves[-1] else f"{half}_") + ("" if arm == "rules" else "facts_")
            found = figures(each for each in judged[arm] if each.pair.split == half)
            counted |= {f"{prefix}{name}": found[name] for name in ("precision", "recall", "accuracy", "n")}
    return counted


def _groups(chosen: Iterable[Pair]) -> list[tuple[str, Callable[[Judged], bool]]]:
    """Return the groups that are counted: all, each language, each kind of pair."""
    seen = list(chosen)
    groups: list[tuple[str, Callable[[Judged], bool]]] = [("all", lambda judged: True)]
    for name in sorted({each.language for each in seen}):
        groups.append((name, lambda judged, name=name: judged.pair.language == name))  # type: ignore[misc]
    for name in sorted({each.kind for each in seen}):
        groups.append((name, lambda judged, name=name: judged.pair.kind == name))  # type: ignore[misc]
    return groups


def _fact(heard: Heard, told: Mapping[str, Any]) -> Fact:
    return Fact(text=heard.text, turn=heard.id, quote=heard.text, start=0, end=len(heard.text), **told)


def _became(ledger: Ledger, space: str) -> Outcome:
    with ledger.read() as connection:
        query = select(memories.c.seq, memories.c.id).where(memories.c.space == space, memories.c.kind == "turn")
        turns = {row.seq: int(row.id) for row in connection.execute(query)}
        query = select(memories).where(memories.c.space == space, memories.c.kind != "turn")
        facts = {row.id: row for row in connection.execute(query)}
        rests = dict[int, set[int]]()
        for row in connection.execute(select(sources).where(sources.c.turn.in_(turns))):
            rests.setdefault(row.memory, set()).add(turns[row.turn])
    first, second = ([each for each in facts.values() if n in rests[each.seq]] for n in (0, 1))
    replaced = [each for each in first if each.superseded_by in {one.id for one in second}]
    if any(not str(each.superseded_because).startswith("refined") for each in replaced):
        return "supersede"
    if replaced:
        return "refine"
    if any(each in second for each in first):
        return "duplicate"
    return "both stay" if first and second else "nothing"


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 3) if whole else None
