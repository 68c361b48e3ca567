"""Retrieval benchmarks: a data set fed through the public surface, every question asked, no language model.

Each way of ranking is an arm, a row of the same table: the memory with all legs, with some, and the floors.
"""

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from hippograph.bench import floors, machine
from hippograph.bench.measures import fraction, judged, means
from hippograph.bench.report import Figure, Report, median, percentile
from hippograph.bench.sets import Dataset, Fact, Question
from hippograph.bench.vectors import CachedEmbeddings, cached
from hippograph.memory import Memory
from hippograph.memory.exchange.transfer import Told, import_turns
from hippograph.memory.extraction import RULES
from hippograph.models import Embedder, embedder
from hippograph.state import Settings

DEPTH = 20
"""How many are asked for at least: the plot shows recall up to here."""
OURS = "hippograph"
LEGS = ("vector", "keyword")
"""The legs that `each_leg` asks one by one."""
Progress = Callable[[str, int, int], None]
"""Told a stage, how much of it is done, and of how much."""
Ask = Callable[[Question, int], list[str]]
"""Returns the ids found for a question, at most so many, best first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is measured beside the memory with all its legs."""

    k: int = 10
    legs: Sequence[str] | None = None
    """Only these legs; None: all."""
    each_leg: bool = False
    floors: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question and what an arm found."""

    question: Question
    found: Sequence[str]
    ms: float
    """Without embedding the question."""
    embed_ms: float
    """Embedding the question, as measured when it was first embedded."""


def run(settings: Settings, dataset: Dataset, plan: Plan, cache: Path, home: Path | None, progress: Progress) -> Report:
    """Feed a data set to a memory and ask all its questions, of the memory and of the floors.

    Args:
        settings: Which embedding model, and which reranker.
        dataset: What `sets.read` returned.
        plan: What is measured.
        cache: Folder in which vectors are kept between runs.
        home: Where the memory is kept; None: in a temporary folder.
        progress: Told how far it is.
    """
    where = machine.describe()
    plain, kept = cached(embedder(settings.embeddings, settings), cache)
    with ExitStack() as stack:
        stack.callback(kept.close)
        memory = stack.enter_context(fed(dataset, plain, settings, home, progress))
        arms = {
            name: answers(dataset, ask, kept, max(plan.k, DEPTH), partial(progress, name))
            for name, ask in _arms(memory, dataset, plan, kept, stack, progress).items()
        }
    return report(dataset, plan, arms, where, models(plain.spec, settings.reranker, settings.extractor or RULES))


def models(embeddings: str, reranker: str | None, extracted: str | None = None) -> dict[str, str]:
    """Return what a report says of the models."""
    named = {"embeddings": embeddings, "reranker": reranker, "extractor": extracted}
    return {role: name for role, name in named.items() if name}


def _arms(
    memory: Memory, dataset: Dataset, plan: Plan, kept: CachedEmbeddings, stack: ExitStack, progress: Progress
) -> dict[str, Ask]:
    """Return what is compared, by name, ours first."""
    ours = {OURS if plan.legs is None else f"{OURS} {'+'.join(plan.legs)}": recalled(memory, dataset, plan.legs)}
    if plan.each_leg:
        ours |= {f"{leg} alone": recalled(memory, dataset, [leg]) for leg in LEGS}
    if not plan.floors:
        return ours
    spaces = stack.enter_context(floors.opened(dataset, kept, lambda done, total: progress("Floors", done, total)))
    return ours | {name: _floor(spaces, name) for name in floors.NAMES}


def _floor(spaces: Mapping[str, Mapping[str, floors.Floor]], name: str) -> Ask:
    return lambda question, k: spaces[question.space][name](question.text, k, question.at)


@contextmanager
def fed(
    dataset: Dataset, plain: Embedder, settings: Settings, home: Path | None, progress: Progress
) -> Iterator[Memory]:
    """Give a memory that holds a data set and has indexed it."""
    with ExitStack() as stack:
        home = home or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hippograph-bench-")))
        still = replace(settings, upkeep_every=0)  # else results depend on how far upkeep has come
        memory = stack.enter_context(Memory.open(home, plain, settings=still))
        total, done = sum(map(len, dataset.spaces.values())), 0
        for space, items in dataset.spaces.items():
            store(memory, space_of(dataset, space), items)
            done += len(items)
            progress("Storing", done, total)
        _settled(memory, total, progress)
        for space, ids in dataset.forgotten.items():
            if kept := {*ids} & {each.id for each in memory.list(space_of(dataset, space), limit=None)}:
                memory.forget(space_of(dataset, space), ids=[*kept])
        yield memory


def _settled(memory: Memory, total: int, progress: Progress) -> None:
    """Wait until all is indexed."""
    while not memory.flush(0.5) and (pending := memory.status().pending):
        progress("Indexing", total - min(pending, total), total)
    progress("Indexing", total, total)


def store(memory: Memory, space: str, items: Sequence[Told | Fact]) -> None:
    """Store the items of a space; what is there already stays as it is."""
    import_turns(memory, space, [item for item in items if isinstance(item, Told)])
    for item in items:
        if isinstance(item, Fact):
            memory.remember(space, item.text, id=item.id, said_at=item.said_at)


def space_of(dataset: Dataset, space: str) -> str:
    """Return the memory's space for one of the set's, so that sets do not mix in one home."""
    return f"{dataset.name}/{space}"


def recalled(memory: Memory, dataset: Dataset, legs: Sequence[str] | None) -> Ask:
    """Return an arm that asks the memory, with all legs or only some; facts stand for the turns they come from."""

    def ask(question: Question, k: int) -> list[str]:
        found = memory.recall(
            space_of(dataset, question.space),
            question.text,
            k=k,
            at=question.at,
            asked_at=question.asked_at,
            legs=legs,
            explain=False,
        )
        return list(dict.fromkeys(id_ for each in found for id_ in each.source_ids or [each.id]))

    return ask


def answers(
    dataset: Dataset, ask: Ask, kept: CachedEmbeddings, depth: int, progress: Callable[[int, int], None]
) -> list[Asked]:
    """Ask all questions of one arm, one after the other, and time them."""
    asked = list[Asked]()
    for number, question in enumerate(dataset.questions, 1):
        waited, cost, began = kept.waited_seconds, kept.query_seconds, time.perf_counter()
        found = ask(question, depth)
        seconds = time.perf_counter() - began - (kept.waited_seconds - waited)
        embedding = kept.query_seconds - cost
        asked.append(Asked(question=question, found=found, ms=seconds * 1000, embed_ms=embedding * 1000))
        progress(number, len(dataset.questions))
    return asked


def report(
    dataset: Dataset,
    plan: Plan,
    arms: Mapping[str, Sequence[Asked]],
    where: machine.Machine,
    models: dict[str, str],
) -> Report:
    """Return the figures of all arms; the first is the one whose questions are kept and whose figures stand on top."""
    ours = next(iter(arms.values()))
    return Report(
        metrics=row(ours, plan.k),
        machine=where,
        models=models,
        n=sum(each.question.scored for each in ours),
        rows={name: row(asked, plan.k) for name, asked in arms.items()},
        categories={name: by_category(asked, plan.k) for name, asked in arms.items()},
        curves={name: curve(asked, max(plan.k, DEPTH)) for name, asked in arms.items()},
        stages=stages(ours),
        questions=[single(each, plan.k) for each in ours],
        notes=[f"{dataset.name}: {dataset.level} level, k = {plan.k}.", *dataset.notes, KEPT],
    )


KEPT = "Vectors are kept between runs; what embedding a question costs was measured when it was first embedded."


def row(asked: Sequence[Asked], k: int) -> dict[str, Figure]:
    """Return an arm's means over the questions of the headline, and what it takes without embedding."""
    scored = [each for each in asked if each.question.scored]
    figures = means([judged(each.question, each.found, k) for each in scored])
    pairs = sum(bool(each.question.pairs) for each in scored)
    return {"n": len(scored), **figures, **({"newest_n": pairs} if pairs else {}), **times(asked)}


