"""Distilling: the names in memories, and what facts say of how they are related, become a graph of entities.

Each memory is read once, and again after its text changed; the ledger keeps how far reading has come. What is read is
never taken out for good: a memory that is no longer current counts no more where the graph is asked.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, Select, func, or_, select
from sqlalchemy.dialects.sqlite import insert

from hippograph.memory.entities import Named, key
from hippograph.memory.erasure.erasing import unnamed
from hippograph.memory.facts import SELF
from hippograph.memory.network import LIVING
from hippograph.memory.schema import changes, entities, memories, mentions, relations
from hippograph.memory.tokens import is_cjk
from hippograph.memory.upkeep import mark
from hippograph.memory.upkeep.naming import kind_of_subject, kind_of_value, named
from hippograph.memory.upkeep.task import Done, Task, unchanged

_KINDS = ("document", "media")
"""Kinds that are not read: their names are of the world's, not of somebody's life."""
_CHANGED = ("updated", "revived", "undone")
"""What may give a memory another text, or bring one back that was never read."""
_MOST_WORDS = 5
"""Words of a value that is a name as a whole."""
_KEYED = ("event", "plan", "goal", "task", "note", "pet", "uses", "owns", "plays", "hobby", "skill")
"""First words of attributes that have the value's name behind them."""
_NO_VALUE = re.compile(r"^\W*$|^\d[\d\W]*$")


def distil(task: Task, most: int | None = None) -> Done:
    """Read what was stored or changed since the last time into the tables `entities`, `mentions` and `relations`.

    Args:
        task: Whose memories.
        most: How many new memories are read at most, those stored first; the others are read the next time.
    """
    done = Done()
    with task.ledger.read() as connection:
        begun = mark.read(connection, "entities", task.space)
        known = _known(connection, task.space)
        last = connection.scalar(select(func.max(changes.c.seq))) or 0
        rows, whole = _unread(connection, task.space, begun, most)
        graph = _sizes(connection, task.space)
    if task.dry_run:
        done.add("to read", [row.id for row in rows])
        return done
    for batch in task.batches(rows):
        with task.write() as connection:
            _read(connection, task.space, unchanged(connection, batch), known)
            through = max(int(begun.get("memory") or 0), batch[-1].seq)
            begun = {"memory": through, "change": begun.get("change") or 0}
            mark.write(connection, "entities", task.space, begun)
        done.add("read", [row.id for row in batch])
    if rows and whole and not task.stopping():
        with task.write() as connection:
            mark.write(connection, "entities", task.space, {**begun, "change": last})
    with task.ledger.read() as connection:
        after = _sizes(connection, task.space)
    done.counts |= {name: after[name] - graph[name] for name in after}
    return done


def unread(connection: Connection, space: str) -> int:
    """Return how many memories of a space are still to be read."""
    waiting = _waiting(space, mark.read(connection, "entities", space)).order_by(None).subquery()
    return connection.scalar(select(func.count()).select_from(waiting)) or 0


def _unread(connection: Connection, space: str, begun: mark.Mark, most: int | None) -> tuple[Sequence[Row[Any]], bool]:
    """Return the memories that were stored or changed since a mark, in the order of storing, and whether that is all.

    Of more than `most` new ones, only the first: what was changed is read when the new ones are.
    """
    waiting = _waiting(space, begun)
    if most is not None:
        new = waiting.where(memories.c.seq > (begun.get("memory") or 0)).limit(most + 1)
        rows = connection.execute(new).all()
        if len(rows) > most:
            return rows[:most], False
    return connection.execute(waiting).all(), True


def _waiting(space: str, begun: mark.Mark) -> Select[Any]:
    """Select the memories that were stored or changed since a mark, in the order of storing."""
    changed = select(changes.c.memory).where(changes.c.seq > (begun.get("change") or 0), changes.c.what.in_(_CHANGED))
    since = or_(memories.c.seq > (begun.get("memory") or 0), memories.c.seq.in_(changed))
    query = select(memories).where(memories.c.space == space, LIVING, since)
    return query.where(memories.c.kind.not_in(_KINDS)).order_by(memories.c.seq)


def _known(connection: Connection, space: str) -> dict[str, str]:
    """Return the names that the space's memories are about or spoken by, by their keys."""
    found = dict[str, str]()
    for column in (memories.c.subject, memories.c.speaker):
        query = select(column).where(memories.c.space == space, memories.c.status != "forgotten").distinct()
        found |= {key(name): name for name in connection.scalars(query) if name and _is_name(name)}
    return found


def _is_name(name: str) -> bool:
    return len(name) <= 40 and (key(name) == SELF or any(map(is_cjk, name)) or name[:1].isupper())


