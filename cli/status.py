"""`hippograph status`: what the home holds."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from hippograph.cli.figures import money_text
from hippograph.cli.lines import counted, shortened
from hippograph.cli.options import EmbeddingsOption, HomeOption, JsonOption
from hippograph.cli.screen import say, say_json
from hippograph.cli.store import open_memory

if TYPE_CHECKING:
    from hippograph.memory import Backlog, Readings, Reuse
    from hippograph.state.costs import Stats

TODAY = 1.0
"""Days whose costs are told."""


def status(
    home: HomeOption = None,
    embeddings: EmbeddingsOption = None,
    clear_cache: Annotated[
        bool, typer.Option("--clear-cache", help="First drop all kept blocks, and the counts of what they saved.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Show what the home holds: memories, models, what waits to be indexed or read for facts, what kept blocks saved.

    \b
    hippograph status
    hippograph status --home ~/hippograph --json
    hippograph status --clear-cache
    """
    with open_memory(home, embeddings) as memory:
        if clear_cache:
            memory.blocks.clear()
        health, told = memory.status(), memory.stats(days=TODAY)
    if as_json:
        say_json({**asdict(health), "alarms": [asdict(each) for each in told.alarms]})
        return
    say(f"home        {health.home}")
    say(f"memories    {health.memories:,}")
    say(f"embeddings  {health.embeddings}, {health.dimension} dimensions")
    say(f"extractor   {health.extractor or 'none: turns are kept verbatim only'}")
    say(f"to index    {waiting(health.index)}")
    say(f"to read     {waiting(health.extract)}")
    say(f"facts       {given(health.readings)}")
    say(f"cache       {reused(health.cache)}")
    say(f"costs       {spent_today(told)}")
    if health.uncompacted:
        say("forgotten   bytes are still in the files: `hippograph upkeep` takes them out")


def waiting(backlog: "Backlog") -> str:
    """Say how many jobs of a kind wait, fail and were given up."""
    since = f", the oldest for {lasting(backlog.oldest_seconds)}" if backlog.pending else ""
    parts = [f"{backlog.queued + backlog.running:,} waiting{since}"]
    parts += [f"{backlog.failing:,} failed and tried again"] if backlog.failing else []
    parts += [f"{backlog.dead:,} given up (hippograph jobs --dead)"] if backlog.dead else []
    return "; ".join(parts) + (f": {shortened(backlog.error, 80)}" if backlog.error else "")


def spent_today(told: "Stats") -> str:
    """Say what the last day cost, and what is amiss."""
    total = told.total
    tokens = total.spent.input + total.spent.output
    parts = [f"{counted(total.turns, 'turn')} in 24 hours, {tokens:,} tokens, {money_text(total.spent)}"]
    return "; ".join([*parts, *(f"ALARM: {each.text}" for each in told.alarms)])


def given(readings: "Readings") -> str:
    """Say what reading turns for facts has given."""
    if readings.zero_fact_rate is None:
        return "no turn was read for facts so far"
    return (
        f"{readings.facts:,} in {counted(readings.turns, 'turn')} read, {readings.zero_fact_rate:.0%} of the users' "
        f"without any; {readings.dropped:,} not taken; {counted(readings.degraded, 'turn')} with something amiss"
    )


def reused(cache: "Reuse") -> str:
    """Say what blocks are kept, and what finding them has saved."""
    if not cache.most_bytes:
        return "off: HIPPOGRAPH_CACHE_MB is 0"
    room = f"{counted(cache.blocks, 'block')}, {cache.bytes / 1e6:,.1f} of {cache.most_bytes / 1e6:,.0f} MB"
    if cache.hit_rate is None:
        return f"{room}; no block of a model was looked for so far"
    found = f"{cache.hit_rate:.0%} of {cache.asked:,} looked for were found ({cache.near:,} in other words)"
    ahead = ""
    if cache.written_ahead:
        written = f"{counted(cache.written_ahead, 'block')} written ahead for {cache.spent_ahead:,} tokens"
        ahead = f"; {written}, found {cache.used_ahead:,} times"
    return f"{room}; {found}; saved {cache.saved_tokens:,} tokens and {lasting(cache.saved_ms / 1000)}{ahead}"


def lasting(seconds: float) -> str:
    """Say how long some seconds are, in one unit."""
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"
