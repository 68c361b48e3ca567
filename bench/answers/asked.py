"""The questions of the answer benchmark: read with their gold answers, and chosen so that every kind has its share."""

import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hippograph.bench import sets
from hippograph.bench.sets import Dataset, Group, Item, files, lifebench, locomo, longmemeval
from hippograph.state import BadInput

NAMES = ("locomo", "longmemeval", "lifebench")
ABSTAINS = "_abs"
"""End of the ids of LongMemEval's questions that have no answer."""
PREFERENCE = "single-session-preference"
"""LongMemEval's questions whose gold is a rubric for a judge, no answer."""
UNANSWERABLE = "Unanswerable"
"""LifeBench's questions that have no answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question with its gold answer."""

    set: str
    id: str
    space: str
    text: str
    gold: str
    """Empty where the question has no answer."""
    category: str
    answerable: bool
    evidence: tuple[Group, ...] = ()
    """The turns that answer it, where they are known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """How many questions are asked of each kind."""

    locomo: int = 100
    """Of LoCoMo's categories 1 to 4."""
    unanswerable: int = 30
    """Of LoCoMo's category 5."""
    longmemeval: int = 60
    lifebench: int = 50
    seed: int = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """What is asked, and the conversations it is about."""

    questions: list[Asked]
    spaces: dict[str, Mapping[str, Sequence[Item]]] = field(default_factory=dict)
    """Set to its spaces that are asked about."""
    notes: list[str] = field(default_factory=list)


def shared() -> Path:
    """Return the folder of the sets beside the working directory, or beside the checkout."""
    beside = Path(__file__).parents[2] / files.SHARED
    return files.SHARED if files.SHARED.exists() else beside.resolve()


def places(data: Path | None) -> dict[str, Path]:
    """Return where each set lies: in a folder of sets, or LoCoMo alone in its own folder or file.

    Raises:
        BadInput: There is none of them.
    """
    data = data or shared()
    if data.is_file() or [*data.glob("locomo*.json")]:
        return {"locomo": data}
    found = {name: data / sets.FOLDERS.get(name, name) for name in NAMES}
    there = {name: place for name, place in found.items() if place.exists()}
    if not there:
        raise BadInput(f"{data} holds none of {', '.join(NAMES)}: give their folder, or a LoCoMo file, with --data.")
    return there


def choose(data: Path | None, names: Sequence[str], numbers: Numbers) -> Chosen:
    """Return the questions to ask, LoCoMo's first; a set that is absent is passed over and noted.

    Args:
        data: A folder of sets, LoCoMo's folder, or a LoCoMo file; None: the folder beside the checkout.
        names: The sets that are wanted.
        numbers: How many of each.

    Raises:
        BadInput: None of the sets is there, or one is not as its makers write it.
    """
    there = places(data)
    chosen = Chosen(questions=[])
    for name in names:
        if name not in there:
            chosen.notes.append(f"{name} is not in {data or shared()} and was left out.")
            continue
        dataset = sets.read(name, there[name])
        asked = files.checked(READERS[name], there[name], name)
        picked = _picked(name, _with_evidence(dataset, asked), numbers)
        spaces = {each.space for each in picked}
        chosen.questions.extend(picked)
        chosen.spaces[name] = {space: items for space, items in dataset.spaces.items() if space in spaces}
    if not chosen.questions:
        raise BadInput(f"Nothing to ask: {data or shared()} has none of {', '.join(names)}, or all numbers are 0.")
    return chosen


