"""Store the memories of an exported space, with all that is kept of them, in a transaction of the caller's."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Table, func, select
from sqlalchemy.dialects.sqlite import insert

from hippograph.memory.about import noted, remembered
from hippograph.memory.erasure.returning import let_return
from hippograph.memory.erasure.tombstones import SECRET
from hippograph.memory.exchange import rows
from hippograph.memory.exchange.carried import Carried, Head, Values
from hippograph.memory.exchange.imported import Imported
from hippograph.memory.items.item import labels, path
from hippograph.memory.items.rows import taken
from hippograph.memory.keywords import space_key
from hippograph.memory.ledger import BATCH
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
from hippograph.state import BadInput

LIVING = {
    "status": "current",
    "valid_until": None,
    "superseded_by": None,
    "superseded_because": None,
    "superseded_at": None,
}
"""A memory that nothing supersedes."""


class Loading:
    """What was stored so far."""

    def __init__(
        self, connection: Connection, space: str, ids: Collection[str], left_out: Collection[str], *, was: str
    ) -> None:
        """Begin with nothing.

        Args:
            connection: To the ledger, of a transaction that writes.
            space: Whose memories they become.
            ids: Those of all memories in the file.
            left_out: Those of them that are not stored, because they were forgotten.
            was: The space that was exported: items whose namespace begins with it begin with the new one.
        """
        self._connection, self._space, self._was = connection, space, was
        self._ids, self._left_out = ids, left_out
        self._stored = self._known = self._forgotten = self._held = 0
        self._lines: dict[int, int] = {}
        self._shifts: dict[str, int] = {}
        self._entities: dict[str, int] = {}
        self._sources: list[tuple[int, Values]] = []
        self._changes: list[Values] = []

    def take(self, lines: Sequence[tuple[int, Carried]]) -> None:
        """Store those that are new, given with their numbers in the file."""
        lines = [(number, self._renamed(each)) for number, each in lines]
        batch = [each for _, each in lines]
        there = _numbers(self._connection, self._space, [each.id for each in batch])
        wanted = [each for each in batch if each.id not in self._left_out]
        fresh = [each for each in wanted if each.id not in there]
        held = taken(self._connection, self._space, [each.item for each in fresh if each.item])
        self._held += len(held)
        fresh = [each for each in fresh if each.item is None or (each.item["namespace"], each.item["key"]) not in held]
        let_return(self._connection, self._space, {each.id: each.forms for each in fresh})
        seqs = rows.put(self._connection, [self._row(each) for each in fresh])
        self._known += len(wanted) - len(fresh)
        self._stored += len(fresh)
        self._forgotten += len(batch) - len(wanted)
        self._lines |= {seqs[each.id]: number for number, each in lines if each.sources and each.id in seqs}
        for each in fresh:
            self._beside(seqs[each.id], each)

    def bury(self, first: Head) -> list[str]:
        """Take over the tombstones of the exported space; returns in words what could not be."""
        if not first.tombstones:
            return []
        own = remembered(self._connection, SECRET)
        if first.space != self._space or own not in (None, first.key):
            return [f"{len(first.tombstones):,} tombstones hold for the exported space and its home alone"]
        noted(self._connection, **{SECRET: first.key})
        values = [{"space": space_key(self._space), "digest": digest, "at": at} for digest, at in first.tombstones]
        _insert(self._connection, tombstones, values)
        return []

    def end(self, first: Head) -> Imported:
        """Store what points from one memory to another, now that all are there, and what was forgotten.

        Raises:
            BadInput: A quote is not in its turn.
        """
        named = {source["id"] for _, source in self._sources}
        named |= {place[0] for change in self._changes for place in change["before"].get(SOURCES, ())}
        seqs = _numbers(self._connection, self._space, [*named])
        values = [
            {"memory": seq, "turn": seqs[source["id"]], **{name: source[name] for name in ("quote", "start", "end")}}
            for seq, source in self._sources
            if source["id"] in seqs
        ]
        _insert(self._connection, sources, values)
        self._check_quotes()
        _insert(self._connection, changes, [_numbered(change, seqs) for change in self._changes])
        notes = self.bury(first)
        if self._held:
            notes.append(f"{self._held:,} items are there under the same key with a value of their own, which stays")
        return Imported(stored=self._stored, known=self._known, forgotten=self._forgotten, notes=notes)

    def _check_quotes(self) -> None:
        turns = memories.c.kind == "turn", func.instr(memories.c.text, sources.c.quote) == 0
        query = select(sources.c.memory).join(memories, memories.c.seq == sources.c.turn).where(*turns)
        seqs = [*self._lines]
        for start in range(0, len(seqs), BATCH):
            wrong = query.where(sources.c.memory.in_(seqs[start : start + BATCH])).order_by(sources.c.memory)
            if (seq := self._connection.scalar(wrong.limit(1))) is not None:
                raise BadInput(
                    f"It was not loaded, nothing is stored:\n  line {self._lines[seq]}: its quote is not in the turn "
                    "that it names"
                )

    def _row(self, each: Carried) -> dict[str, Any]:
        """Return a memory's row; its place is behind what the space has in a thread of that name, if it is another."""
        revived = LIVING if each.row["superseded_by"] in self._left_out else {}
        return {**each.row, **revived, "space": self._space, "position": self._place(each), "vectors": 0}

    def _renamed(self, each: Carried) -> Carried:
        """Return an item as one of the space that takes it."""
        if each.item is None or labels(each.item["namespace"])[0] != self._was:
            return each
        namespace = path([self._space, *labels(each.item["namespace"])[1:]])
        return replace(each, item={**each.item, "namespace": namespace})

    def _place(self, each: Carried) -> int:
        thread, place = each.row["thread"], int(each.row["position"])
        if not thread:
            return place
        if thread not in self._shifts:
            query = select(memories.c.id, memories.c.position)
            there = self._connection.execute(
                query.where(memories.c.space == self._space, memories.c.thread == thread)
            ).all()
            same = any(row.id in self._ids for row in there)
            self._shifts[thread] = 0 if same else max((row.position for row in there), default=0)
        return place + self._shifts[thread]

    def _beside(self, seq: int, each: Carried) -> None:
        """Store what is kept of a memory beside its row; its sources follow when all memories are there."""
        self._sources += [(seq, source) for source in each.sources]
        self._changes += [{**change, "memory": seq} for change in each.changes]
        _insert(self._connection, extractions, [{**read, "turn": seq} for read in each.extractions])
        due = {"memory": seq, "space": self._space, "due_at": now(), "state": "queued", "attempts": 0}
        _insert(self._connection, jobs, [{**due, "kind": kind} for kind in each.pending])
        self._entities |= {one["key"]: self._entity(one) for one in each.mentions if one["key"] not in self._entities}
        _insert(
            self._connection, mentions, [{"entity": self._entities[one["key"]], "memory": seq} for one in each.mentions]
        )
        _insert(self._connection, relations, [self._relation(seq, one) for one in each.relations])
        if each.item is not None:
            self._connection.execute(items.insert().values(**each.item, memory=seq, space=self._space))

    def _relation(self, seq: int, told: Values) -> Values:
        ends = {end: self._named(told[end]) for end in ("head", "tail")}
        return {"memory": seq, "relation": told["relation"], **ends}

    def _named(self, key: str) -> int:
        """Return an entity's number by its key; one that no memory mentions is called by that."""
        if key not in self._entities:
            self._entities[key] = self._entity({"key": key, "name": key, "kind": ""})
        return self._entities[key]

    def _entity(self, named: Values) -> int:
        statement = insert(entities).values({**named, "space": self._space}).on_conflict_do_nothing()
        self._connection.execute(statement)
        query = select(entities.c.seq).where(entities.c.space == self._space, entities.c.key == named["key"])
        return int(self._connection.scalars(query).one())


def _insert(connection: Connection, table: Table, values: Sequence[Values]) -> None:
    if values:
        connection.execute(insert(table).on_conflict_do_nothing(), [dict(each) for each in values])


def _numbered(change: Values, seqs: Mapping[str, int]) -> Values:
    """Return a change with the turns that a merger brought by their numbers here."""
    before = change["before"]
    if SOURCES not in before:
        return change
    here = [[seqs[turn], *place] for turn, *place in before[SOURCES] if turn in seqs]
    return {**change, "before": {**before, SOURCES: here}}


def _numbers(connection: Connection, space: str, ids: Sequence[str]) -> dict[str, int]:
    """Return the numbers of those of some memories that a space has, by id."""
    query = select(memories.c.id, memories.c.seq).where(memories.c.space == space)
    found = dict[str, int]()
    for start in range(0, len(ids), BATCH):
        batch = connection.execute(query.where(memories.c.id.in_(ids[start : start + BATCH])))
        found |= {row.id: row.seq for row in batch}
    return found
