"""Rows of items in the ledger: put, read and asked for, in a transaction of the caller's."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, bindparam, or_, select, true, update

from hippograph.memory import keywords
from hippograph.memory.blocks.dropping import drop
from hippograph.memory.erasure.returning import let_return
from hippograph.memory.exchange import rows
from hippograph.memory.intake import clean
from hippograph.memory.items.item import Item, Put, dumped, labels, path, readable
from hippograph.memory.language import language
from hippograph.memory.life.changes import UPDATED
from hippograph.memory.life.parts import LONGEST
from hippograph.memory.schema import changes, items, jobs, memories, mentions, relations
from hippograph.memory.times import utc

KIND = "item"
SEARCHED, UNSEARCHED = "current", "archived"
"""Statuses of items that recall finds, and of those that only their key finds."""
AGAIN = "put again"
"""What the history says of an item whose value was replaced; it keeps no word of what it was."""

_OF_MEMORY = "seq id status text expires_at recorded_at"
_COLUMNS = [memories.c[name].label(f"memory_{name}") for name in _OF_MEMORY.split()]


def living(present: datetime) -> ColumnElement[bool]:
    """Return the condition for items that are there: what has expired is not, though its bytes may still be."""
    lasting = or_(memories.c.expires_at.is_(None), memories.c.expires_at > present)
    return and_(memories.c.status.in_((SEARCHED, UNSEARCHED)), lasting)


def under(prefix: Sequence[str]) -> ColumnElement[bool]:
    """Return the condition for items in a namespace or one inside it; an empty one stands for all."""
    if not prefix:
        return true()
    here = path(prefix)
    # Behind a label stands "]" where the namespace ends, "," where it goes on; "-" is the character after ",".
    return or_(
        items.c.namespace == here, and_(items.c.namespace > here[:-1] + ",", items.c.namespace < here[:-1] + "-")
    )


def at(space: str, namespace: Sequence[str], key: str) -> ColumnElement[bool]:
    """Return the condition for the item of a space under a namespace and a key."""
    return and_(items.c.space == space, items.c.namespace == path(namespace), items.c.key == clean(key))


def selected(*conditions: ColumnElement[bool]) -> Select[Any]:
    """Select items with what they have of a memory, those put last first."""
    joined = items.join(memories, memories.c.seq == items.c.memory)
    order = items.c.updated_at.desc(), items.c.memory.desc()
    return select(items, *_COLUMNS).select_from(joined).where(*conditions).order_by(*order)


def read(row: Row[Any], score: float | None = None) -> Item:
    """Return a row as an item."""
    return Item(
        space=row.space,
        namespace=labels(row.namespace),
        key=row.key,
        value=json.loads(row.value),
        created_at=row.created_at,
        updated_at=row.updated_at,
        id=row.memory_id,
        score=score,
    )


_HERE = {name: items.c[name] == bindparam(name) for name in ("space", "namespace", "key")}
_AT = selected(*_HERE.values())


def place(each: Put) -> dict[str, str]:
    """Return where an item is, as the ledger has it."""
    return {"space": each.space, "namespace": path(each.namespace), "key": clean(each.key)}


def there(connection: Connection, puts: Iterable[Put]) -> dict[int, Row[Any]]:
    """Return the rows of those of some items that the ledger has, by their place among them."""
    found = ((number, connection.execute(_AT, place(each)).first()) for number, each in enumerate(puts))
    return {number: row for number, row in found if row is not None}


def put(connection: Connection, puts: Sequence[Put], present: datetime) -> tuple[int, dict[str, list[int]]]:
    """Store items; returns how many are new or changed, and by space the numbers of those that have other words now.

    Args:
        connection: Of a transaction that writes.
        puts: What is to be stored, with values; each at a place of its own.
        present: Now.
    """
    known, reworded = there(connection, puts), defaultdict[str, list[int]](list)
    _insert(connection, [each for number, each in enumerate(puts) if number not in known], present)
    for number, row in known.items():
        if _changed(connection, row, puts[number], present):
            reworded[row.space].append(row.memory_seq)
    return len(puts) - len(known) + sum(map(len, reworded.values())), reworded


def refresh(connection: Connection, found: Sequence[Row[Any]], present: datetime) -> None:
    """Let items that were read last as long again as they were to."""
    for row in found:
        if row.ttl is not None:
            until = present + timedelta(minutes=row.ttl)
            connection.execute(update(memories).where(memories.c.seq == row.memory_seq).values(expires_at=until))


def taken(connection: Connection, space: str, places: Iterable[Mapping[str, Any]]) -> set[tuple[str, str]]:
    """Return those of some (namespace, key) that a space has."""
    found = set[tuple[str, str]]()
    for place in places:
        here = items.c.namespace == place["namespace"], items.c.key == place["key"]
        if connection.execute(select(items.c.memory).where(items.c.space == space, *here)).first():
            found.add((place["namespace"], place["key"]))
    return found


def _columns(each: Put, present: datetime) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the columns of the memory that an item is, and what it has beside."""
    assert each.value is not None
    value = dumped(each.value)
    text = readable(json.loads(value)) if each.text is None else each.text
    searched = bool(text.strip())
    text = clean(text if searched else readable(json.loads(value)))[:LONGEST]
    put_at = present if each.at is None else utc(each.at)
    memory = {
        "text": text,
        "status": SEARCHED if searched and text.strip() else UNSEARCHED,
        "language": language(text),
        "said_at": put_at,
        "valid_from": put_at,
        "recorded_at": present,
        "expires_at": None if each.ttl is None else present + timedelta(minutes=each.ttl),
        "origin": each.origin,
    }
    return memory, {"value": value, "ttl": each.ttl, "updated_at": put_at}


