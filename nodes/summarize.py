"""Turn the memories into the short block that the small model reads."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from hippograph.nodes.dating import dated
from hippograph.nodes.deciding import decide
from hippograph.nodes.distil import Distilled, distil
from hippograph.nodes.extract import extract, needed, quote
from hippograph.nodes.guarding import guarded, order, plain
from hippograph.nodes.ladder import Climbed, Patience, climb
from hippograph.nodes.noting import Terms, cost
from hippograph.nodes.remainder import remainder
from hippograph.nodes.reuse import Reuse
from hippograph.nodes.run import Resources, Run, Update
from hippograph.nodes.succession import settled
from hippograph.nodes.turns import language_of, question
from hippograph.state import Recollection
from hippograph.state.conversation import State
from hippograph.state.turn import Block, Call

if TYPE_CHECKING:
    from hippograph.models import ChatModel

TINY = 1.0
"""Models with fewer parameters, in billions, are distracted by notes beyond the best few."""
TINY_NOTES = 5

_SIZE = re.compile(r"(?<![\d.])(\d+(?:\.\d+)?)b\b", re.IGNORECASE)


def summarize(state: State, run: Run, resources: Resources) -> Update:
    """Write the block: the memories' own words, or a bigger model's where that is worth a call."""
    context, budget = run.context, run.context.memory_tokens
    asked = question(state["messages"])
    language = language_of(context, asked)
    found = [_dated(Recollection.from_record(each)) for each in state.get("memories", [])]
    evidence = [each for each in (guarded(memory, language) for memory in found) if each is not None]
    memories, before = _settled(evidence)
    if not memories:
        return Update()
    small = resources.small(context)
    count = small.counter.text
    few = memories[: most_notes(small.spec)]
    quoted = quote(few, count, language, before)
    configured = bool(resources.rungs(context))
    size = max(needed(memories), quoted["tokens"])
    decision = decide(context.summarize, memories, asked, configured=configured, needed=size, budget=budget)
    spent: list[Call] = []
    climbed: Climbed[Distilled] = Climbed()
    if decision.call:
        climbed = _distilled(evidence, asked, small, language, run, resources, spent)
    if climbed.got is not None:
        block = Block(**{**climbed.got.block, "by": climbed.role or "big"})
    else:
        fits = quoted["tokens"] <= budget
        block = quoted if fits else extract(few, asked, budget, count, language, before)
        left = [each for each in memories if each.id not in block["cited"]]
        block = Block(**{**block, "more": remainder(left, count, language)})
    saved = cost(memories, asked, language) if configured and not decision.call else 0
    block = Block(**{**block, "decision": decision.why, "saved": saved or block["saved"]})
    return Update(block=block, degraded=_fallen(climbed), spent=spent)


def _settled(evidence: Sequence[Recollection]) -> tuple[list[Recollection], Mapping[str, str]]:
    """Return what holds of the evidence, and what held before it, in words that may stand in a prompt."""
    memories, before = settled(evidence)
    return memories, {id_: plain(old) for id_, old in before.items() if not order(old)}


def _distilled(
    evidence: Sequence[Recollection],
    asked: str,
    small: "ChatModel",
    language: str,
    run: Run,
    resources: Resources,
    spent: list[Call],
) -> Climbed[Distilled]:
    """Return the block of the first model that writes it, or wrote it before: the one place where models are called."""
    memories, before = _settled(evidence)
    kept = Reuse(run, resources, evidence, asked, small.spec, language)  # A block may quote what held before.

    def use(big: "ChatModel", patience: Patience) -> Distilled:
        prompt = run.context.distil_prompt
        terms = Terms(role=patience.role, limit=patience.call, spent=spent, prompt=prompt)

        def write() -> Distilled:
            budget, count = run.context.memory_tokens, small.counter.text
            return distil(big, memories, asked, budget, count, language, terms, before)

        return kept(big, patience.spec, terms, write)

    return climb(run, resources, use)


def _fallen(climbed: Climbed[Distilled]) -> list[str]:
    """Say which models failed, why, and what took their place; and what was amiss with the reply that was used."""
    amiss = [f"summarize: {each}" for each in climbed.got.degraded] if climbed.got else []
    if not climbed.failures:
        return amiss
    instead = f"the {climbed.role} model" if climbed.role else "the memories' own words"
    return [f"summarize: {'; '.join(climbed.failures)}; used {instead}", *amiss]


def _dated(memory: Recollection) -> Recollection:
    """Return a memory as it is quoted: with absolute dates, counted in the machine's own time zone."""
    said_at = memory.said_at.astimezone()
    return replace(memory, text=dated(memory.text, said_at), said_at=said_at)


def most_notes(spec: str) -> int | None:
    """Return how many notes a model is given, as far as its name tells its size: "local:qwen2.5-coder-0.5b"."""
    size = _SIZE.search(spec)
    return TINY_NOTES if size and float(size[1]) < TINY else None
