"""One life of a process that writes turns until it is killed: what the crash benchmark runs again and again.

The points it may be killed at are wrapped from here; the code that is tested knows nothing of them.
"""

import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from hippograph.bench.hashed import HashedEmbeddings, hashed
from hippograph.memory import Memory, keywords
from hippograph.memory.facts import Extracted, Fact, Heard
from hippograph.memory.ledger import Ledger
from hippograph.memory.life.settling import Settling
from hippograph.memory.vectors.index import Index
from hippograph.memory.work.batch import Batches
from hippograph.memory.work.gathering import Gathering
from hippograph.memory.work.queue import Queue
from hippograph.state import Turn

SPACE = "crash"
ITEMS = "anchor banjo candle drum easel flute goblet hammer inkwell jigsaw kettle lantern mirror needle".split()
SAID_AT = datetime(2026, 5, 1, tzinfo=UTC)
FLUSHED = 30.0
"""Seconds that a process gives its background work before it would end."""
POINTS: dict[str, tuple[Any, str, bool]] = {
    "before the turn's transaction": (Ledger, "add", False),
    "inside the turn's transaction": (keywords, "add", True),
    "after the turn's transaction, unacknowledged": (Ledger, "add", True),
    "before a claim to index": (Queue, "claim", False),
    "after a claim to index": (Queue, "claim", True),
    "while embedding": (HashedEmbeddings, "embed_documents", False),
    "vectors stored, job not taken off": (Index, "add", True),
    "after the job was taken off": (Queue, "done", True),
    "after a claim to read": (Batches, "claim", True),
    "inside the facts' transaction, jobs taken off": (Batches, "take_off", True),
    "inside the facts' transaction, facts stored": (Settling, "settle", True),
    "after the facts' transaction": (Gathering, "_store", True),
    "before the index is closed": (Index, "close", False),
    "after the index was closed": (Index, "close", True),
}
"""Name to the function that is there, and whether the kill comes after it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """What one process does before it is killed."""

    home: Path
    acks: Path
    """File that takes the id of each turn acknowledged, a line each."""
    starts: tuple[int, ...]
    """For each thread, the number of the turn to go on with; the last one sent may be stored already."""
    quota: int
    """Turns that each thread writes."""
    turns: int
    """Turns of a thread in all."""
    point: str | None = None
    """Where it kills itself; None: it is killed from outside."""
    nth: int = 1
    """At which passing of the point."""
    survives: bool = False
    """Whether it closes the home in order and ends."""


class Echo:
    """An extractor that makes one fact of each turn."""

    spec, instant = "echo", False

    def extract(self, turns: Sequence[Heard], before: Sequence[Heard]) -> Extracted:
        """Take each turn's words for a fact about an attribute of its own."""
        return Extracted(facts=[_fact(turn) for turn in turns], model=self.spec)


def turn(thread: int, number: int) -> Turn:
    """Return the turn that a thread has at a place; its text is nobody else's."""
    item = ITEMS[(thread + number) % len(ITEMS)]
    text = f"The {item} of shelf {thread} is number {number}."
    return Turn(role="user", text=text, id=f"{thread}-{number}", said_at=SAID_AT + timedelta(seconds=number))


def open_memory(home: Path) -> Memory:
    """Open the home as every life and the last check do."""
    return Memory.open(home, hashed(), reranker="fusion", extractor=Echo())


def live(life: Life) -> None:
    """Write turns from several threads, each acknowledged when it is stored, and let the background follow."""
    if life.point is not None and not life.survives:
        _wrap(*POINTS[life.point], life.nth)
    memory = open_memory(life.home)
    with life.acks.open("ab", buffering=0) as acks:
        threads = [
            threading.Thread(target=_write, args=(memory, life, thread, acks.write))
            for thread in range(len(life.starts))
        ]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    memory.flush(FLUSHED)
    if life.survives or "closed" in (life.point or ""):
        memory.close()
    if not life.survives:
        time.sleep(60)  # until it is killed


def _write(memory: Memory, life: Life, thread: int, acknowledge: Callable[[bytes], object]) -> None:
    start = life.starts[thread]
    for number in range(start, min(start + life.quota, life.turns)):
        (id_,) = memory.add_turns(SPACE, f"thread {thread}", [turn(thread, number)])
        acknowledge(f"{id_}\n".encode())


def _wrap(owner: Any, name: str, after: bool, nth: int) -> None:  # noqa: ANN401 - a class or a module
    """Let the process end at the `nth` time that a function is entered, or has done something."""
    real, passed, counting = getattr(owner, name), [0], threading.Lock()

    def passes() -> None:
        with counting:
            passed[0] += 1
            if passed[0] == nth:
                os.kill(os.getpid(), signal.SIGKILL)

    def wrapped(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401
        if not after:
            passes()
        result = real(*args, **kwargs)
        if after and (name != "claim" or result):
            passes()
        return result

    setattr(owner, name, wrapped)


def _fact(heard: Heard) -> Fact:
    return Fact(
        text=heard.text,
        subject=f"shelf {heard.thread}",
        attribute=f"item {heard.id}",
        value=heard.text,
        turn=heard.id,
        quote=heard.text,
        start=0,
        end=len(heard.text),
        model="echo",
    )
