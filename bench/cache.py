"""Does the cache find a block for the same question in other words, for no other, and what does writing ahead give?

Two parts, both on sentences of our own. *Rephrased*: of two questions about the same memories, whether they would share
a block. *Ahead*: after a first question and its answer, blocks are written for what is likely asked next; then what is
asked next is asked.
"""

import json
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage, HumanMessage

from hippograph.bench import machine
from hippograph.bench.labelled import Split
from hippograph.bench.report import Figure, Report
from hippograph.bench.standin import StandIn
from hippograph.graph.ahead import prepare, questions
from hippograph.graph.opened import Models
from hippograph.memory import Memory
from hippograph.memory.blocks.alike import signature
from hippograph.models import Embedder, embedder
from hippograph.nodes import Resources, Run
from hippograph.state import Context, Settings, Turn
from hippograph.state.conversation import State

GOALS = {"false_hits": 0.0, "hit_rate": 0.5}
SPACE = "ann"
NOTES = [
    "hit_rate: share of the pairs that ask the same in other words whose second question finds the first one's block. "
    "false_hits: how many of the pairs that ask something else about the same memories would. Without a prefix: the "
    "half that no wording was added for (test); dev_: the half that was looked at. cosine_hit_rate: what the cosine "
    "alone would find at the lowest threshold that lets no pair of this half pass that asks something else.",
    "ahead_: of the next questions in conversations that were written after the patterns (test; rows tell of those "
    "before too, dev), which share found a block that was written ahead. ahead_wasted: the share of the blocks written "
    "ahead, of both halves, that no next question found. A model is asked in any case (summarize: always); each next "
    "question is asked right after the first.",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two questions about the same memories."""

    split: Split
    language: str
    same: bool
    """Whether they ask for the same."""
    cosine: float
    shares: bool
    """Whether they would share a block."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """A next question."""

    split: Split
    language: str
    cache: str
    """How its block was found: "exact", "near", or "" for not at all."""
    saved_ms: float


def run(settings: Settings, big: str | None, most: int | None, progress: Callable[[str], None]) -> Report:
    """Measure both parts.

    Args:
        settings: The embedding model, and where models are.
        big: The model that writes blocks; None: a stand-in that costs no time.
        most: How many conversations of each language are followed; None: all.
        progress: Told what is under way.
    """
    where, used = machine.describe(), embedder(None, settings)
    pairs = list(_pairs(used))
    progress(f"{len(pairs)} pairs of questions compared.")
    followed, cost = _followed(settings, used, big, most, progress)
    return Report(
        metrics={**_metrics(pairs), **_ahead(each for each in followed if each.split == "test"), **cost},
        machine=where,
        models={"embeddings": used.spec, "big": big or "stand-in"},
        n=len(pairs) + len(followed),
        rows={**_rows(pairs), **{f"ahead {name}": _ahead(part) for name, part in _groups(followed)}},
        notes=NOTES,
    )


def _read(name: str) -> list[dict[str, Any]]:
    lines = files("hippograph.bench").joinpath("data", name).read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def _pairs(used: Embedder) -> Iterator[Pair]:
    for row in _read("rephrased.jsonl"):
        mine = used.embeddings.embed_query(row["question"])
        for same, other in [*((True, each) for each in row["same"]), *((False, each) for each in row["other"])]:
            cosine = _cosine(mine, used.embeddings.embed_query(other))
            alike = used.same is not None and cosine >= used.same
            shares = alike and signature(row["question"]) == signature(other)
            yield Pair(split=row["half"], language=row["language"], same=same, cosine=cosine, shares=shares)


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    import numpy as np

    return float(np.dot(one, other) / (np.linalg.norm(one) * np.linalg.norm(other)))


def _rows(pairs: Sequence[Pair]) -> dict[str, dict[str, Figure]]:
    return {
        f"{half} {language}": _counted([each for each in pairs if (each.split, each.language) == (half, language)])
        for half in ("dev", "test")
        for language in ("en", "zh")
    }


def _counted(pairs: Sequence[Pair]) -> dict[str, Figure]:
    same, others = ([each for each in pairs if each.same is wanted] for wanted in (True, False))
    highest = max(each.cosine for each in others)
    return {
        "same": len(same),
        "hit_rate": _share(sum(each.shares for each in same), len(same)),
        "other": len(others),
        "false_hits": sum(each.shares for each in others),
        "cosine_hit_rate": _share(sum(each.cosine > highest for each in same), len(same)),
    }


def _metrics(pairs: Sequence[Pair]) -> dict[str, Figure]:
    test, dev = (_counted([each for each in pairs if each.split == half]) for half in ("test", "dev"))
    return {**test, **{f"dev_{name}": value for name, value in dev.items()}}


def _followed(
    settings: Settings, used: Embedder, big: str | None, most: int | None, progress: Callable[[str], None]
) -> tuple[list[Followed], dict[str, Figure]]:
    """Hold the conversations; return what became of the next questions, and what writing ahead took."""
    found = list[Followed]()
    with tempfile.TemporaryDirectory(prefix="hippograph-cache-") as home:
        inside = replace(settings, home=Path(home), upkeep_every=0)
        models = Models(settings=inside, small_given=StandIn(), big_given=big or StandIn())
        with Memory.open(home, used, settings=inside, extractor="rules", reranker="fusion") as memory:
            resources = Resources(memory=lambda: memory, small=models.small, big=models.big, ladder=models.ladder)
            for row in _chosen(_read("followups.jsonl"), most):
                found += _conversation(row, resources)
                progress(f"{row['id']}: {', '.join(each.cache or 'not found' for each in found[-2:])}")
            reuse = memory.blocks.status()
    spent: dict[str, Figure] = {
        "ahead_written": reuse.written_ahead,
        "ahead_wasted": _share(reuse.written_ahead - reuse.used_ahead, reuse.written_ahead),
        "ahead_tokens": reuse.spent_ahead,
        "ahead_saved_tokens": reuse.saved_tokens,
        "ahead_saved_ms": round(reuse.saved_ms) if big else None,
    }
    return found, spent


def _chosen(rows: Sequence[dict[str, Any]], most: int | None) -> Iterator[dict[str, Any]]:
    for language in ("en", "zh"):
        mine = [each for each in rows if each["language"] == language]
        yield from islice(mine if most is None else reversed(mine), most)


def _conversation(row: dict[str, Any], resources: Resources) -> Iterator[Followed]:
    """Tell, ask, write ahead, and ask what is asked next, each time from the same point."""
    context = Context(user_id=row["id"], recall="always", summarize="always")
    memory, run = resources.memory(), Run(context=context, thread="now")
    memory.add_turns(row["id"], "then", [Turn(role="user", text=text) for text in row["said"]])
    memory.flush(60)
    state = prepare(row["question"], State(messages=[]), run, resources)
    state["messages"] = [HumanMessage(row["question"], id="1"), AIMessage(row["answer"], id="2")]
    said = [Turn(role="user", text=row["question"]), Turn(role="assistant", text=row["answer"])]
    memory.add_turns(row["id"], "now", said, used=state["block"]["cited"])
    memory.flush(60)
    for each in questions(state, run):
        prepare(each, state, replace(run, ahead=True), resources)
    unasked = replace(run, context=context.model_copy(update={"remember": False}))
    for asked in row["next"]:
        before = memory.blocks.status().saved_ms
        block = prepare(asked, state, unasked, resources)["block"]
        saved = memory.blocks.status().saved_ms - before
        yield Followed(split=row["half"], language=row["language"], cache=block["cache"], saved_ms=saved)


def _groups(followed: Sequence[Followed]) -> Iterator[tuple[str, list[Followed]]]:
    for half in ("dev", "test"):
        for language in ("en", "zh"):
            yield f"{half} {language}", [each for each in followed if (each.split, each.language) == (half, language)]


def _ahead(followed: Iterable[Followed]) -> dict[str, Figure]:
    seen = list(followed)
    return {
        "ahead_asked": len(seen),
        "ahead_hit_rate": _share(sum(bool(each.cache) for each in seen), len(seen)),
        "ahead_exact": sum(each.cache == "exact" for each in seen),
        "ahead_near": sum(each.cache == "near" for each in seen),
    }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 3) if whole else None