def _read(connection: Connection, space: str, rows: Sequence[Row[Any]], known: dict[str, str]) -> None:
    """Put memories' names and relations in place of those they had; names that nothing has any more go."""
    for table in (mentions, relations):
        connection.execute(table.delete().where(table.c.memory.in_([row.seq for row in rows])))
    found = [_found(row, known) for row in rows]
    numbers = _stored(connection, space, [each for told in found for each in told.all])
    named = {(numbers[key(each.name)], row.seq) for row, told in zip(rows, found, strict=True) for each in told.all}
    if named:
        connection.execute(insert(mentions), [{"entity": each, "memory": memory} for each, memory in sorted(named)])
    ends = [
        {
            "head": numbers[key(told.about.name)],
            "relation": relation(row.attribute, row.value),
            "tail": numbers[key(value.name)],
        }
        | {"memory": row.seq}
        for row, told in zip(rows, found, strict=True)
        for value in told.values
        if told.about and row.attribute and not row.negated
    ]
    edges = [each for each in ends if each["head"] != each["tail"]]
    if edges:
        connection.execute(insert(relations).on_conflict_do_nothing(), edges)
    unnamed(connection, space)


class _Told(NamedTuple):
    """The entities of one memory."""

    about: Named | None
    """Whom it is about, or who says it."""
    values: Sequence[Named]
    """What its value names."""
    said: Sequence[Named]

    @property
    def all(self) -> list[Named]:
        return [each for each in (*([self.about] if self.about else []), *self.values, *self.said) if key(each.name)]


def _found(row: Row[Any], known: dict[str, str]) -> _Told:
    read = named(row.text, known)
    said = [*read, *_met(row.text, read, known), *(Named(each) for each in row.entities or ())]
    about = _about(row)
    return _Told(about, [each for each in _values(row, said) if key(each.name)] if about else [], said)


def relation(attribute: str, value: str) -> str:
    """Return what relates a subject and a value: the attribute without the value, "sister" of "sister ann lee"."""
    folded = attribute.casefold()
    short = folded.removesuffix(value.casefold()).strip()
    first = folded.split()[0] if folded.split() else ""
    return short or folded if first not in _KEYED else first


def _met(text: str, read: Iterable[Named], known: dict[str, str]) -> Iterable[Named]:
    """Return the known names that stand in a text, but in no name that was read in it; Latin ones as whole words."""
    for each in read:
        text = text.replace(each.name, " ")
    return [Named(name) for at, name in known.items() if at != SELF and len(name) > 1 and _stands(name, text)]


def _stands(name: str, text: str) -> bool:
    if name not in text:
        return False
    return any(map(is_cjk, name)) or re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def _about(row: Row[Any]) -> Named | None:
    """Return whom a memory is about: a fact's subject, a turn's speaker."""
    if row.kind == "turn":
        return Named(row.speaker, "person") if key(row.speaker) else None
    if not row.subject or not _is_name(row.subject) or not key(row.subject):
        return None
    return Named(row.subject, "person" if key(row.subject) == SELF else kind_of_subject(row.attribute or ""))


def _values(row: Row[Any], said: Collection[Named]) -> list[Named]:
    """Return the entities that a fact's value names: all of it where that is a name, else those in it."""
    value = (row.value or "").strip()
    if row.kind == "turn" or not value or _NO_VALUE.match(value):
        return []
    kind = kind_of_value(row.attribute or "")
    inside = named(value, {key(each.name) for each in said})
    whole = key(value) in {key(each.name) for each in said}
    short = len(value.split()) <= _MOST_WORDS and len(value) <= 40 and (value[:1].isupper() or is_cjk(value[:1]))
    if whole or (kind and short and len(inside) <= 1):
        return [Named(value, kind or next((each.kind for each in inside), ""))]
    return [Named(each.name, each.kind or kind) for each in inside]


def _stored(connection: Connection, space: str, names: Iterable[Named]) -> dict[str, int]:
    """Return the numbers of entities by their keys, storing those there are none of; a kind once known stays."""
    wanted = dict[str, Named]()
    for each in names:
        at = key(each.name)
        if at and (at not in wanted or not wanted[at].kind):
            wanted[at] = each
    rows = [
        {"space": space, "key": at, "name": SELF if at == SELF else each.name.strip(), "kind": each.kind}
        for at, each in wanted.items()
    ]
    if not rows:
        return {}
    statement = insert(entities)
    better = (entities.c.kind == "") & (statement.excluded.kind != "")
    connection.execute(
        statement.on_conflict_do_update(
            index_elements=["space", "key"], set_={"kind": statement.excluded.kind}, where=better
        ),
        rows,
    )
    query = select(entities.c.key, entities.c.seq).where(entities.c.space == space, entities.c.key.in_([*wanted]))
    return {row.key: row.seq for row in connection.execute(query)}


def _sizes(connection: Connection, space: str) -> dict[str, int]:
    of = select(entities.c.seq).where(entities.c.space == space)
    count = select(func.count()).select_from
    return {
        "entities": connection.scalar(count(entities).where(entities.c.space == space)) or 0,
        "relations": connection.scalar(count(relations).where(relations.c.head.in_(of))) or 0,
    }
