"""What a forgetting takes: what was chosen, and all that cannot stand without it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, Row, case, select

from hippograph.memory.facts import SELF
from hippograph.memory.intake import clean
from hippograph.memory.items.saying import saying
from hippograph.memory.ledger import BATCH, living
from hippograph.memory.life.changes import OTHER
from hippograph.memory.schema import changes, memories, sources
from hippograph.memory.times import utc
from hippograph.memory.tokens import words
from hippograph.state import BadInput, Choice

V = TypeVar("V")

WAYS = "ids, query, thread, source, since/until or all"


@dataclass(frozen=True, slots=True)
class Meant:
    """What a forgetting takes, in the order of storing."""

    chosen: Sequence[Row[Any]]
    derived: Sequence[Row[Any]]
    """What rested on it: facts without another source, summaries, and what said more than its other sources do."""
    revised: Sequence[Row[Any]] = ()
    """What rested on it among others, and stays."""
    reread: Sequence[int] = ()
    """Numbers of turns that stay, and told some of what goes: to be read for facts again."""
    reworded: Sequence[Row[Any]] = ()
    """Entries of the histories of what stays, with the memory's id, that quote what is to be forgotten: it was said in
    other words once, or what went into it was."""

    @property
    def rows(self) -> list[Row[Any]]:
        """All that goes."""
        return [*self.chosen, *self.derived]


def checked(choice: Choice) -> None:
    """Make sure that exactly one way of choosing is given.

    Raises:
        BadInput: None or several are, one is empty, or of a wrong type.
    """
    ranged = choice.get("since") is not None or choice.get("until") is not None
    given = [name for name in ("ids", "query", "thread", "source") if choice.get(name) is not None]
    if len(given) + ranged + bool(choice.get("all")) != 1:
        raise BadInput(f"Say what to forget by exactly one of {WAYS}.")
    for name in given:
        value = choice.get(name)
        if name == "ids":
            if isinstance(value, str | bytes) or not isinstance(value, Sequence):
                raise BadInput(f"ids is {value!r}: give a list of ids, so nothing is forgotten.")
            if wrong := [each for each in value if not isinstance(each, str)]:
                raise BadInput(f"{wrong[0]!r} is no id, so nothing is forgotten: give a list of texts.")
        elif not isinstance(value, str) or not value.strip():
            raise BadInput(f"The {name} to forget is {value!r}, so nothing is forgotten: name it, or say all.")
    _range(choice)


def meant(connection: Connection, space: str, choice: Choice) -> Meant:
    """Return what a choice, once `checked`, takes in a space.

    Raises:
        BadInput: An id is not there.
    """
    chosen = _chosen(connection, space, choice)
    if choice.get("all"):
        return Meant(chosen, [])
    wholly = choice.get("source") is not None
    gone = {row.seq: row for row in chosen}
    resting, reread = _resting(connection, space, gone, wholly=wholly)
    derived = [row for row in gone.values() if row.seq not in {each.seq for each in chosen}]
    revised = [row for row in resting.values() if row.seq not in gone]
    told = _reworded(connection, space, query, gone) if (query := choice.get("query")) else []
    return Meant(chosen, derived, revised, sorted(reread - gone.keys()), told)


def _chosen(connection: Connection, space: str, choice: Choice) -> list[Row[Any]]:
    rows = living(space)
    if (ids := choice.get("ids")) is not None:
        return _named(connection, space, [*dict.fromkeys(map(clean, ids))])
    if (query := choice.get("query")) is not None:
        items = saying(connection, space, clean(query))
        return [row for row in connection.execute(rows) if row.seq in items or _says(row._asdict(), clean(query))]
    if (thread := choice.get("thread")) is not None:
        rows = rows.where(memories.c.thread == clean(thread))
    if (source := choice.get("source")) is not None:
        source = clean(source)
        rows = rows.where((memories.c.origin == source) | (memories.c.id == source))
    first, last = _range(choice)
    if first is not None:
        rows = rows.where(memories.c.said_at >= first)
    if last is not None:
        rows = rows.where(memories.c.said_at <= last)
    return [*connection.execute(rows)]


def _says(held: Mapping[str, Any], query: str) -> bool:
    """Tell whether a memory, or what a history keeps of one, contains a text; "user", for oneself, is no name."""
    subject = held.get("subject")
    told = [held.get("text"), held.get("value"), held.get("topic"), None if subject == SELF else subject]
    return any(query.strip().casefold() in each.casefold() for each in told if isinstance(each, str))


def _reworded(connection: Connection, space: str, query: str, gone: Mapping[int, Row[Any]]) -> list[Row[Any]]:
    """Return the entries of histories that contain a text which their memory itself does not."""
    entries = select(changes.c.seq, changes.c.memory, changes.c.before, memories.c.id)
    entries = entries.join(memories, memories.c.seq == changes.c.memory).where(memories.c.space == space)
    found = list[Row[Any]]()
    found += connection.execute(entries)
    told = [row for row in found if row.memory not in gone]
    return [row for row in told if _says(row.before, query) or _says(row.before.get(OTHER) or {}, query)]


def _named(connection: Connection, space: str, ids: Sequence[str]) -> list[Row[Any]]:
    """Return the memories of given ids."""
    rows = list[Row[Any]]()
    for batch in batches(ids):
        rows += connection.execute(living(space).where(memories.c.id.in_(batch)))
    if unknown := sorted({*ids} - {row.id for row in rows}):
        raise BadInput(f"No memory {unknown[0]!r}, so nothing is forgotten: see `hippograph memories`.")
    return rows


def _range(choice: Choice) -> tuple[datetime | None, datetime | None]:
    """Return the first and the last moment of a time range, in UTC."""
    since, until = choice.get("since"), choice.get("until")
    first, last = since and utc(since), until and utc(until)
    if last and isinstance(until, str) and len(until.strip()) <= len("2026-05-31"):
        last += timedelta(days=1) - timedelta(microseconds=1)
    if first and last and last < first:
        raise BadInput(f"The time to forget ends ({last:%Y-%m-%d}) before it begins ({first:%Y-%m-%d}).")
    return first or None, (last.astimezone(UTC) if last else None)


def _resting(
    connection: Connection, space: str, gone: dict[int, Row[Any]], *, wholly: bool
) -> tuple[dict[int, Row[Any]], set[int]]:
    """Add to what goes all that cannot stand without it, however indirectly.

    Returns:
        All that rested on any of it, and the numbers of what facts that go rested on beside it.
    """
    touched, reread, wave = dict[int, Row[Any]](), set[int](), [*gone]
    while wave:
        rows = [row for row in _on(connection, space, wave) if row.seq not in gone]
        touched |= {row.seq: row for row in rows}
        said = told(connection, [row.seq for row in rows], gone)
        fallen = {row.seq: row for row in rows if _falls(row, *said[row.seq], wholly=wholly)}
        reread |= {seq for row in fallen.values() if row.kind != "summary" for seq in said[row.seq].kept}
        gone |= fallen
        wave = [*fallen]
    return touched, set() if wholly else reread


class Told(NamedTuple):
    """What a memory rests on, each turn's text by its number."""

    kept: dict[int, str]
    lost: dict[int, str]


