"""Does check_trigger fire where memory helps, and stay quiet where it does not?

Each text is judged by itself, without a home: what memory knows of its words (`knows`) does not count here.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from hippograph.bench import machine
from hippograph.bench.labelled import SETS, Labelled, Split, own, sets
from hippograph.bench.report import Figure, Report, percentile
from hippograph.nodes.check_trigger import mode, reason
from hippograph.state import BadInput

GOALS = {"recall": 0.98, "precision": 0.85, "decide_ms_p50": 1.0, "decide_ms_p95": 1.0}
SPLITS: tuple[Split, ...] = ("dev", "test")
WARM_UP = 200
"""Turns judged before the timed ones: patterns are compiled when they are first used."""
TIMES = 3
"""Times each decision is made; the fastest counts, as the others measure what else the machine does."""
NOTES = [
    "recall: share of the turns that need memory that fired. false_alarm_rate: share of those that need none that "
    "fired. precision is that of a balanced mix, one of each: recall / (recall + false_alarm_rate).",
    "Figures without a prefix are the test half's: it was written before any rule was tuned, and is only counted.",
    "proactive_share: of the positives that fired, those where nobody asks (mode proactive); it should be near 0 for "
    "the questions of locomo, longmemeval, lifebench_zh and cri, and near 1 for what madial_zh's users tell.",
    "Without a home, so without `knows` (a rare word of this user's memories fires too): that can only add firing.",
    f"decide_ms: the decision alone, of a warmed-up process, best of {TIMES}, without what `knows` looks up.",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One turn and what became of it."""

    turn: Labelled
    reason: str
    mode: str
    ms: float

    @property
    def fired(self) -> bool:
        """Whether memory would have been searched."""
        return not self.reason.startswith("no: ")

    @property
    def right(self) -> bool:
        """Whether that is as the label says."""
        return self.fired == self.turn.fire

    def line(self) -> str:
        """Return it as text."""
        wrong = "false alarm" if self.fired else "missed"
        return f"  {wrong:11}  [{self.turn.source}, {self.turn.kind}] {self.turn.text!r}: {self.reason}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """The figures of one group of turns."""

    split: str
    source: str
    language: str
    positives: int
    recall: Figure
    proactive_share: Figure
    """Which share of the positives that fired did so unasked."""
    negatives: int
    false_alarm_rate: Figure
    precision: Figure

    @property
    def name(self) -> str:
        """Say which turns these are: half, source and language."""
        return f"{self.split} {self.source} {self.language}"

    def figures(self) -> dict[str, Figure]:
        """Return the figures by name."""
        return {name: value for name, value in asdict(self).items() if name not in ("split", "source", "language")}


def run(data: Path, halves: Sequence[Split], progress: Callable[[str], None], *, mistakes: bool = False) -> Report:
    """Judge all labelled turns.

    Args:
        data: The folder of the data sets.
        halves: Which halves to count.
        progress: Told what is read, and wrong decisions where they are asked for.
        mistakes: Whether to tell wrong decisions, with text and reason.

    Raises:
        BadInput: The folder holds none of the data sets.
    """
    where, read = machine.describe(), sets(data)
    turns = [each for found in (own(), *read.values()) for each in found if each.split in halves]
    progress(f"{len(turns)} turns; data sets: {', '.join(read)}.")
    for turn in turns[:WARM_UP]:
        reason(turn.text)
    judged = [_judge(turn) for turn in turns]
    for each in judged:
        if mistakes and not each.right:
            progress(each.line())
    rows = _rows(judged)
    missing = [name for name in SETS if name not in read]
    return Report(
        metrics=_metrics(rows, judged, halves),
        machine=where,
        models={},
        n=len(judged),
        rows={row.name: row.figures() for row in rows},
        notes=[*NOTES, *([f"Not there: {', '.join(missing)}."] if missing else [])],
    )


def halves(name: str) -> tuple[Split, ...]:
    """Return the halves a name stands for.

    Raises:
        BadInput: It is none of dev, test and both.
    """
    for half in SPLITS:
        if name in (half, "both"):
            return SPLITS if name == "both" else (half,)
    raise BadInput(f"There is no split {name!r}: dev, test or both.")


def _judge(turn: Labelled) -> Judged:
    times = []
    for _ in range(TIMES):
        began = time.perf_counter()
        why, how = reason(turn.text), mode(turn.text)
        times.append((time.perf_counter() - began) * 1000)
    return Judged(turn=turn, reason=why, mode=how, ms=min(times))


def _metrics(rows: Iterable[Row], judged: Sequence[Judged], halves: Sequence[Split]) -> dict[str, Figure]:
    times = [each.ms for each in judged]
    whole = {row.split: row for row in rows if (row.source, row.language) == ("all", "all")}
    counted: dict[str, Figure] = {
        f"{'' if half == halves[-1] else f'{half}_'}{name}": getattr(whole[half], name)
        for half in reversed(halves)
        for name in ("recall", "precision", "false_alarm_rate", "positives", "negatives")
    }
    return counted | {"decide_ms_p50": percentile(times, 0.5), "decide_ms_p95": percentile(times, 0.95)}


def _rows(judged: Sequence[Judged]) -> list[Row]:
    """Return the figures of each half: of all, of each source, of each language of our own and of all."""
    rows = []
    for half in SPLITS:
        inside = [each for each in judged if each.turn.split == half]
        for source in ("all", *dict.fromkeys(each.turn.source for each in inside)) if inside else ():
            part = [each for each in inside if source in ("all", each.turn.source)]
            languages = sorted({each.turn.language for each in part})
            rows.append(_row(half, source, "all", part))
            if len(languages) > 1:
                rows += [
                    _row(half, source, each, [one for one in part if one.turn.language == each]) for each in languages
                ]
    return rows


def _row(half: Split, source: str, language: str, part: Sequence[Judged]) -> Row:
    positives = [each for each in part if each.turn.fire]
    negatives = [each for each in part if not each.turn.fire]
    recall, alarms = (_share_of(each.fired for each in group) for group in (positives, negatives))
    return Row(
        split=half,
        source=source,
        language=language,
        positives=len(positives),
        recall=recall,
        proactive_share=_share_of(each.mode == "proactive" for each in positives if each.fired),
        negatives=len(negatives),
        false_alarm_rate=alarms,
        precision=round(recall / (recall + alarms), 3) if recall and alarms is not None else None,
    )


def _share_of(marks: Iterable[bool]) -> float | None:
    """Return which share is true, 0 to 1; None of nothing."""
    seen = list(marks)
    return round(sum(seen) / len(seen), 3) if seen else None