def stratified(questions: Sequence[Asked], number: int, seed: int) -> list[Asked]:
    """Return `number` questions, each category in proportion to its size, in mixed order.

    The largest remainders get what is left over. A larger number keeps most of what a smaller one chose.
    """
    parts = defaultdict[str, list[Asked]](list)
    for each in sorted(questions, key=lambda each: each.id):
        parts[each.category].append(each)
    number = min(number, len(questions))
    exact = {name: number * len(part) / max(1, len(questions)) for name, part in parts.items()}
    counts = {name: int(share) for name, share in exact.items()}
    by_rest = sorted(parts, key=lambda name: (counts[name] - exact[name], name))
    for name in by_rest[: number - sum(counts.values())]:
        counts[name] += 1
    kept = [each for name in sorted(parts) for each in _shuffled(parts[name], f"{seed} {name}")[: counts[name]]]
    return _shuffled(kept, str(seed))


def _shuffled(questions: Sequence[Asked], seed: str) -> list[Asked]:
    order = [*questions]
    random.Random(seed).shuffle(order)
    return order


def _picked(name: str, asked: Sequence[Asked], numbers: Numbers) -> list[Asked]:
    if name != "locomo":
        return stratified(asked, getattr(numbers, name), numbers.seed)
    answerable = [each for each in asked if each.answerable]
    rest = [each for each in asked if not each.answerable]
    both = stratified(answerable, numbers.locomo, numbers.seed) + stratified(rest, numbers.unanswerable, numbers.seed)
    return _shuffled(both, str(numbers.seed))


def _with_evidence(dataset: Dataset, asked: Sequence[Asked]) -> list[Asked]:
    gold = {each.id: each.gold for each in dataset.questions}
    return [replace(each, evidence=gold.get(each.id, ())) for each in asked]


def _locomo(place: Path) -> Iterator[Asked]:
    for sample in files.loaded(files.only(place, "locomo*.json")):
        for number, found in enumerate(sample["qa"]):
            category = int(found["category"])
            answerable = category != locomo.ADVERSARIAL
            yield Asked(
                set="locomo",
                id=f"{sample['sample_id']}:{number}",
                space=sample["sample_id"],
                text=str(found["question"]),
                gold=str(found["answer"]) if answerable else "",
                category=str(category),
                answerable=answerable,
            )


def _longmemeval(place: Path) -> Iterator[Asked]:
    for found in files.loaded(files.only(place, "*.json")):
        if found["question_type"] == PREFERENCE:
            continue
        answerable = not found["question_id"].endswith(ABSTAINS)
        yield Asked(
            set="longmemeval",
            id=found["question_id"],
            space=longmemeval.POOL,
            text=found["question"],
            gold=str(found["answer"]) if answerable else "",
            category=found["question_type"] if answerable else "unanswerable",
            answerable=answerable,
        )


def _lifebench(place: Path) -> Iterator[Asked]:
    users = [place] if (place / lifebench.ASKED).is_file() else sorted(place.glob(f"*/{lifebench.ASKED}"))
    for user in (each if each.is_dir() else each.parents[1] for each in users):
        for number, found in enumerate(files.loaded(user / lifebench.ASKED)):
            if found.get("options"):
                continue
            answerable = found["question_type"] != UNANSWERABLE
            yield Asked(
                set="lifebench",
                id=f"{user.name}:{number}",
                space=user.name,
                text=found["question"],
                gold=_text(found["answer"]) if answerable else "",
                category=found["question_type"],
                answerable=answerable,
            )


def _text(answer: Any) -> str:  # noqa: ANN401 - as the set has it
    return "、".join(map(str, answer)) if isinstance(answer, list) else str(answer)


def _whole(read: Callable[[Path], Iterator[Asked]]) -> Callable[[Path], list[Asked]]:
    return lambda place: list(read(place))


READERS: Mapping[str, Callable[[Path], list[Asked]]] = {
    "locomo": _whole(_locomo),
    "longmemeval": _whole(_longmemeval),
    "lifebench": _whole(_lifebench),
}
"""Set to what reads its questions."""
NOTES = {
    "longmemeval": "LongMemEval: questions whose gold is a rubric for a judge (preferences) are left out.",
    "lifebench": "LifeBench: questions with options to choose from are left out.",
}
