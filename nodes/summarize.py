"""Turn the memories into the short block that the small model reads."""

import re
from dataclasses import replace

from hippograph.nodes.dating import dated
from hippograph.nodes.distil import distil
from hippograph.nodes.extract import extract, fits, quote
from hippograph.nodes.run import Resources, Run, Update
from hippograph.nodes.turns import language_of, question
from hippograph.state import HippographError, Recollection
from hippograph.state.conversation import Call, State

TINY = 1.0
"""Models with fewer parameters, in billions, are distracted by notes beyond the best few."""
TINY_NOTES = 3

_SIZE = re.compile(r"(?<![\d.])(\d+(?:\.\d+)?)b\b", re.IGNORECASE)


def summarize(state: State, run: Run, resources: Resources) -> Update:
    """Write the block: the memories' own words, or the big model's where one is configured and they do not fit."""
    context = run.context
    memories = [_dated(Recollection.from_record(each)) for each in state.get("memories", [])]
    if not memories:
        return Update()
    small = resources.small(context)
    asked, count = question(state["messages"]), small.counter.text
    language = language_of(context, asked)
    few = memories[: most_notes(small.spec)]
    block = quote(few, count, language)
    degraded: list[str] = []
    spent: list[Call] = []
    if block["tokens"] <= context.memory_tokens and fits(memories, context.memory_tokens):
        return Update(block=block, degraded=degraded)
    try:
        if (big := resources.big(context)) is not None:
            block = distil(big, memories, asked, context.memory_tokens, count, language, spent)
            return Update(block=block, spent=spent)
    except HippographError as error:
        degraded.append(f"summarize: {error}; used the memories' own words")
    if block["tokens"] > context.memory_tokens:
        block = extract(few, asked, context.memory_tokens, count, language)
    return Update(block=block, degraded=degraded, spent=spent)


def _dated(memory: Recollection) -> Recollection:
    """Return a memory as it is quoted: with absolute dates, counted in the machine's own time zone."""
    said_at = memory.said_at.astimezone()
    return replace(memory, text=dated(memory.text, said_at), said_at=said_at)


def most_notes(spec: str) -> int | None:
    """Return how many notes a model is given, as far as its name tells its size: "local:qwen2.5-coder-0.5b"."""
    size = _SIZE.search(spec)
    return TINY_NOTES if size and float(size[1]) < TINY else None
