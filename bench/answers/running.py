"""`bench answers`: every arm asked every question, kept as it goes, so that it can be stopped at any time."""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path

from hippograph.bench import machine
from hippograph.bench.answers import arms, failing, figures, homes
from hippograph.bench.answers.arms import Decoding, Outcome, Reader
from hippograph.bench.answers.asked import NAMES, NOTES, Asked, Chosen, Numbers, choose
from hippograph.bench.answers.keeping import FILE, Answers
from hippograph.bench.answers.scores import MOST_CHARACTERS, MOST_WORDS
from hippograph.bench.report import Report
from hippograph.bench.vectors import CachedEmbeddings, cached
from hippograph.models import Embedder, embedder
from hippograph.state import Settings

CHUNK = 8
"""Questions that one arm is asked before the next: a server reads the beginning of an arm's prompts once. The first
rounds are shorter, so that there is something to compare early."""
EVERY = 20.0
"""Seconds between two writings of the report."""
GOALS = {
    "uplift_points": 27.0,
    "over_rag_points": 5.0,
    "over_rag4_points": 0.0,
    "injected_tokens_p50": 600.0,
    "injected_tokens_p95": 1000.0,
    "unsupported_in_prompt": 0.0,
    "false_answers_cut": 0.5,
}
Progress = Callable[[str], None]
Save = Callable[[Report, Sequence[Outcome]], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is asked of whom."""

    small: Sequence[str]
    """The readers; the flat figures are the first one's."""
    big: str | None = None
    sets: Sequence[str] = NAMES
    arms: Sequence[str] = ("extract", "none", "rag", "rag4", "last", "full")
    numbers: Numbers = field(default_factory=Numbers)
    decoding: Decoding = field(default_factory=Decoding)


def run(settings: Settings, data: Path | None, plan: Plan, cache: Path, progress: Progress, save: Save) -> Report:
    """Ask all questions in all arms.

    Args:
        settings: Models and where they are.
        data: A folder of sets, LoCoMo's folder, or a LoCoMo file; None: the folder beside the checkout.
        plan: What is asked.
        cache: Folder of the vectors, homes and answers that are kept between runs.
        progress: Told in lines how far it is.
        save: Given the report so far, marked as partial, and all outcomes, every few questions, and at the end.
    """
    where, chosen = machine.describe(), choose(data, plan.sets, plan.numbers)
    for line in chosen.notes:
        progress(line)
    arms.check([*plan.small, *([plan.big] if plan.big else [])], settings, plan.decoding)
    plain, vectors = cached(embedder(settings.embeddings, settings), cache)
    named = {"small": plan.small[0], "big": plan.big, "embeddings": plain.spec}
    models = {role: spec for role, spec in named.items() if spec}
    outcomes, readers = list[Outcome](), list[str]()
    done = _Done(len(chosen.questions) * len(plan.arms) * len(plan.small), progress)
    with ExitStack() as stack:
        stack.callback(vectors.close)
        for reader in _readers(settings, plan, cache, chosen, plain, vectors, stack, progress):
            readers.append(reader.model.spec)
            for outcome in _asked(reader, plan, chosen.questions):
                outcomes.append(outcome)
                if done.is_due(outcome, reader):
                    save(report(outcomes, readers, chosen, where, models, partial=True), outcomes)
    final = report(outcomes, readers, chosen, where, models, partial=False)
    save(final, outcomes)
    return final


def _readers(
    settings: Settings,
    plan: Plan,
    cache: Path,
    chosen: Chosen,
    plain: Embedder,
    vectors: CachedEmbeddings,
    stack: ExitStack,
    progress: Progress,
) -> Iterator[Reader]:
    """Return the readers, each opened when the one before is done, over memories that they share."""
    folder = cache / "answers"
    answers = Answers(folder / FILE)
    stack.callback(answers.close)
    memories = {
        name: stack.enter_context(homes.opened(name, spaces, plain, settings, folder, progress))
        for name, spaces in chosen.spaces.items()
    }
    shelves = stack.enter_context(homes.retrieval(chosen.spaces, vectors))
    for spec in plan.small:
        with Reader(
            spec=spec,
            settings=settings,
            decoding=plan.decoding,
            answers=answers,
            memories=memories,
            shelves=shelves,
            big=plan.big,
        ) as reader:
            yield reader


def _asked(reader: Reader, plan: Plan, questions: Sequence[Asked]) -> Iterator[Outcome]:
    """Ask all questions in the arms of the headline, in turns, then in one further arm after the other."""
    blocks = dict[tuple[str, str], Outcome]()
    first = [arm for arm in arms.FIRST if arm in plan.arms]
    later = [[arm] for arm in arms.NAMES if arm in plan.arms and arm not in first]
    for together in [first, *later]:
        for part in rounds(questions):
            for arm in together:
                for asked in part:
                    outcome = reader.ask(arm, asked, blocks.get((asked.set, asked.id)))
                    if arm == "extract":
                        blocks[asked.set, asked.id] = outcome
                    yield outcome


def rounds(questions: Sequence[Asked]) -> Iterator[Sequence[Asked]]:
    """Return the questions in rounds of 1, 2, 4, then CHUNK."""
    start, size = 0, 1
    while start < len(questions):
        yield questions[start : start + size]
        start, size = start + size, min(2 * size, CHUNK)


class _Done:
    """How far it is, and how long the rest will take: what was answered before takes no time."""

    def __init__(self, total: int, progress: Progress) -> None:
        self.total, self.number, self._progress, self._began = total, 0, progress, time.perf_counter()
        self._told = self._began

    def is_due(self, outcome: Outcome, reader: Reader) -> bool:
        """Count one answer; tell how far it is, and return True, where that was long ago."""
        self.number += 1
        now = time.perf_counter()
        if now - self._told < EVERY and self.number < self.total:
            return False
        self._told, spent = now, now - self._began
        left = spent / self.number * (self.total - self.number)
        self._progress(
            f"{self.number} of {self.total} ({reader.model.spec}, {outcome.arm}); {spent / 60:.1f} min, "
            f"about {left / 60:.0f} min left; {reader.clock.asked} calls."
        )
        return True


def report(
    outcomes: Sequence[Outcome],
    readers: Sequence[str],
    chosen: Chosen,
    where: machine.Machine,
    models: dict[str, str],
    *,
    partial: bool,
) -> Report:
    """Return the figures of what has been answered so far."""
    main = [each for each in outcomes if each.reader == readers[0]]
    asked = {(each.asked.set, each.asked.id) for each in main}
    notes = [
        *(["Partial: it was still running when this was written."] if partial else []),
        *chosen.notes,
        *(note for name, note in NOTES.items() if name in chosen.spaces),
        "Metrics are of the first small model over LoCoMo: categories 1-4, false answers over category 5.",
        f"Judged are an answer's first {MOST_WORDS} words, or {MOST_CHARACTERS} Chinese characters.",
        "rag fills as many tokens as our block for the same question (at least 64), rag4 four times as many.",
    ]
    return Report(
        metrics=figures.metrics(main),
        machine=where,
        models=models | {"small": readers[0]},
        n=len(asked),
        rows=figures.rows(outcomes, readers),
        categories=figures.categories(outcomes, readers),
        questions=[single(each) for each in outcomes],
        notes=notes,
        partial=partial,
    )


def single(outcome: Outcome) -> dict[str, object]:
    """Return one answer as the report keeps it: scores and costs, no text of the data."""
    return {
        "id": f"{outcome.asked.set}/{outcome.asked.id}",
        "category": outcome.asked.category,
        "answerable": outcome.asked.answerable,
        "reader": outcome.reader,
        "arm": outcome.arm,
        **asdict(outcome.scores),
        "tokens": outcome.tokens,
        "ms": outcome.ms,
        **({"skipped": True} if outcome.skipped else {}),
    }


def details(outcome: Outcome) -> dict[str, object]:
    """Return one answer with all that was shown and said."""
    asked = outcome.asked
    return {
        **single(outcome),
        "f1": round(outcome.scores.f1, 4),
        "question": asked.text,
        "gold": asked.gold,
        "answer": outcome.answer,
        "context": outcome.context,
        "evidence": [" | ".join(sorted(group)) for group in asked.evidence],
        "shown": [*outcome.shown],
        "found": [*outcome.found],
        "prompt_tokens": outcome.prompt_tokens,
        "output_tokens": outcome.output_tokens,
        "degraded": [*outcome.degraded],
    }


def write_details(outcomes: Sequence[Outcome], path: Path) -> None:
    """Write a line for each answer, at once or not at all."""
    lines = (json.dumps(details(each), ensure_ascii=False) + "\n" for each in outcomes)
    replace_file(path, "".join(lines))


def write_failures(outcomes: Sequence[Outcome], number: int, path: Path) -> None:
    """Write why answers of the first reader failed, with some of them in full."""
    main = [each for each in outcomes if each.reader == outcomes[0].reader]
    replace_file(path, "\n".join([*failing.page(main, number), ""]))


def replace_file(path: Path, text: str) -> None:
    """Write a file so that at any instant it is the old one or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.new")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)


def write(report: Report | Mapping[str, object], path: Path) -> None:
    """Keep a report so that at any instant a whole one is there."""
    replace_file(path, json.dumps(report, ensure_ascii=False, indent=2) + "\n")
