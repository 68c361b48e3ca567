"""Turn the memories into the short block that the small model reads."""

import re

from hippograph.nodes.distil import distil
from hippograph.nodes.extract import extract, fits
from hippograph.nodes.run import Resources, Run, Update
from hippograph.nodes.turns import language_of, question
from hippograph.state import HippographError, Recollection
from hippograph.state.conversation import State

TINY = 1.0
"""Models with fewer parameters, in billions, are distracted by notes beyond the best few."""
TINY_NOTES = 3

_SIZE = re.compile(r"(?<![\d.])(\d+(?:\.\d+)?)b\b", re.IGNORECASE)


def summarize(state: State, run: Run, resources: Resources) -> Update:
    """Write the block: the memories' own words, or the big model's where one is configured and they do not fit."""
    context = run.context
    memories = [Recollection.from_record(each) for each in state.get("memories", [])]
    if not memories:
        return Update()
    small = resources.small(context)
    asked, count = question(state["messages"]), small.counter.text
    language = language_of(context, asked)
    memories = memories[: most_notes(small.spec)]
    degraded: list[str] = []
    if not fits(memories, context.memory_tokens, count, language):
        try:
            big = resources.big(context)
            if big is not None:
                block, tokens = distil(big, memories, asked, context.memory_tokens, count, language)
                return Update(block=block, tokens=tokens)
        except HippographError as error:
            degraded.append(f"summarize: {error}; used the memories' own words")
    block = extract(memories, asked, context.memory_tokens, count, language)
    return Update(block=block, tokens=block["tokens"], degraded=degraded)


def most_notes(spec: str) -> int | None:
    """Return how many notes a model is given, as far as its name tells its size: "local:qwen2.5-coder-0.5b"."""
    size = _SIZE.search(spec)
    return TINY_NOTES if size and float(size[1]) < TINY else None
