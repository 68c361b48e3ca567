"""`hippograph doctor`: what stands in the way, and the cure."""

from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from hippograph.cli.failure import explain
from hippograph.cli.lines import counted
from hippograph.cli.options import (
    BackupOption,
    BigOption,
    EmbeddingsOption,
    HomeOption,
    JsonOption,
    RerankerOption,
    SmallOption,
    configured,
)
from hippograph.cli.screen import say, say_json
from hippograph.cli.status import TODAY, given, waiting
from hippograph.state import HomeUnusable, Settings

if TYPE_CHECKING:
    from hippograph.memory.diagnosis import Finding


def doctor(
    home: HomeOption = None,
    small: SmallOption = None,
    big: BigOption = None,
    backup: BackupOption = None,
    embeddings: EmbeddingsOption = None,
    reranker: RerankerOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find what stands in the way, and say the cure; exit code 1 where there is something.

    It looks at each model, the disk, permissions, the databases, the clock, prices, and whether the home opens: its
    owner, its embedding model, its index and its queue.

    \b
    hippograph doctor
    hippograph doctor --home ~/hippograph --small ollama:qwen3:4b
    hippograph doctor --json
    """
    settings = configured(home, small, big, embeddings, reranker, backup)
    found = findings(settings)
    if as_json:
        say_json([asdict(each) for each in found])
    else:
        widest = max(len(each.name) for each in found)
        for each in found:
            say(f"{each.name:{widest}}  {'ok' if each.ok else 'PROBLEM':8} {each.text}")
    if not all(each.ok for each in found):
        raise typer.Exit(1)


def findings(settings: Settings) -> "list[Finding]":
    """Look at the models, the machine and the home."""
    from hippograph.memory.diagnosis import diagnose

    found = [*_models(settings), *diagnose(settings), *_tokens(settings)]
    told = {each.text for each in found}
    return found + [each for each in _home(settings) if each.text not in told]


def _models(settings: Settings) -> "list[Finding]":
    from hippograph.memory.diagnosis import Finding
    from hippograph.models import allowance, choose

    found = []
    for role in choose(settings):
        room = None if role.problem else allowance(role.role, role.spec, settings)
        text = f"{role.spec or 'none'} ({role.why})" + (f"; window: {room}" if room else "")
        found.append(Finding(role.role, role.problem is None, role.problem or text))
    return found


def _tokens(settings: Settings) -> "list[Finding]":
    """Read the list of the tokens: a server that cannot lets nobody in."""
    from hippograph.memory.diagnosis import Finding
    from hippograph.web.access import tokens

    try:
        tokens(settings.home)
    except HomeUnusable as error:
        return [Finding("tokens", False, str(error))]
    return []


def _home(settings: Settings) -> "list[Finding]":
    """Open the home; what opening it mended is told as a fault, once."""
    from hippograph.memory import Memory
    from hippograph.memory.diagnosis import Finding

    try:
        memory = Memory.open(settings.home, settings=settings)
    except Exception as error:  # whatever it is, it stands in the way and the rest is told
        return [Finding("home", False, explain(error))]
    try:
        health, told = memory.status(), memory.stats(days=TODAY)
    finally:
        memory.close(timeout=0)
    parts = [health.home, counted(health.memories, "memory")]
    parts += [f"to index: {waiting(health.index)}"] if health.index.pending or health.index.dead else []
    parts += [f"to read: {waiting(health.extract)}"] if health.extract.pending or health.extract.dead else []
    parts += [f"facts: {given(health.readings)}"] if health.readings.turns else []
    parts += [f"ALARM: {each.text}" for each in told.alarms]
    given_up = health.index.dead + health.extract.dead
    mended = [Finding("notice", False, notice) for notice in memory.notices]
    return [Finding("home", not given_up, "; ".join(parts)), *mended]
