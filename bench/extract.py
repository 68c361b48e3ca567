"""What extractors find in turns whose facts are known, what they make up, and how long they take.

The turns are our own (bench/data/extract.jsonl), Chinese and English; a text's hash puts it into the dev or the test
half. Patterns and prompts are made with the dev half alone.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from hippograph.bench import machine
from hippograph.bench.known import Turn, bears, same_key, turns
from hippograph.bench.labelled import Split
from hippograph.bench.report import Figure, Report, percentile
from hippograph.memory.exchange.transfer import Told
from hippograph.memory.extraction import Extractor, extractor
from hippograph.memory.facts import Extracted, Fact, Heard
from hippograph.memory.language import language
from hippograph.memory.times import utc
from hippograph.state import BadInput, Settings

SAID = datetime(2026, 5, 6, 12, tzinfo=UTC)
GOALS = {"precision": 0.95, "turn_ms_p50": 1.0}
WARM_UP = ("I live in Oslo and my sister Mia is two.", "我住在杭州，我妹妹叫小雨，明天要去上海。", "Ok.")
"""Read before the timed ones: patterns are compiled, and models loaded, when they are first used."""
NOTES = [
    "unsupported_rate: share of the facts found that no label of their turn bears out (subject, value and negation). "
    "precision is what is left of it. false_rate: share of the turns with nothing to remember that gave a fact.",
    "recall: share of the labelled facts that were found; zero_fact_rate: share of the turns that have facts where "
    "none was. attribute_rate: share of the supported facts whose key is the label's.",
    "Figures without a prefix are the test half's of the first extractor; rows are split by half and language. A "
    "model's rows hold what it and the rules find together, on fewer turns; `rules on N`: the rules on the same turns.",
    "Turns and rules were written by the same hand, so other people's sentences will do worse. Before anything of the "
    "test half had been seen the rules' recall there was .841 and their precision .985; six of its mistakes were then "
    "seen while models were measured, and what they showed was put right.",
]
Progress = Callable[[str], None]


@dataclass(slots=True, kw_only=True)
class Tally:
    """What one extractor did on some turns."""

    turns: int = 0
    telling: int = 0
    silent: int = 0
    facts: int = 0
    supported: int = 0
    keyed: int = 0
    needed: int = 0
    found: int = 0
    zero: int = 0
    false: int = 0
    dropped: int = 0
    degraded: int = 0
    seconds: list[float] = field(default_factory=list)

    def add(self, turn: Turn, extracted: Extracted, seconds: float) -> list[Fact]:
        """Count a turn; return its facts that nothing bears out."""
        facts, needed = list(extracted.facts), turn.needed
        bearing = [[label for label in turn.labels if bears(label, fact)] for fact in facts]
        self.turns += 1
        self.telling += bool(needed)
        self.silent += not turn.labels
        self.facts += len(facts)
        self.supported += sum(bool(each) for each in bearing)
        pairs = list(zip(facts, bearing, strict=True))
        self.keyed += sum(any(same_key(label, fact) for label in each) for fact, each in pairs)
        self.needed += len(needed)
        self.found += sum(any(label in each for each in bearing) for label in needed)
        self.zero += bool(needed) and not facts
        self.false += not turn.labels and bool(facts)
        self.dropped += len(extracted.dropped)
        self.degraded += bool(extracted.degraded)
        self.seconds.append(seconds)
        return [fact for fact, each in pairs if not each]

    def figures(self) -> dict[str, Figure]:
        """Return the figures by name."""
        return {
            "turns": self.turns,
            "facts": self.facts,
            "facts_per_turn": _share(self.facts, self.turns),
            "precision": _share(self.supported, self.facts),
            "unsupported_rate": _share(self.facts - self.supported, self.facts),
            "recall": _share(self.found, self.needed),
            "zero_fact_rate": _share(self.zero, self.telling),
            "false_rate": _share(self.false, self.silent),
            "attribute_rate": _share(self.keyed, self.supported),
            "dropped": self.dropped,
            "degraded_rate": _share(self.degraded, self.turns),
            "turn_ms_p50": percentile([1000 * each for each in self.seconds], 0.5),
            "turn_ms_p95": percentile([1000 * each for each in self.seconds], 0.95),
        }


def run(
    settings: Settings,
    names: Sequence[str],
    halves: Sequence[Split],
    progress: Progress,
    *,
    most: int | None = None,
    mistakes: bool = False,
    data: Path | None = None,
) -> Report:
    """Have extractors read the labelled turns and, where one is given, a LoCoMo file.

    Args:
        settings: Which models there are.
        names: Extractors, as `memory.extraction.extractor` takes them.
        halves: Which halves of the turns.
        progress: Told what was found wrongly or not at all, where mistakes are asked for.
        most: How many turns a model reads, evenly spread; None: all.
        mistakes: Whether to tell mistakes.
        data: A LoCoMo file: how many facts its turns give.

    Raises:
        BadInput: There is no such extractor, or the file cannot be read.
        ModelError: A model cannot be used.
    """
    where, rows = machine.describe(), dict[str, dict[str, Figure]]()
    read = [each for each in turns() if each.split in halves]
    for name in names:
        chosen = extractor(name, settings)
        if chosen is None:
            raise BadInput(f"The extractor {name!r} finds nothing; name one that does.")
        some = read[:: max(1, len(read) // most)][:most] if most else read
        tallies = _measured(chosen, read if chosen.instant else some, progress, mistakes=mistakes)
        rows |= {f"{chosen.spec} {part}": tally.figures() for part, tally in tallies.items()}
        if chosen.instant and most:
            tallies = _measured(chosen, some, progress, mistakes=False)
            rows |= {f"{chosen.spec} on {len(some)} {part}": tally.figures() for part, tally in tallies.items()}
        if data:
            rows[f"{chosen.spec} locomo"] = _unlabelled(chosen, data)
    first = {half: rows[next(name for name in rows if name.endswith(f" {half} all"))] for half in halves}
    metrics = {
        f"{'' if half == halves[-1] else f'{half}_'}{key}": value
        for half in halves
        for key, value in first[half].items()
    }
    return Report(metrics=metrics, machine=where, models={}, n=len(read), rows=rows, notes=NOTES)


def _measured(chosen: Extractor, read: Iterable[Turn], progress: Progress, *, mistakes: bool) -> dict[str, Tally]:
    for text in WARM_UP if chosen.instant else WARM_UP[:1]:
        chosen.extract([_heard(text)], [])
    tallies: dict[str, Tally] = {}
    for turn in read:
        began = time.perf_counter()
        extracted = chosen.extract([_heard(turn.text)], [])
        seconds = time.perf_counter() - began
        for part in ("all", language(turn.text)):
            wrong = tallies.setdefault(f"{turn.split} {part}", Tally()).add(turn, extracted, seconds)
        if mistakes:
            for line in _told(turn, extracted.facts, wrong):
                progress(line)
    return dict(sorted(tallies.items()))


def _told(turn: Turn, facts: Sequence[Fact], wrong: Sequence[Fact]) -> Iterator[str]:
    for fact in wrong:
        yield f"  unsupported {turn.text!r}: {fact.subject} | {fact.attribute} | {fact.value} | {fact.text}"
    for label in turn.needed:
        if not any(bears(label, fact) for fact in facts):
            yield f"  missed      {turn.text!r}: {label.subject} | {label.attribute} | {label.words}"


def _unlabelled(chosen: Extractor, path: Path) -> dict[str, Figure]:
    """Return how much is found in the turns of a LoCoMo file."""
    from hippograph.bench.sets import locomo

    found: list[int] = []
    began = time.perf_counter()
    for items in locomo.read(path).spaces.values():
        for number, item in enumerate(items):
            if isinstance(item, Told):
                found.append(len(chosen.extract([_told_turn(item, number)], []).facts))
    seconds = time.perf_counter() - began
    return {
        "turns": len(found),
        "facts": sum(found),
        "facts_per_turn": _share(sum(found), len(found)),
        "zero_fact_rate": _share(sum(not each for each in found), len(found)),
        "turn_ms_p50": round(1000 * seconds / max(1, len(found)), 2),
    }


def _told_turn(item: Told, number: int) -> Heard:
    turn = item.turn
    return Heard(
        id=turn.get("id") or str(number),
        text=turn["text"],
        role="user",
        speaker=turn.get("speaker", ""),
        said_at=utc(turn.get("said_at") or SAID),
    )


def _heard(text: str) -> Heard:
    return Heard(id="turn", text=text, role="user", said_at=SAID)


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 3) if whole else None
