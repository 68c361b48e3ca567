"""A user's own questions and memories: which embedding model, chunk size, legs and reranker find the most of theirs."""

import json
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

from hippograph.bench import machine
from hippograph.bench.report import Report
from hippograph.bench.retrieval import DEPTH, Asked, Plan, Progress, answers, fed, models, recalled, report
from hippograph.bench.sets import Dataset, Fact, Question, one
from hippograph.bench.vectors import cached
from hippograph.models import embedder
from hippograph.state import BadInput, Settings

SPACE = "own"
EXAMPLE = '{"question": "Where does Ann live?", "answers": ["Ann moved to Oslo."], "memories": ["Ann likes tea."]}'
SHOWN = 10
"""Bad lines that are told; of the rest, how many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """What is compared: every combination is an arm."""

    embeddings: Sequence[str | None] = (None,)
    """Embedding models by name; None: the settings' choice."""
    chunks: Sequence[int | None] = (None,)
    """Longest text of one vector, in characters; None: the model's own."""
    legs: Sequence[Sequence[str] | None] = (None,)
    """Legs to use; None: all."""
    rerankers: Sequence[str | None] = (None,)
    """Rerankers by name; None: the settings' choice."""


def read(path: Path) -> Dataset:
    """Read a file of one JSON object a line: {"question", "answers": [memory texts], "memories"?: [other texts]}.

    A line {"memory": text} gives one memory alone. The same text given twice is one memory.

    Raises:
        BadInput: The file cannot be read, has no question, or lines are bad; the message names them by number.
    """
    ids, questions, bad = dict[str, str](), list[Question](), list[str]()
    for number, line in _lines(path):
        try:
            found = _object(line)
            texts = [*_texts(found, "answers"), *_texts(found, "memories"), *_alone(found)]
            for text in texts:
                ids.setdefault(text, f"m{len(ids) + 1}")
            questions += _question(found, number, ids)
        except ValueError as error:
            bad.append(f"line {number}: {error}")
    if bad:
        more = f"\n  … and {len(bad) - SHOWN} more" if len(bad) > SHOWN else ""
        raise BadInput(f"Nothing was run, {path} has bad lines:\n  " + "\n  ".join(bad[:SHOWN]) + more)
    if not questions:
        raise BadInput(f"{path} holds no question: write one JSON object a line, such as {EXAMPLE}")
    said_at = datetime.now(UTC)
    facts = [Fact(id=id_, text=text, said_at=said_at) for text, id_ in ids.items()]
    return Dataset(name=SPACE, spaces={SPACE: facts}, questions=questions, level="memory")


def run(settings: Settings, dataset: Dataset, grid: Grid, k: int, cache: Path, progress: Progress) -> Report:
    """Ask all questions of each combination, each embedding model and chunk size in a temporary home of its own.

    Args:
        settings: Which models are meant by None.
        dataset: What `read` returned.
        grid: What is compared.
        k: How many found memories count.
        cache: Folder in which vectors are kept between runs.
        progress: Told how far it is.
    """
    where, arms, specs = machine.describe(), dict[str, list[Asked]](), dict[str, None]()
    for spec, chunk in product(grid.embeddings, grid.chunks):
        plain, kept = cached(embedder(spec, settings), cache)
        plain = replace(plain, chunk_chars=chunk or plain.chunk_chars)
        specs[plain.spec] = None
        with closing(kept), tempfile.TemporaryDirectory(prefix="hippograph-own-") as home:
            for reranker in grid.rerankers:
                with fed(dataset, plain, settings.override(reranker=reranker), Path(home), progress) as memory:
                    for legs in grid.legs:
                        name, ask = _name(plain.spec, chunk, legs, reranker), recalled(memory, dataset, legs)
                        arms[name] = answers(dataset, ask, kept, max(k, DEPTH), partial(progress, name))
    rerankers = ", ".join(each for each in grid.rerankers if each) or settings.reranker
    return report(dataset, Plan(k=k), arms, where, models(", ".join(specs), rerankers))


def _name(spec: str, chunk: int | None, legs: Sequence[str] | None, reranker: str | None) -> str:
    """Return an arm's name: the embedding model, then what else was chosen."""
    chosen = [chunk and f"chunks of {chunk}", legs and "+".join(legs), reranker]
    return ", ".join([spec, *(str(each) for each in chosen if each)])


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{path} is not UTF-8 text (byte {error.start}): save it as UTF-8.") from error
    return ((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip())


def _object(line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"no JSON ({error})") from None
    if not isinstance(found, dict) or not ({"question", "memory", "memories"} & found.keys()):
        raise ValueError(f"neither a question nor a memory: write {EXAMPLE}")
    return found


def _texts(found: dict[str, Any], name: str) -> list[str]:
    texts = found.get(name, [])
    if not isinstance(texts, list) or not all(isinstance(each, str) and each.strip() for each in texts):
        raise ValueError(f"{name} is no list of texts")
    return texts


def _alone(found: dict[str, Any]) -> list[str]:
    if "memory" not in found:
        return []
    if not isinstance(found["memory"], str) or not found["memory"].strip():
        raise ValueError("memory is no text")
    return [found["memory"]]


def _question(found: dict[str, Any], number: int, ids: dict[str, str]) -> list[Question]:
    if "question" not in found:
        return []
    if not isinstance(found["question"], str) or not found["question"].strip():
        raise ValueError("question is no text")
    if not found.get("answers"):
        raise ValueError("answers is missing: list the memory texts that answer the question")
    gold = tuple(one(ids[text]) for text in dict.fromkeys(found["answers"]))
    return [Question(id=f"line {number}", space=SPACE, text=found["question"], gold=gold)]
