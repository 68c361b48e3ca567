"""Merging: fine-grained memories of one topic go into one cited summary and leave recall; each stays, by its id."""

from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.dialects.sqlite import insert

from hippograph.memory import keywords
from hippograph.memory.language import language
from hippograph.memory.ledger import sources_of
from hippograph.memory.reading import recollected
from hippograph.memory.schema import jobs, memories, sources
from hippograph.memory.times import now
from hippograph.memory.upkeep.change import Change, change
from hippograph.memory.upkeep.grouping import Group, grouped, mergeable
from hippograph.memory.upkeep.summing import Line, own_words, topic_of, written
from hippograph.memory.upkeep.task import Done, Task, unchanged
from hippograph.state import ModelError, Recollection

EXTRACT = "extract"
"""Who wrote a summary that no model wrote."""
MOST_NAMES = 12

Quote = Mapping[str, Any]
"""The columns `turn`, `quote`, `start` and `end` of `sources`."""


def merge(task: Task) -> Done:
    """Write a summary of each group of old memories on one topic, and archive what went into it."""
    done = Done()
    for group in grouped(task, mergeable(task)):
        if task.stopping():
            break
        if task.dry_run:
            done.counts["summaries"] = done.counts.get("summaries", 0) + 1
            done.add("merged", [row.id for row in group])
        else:
            _merge(task, group, done)
    return done


def _merge(task: Task, group: Group, done: Done) -> None:
    with task.ledger.read() as connection:
        members = recollected(connection, group, {})
        quotes, cited = _quotes(connection, group)
    topic, tongue = topic_of(group), language("\n".join(row.text for row in group))
    lines, model = _lines(task, members, topic, tongue, done)
    text = written(lines, members, cited, topic, tongue)
    if not text:
        done.note = "a summary came out empty, so its memories stay as they are"
        return
    summary = _row(task, group, text, model, tongue)
    if _stored(task, group, summary, quotes):
        done.counts["summaries"] = done.counts.get("summaries", 0) + 1
        done.ids.append(summary["id"])
        done.add("merged", [row.id for row in group])


def _lines(
    task: Task, members: Sequence[Recollection], topic: str, tongue: str, done: Done
) -> tuple[Sequence[Line], str]:
    """Return what the summary says, and who says it: the model that was given, else the memories themselves."""
    if task.summarize is not None:
        try:
            lines, model = task.summarize(members, topic, tongue)
            if any(line.text.strip() for line in lines):
                return lines, model
        except ModelError as error:
            done.note = f"{error}; used the memories' own words"
    return own_words(members, topic), EXTRACT


def _quotes(connection: Connection, group: Group) -> tuple[list[Quote], dict[str, list[int]]]:
    """Return what the members rest on, each quote once, and for each member the numbers of its quotes, from 1."""
    found = sources_of(connection, [row.seq for row in group])
    numbers = dict[tuple[int, int, int], int]()
    quotes, cited = list[Quote](), dict[str, list[int]]()
    for row in group:
        whole = {"turn": row.seq, "quote": row.text, "start": 0, "end": len(row.text)}
        own = [{name: getattr(each, name) for name in whole} for each in found.get(row.seq, ())] or [whole]
        for quote in own:
            key = quote["turn"], quote["start"], quote["end"]
            if key not in numbers:
                quotes.append(quote)
            cited.setdefault(row.id, []).append(numbers.setdefault(key, len(quotes)))
    return quotes, cited


def _row(task: Task, group: Group, text: str, model: str, tongue: str) -> dict[str, Any]:
    """Return the summary's row; its id is made of its members', so that the same are never merged twice."""
    names = Counter(name for row in group for name in row.entities or ())
    return {
        "space": task.space,
        "id": sha256("\x1f".join(["summary", *sorted(row.id for row in group)]).encode()).hexdigest()[:32],
        "kind": "summary",
        "text": text,
        "subject": group[0].subject,
        "topic": group[0].topic,
        "said_at": group[-1].said_at,
        "valid_from": min(row.valid_from for row in group),
        "recorded_at": task.now,
        "importance": max(row.importance for row in group),
        "confidence": min(row.confidence for row in group),
        "language": tongue,
        "entities": [name for name, _ in names.most_common(MOST_NAMES)],
        "model": model,
    }


def _stored(task: Task, group: Group, summary: Mapping[str, Any], quotes: Sequence[Quote]) -> bool:
    """Store a summary and archive its members, all or nothing; False where any, or its sources, changed meanwhile."""
    because = f"merged with {len(group) - 1} others into a summary"
    values = {
        "status": "archived",
        "superseded_by": summary["id"],
        "superseded_because": because,
        "superseded_at": task.now,
    }
    with task.write() as connection:
        if len(unchanged(connection, group)) < len(group) or _quotes(connection, group)[0] != quotes:
            return False
        statement = insert(memories).values(**summary).on_conflict_do_nothing().returning(memories.c.seq)
        seq = connection.scalar(statement)
        if seq is None:
            return False
        connection.execute(sources.insert(), [{"memory": seq, **quote} for quote in quotes])
        keywords.add(connection, [(seq, task.space, keywords.searched(summary))])
        due = {"memory": seq, "kind": "index", "space": task.space, "due_at": now()}
        connection.execute(jobs.insert().values(due))
        change(connection, [Change(row, values, because, summary["id"]) for row in group], "archived", task.now)
    task.stores.writer.wake()
    return True
