"""A space in one file: a line that says what the file is, then one JSON object for each memory.

    {"hippograph": 1, "space": "ann", "memories": 2, "exported_at": "...", "tombstones": [...]}
    {"memory": {every column}, "sources": [...], "changes": [...], "extractions": [...], "pending": [...], ...}
    ...

Vectors are not in it: whoever loads it makes them with an embedding model of his own.
"""

import json
import os
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from sqlalchemy import Column, Connection, Select, Table, func, select

from hippograph.memory.about import remembered
from hippograph.memory.erasure.tombstones import SECRET
from hippograph.memory.items.rows import has_items
from hippograph.memory.keywords import space_key
from hippograph.memory.ledger import Ledger, living
from hippograph.memory.life.changes import SOURCES
from hippograph.memory.schema import (
    changes,
    entities,
    extractions,
    items,
    jobs,
    memories,
    mentions,
    relations,
    sources,
    tombstones,
)
from hippograph.memory.times import now
from hippograph.state import BadInput, HomeUnusable

VERSION = 2
"""Version of the file's form: a file of a newer one is refused. One without items is of version 1."""
OWN = frozenset({"seq", "space", "vectors"})
"""Columns of `memories` that say something of the home, not of the memory."""
CARRIED = tuple(column for column in memories.columns if column.name not in OWN)
ITEM = "namespace key value ttl created_at updated_at"
"""What an item has beside its memory; namespace and value are JSON in a text, to come back letter by letter."""
BATCH = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """What was written."""

    path: Path
    memories: int
    """Whatever their status; forgotten ones are gone and so not among them."""
    tombstones: int
    """Digests of what was forgotten."""


def export(ledger: Ledger, path: Path, space: str, *, overwrite: bool = False) -> Exported:
    """Write a space's memories into a file that appears when it is complete; see `Memory.export`."""
    if path.exists() and not overwrite:
        raise BadInput(f"{path} exists already: name another file, or allow it to be replaced.")
    with ledger.read() as connection:
        head = _head(connection, space)
        if not head["memories"] and not head["tombstones"]:
            raise BadInput(f"{space!r} has no memories, so there is nothing to export.")
        _written(path, _lines(connection, space, head))
    return Exported(path=path, memories=head["memories"], tombstones=len(head["tombstones"]))


def plain(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return values as JSON has them: times as ISO 8601 in UTC."""
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in row.items()}


def _head(connection: Connection, space: str) -> dict[str, Any]:
    stones = connection.execute(select(tombstones).where(tombstones.c.space == space_key(space))).all()
    counted = select(func.count()).select_from(living(space).subquery())
    return {
        "hippograph": VERSION if has_items(connection, space) else 1,
        "space": space,
        "memories": connection.scalar(counted) or 0,
        "exported_at": now().isoformat(),
        "tombstones": [[row.digest, row.at.isoformat()] for row in stones],
        "key": remembered(connection, SECRET) if stones else "",
    }


def _lines(connection: Connection, space: str, head: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    yield dict(head)
    for batch in connection.execute(living(space)).partitions(BATCH):
        beside = _Beside(connection, [row.seq for row in batch])
        for row in batch:
            memory = plain({column.name: getattr(row, column.name) for column in CARRIED})
            yield {"memory": memory, **beside.of(row.seq)}


class _Beside:
    """What the ledger keeps of some memories outside their rows."""

    def __init__(self, connection: Connection, seqs: Sequence[int]) -> None:
        self._connection = connection
        self._kept: dict[int, dict[str, list[dict[str, Any]]]] = defaultdict(lambda: defaultdict(list))
        turn = select(sources, memories.c.id).join(memories, memories.c.seq == sources.c.turn)
        self._keep("sources", turn.where(sources.c.memory.in_(seqs)), "id quote start end")
        self._keep("changes", _of(changes, changes.c.memory, seqs), "at what because by before")
        self._name_turns()
        self._keep("extractions", _of(extractions, extractions.c.turn, seqs), "at model facts dropped degraded", "turn")
        waiting = select(jobs).where(jobs.c.memory.in_(seqs), jobs.c.kind != "index")
        self._keep("pending", waiting, "kind")
        named = select(mentions.c.memory, entities).join(entities, entities.c.seq == mentions.c.entity)
        self._keep("mentions", named.where(mentions.c.memory.in_(seqs)), "key name kind")
        self._keep("relations", _related(seqs), "head relation tail")
        self._keep("item", _of(items, items.c.memory, seqs), ITEM)

    def of(self, seq: int) -> dict[str, list[dict[str, Any]]]:
        """Return what there is of one memory by name; what there is none of is left out."""
        return {name: [*rows] for name, rows in self._kept[seq].items() if rows} if seq in self._kept else {}

    def _name_turns(self) -> None:
        """Name the turns that mergers brought by id: their numbers hold for this home alone."""
        brought = [
            place
            for kept in self._kept.values()
            for each in kept["changes"]
            for place in each["before"].get(SOURCES, [])
        ]
        turns = memories.c.seq.in_({turn for turn, *_ in brought})
        ids = {row.seq: row.id for row in self._connection.execute(select(memories.c.seq, memories.c.id).where(turns))}
        for kept in self._kept.values():
            for each in kept["changes"]:
                if SOURCES in each["before"]:
                    named = [[ids[turn], *place] for turn, *place in each["before"][SOURCES] if turn in ids]
                    each["before"] = {**each["before"], SOURCES: named}

    def _keep(self, name: str, query: Select[Any], columns: str, memory: str = "memory") -> None:
        for row in self._connection.execute(query):
            values = plain({column: getattr(row, column) for column in columns.split()})
            self._kept[getattr(row, memory)][name].append(values)


def _of(table: Table, memory: Column[int], seqs: Sequence[int]) -> Select[Any]:
    return select(table).where(memory.in_(seqs)).order_by(*table.primary_key.columns)


def _related(seqs: Sequence[int]) -> Select[Any]:
    """Select the relations that some memories tell, between the keys of entities."""
    head, tail = entities.alias("head_of"), entities.alias("tail_of")
    joined = relations.join(head, head.c.seq == relations.c.head).join(tail, tail.c.seq == relations.c.tail)
    columns = (relations.c.memory, head.c.key.label("head"), relations.c.relation, tail.c.key.label("tail"))
    return select(*columns).select_from(joined).where(relations.c.memory.in_(seqs)).order_by(relations.c.seq)


def _written(path: Path, lines: Iterator[dict[str, Any]]) -> None:
    """Write lines into a file that appears when all of them are on disk."""
    try:
        handle, unfinished = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with open(handle, "w", encoding="utf-8") as file:
                _fill(file, lines)
            os.replace(unfinished, path)
        except BaseException:
            os.unlink(unfinished)
            raise
    except OSError as error:
        raise HomeUnusable(f"{path} cannot be written: {error.strerror or error}.") from error


def _fill(file: IO[str], lines: Iterator[dict[str, Any]]) -> None:
    for line in lines:
        file.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")
    file.flush()
    os.fsync(file.fileno())
