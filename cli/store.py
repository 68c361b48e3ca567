"""The home's memories, opened for one command."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from hippograph.cli.lines import counted
from hippograph.cli.options import configured
from hippograph.cli.screen import note

if TYPE_CHECKING:
    from hippograph.memory import Memory

PATIENCE = 1.0
"""Seconds of waiting that need no explanation."""


@contextmanager
def open_memory(
    home: Path | None, embeddings: str | None = None, reranker: str | None = None, *, stores: bool = False
) -> Iterator["Memory"]:
    """Open the memories of a home; a command that stores ends when that is indexed, any other at once."""
    settings = configured(home, embeddings=embeddings, reranker=reranker)
    from hippograph.memory import Memory

    memory = Memory.open(settings.home, settings=settings)
    tell(memory)
    try:
        yield memory
        if stores:
            finish(memory)
    finally:
        memory.close(timeout=0)


def tell(memory: "Memory") -> None:
    """Say what whoever opened a home should know of it."""
    for notice in memory.notices:
        note(notice)


def finish(memory: "Memory") -> None:
    """Wait until all is indexed and read, and say so where it takes long; Ctrl-C leaves the rest for the next start."""
    if memory.flush(PATIENCE):
        return
    health = memory.status()
    if waiting := health.index.queued + health.index.running + health.extract.queued + health.extract.running:
        note(f"{counted(waiting, 'job')} left to do before leaving; Ctrl-C leaves the rest for the next start.")
        memory.flush()


@contextmanager
def home_or_temporary(home: Path | None) -> Iterator[Path]:
    """Give the home asked for, or a temporary one that is gone afterwards."""
    if home is not None:
        yield home
        return
    with tempfile.TemporaryDirectory(prefix="hippograph-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)