def _falls(row: Row[Any], kept: Mapping[int, str], lost: Mapping[int, str], *, wholly: bool) -> bool:
    """Tell whether a memory goes with some of its sources.

    A summary is made of all its sources. What was also given directly stays, with the words it was given in. Anything
    else stays if the sources it keeps say every word that it has of those it loses: then nothing remains that only the
    forgotten ones told.
    """
    if row.seq in kept:
        return False
    return wholly or not kept or row.kind == "summary" or tells(row, kept, lost)


def tells(row: Row[Any], kept: Mapping[int, str], lost: Mapping[int, str]) -> bool:
    """Tell whether a memory has a word of the sources it loses that those it keeps do not say."""
    said = words(" ".join(filter(None, (row.text, row.subject, row.value, *(row.entities or ())))))
    return not {*said} & {*words(" ".join(lost.values()))} <= {*words(" ".join(kept.values()))}


def _on(connection: Connection, space: str, seqs: Sequence[int]) -> list[Row[Any]]:
    """Return what rests on some memories."""
    found = dict[int, Row[Any]]()
    for batch in batches(seqs):
        resting = select(sources.c.memory).where(sources.c.turn.in_(batch))
        merged = select(_DETAILS.c.superseded_by).where(_DETAILS.c.seq.in_(batch), _DETAILS.c.status == "archived")
        on = memories.c.seq.in_(resting) | ((memories.c.kind == "summary") & memories.c.id.in_(merged))
        query = select(memories).where(memories.c.space == space, on)
        found |= {row.seq: row for row in connection.execute(query)}
    return [*found.values()]


_DETAILS = memories.alias("details")


def told(connection: Connection, seqs: Sequence[int], gone: Mapping[int, Row[Any]]) -> dict[int, Told]:
    """Return for each memory the texts it rests on: those that stay, and those that go.

    What was given directly is its own source, in the words it was given in.
    """
    found = {seq: Told({}, {}) for seq in seqs}
    own = sources.c.memory == sources.c.turn
    text = case((own, sources.c.quote), else_=memories.c.text).label("text")
    query = select(sources.c.memory, sources.c.turn, text)
    query = query.join(memories, memories.c.seq == sources.c.turn)
    for batch in batches(seqs):
        for memory, turn, text in connection.execute(query.where(sources.c.memory.in_(batch))):
            found[memory][turn in gone][turn] = text
    return found


def batches(values: Sequence[V]) -> Iterable[Sequence[V]]:
    """Cut values into lists that one IN (...) can take."""
    return (values[start : start + BATCH] for start in range(0, len(values), BATCH))
