"""Summaries kept to be judged: in words until they are, and as long as nothing of their space is forgotten."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, Select, delete, func, select, update

from hippograph.memory.costs.book import midnight, turn_key
from hippograph.memory.costs.round import Round
from hippograph.memory.keywords import space_key
from hippograph.memory.ledger import BATCH
from hippograph.memory.schema import judgements, memories
from hippograph.state.costs import CRITERIA, Quality, Sample, Verdict, Week

MOST = 200
"""Samples that wait; of more, the oldest go."""
ATTEMPTS = 3
"""Times a model is asked for a verdict; then the sample is left to a person."""
PERSON = "person"

_WAITS = judgements.c.by.is_(None)
_JUDGED = judgements.c.by.is_not(None)


def chosen(taken: Round, share: float) -> bool:
    """Tell whether a turn is among the share that is sampled: the same turn always is, or never."""
    if not (taken.remembered and taken.block and taken.block["text"]) or taken.failed:
        return False
    return int(turn_key(taken.space, taken.turn)[:8], 16) / 2**32 < share


def keep(connection: Connection, taken: Round) -> bool:
    """Store a turn's summary to be judged; False where any of what it rests on is gone meanwhile."""
    ids = [each["id"] for each in taken.evidence]
    if taken.block is None or not _there(connection, taken.space, [taken.turn, *ids]):
        return False
    row = {
        "space": space_key(taken.space),
        "at": taken.at,
        "question": taken.question,
        "block": taken.block["text"],
        "evidence": ids,
    }
    connection.execute(judgements.insert().values(**row))
    newest = select(judgements.c.seq).where(_WAITS).order_by(judgements.c.seq.desc()).limit(MOST)
    connection.execute(delete(judgements).where(_WAITS, judgements.c.seq.not_in(newest)))
    return True


def _there(connection: Connection, space: str, ids: Sequence[str]) -> bool:
    """Tell whether a space has all of some memories."""
    wanted = {*ids}
    there = memories.c.space == space, memories.c.status != "forgotten"
    query = select(func.count()).select_from(memories).where(*there, memories.c.id.in_(wanted))
    return connection.scalar(query) == len(wanted)


def waiting(connection: Connection, space: str | None = None, *, tries: int | None = None) -> list[Sample]:
    """Return what waits to be judged, the oldest first, with what its memories say now.

    Args:
        connection: To the ledger.
        space: Whose; None: everybody's.
        tries: Leave out what a model was asked about so often.
    """
    query = _of(select(judgements).where(_WAITS).order_by(judgements.c.seq), space)
    query = query if tries is None else query.where(judgements.c.attempts < tries)
    rows = connection.execute(query).all()
    texts = _texts(connection, {id_ for row in rows for id_ in row.evidence})
    return [
        Sample(
            id=row.seq,
            space=row.space,
            at=row.at,
            question=row.question,
            block=row.block,
            evidence=[texts[row.space, id_] for id_ in row.evidence if (row.space, id_) in texts],
        )
        for row in rows
    ]


def _texts(connection: Connection, ids: Iterable[str]) -> dict[tuple[str, str], str]:
    """Return the texts of memories by their space's key and their id."""
    wanted, found = sorted(ids), dict[tuple[str, str], str]()
    for start in range(0, len(wanted), BATCH):
        query = select(memories.c.space, memories.c.id, memories.c.text).where(memories.c.status != "forgotten")
        for row in connection.execute(query.where(memories.c.id.in_(wanted[start : start + BATCH]))):
            found[space_key(row.space), row.id] = row.text
    return found


def judged(connection: Connection, number: int, verdict: Verdict, by: str) -> bool:
    """Store a verdict and let go of the words it is on; False where the sample is gone, or was judged before."""
    at = connection.scalar(select(judgements.c.at).where(judgements.c.seq == number, _WAITS))
    if at is None:
        return False
    scores = {name: getattr(verdict, name) for name in CRITERIA}
    emptied = {"question": "", "block": "", "evidence": [], "at": midnight(at)}
    connection.execute(update(judgements).where(judgements.c.seq == number).values(by=by, **scores, **emptied))
    return True


def tried(connection: Connection, number: int) -> None:
    """Note that a model was asked for a verdict, and gave none that can be read."""
    query = update(judgements).where(judgements.c.seq == number)
    connection.execute(query.values(attempts=judgements.c.attempts + 1))


def drop(connection: Connection, space: str, *, everything: bool) -> int:
    """Let go of all samples of a space that wait, and with `everything` of the verdicts too; returns how many."""
    query = delete(judgements).where(judgements.c.space == space_key(space))
    return connection.execute(query if everything else query.where(_WAITS)).rowcount


def quality(connection: Connection, space: str | None, since: datetime, until: datetime) -> Quality:
    """Return what the summaries of a time that were judged are worth, as means."""
    within = _JUDGED, judgements.c.at >= since, judgements.c.at < until
    rows = connection.execute(_of(select(judgements).where(*within).order_by(judgements.c.at), space)).all()
    left = connection.scalar(_of(select(func.count()).select_from(judgements).where(_WAITS), space)) or 0
    by, weeks = dict[str, int](), dict[str, list[Row[Any]]]()
    for row in rows:
        by[row.by] = by.get(row.by, 0) + 1
        weeks.setdefault(_monday(row.at), []).append(row)
    means = {name: _mean(rows, name) for name in CRITERIA} if rows else {}
    told = [Week(begins=day, n=len(of), **{name: _mean(of, name) for name in CRITERIA}) for day, of in weeks.items()]
    return Quality(judged=len(rows), waiting=left, by=by, weeks=told, **means)


def last(connection: Connection, space: str | None, count: int) -> list[int]:
    """Return the accuracy of the summaries judged last."""
    query = select(judgements.c.accuracy).where(_JUDGED).order_by(judgements.c.at.desc(), judgements.c.seq.desc())
    return [*connection.scalars(_of(query.limit(count), space))]


def _of(query: Select[Any], space: str | None) -> Select[Any]:
    return query if space is None else query.where(judgements.c.space == space_key(space))


def _mean(rows: Sequence[Row[Any]], name: str) -> float:
    total: int = sum(getattr(row, name) for row in rows)
    return round(total / len(rows), 3)


def _monday(at: datetime) -> str:
    day = at.astimezone().date()
    return (day - timedelta(days=day.weekday())).isoformat()
