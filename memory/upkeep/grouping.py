"""Which memories are of one topic: the same every time for the same memories.

One subject, and one topic where topics are given; else one attribute, a shared name, or a likeness of the vectors. A
memory joins the group whose first member it is most like (leader clustering, Hartigan 1975), in the order
they were said.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, Row, select

from hippograph.memory.extraction.attributes import single
from hippograph.memory.life.digest import plain
from hippograph.memory.schema import changes, memories
from hippograph.memory.upkeep.task import LOOSE, Task
from hippograph.state import HomeUnusable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Group = list[Row[Any]]
"""Memories of one topic, in the order they were said."""
Vectors = dict[int, "NDArray[np.float32]"]
"""A memory's number to its vector, of length 1."""

_CHANGED = ("superseded", "revived", "undone", "updated")
"""What is done to a memory after which it is left as it is."""
_HAPPENINGS = ("event", "plan", "goal", "task", "note", "activity")
"""First words of attributes that tell what happened or was to happen, which is never out of date."""


def mergeable(task: Task) -> list[Row[Any]]:
    """Return the memories that may go into summaries: old, loose, never changed, and in no one's place."""
    fits: Sequence[ColumnElement[bool]] = [
        LOOSE,
        memories.c.kind.in_(task.policy.merge_kinds),
        memories.c.kind.not_in(("profile", "summary", "item")),
        memories.c.recorded_at <= task.now - timedelta(days=task.policy.merge_after_days),
        memories.c.valid_until.is_(None),
        memories.c.expires_at.is_(None),
        ~memories.c.negated,
    ]
    touched = _touched(task)
    rows = [row for row in task.select(*fits) if row.id not in touched and _detail(row)]
    return sorted(rows, key=lambda row: (row.said_at, row.seq))


def grouped(task: Task, rows: Sequence[Row[Any]]) -> list[Group]:
    """Return the groups that are large enough for a summary; too large ones in parts of about one size."""
    policy = task.policy
    groups = [group for bucket in _buckets(rows) for group in _clusters(task, bucket)]
    parts = [part for group in groups for part in _parts(group, policy.merge_at_most)]
    return [part for part in parts if len(part) >= policy.merge_at_least]


def _detail(row: Row[Any]) -> bool:
    """Tell whether a memory may go into a summary: not what has one value, which a later one takes the place of."""
    attribute = row.attribute or ""
    happened = row.kind == "event" or attribute.split(" ")[0] in _HAPPENINGS
    return bool(row.text.strip()) and (not attribute or happened or not single(attribute))


def _touched(task: Task) -> set[str]:
    """Return the ids of memories that were changed, or that took another one's place."""
    here = memories.c.space == task.space
    heirs = select(memories.c.superseded_by).where(here, memories.c.status == "superseded")
    changed = select(memories.c.id).join(changes, changes.c.memory == memories.c.seq)
    with task.ledger.read() as connection:
        return {
            *connection.scalars(heirs),
            *connection.scalars(changed.where(here, changes.c.what.in_(_CHANGED))),
        }


def _buckets(rows: Iterable[Row[Any]]) -> list[Group]:
    buckets = defaultdict[tuple[str, str], Group](list)
    for row in rows:
        buckets[plain(row.subject or ""), plain(row.topic or "")].append(row)
    return [*buckets.values()]


def _clusters(task: Task, rows: Group) -> list[Group]:
    if len(rows) < task.policy.merge_at_least:
        return []
    if rows[0].topic:
        return [rows]
    leaders, groups, named = _Leaders(task, rows), list[Group](), dict[str, int]()
    for row in rows:
        place = next((named[name] for name in _names(row) if name in named), None)
        if place is None:
            place = leaders.nearest(row.seq)
        if place is None:
            place = len(groups)
            groups.append([])
            leaders.add(row.seq)
        groups[place].append(row)
        for name in _names(row):
            named.setdefault(name, place)
    return groups


class _Leaders:
    """The vectors of groups' first members."""

    def __init__(self, task: Task, rows: Group) -> None:
        import numpy as np

        self._task = task
        self._vectors = _vectors(task, rows)
        self._matrix = np.zeros((len(rows), task.stores.index.embedder.dimension), np.float32)
        self._count = 0

    def add(self, seq: int) -> None:
        """Begin a group with a memory; one without a vector is like no other."""
        if (vector := self._vectors.get(seq)) is not None:
            self._matrix[self._count] = vector
        self._count += 1

    def nearest(self, seq: int) -> int | None:
        """Return the place of the group whose first member is most like a memory, if it is like enough."""
        vector = self._vectors.get(seq)
        if not self._count or vector is None:
            return None
        cosines = self._matrix[: self._count] @ vector
        best = int(cosines.argmax())
        likeness = self._task.stores.index.embedder.similarity(float(cosines[best]))
        return best if cosines[best] > 0 and likeness >= self._task.policy.merge_alike else None


def _names(row: Row[Any]) -> list[str]:
    """Return what a memory shares with others of its topic by name: its attribute, and who else is in it."""
    about = plain(row.subject or "")
    others = [plain(each) for each in row.entities or () if plain(each) != about]
    return [f"attribute {plain(row.attribute)}", *others] if row.attribute else others


def _vectors(task: Task, rows: Group) -> Vectors:
    """Return the vectors there are; where the index cannot be read, names alone make groups."""
    try:
        return task.stores.index.vectors(task.space, [row.seq for row in rows])
    except HomeUnusable:
        return {}


def _parts(group: Group, most: int) -> list[Group]:
    count = -(-len(group) // most)
    cuts = [round(len(group) * n / count) for n in range(count + 1)]
    return [group[start:end] for start, end in pairwise(cuts)]
