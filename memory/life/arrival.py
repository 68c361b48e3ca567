"""The arrival of a memory: merged into one that says the same, or stored beside what it does or does not replace.

Of one matter (a subject's attribute) the ledger holds a line in time: what was said later takes the place of what was
said before, also where it is learned first.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import inf
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, Row, func, select

from hippograph.memory import keywords
from hippograph.memory.ledger import Places, inserted
from hippograph.memory.life.changes import MERGED, OTHER, SOURCES, SUPERSEDED, change, kept, kept_beside
from hippograph.memory.life.supersession import Claim, Relation, Verdict, compare
from hippograph.memory.schema import jobs, memories, sources
from hippograph.memory.times import now

MOST = 60
"""Memories of one matter that a new one is compared with, those said last."""
STANDING = ("current", "superseded")
CONFLICTS: tuple[Relation, ...] = ("supersedes", "refines")

Quote = Mapping[str, str | int]
"""A row of `sources` without its memory: turn, quote, start, end."""


@dataclass(frozen=True, slots=True)
class Arrived:
    """What became of a memory."""

    id: str
    """Of the memory that holds it now."""
    what: Literal["stored", "merged", "known"]
    superseded: tuple[str, ...] = ()
    """Ids of the memories whose place it took."""


@dataclass(frozen=True, slots=True)
class _Peer:
    """A memory that the new one may have to do with."""

    row: Row[Any]
    order: tuple[datetime, float]
    verdict: Verdict
    """What the later said of the two is to the earlier."""
    is_later: bool
    """Whether it was said after the new one."""

    @property
    def is_same(self) -> bool:
        return self.verdict.relation == "duplicate"

    @property
    def conflicts(self) -> bool:
        return self.verdict.relation in CONFLICTS

    @property
    def is_live(self) -> bool:
        return self.row.status == "current" and self.row.superseded_by is None and not self.is_expired

    @property
    def is_expired(self) -> bool:
        return self.row.expires_at is not None and self.row.expires_at <= now()


def arrive(
    connection: Connection,
    row: Mapping[str, Any],
    quotes: Sequence[Quote],
    *,
    named: bool = False,
    same_as: Collection[int] = (),
) -> Arrived:
    """Take in one memory.

    Args:
        connection: Of a transaction that writes.
        row: Its columns, with `digest` and `matter`.
        quotes: What it rests on.
        named: Whether its id was chosen by the caller: then it is stored under it, even where another says the same.
        same_as: Numbers of memories that say the same as was found out, where their words leave that open.

    Raises:
        BadInput: Another text has its id.
    """
    peers = _peers(connection, row, quotes, same_as)
    if not named and (known := _known(connection, row, quotes, peers)):
        return Arrived(known, "known")
    later = next((each for each in peers if each.is_later), None)
    same = None if named else _same(peers, later, row["said_at"])
    if same is None:
        return _stored(connection, row, quotes, peers, later)
    _merge(connection, same.row, row, quotes, same.verdict.because)
    before = _before(peers, same if same.is_later else None, row["valid_from"])
    if before:
        beside = kept_beside(connection)
        before = [each for each in before if (each.row.seq, same.row.id) not in beside]
    _supersede(connection, before, {**row, "id": same.row.id})
    return Arrived(same.row.id, "merged", tuple(each.row.id for each in before))


def doubtful(connection: Connection, row: Mapping[str, Any], quotes: Sequence[Quote]) -> dict[int, Claim]:
    """Return the current memories whose place one would take though it may say the same, by number."""
    doubts = [each for each in _peers(connection, row, quotes, ()) if each.is_live and not each.verdict.certain]
    return {each.row.seq: Claim.of(dict(each.row._mapping)) for each in doubts}


def replaced(connection: Connection, row: Mapping[str, Any], quotes: Sequence[Quote]) -> list[Row[Any]]:
    """Return the current memories whose place one would take because it says otherwise."""
    peers = [each for each in _peers(connection, row, quotes, ()) if each.is_live and not each.is_later]
    return [each.row for each in peers if each.verdict.relation == "supersedes"]


def _peers(
    connection: Connection, row: Mapping[str, Any], quotes: Sequence[Quote], same_as: Collection[int]
) -> list[_Peer]:
    """Return what has to do with a new memory, in the order it was said."""
    claim, found = Claim.of(row), dict[int, Row[Any]]()
    if row.get("matter"):
        found |= _select(connection, row, memories.c.matter == row["matter"])
    if row.get("digest"):
        found |= _select(connection, row, memories.c.digest == row["digest"])
    mine = (row["said_at"], max((float(each["turn"]) for each in quotes), default=inf))
    peers = []
    for each in found.values():
        order = (each.said_at, float(each.told or each.seq))
        pair = (Claim.of(dict(each._mapping)), claim)
        later = order > mine
        verdict = compare(*(reversed(pair) if later else pair))
        if each.seq in same_as and not verdict.certain:
            verdict = Verdict("duplicate", "says the same in other words")
        peers.append(_Peer(each, order, verdict, later))
    return sorted((each for each in peers if each.verdict.relation != "distinct"), key=lambda each: each.order)


def _select(connection: Connection, row: Mapping[str, Any], fits: ColumnElement[bool]) -> dict[int, Row[Any]]:
    told = select(func.max(sources.c.turn)).where(sources.c.memory == memories.c.seq).scalar_subquery()
    query = (
        select(memories, told.label("told"))
        .where(memories.c.space == row["space"], fits, memories.c.kind != "turn", memories.c.status.in_(STANDING))
        .order_by(memories.c.said_at.desc(), memories.c.seq.desc())
    )
    return {each.seq: each for each in connection.execute(query.limit(MOST)).all()}


def _known(
    connection: Connection, row: Mapping[str, Any], quotes: Sequence[Quote], peers: Iterable[_Peer]
) -> str | None:
    """Return the id of what was taken from the same turns before: the memory itself, or what it was merged into."""
    mine = select(memories.c.id).where(memories.c.space == row["space"], memories.c.id == row["id"])
    if found := connection.scalar(mine):
        return str(found)
    same, turns = {each.row.seq: each.row.id for each in peers if each.is_same}, [each["turn"] for each in quotes]
    if not same or not turns:
        return None
    resting = select(sources.c.memory).where(sources.c.memory.in_(same), sources.c.turn.in_(turns))
    seq = connection.scalar(resting.limit(1))
    return None if seq is None else str(same[seq])


def _same(peers: Sequence[_Peer], later: _Peer | None, said_at: datetime) -> _Peer | None:
    """Return the memory that a new one says again, if any.

    What was given up before the new one was said is none: to say it again is to return to it.
    """
    after = {each.row.id for each in peers if each.is_later and each.row.valid_from >= said_at}
    for each in reversed(peers):
        if each.is_same and not each.is_later and (each.is_live or each.row.superseded_by in after):
            return each
    return later if later and later.is_same and not later.is_expired else None


def _stored(
    connection: Connection, row: Mapping[str, Any], quotes: Sequence[Quote], peers: Sequence[_Peer], later: _Peer | None
) -> Arrived:
    """Store a new memory between what was said before and after it."""
    replaced = later if later and later.conflicts else None
    seq = store(connection, row, quotes)
    if seq is None:
        return Arrived(row["id"], "known")
    if replaced:
        over = _ended(row, replaced)
        mine = connection.execute(select(memories).where(memories.c.seq == seq)).one()
        change(connection, mine, SUPERSEDED, over["superseded_because"], replaced.row.id, over)
    before = _before(peers, replaced, row["valid_from"])
    _supersede(connection, before, row)
    return Arrived(row["id"], "stored", tuple(each.row.id for each in before))


def store(connection: Connection, row: Mapping[str, Any], quotes: Iterable[Quote]) -> int | None:
    """Store a memory with its sources, words and job; return its number, None where its id is there already."""
    seq = inserted(connection, row, Places())
    if seq is None:
        return None
    for quote in quotes:
        connection.execute(sources.insert().values(memory=seq, **quote))
    if row["text"].strip():
        keywords.add(connection, [(seq, row["space"], keywords.searched(row))])
        due = {"kind": "index", "space": row["space"], "due_at": row["recorded_at"]}
        connection.execute(jobs.insert().values(memory=seq, **due))
    return seq


def _before(peers: Iterable[_Peer], next_: _Peer | None, starts: datetime) -> list[_Peer]:
    """Return what a new memory takes the place of, also in part: what held until the next one, past its start."""

    def held(row: Row[Any]) -> bool:
        return bool(next_ and row.superseded_by == next_.row.id and row.valid_until and row.valid_until > starts)

    return [each for each in peers if each.conflicts and not each.is_later and (each.is_live or held(each.row))]


def _ended(row: Mapping[str, Any], by: _Peer) -> dict[str, Any]:
    """Return what a memory that was said before another, but learned after it, is superseded with."""
    until = by.row.valid_from if by.row.valid_from > row["valid_from"] else by.row.said_at
    return {
        "status": "superseded",
        "superseded_by": by.row.id,
        "superseded_because": f"{by.verdict.because}, as was said on {by.row.said_at:%Y-%m-%d} and learned before",
        "superseded_at": now(),
        "valid_until": min(until, row.get("valid_until") or until),
    }


def _supersede(connection: Connection, peers: Iterable[_Peer], row: Mapping[str, Any]) -> None:
    for each in peers:
        supersede(connection, each.row, row, each.verdict)


def supersede(connection: Connection, old: Row[Any], new: Mapping[str, Any], verdict: Verdict) -> None:
    """Let a memory take the place of another; from when it holds: until then, the other does."""
    how = "refined" if verdict.relation == "refines" else "superseded"
    because = f"{how}: {verdict.because}, as was said on {new['said_at']:%Y-%m-%d}"
    starts = new["valid_until"] if new.get("valid_until") and Claim.of(new).is_past else new["valid_from"]
    until = max(old.valid_from, starts if old.valid_until is None else min(starts, old.valid_until))
    values = {"superseded_by": new["id"], "superseded_because": because, "valid_until": until}
    if until <= max(now(), new["said_at"]):  # what is said is said by now, also where the clock was put back
        values |= {"status": "superseded", "superseded_at": now()}
    change(connection, old, SUPERSEDED, because, new["id"], values)


def _merge(
    connection: Connection, old: Row[Any], new: Mapping[str, Any], quotes: Sequence[Quote], because: str
) -> None:
    """Let a memory stand for another that says the same: its sources are theirs together."""
    fresh = [quote for quote in quotes if not _has(connection, old.seq, quote)]
    for quote in fresh:
        connection.execute(sources.insert().values(memory=old.seq, **quote))
    _given(connection, old, new, quotes, fresh)
    values: dict[str, Any] = {
        "said_at": max(old.said_at, new["said_at"]),
        "valid_from": min(old.valid_from, new["valid_from"]),
        "importance": max(old.importance, new.get("importance", 0.0)),
        "pinned": old.pinned or bool(new.get("pinned")),
    }
    if old.expires_at is not None:
        expires = new.get("expires_at")
        values["expires_at"] = expires and max(old.expires_at, expires)
    by = new["id"]
    if quotes:
        by = connection.scalar(select(memories.c.id).where(memories.c.seq == quotes[0]["turn"]))
    places = [[each["turn"], each["start"], each["end"]] for each in fresh]
    change(connection, old, MERGED, because, by, values, **{SOURCES: places, OTHER: kept(new)})


def _given(
    connection: Connection, old: Row[Any], new: Mapping[str, Any], quotes: Sequence[Quote], fresh: Sequence[Quote]
) -> None:
    """Note that one of two memories that became one was given directly: it is a source of its own, and stays."""
    turns = connection.scalars(select(sources.c.turn).where(sources.c.memory == old.seq)).all()
    if len(turns) == len(fresh) and quotes:
        said = old.text
    elif turns and not quotes and old.seq not in turns:
        said = new["text"]
    else:
        return
    own = {"turn": old.seq, "quote": said, "start": 0, "end": len(said)}
    connection.execute(sources.insert().values(memory=old.seq, **own))


def _has(connection: Connection, memory: int, quote: Quote) -> bool:
    place = [sources.c[name] == quote[name] for name in ("turn", "start", "end")]
    return connection.scalar(select(sources.c.turn).where(sources.c.memory == memory, *place)) is not None
