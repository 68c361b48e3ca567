"""`hippograph reindex`: all vectors made anew, for another embedding model or a damaged index."""

from typing import TYPE_CHECKING

from hippograph.cli.lines import counted
from hippograph.cli.options import EmbeddingsOption, HomeOption, configured
from hippograph.cli.screen import note, progress_bar, say

if TYPE_CHECKING:
    from rich.progress import Progress

    from hippograph.memory import Memory

POLL = 0.2
"""Seconds between two looks at how far indexing is."""


def reindex(home: HomeOption = None, embeddings: EmbeddingsOption = None) -> None:
    """Make all vectors anew, from the ledger; nothing else changes, and it can be stopped and goes on later.

    \b
    hippograph reindex
    hippograph reindex --embeddings ollama:bge-m3
    """
    settings = configured(home, embeddings=embeddings)
    from hippograph.memory import Memory

    with Memory.open(settings.home, settings=settings, reindex=True) as memory:
        with progress_bar() as progress:
            index(memory, progress)
        say(f"{counted(memory.count(), 'memory')} indexed with {memory.embedder.spec}.")


def index(memory: "Memory", progress: "Progress") -> None:
    """Wait until what is pending is indexed, with a bar; what keeps failing is told and left to be tried later."""
    pending = memory.status().pending
    indexing = progress.add_task("Indexing", total=pending, amount="")
    while (health := memory.status()).pending > health.failing:
        done = max(0, pending - health.pending)
        progress.update(indexing, completed=done, amount=f"{done:,} of {pending:,}")
        memory.flush(POLL)
    done = pending - health.pending
    progress.update(indexing, completed=done, amount=f"{done:,} of {pending:,}")
    if health.failing:
        note(
            f"{counted(health.failing, 'memory')} could not be indexed yet and will be tried again; keywords find them."
        )