def times(asked: Sequence[Asked]) -> dict[str, Figure]:
    """Return the median and 95th percentile of what a question takes, without its embedding."""
    values = [each.ms for each in asked]
    return {"ms_p50": median(values), "ms_p95": percentile(values, 0.95)}


def by_category(asked: Sequence[Asked], k: int) -> dict[str, dict[str, Figure]]:
    """Return the means of each category, in order of its name."""
    names = sorted({each.question.category for each in asked})
    parts = {name: [each for each in asked if each.question.category == name] for name in names}
    return {
        name: {"n": len(part), **means([judged(each.question, each.found, k) for each in part])}
        for name, part in parts.items()
    }


def curve(asked: Sequence[Asked], depth: int) -> list[float]:
    """Return R@k for each k from 1 to `depth` over the questions of the headline."""
    scored = [each for each in asked if each.question.scored and each.question.gold]
    return [
        round(sum(fraction(each.found, each.question.gold, k) for each in scored) / max(len(scored), 1), 4)
        for k in range(1, depth + 1)
    ]


def stages(asked: Sequence[Asked]) -> dict[str, dict[str, float]]:
    """Return what embedding the question takes, where it was not asked just before, and all the rest of recall."""
    parts = {"embed": [each.embed_ms for each in asked if each.embed_ms], "recall": [each.ms for each in asked]}
    return {name: {"p50": median(each), "p95": percentile(each, 0.95)} for name, each in parts.items() if each}


def single(asked: Asked, k: int) -> dict[str, object]:
    """Return one question as the report keeps it."""
    question = asked.question
    return {
        "id": question.id,
        "category": question.category,
        "question": question.text,
        "gold": [" | ".join(sorted(group)) for group in question.gold],
        "found": list(asked.found),
        "scored": question.scored,
        **{name: round(value, 4) for name, value in judged(question, asked.found, k).items()},
    }
