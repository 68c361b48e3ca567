"""Kept blocks in a turn: a model is not asked again what it was asked about the same memories."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING

from hippograph.memory.blocks import Found, Wanted, Written
from hippograph.nodes.distil import Distilled
from hippograph.nodes.noting import Terms
from hippograph.nodes.run import Resources, Run
from hippograph.state import HippographError, Recollection
from hippograph.state.turn import Block, Call

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
    ) -> None:
        """Prepare.

        Args:
            run: Says whose memories, how many tokens, and whether there is to be a cache at all.
            resources: The memory that keeps blocks.
            memories: What models are shown.
            asked: The question.
            small: Full name of the model that reads the block, by whose tokens it is measured.
            language: Of the prompts.
        """
        self._run = run
        self._resources = resources
        self._memories = memories
        self._asked = asked
        self._small = small
        self._language = language

    def __call__(self, big: "ChatModel", rung: str, terms: Terms, write: Callable[[], Distilled]) -> Distilled:
        """Return the block that a model wrote before, else what it writes now, which is kept.

        Args:
            big: The model.
            rung: What the ladder calls it: two models of the caller's own are told apart by that.
            terms: Of its calls; a block that is found is put down as one that was not sent.
            write: Writes the block.
        """
        wanted = self._wanted(big, rung) if self._run.context.cache else None
        if wanted is None:
            return write()
        degraded: list[str] = []
        try:
            if found := self._resources.memory().blocks.find(wanted):
                if not self._run.ahead:  # nobody asked: a block that is there already saves nothing
                    terms.spent.append(_unsent(found, big, terms))
                return _again(found)
        except HippographError as error:
            degraded.append(f"kept blocks: {error}")
        before = len(terms.spent)
        written = write()
        try:
            if not written.degraded:  # what was written on half of the evidence is no answer for the next time
                self._resources.memory().blocks.keep(wanted, written.block, _cost(terms.spent[before:]))
        except HippographError as error:
            degraded = [f"kept blocks: {error}"]
        return replace(written, degraded=(*written.degraded, *degraded))

    def _wanted(self, big: "ChatModel", rung: str) -> Wanted:
        context = self._run.context
        return Wanted(
            space=context.user_id,
            question=self._asked,
            evidence=self._memories,
            model=big.spec,
            means=f"{code()} {self._small} {big.window} {_identity(big, rung)}{_told(context.distil_prompt)}",
            language=self._language,
            budget=context.memory_tokens,
            lasting=context.remember,
            ahead=self._run.ahead,
        )


@cache
def code() -> str:
    """Return a digest of all prompts and nodes: what an earlier version wrote, or let pass, is not found."""
    here = files("hippograph.nodes")
    return sha256(b"\0".join(each.read_bytes() for each in _sources(here))).hexdigest()[:16]


def _sources(folder: Traversable) -> Iterator[Traversable]:
    """Yield the files of a folder, and of those in it, in an order that is the same everywhere."""
    for each in sorted(folder.iterdir(), key=lambda each: each.name):
        if each.is_dir():
            yield from _sources(each)
        elif each.name.endswith((".py", ".md", ".json")):
            yield each


def _told(prompt: str) -> str:
    """Return what tells apart what models were told to do."""
    return f" {sha256(prompt.encode('utf-8', 'replace')).hexdigest()[:16]}" if prompt else ""


def _identity(big: "ChatModel", rung: str) -> str:
    """Return what tells models apart that the caller made and that have one name: settings of theirs, as a digest."""
    if not big.spec.startswith("given:"):
        return ""
    told = json.dumps(big.model._identifying_params, sort_keys=True, default=str)
    return f"{rung} {sha256(told.encode()).hexdigest()[:16]}"


def _again(found: Found) -> Distilled:
    """Return a block that was found, as if it had just been written."""
    saved = found.written.input + found.written.output
    block = Block(**{**found.block, "cache": found.how, "saved": saved})  # type: ignore[typeddict-item]
    return Distilled(block=block, degraded=())


def _cost(calls: Sequence[Call]) -> Written:
    """Return what writing a block took, by the calls that were made for it."""
    return Written(
        input=sum(call["input"] for call in calls),
        output=sum(call["output"] for call in calls),
        ms=round(sum(call["ms"] for call in calls), 1),
    )


def _unsent(found: Found, big: "ChatModel", terms: Terms) -> Call:
    """Return the call that finding a block saved."""
    cost = found.written
    return Call(role=terms.role, model=big.spec, input=cost.input, output=cost.output, ms=0.0, cached=True)