def _insert(connection: Connection, puts: Sequence[Put], present: datetime) -> None:
    if not puts:
        return
    wanted = [(each, *_columns(each, present)) for each in puts]
    fresh = [
        {"id": uuid4().hex, "space": each.space, "kind": KIND, "thread": "", "position": 0, **memory}
        for each, memory, _ in wanted
    ]
    for space in {each.space for each in puts}:
        let_return(connection, space, {row["id"]: [row["text"]] for row in fresh if row["space"] == space})
    seqs = rows.put(connection, fresh)
    values = [
        {"memory": seqs[row["id"]], **place(each), **item, "created_at": item["updated_at"]}
        for row, (each, _, item) in zip(fresh, wanted, strict=True)
    ]
    connection.execute(items.insert(), values)


def _changed(connection: Connection, row: Row[Any], put: Put, present: datetime) -> bool:
    """Give an item another value; tells whether it is another one, or is searched by other words."""
    memory, item = _columns(put, present)
    memory["recorded_at"] = row.memory_recorded_at
    over = row.memory_expires_at is not None and row.memory_expires_at <= present
    if over:
        item["created_at"] = item["updated_at"]
    connection.execute(items.update().where(items.c.memory == row.memory_seq).values(**item))
    mine = update(memories).where(memories.c.seq == row.memory_seq)
    if not over and (row.value, row.memory_text, row.memory_status) == (
        item["value"],
        memory["text"],
        memory["status"],
    ):
        connection.execute(mine.values(**{name: memory[name] for name in ("said_at", "valid_from", "expires_at")}))
        return False
    let_return(connection, row.space, {row.memory_id: [memory["text"]]})
    connection.execute(mine.values(**memory, version=memories.c.version + 1, vectors=0))
    _reworded(connection, row, memory, present)
    return True


def _reworded(connection: Connection, row: Row[Any], memory: Mapping[str, Any], present: datetime) -> None:
    """Let an item be found by the words it has now, and by none that it had."""
    seq = row.memory_seq
    drop(connection, [seq])
    for table in (mentions, relations, changes, jobs):
        connection.execute(table.delete().where(table.c.memory == seq))
    connection.execute(changes.insert().values(memory=seq, at=present, what=UPDATED, because=AGAIN, before={}))
    keywords.remove(connection, [seq])
    keywords.add(connection, [(seq, row.space, keywords.searched(memory))])
    if memory["status"] == SEARCHED:
        rows.index(connection, {seq: row.space})


def has_items(connection: Connection, space: str) -> bool:
    """Tell whether a space has any item, whatever its status."""
    return connection.execute(select(items.c.memory).where(items.c.space == space).limit(1)).first() is not None
