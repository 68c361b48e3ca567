"""Kept blocks in a turn: a model is not asked again what it was asked about the same memories."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from time import perf_counter
from typing import TYPE_CHECKING

from hippograph.memory.blocks import Found, Wanted, Written
from hippograph.nodes.distil import Distilled
from hippograph.nodes.ladder import Patience
from hippograph.nodes.run import Resources, Run
from hippograph.state import HippographError, Recollection
from hippograph.state.conversation import Block, Call

if TYPE_CHECKING:
    from hippograph.models import ChatModel


class Reuse:
    """What one question may find, and what is kept for the next."""

    def __init__(
        self,
        run: Run,
        resources: Resources,
        memories: Sequence[Recollection],
        asked: str,
        small: str,
        language: str,
        spent: list[Call],
    ) -> None:
        """Prepare.

        Args:
            run: Says whose memories, how many tokens, and whether there is to be a cache at all.
            resources: The memory that keeps blocks.
            memories: What models are shown.
            asked: The question.
            small: Full name of the model that reads the block, by whose tokens it is measured.
            language: Of the prompts.
            spent: The turn's calls of models, to which those that were not needed are added.
        """
        self._run = run
        self._resources = resources
        self._memories = memories
        self._asked = asked
        self._small = small
        self._language = language
        self._spent = spent

    def __call__(self, big: "ChatModel", patience: Patience, write: Callable[[], Distilled]) -> Distilled:
        """Return the block that a model wrote before, else what it writes now, which is kept.

        Args:
            big: The model.
            patience: Says what the ladder calls it.
            write: Writes the block, and adds its calls to those of the turn.
        """
        wanted = self._wanted(big, patience) if self._run.context.cache else None
        if wanted is None:
            return write()
        began, before, degraded = perf_counter(), len(self._spent), list[str]()
        try:
            if found := self._resources.memory().blocks.find(wanted):
                return self._again(found, patience, big, began)
        except HippographError as error:
            degraded.append(f"kept blocks: {error}")
        began = perf_counter()
        written = write()
        try:
            if not written.degraded:  # what was written on half of the evidence is no answer for the next time
                took = _cost(self._spent[before:], began)
                self._resources.memory().blocks.keep(wanted, written.block, took)
        except HippographError as error:
            degraded = [f"kept blocks: {error}"]
        return replace(written, degraded=(*written.degraded, *degraded))

    def _again(self, found: Found, patience: Patience, big: "ChatModel", began: float) -> Distilled:
        """Return a block that was found, as if it had just been written; the call it stands for is told as cached."""
        read, wrote = found.written.input, found.written.output
        call = Call(role=patience.role, model=big.spec, input=read, output=wrote, ms=_since(began), cached=True)
        self._spent.append(call)
        block = Block(**{**found.block, "cache": found.how, "saved": read + wrote})  # type: ignore[typeddict-item]
        return Distilled(block=block, degraded=())

    def _wanted(self, big: "ChatModel", patience: Patience) -> Wanted:
        context = self._run.context
        return Wanted(
            space=context.user_id,
            question=self._asked,
            evidence=self._memories,
            model=big.spec,
            means=f"{code()} {self._small} {big.window} {_identity(big, patience.spec)}",
            language=self._language,
            budget=context.memory_tokens,
            lasting=context.remember,
            ahead=self._run.ahead,
        )


@cache
def code() -> str:
    """Return a digest of all prompts and nodes: what an earlier version wrote, or let pass, is not found."""
    here = files("hippograph.nodes")
    read = [each.read_bytes() for folder in (here, here / "prompts") for each in _sources(folder)]
    return sha256(b"\0".join(read)).hexdigest()[:16]


def _sources(folder: Traversable) -> list[Traversable]:
    found = [each for each in folder.iterdir() if each.name.endswith((".py", ".md", ".json"))]
    return sorted(found, key=lambda each: each.name)


def _identity(big: "ChatModel", rung: str) -> str:
    """Return what tells models apart that the caller made and that have one name: settings of theirs, as a digest."""
    if not big.spec.startswith("given:"):
        return ""
    told = json.dumps(big.model._identifying_params, sort_keys=True, default=str)
    return f"{rung} {sha256(told.encode()).hexdigest()[:16]}"


def _cost(calls: Sequence[Call], began: float) -> Written:
    """Return what some calls took together; those that failed count too, as they would again."""
    read, wrote = sum(each["input"] for each in calls), sum(each["output"] for each in calls)
    return Written(input=read, output=wrote, ms=_since(began))


def _since(began: float) -> float:
    return round((perf_counter() - began) * 1000, 2)
