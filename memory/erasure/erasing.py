"""Erasing: all that the ledger holds of some memories, taken out in one transaction."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Table, Text, func, literal, or_, select, update
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.orm import aliased

from hippograph.memory import keywords
from hippograph.memory.blocks.dropping import drop_all
from hippograph.memory.erasure import tombstones
from hippograph.memory.erasure.choosing import Meant, batches, tells, told
from hippograph.memory.erasure.reviving import revive
from hippograph.memory.ledger import queue_again
from hippograph.memory.life.changes import MERGED, OTHER, SOURCES, columns
from hippograph.memory.life.digest import digest, fact_id
from hippograph.memory.schema import (
    changes,
    entities,
    extractions,
    items,
    jobs,
    memories,
    mentions,
    ratings,
    relations,
    sources,
)
from hippograph.memory.tokens import is_common, words
from hippograph.memory.upkeep import mark

KEPT = ("seq", "space", "kind", "version")
"""Columns of a row that say nothing of what it was."""
WORDS = frozenset("text subject attribute value topic entities other".split())
"""What of a history's entry may quote; `other` is a whole memory that was merged."""
_UNREAD: Mapping[str, Any] = {
    **dict.fromkeys(("subject", "attribute", "value", "matter", "topic", "model", "sentiment")),
    "negated": False,
    "entities": [],
}
"""Columns of a memory of which nothing but its words is known."""
EMPTY: Mapping[type, Any] = {str: "", int: 0, float: 0.0, bool: False}
"""What stands in the others, where something must; a time is that of forgetting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased:
    """What went from the ledger, and what changed in it."""

    revived: tuple[str, ...]
    sources: int
    keywords: int
    jobs: int
    blocks: int
    changes: int
    entities: int
    relations: int
    tombstones: int
    after: tuple[int, ...]
    """Memories whose vectors were made with the words of one that is gone; they are queued to be embedded anew."""


def erase(connection: Connection, space: str, meant: Meant, at: datetime) -> Erased:
    """Take memories out of the ledger with all that tells of them, leaving tombstones and empty rows.

    The rows stay, so that their numbers are never given again while an index may hold vectors under them.
    """
    rows = meant.rows
    seqs, after = [row.seq for row in rows], _embedded_after(connection, rows)
    buried = tombstones.bury(connection, space, rows, at, _readings(connection, meant.chosen))
    revived = revive(connection, space, rows, at)
    after += _reworded(connection, meant)
    told = _revise(connection, meant) + _changes(connection, space, rows) + _unquote(connection, space, meant)
    related, alone = _graph(connection, space, seqs)
    quotes = _delete(connection, sources, lambda batch: sources.c.memory.in_(batch) | sources.c.turn.in_(batch), seqs)
    _delete(connection, extractions, extractions.c.turn.in_, seqs)
    _delete(connection, items, items.c.memory.in_, seqs)
    _unsay(connection, space, rows)
    taken = _delete(connection, jobs, jobs.c.memory.in_, seqs)
    _errors(connection, space, {row.thread for row in rows if row.thread})
    blocks = drop_all(connection, space)
    removed = 0
    for batch in batches(seqs):
        removed += keywords.remove(connection, batch)
        _blank(connection, batch, at)
    queue_again(connection, space, [row.seq for row in after], at)
    _read_again(connection, space, meant.reread, at)
    return Erased(
        revived=tuple(revived),
        sources=quotes,
        keywords=removed,
        jobs=taken,
        blocks=blocks,
        changes=told,
        entities=alone,
        relations=related,
        tombstones=buried,
        after=tuple(row.seq for row in after),
    )


def _readings(connection: Connection, rows: Sequence[Row[Any]]) -> set[str]:
    """Return the ids under which reading their turns again would give facts that are forgotten themselves."""
    facts = {row.seq: row for row in rows if row.subject and row.attribute}
    found = {row.id for row in facts.values()}
    for batch in batches([*facts]):
        told = select(sources.c.memory, memories.c.id).join(memories, memories.c.seq == sources.c.turn)
        for seq, turn in connection.execute(told.where(sources.c.memory.in_(batch))):
            row = facts[seq]
            found.add(fact_id(turn, row.subject, row.attribute, row.value or "", negated=row.negated))
        merged = select(func.json_extract(changes.c.before, "$.other.id")).where(changes.c.memory.in_(batch))
        found |= {id_ for id_ in connection.scalars(merged) if id_}
    return found


def _unsay(connection: Connection, space: str, rows: Sequence[Row[Any]]) -> None:
    """Take out what people said of answers that go, and their words on others where a telling word goes with it."""
    _delete(connection, ratings, ratings.c.memory.in_, [row.seq for row in rows])
    gone = {word for row in rows for word in words(row.text) if not is_common(word)}
    said = ratings.c.comment != "", ratings.c.correction != ""
    others = select(ratings).join(memories, memories.c.seq == ratings.c.memory)
    for each in connection.execute(others.where(memories.c.space == space, or_(*said))).all():
        if gone & {*words(each.comment), *words(each.correction)}:
            mine = update(ratings).where(ratings.c.memory == each.memory)
            connection.execute(mine.values(comment="", correction=""))


def _delete(connection: Connection, table: Table, of: Callable[[Sequence[int]], Any], seqs: Sequence[int]) -> int:
    return sum(connection.execute(table.delete().where(of(batch))).rowcount for batch in batches(seqs))


def _embedded_after(connection: Connection, rows: Sequence[Row[Any]]) -> list[Row[Any]]:
    """Return the turns right after some that go, which were embedded, or are being, with their words before them."""
    gone = {row.seq for row in rows}
    before = aliased(memories)
    follows = (
        (memories.c.space == before.c.space)
        & (memories.c.thread == before.c.thread)
        & (memories.c.position == before.c.position + 1)
    )
    found = list[Row[Any]]()
    for batch in batches([row.seq for row in rows if row.kind == "turn"]):
        query = select(memories).join(before, follows)
        query = query.where(before.c.seq.in_(batch), memories.c.kind == "turn", memories.c.status != "forgotten")
        found += [row for row in connection.execute(query) if row.seq not in gone]
    return found


def _changes(connection: Connection, space: str, rows: Sequence[Row[Any]]) -> int:
    """Take out the histories of memories, and what other histories tell of them."""
    taken = _delete(connection, changes, changes.c.memory.in_, [row.seq for row in rows])
    here = select(memories.c.seq).where(memories.c.space == space)
    named = func.json_extract(changes.c.before, "$.superseded_by")
    forget = {"before": func.json_remove(changes.c.before, "$.superseded_by", "$.superseded_because")}
    for batch in batches([row.id for row in rows]):
        told = changes.delete().where(changes.c.by.in_(batch), changes.c.memory.in_(here))
        taken += connection.execute(told).rowcount
        connection.execute(update(changes).where(named.in_(batch), changes.c.memory.in_(here)).values(**forget))
    return taken


def _revise(connection: Connection, meant: Meant) -> int:
    """Take from memories that stay what histories tell of their words, and times that only a forgotten source told.

    What went into them may have been merged from what is forgotten: its words stand in the history, to be taken back.
    """
    gone, taken = {row.seq: row for row in meant.rows}, 0
    for row in meant.revised:
        history = connection.execute(select(changes).where(changes.c.memory == row.seq).order_by(changes.c.seq)).all()
        for change in history:
            if WORDS & change.before.keys():
                taken += connection.execute(changes.delete().where(changes.c.seq == change.seq)).rowcount
        query = select(memories.c.seq, memories.c.said_at).join(sources, sources.c.turn == memories.c.seq)
        told = connection.execute(query.where(sources.c.memory == row.seq, sources.c.turn != row.seq)).all()
        kept, lost = ({each.said_at for each in told if (each.seq in gone) is went} for went in (False, True))
        kept |= _given_at(history)
        times = dict[str, datetime]()
        if kept:
            starts = min(kept) if row.valid_from in lost - kept else row.valid_from
            times = {"said_at": max(kept), "valid_from": starts}
        raised = update(memories).where(memories.c.seq == row.seq).values(version=memories.c.version + 1, **times)
        connection.execute(raised)
    return taken


def _given_at(history: Sequence[Row[Any]]) -> set[datetime]:
    """Return when a memory was given directly that was merged with what turns told, by its history from the first."""
    mergers = [each.before for each in history if each.what == MERGED]
    direct = [each[OTHER] for each in mergers if not each.get(SOURCES) and each.get(OTHER)] or mergers[:1]
    return {columns(each)["said_at"] for each in direct if each.get("said_at")}


def _reworded(connection: Connection, meant: Meant) -> list[Row[Any]]:
    """Put what was also given directly back into the words it was given in, where it has others of what goes."""
    gone, found = {row.seq: row for row in meant.rows}, list[Row[Any]]()
    sayings = told(connection, [row.seq for row in meant.revised], gone)
    for row in meant.revised:
        kept, lost = sayings[row.seq]
        if row.seq in kept and tells(row, kept, lost):
            values = {**_UNREAD, "text": kept[row.seq], "digest": digest(kept[row.seq])}
            connection.execute(update(memories).where(memories.c.seq == row.seq).values(**values))
            keywords.remove(connection, [row.seq])
            words = keywords.searched({**row._mapping, **values})
            keywords.add(connection, [(row.seq, row.space, words)])
            found.append(row)
    return found


def _unquote(connection: Connection, space: str, meant: Meant) -> int:
    """Take out entries of histories that quote what is forgotten; names read in those words go, and are read anew."""
    if not meant.reworded:
        return 0
    for table in (mentions, relations):
        _delete(connection, table, table.c.memory.in_, [*{row.memory for row in meant.reworded}])
    mark.write(connection, "entities", space, {})
    return _delete(connection, changes, changes.c.seq.in_, [row.seq for row in meant.reworded])


def _read_again(connection: Connection, space: str, turns: Sequence[int], at: datetime) -> None:
    """Queue turns that were read for facts to be read again: some of what they told went with what others told."""
    for batch in batches(turns):
        read = connection.scalars(select(extractions.c.turn).where(extractions.c.turn.in_(batch))).all()
        for turn in read:
            job = insert(jobs).values(memory=turn, kind="extract", space=space, due_at=at)
            connection.execute(job.on_conflict_do_nothing())


def _graph(connection: Connection, space: str, seqs: Sequence[int]) -> tuple[int, int]:
    """Take relations and mentions out, and the names that nothing mentions any more; return how many of each."""
    told = _delete(connection, relations, relations.c.memory.in_, seqs)
    _delete(connection, mentions, mentions.c.memory.in_, seqs)
    return told, unnamed(connection, space)


def unnamed(connection: Connection, space: str) -> int:
    """Delete a space's names that nothing mentions any more; returns how many there were."""
    mentioned = select(mentions.c.entity).where(mentions.c.entity == entities.c.seq).exists()
    related = [
        select(relations.c.seq).where(end == entities.c.seq).exists() for end in (relations.c.head, relations.c.tail)
    ]
    alone = entities.c.space == space, ~or_(mentioned, *related)
    return connection.execute(entities.delete().where(*alone)).rowcount


def _errors(connection: Connection, space: str, threads: set[str]) -> None:
    """Blank what went wrong with other jobs of some threads: a model's complaint may quote its whole batch."""
    for batch in batches(sorted(threads)):
        same = select(memories.c.seq).where(memories.c.space == space, memories.c.thread.in_(batch))
        wrong = jobs.c.error.is_not(None) & jobs.c.memory.in_(same)
        connection.execute(update(jobs).where(wrong).values(error=None))


def _blank(connection: Connection, seqs: Sequence[int], at: datetime) -> None:
    """Empty rows of all they said, when and to whom."""
    blank: dict[str, Any] = {
        column.name: None if column.nullable else EMPTY.get(column.type.python_type, at)
        for column in memories.columns
        if column.name not in KEPT
    }
    blank |= {"id": literal("forgotten ") + memories.c.seq.cast(Text), "status": "forgotten", "entities": []}
    connection.execute(update(memories).where(memories.c.seq.in_(seqs)).values(**blank))
