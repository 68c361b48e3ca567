"""Forgetting in a copy of a home, such as a snapshot holds: the same as in the home itself, down to the bytes."""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Row, select

from hippograph.memory.backup.restoring import INDEX, LEDGER
from hippograph.memory.costs.erasing import forget_costs
from hippograph.memory.erasure import pruning
from hippograph.memory.erasure.choosing import Meant, batches, meant
from hippograph.memory.erasure.erasing import erase
from hippograph.memory.erasure.forgetting import COMPACT, DONE, DUE
from hippograph.memory.ledger import Ledger, living
from hippograph.memory.schema import changes, memories
from hippograph.memory.times import now
from hippograph.memory.vectors.index import Index
from hippograph.memory.vectors.scrubbing import UnknownFormat, scrub
from hippograph.memory.work.queue import Queue
from hippograph.models import Embedder


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone:
    """What was forgotten."""

    space: str
    ids: Sequence[str]
    threads: Sequence[str]
    """Conversations whose short-term memory goes too."""
    everything: bool
    """All of the space."""
    reworded: Mapping[str, Sequence[str | None]] = field(default_factory=dict)
    """Memories that stay where they say what they say now, by id: what else they said goes."""


def forget(folder: Path, gone: Gone, embedder: Embedder) -> bool:
    """Take memories out of a copy, with all that rests on them there; False where it holds nothing of them.

    Nothing is embedded: what has to be embedded anew is left to the queue in the copy.
    """
    with Ledger(folder / LEDGER) as ledger:
        with ledger.write() as connection:
            taken = _meant(connection, gone)
            erased = erase(connection, gone.space, taken, now())
            reworded = _reworded(connection, gone)
            scrubbed = forget_costs(connection, gone.space, gone.ids, gone.threads, everything=gone.everything)
        ids = [*gone.ids, *gone.reworded, *(row.id for row in taken.rows)]
        pruned = pruning.prune(folder, gone.space, gone.threads, ids, everything=gone.everything)
        if not (taken.rows or pruned or reworded or scrubbed.figures or scrubbed.samples):
            return False
        _unindex(Index(folder / INDEX, embedder), gone, [*(row.seq for row in taken.rows), *erased.after])
        ledger.note(compact=DUE)
    clean(folder)
    return True


def clean(folder: Path) -> None:
    """Take the bytes of what was forgotten out of a copy's files, unless they are out already."""
    with Ledger(folder / LEDGER) as ledger:
        if ledger.remembered(COMPACT) in (None, DONE):
            return
        try:
            scrub(folder / INDEX)
        except UnknownFormat:
            shutil.rmtree(folder / INDEX)
            Queue(ledger).requeue_all()
        pruning.compact(folder)
        ledger.note(compact=DONE)
        ledger.compact()


def _meant(connection: Connection, gone: Gone) -> Meant:
    """Return what is there of what was forgotten, and what rests on it."""
    if gone.everything:
        return meant(connection, gone.space, {"all": True})
    here = set[str]()
    for batch in batches([*gone.ids, *gone.reworded]):
        query = living(gone.space).where(memories.c.id.in_(batch))
        here |= {row.id for row in connection.execute(query) if gone.reworded.get(row.id) != said(row)}
    return meant(connection, gone.space, {"ids": sorted(here)})


def said(row: Row[Any]) -> Sequence[str | None]:
    """Return all words of a memory."""
    return [row.text, row.subject, row.value, row.topic]


def _reworded(connection: Connection, gone: Gone) -> int:
    """Delete the histories of memories that had other words; returns how many entries there were."""
    taken = 0
    for batch in batches([*gone.reworded]):
        here = select(memories.c.seq).where(memories.c.space == gone.space, memories.c.id.in_(batch))
        taken += connection.execute(changes.delete().where(changes.c.memory.in_(here))).rowcount
    return taken


def _unindex(index: Index, gone: Gone, seqs: Sequence[int]) -> None:
    if not index.exists():
        return
    try:
        index.remove(gone.space, seqs)
        if gone.everything:
            index.drop(gone.space)
    finally:
        index.close()
