"""What people think of answers: kept with the answer, forgotten with it."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, select, update
from sqlalchemy.dialects.sqlite import insert

from hippograph.memory.intake import clean, space_name
from hippograph.memory.ledger import BATCH, Ledger
from hippograph.memory.life.history import one
from hippograph.memory.schema import memories, ratings
from hippograph.memory.times import now
from hippograph.memory.twin import twin
from hippograph.state import BadInput

GOOD, NONE, BAD = 1, 0, -1
"""What an answer may be called; NONE takes it back."""
LONGEST = 4000
"""Characters of a comment, or of what would have been right."""
RATINGS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated:
    """An answer, what it answered, and what somebody thinks of it."""

    id: str
    """Of the answer's turn."""
    question: str
    answer: str
    said_at: datetime
    score: int
    """GOOD or BAD."""
    comment: str
    correction: str
    """What would have been right; empty where nobody said."""
    at: datetime
    """When it was rated."""
    run: str | None
    """Id of its trace in LangSmith, where it was traced."""
    sent: bool
    """Whether LangSmith was told."""


class Rating:
    """The part of `Memory` that keeps what people think of answers."""

    _ledger: Ledger

    def rate(
        self,
        id: str,  # noqa: A002
        score: int,
        space: str | None = None,
        *,
        comment: str = "",
        correction: str = "",
    ) -> Rated | None:
        """Say of an answer that it is good (1) or bad (-1), or take that back (0); the last word counts.

        Args:
            id: Of the answer's turn.
            score: 1, -1 or 0.
            space: Whose, where several spaces have one of this id.
            comment: Why.
            correction: What would have been right.

        Returns:
            What is kept; None where it was taken back.

        Raises:
            BadInput: There is no such answer, or it is no answer; another score; or too many words.
        """
        words = {"comment": _short("comment", comment), "correction": _short("correction", correction)}
        if isinstance(score, bool) or score not in (GOOD, NONE, BAD):
            raise BadInput(f"The score is {score!r}: give 1 for good, -1 for bad, or 0 to take back what was said.")
        with self._ledger.write() as connection:
            row = one(connection, id, space)
            if row.kind != "turn" or row.role != "assistant":
                raise BadInput(f"{id!r} is no answer: only what the assistant said can be rated.")
            values = {"score": score or None, "at": now(), **(words if score else dict.fromkeys(words, ""))}
            new = insert(ratings).values(memory=row.seq, **values)
            connection.execute(new.on_conflict_do_update(index_elements=["memory"], set_=values))
            found = _rated(connection, row.space, ids=[row.id])
        return found[0] if found else None

    def ratings(self, space: str, limit: int = RATINGS) -> list[Rated]:
        """Return the answers of a space that were rated, those rated last first."""
        with self._ledger.read() as connection:
            return _rated(connection, space_name(space), limit=limit)

    def scores(self, space: str, ids: Collection[str]) -> dict[str, int]:
        """Return the scores of those of some answers that were rated."""
        with self._ledger.read() as connection:
            return {each.id: each.score for each in _rated(connection, space_name(space), ids=[*ids])}

    def traced(self, space: str, id: str, run: str, project: str) -> None:  # noqa: A002
        """Keep which trace of which project an answer was given in; an answer that is not stored has none."""
        with self._ledger.write(lasting=False) as connection:
            here = memories.c.space == space_name(space), memories.c.id == id, memories.c.status != "forgotten"
            seq = connection.scalar(select(memories.c.seq).where(*here))
            if seq is not None:
                fresh = {"run": run, "project": project, "sent": False}
                new = insert(ratings).values(memory=seq, at=now(), **fresh)
                connection.execute(new.on_conflict_do_update(index_elements=["memory"], set_=fresh))

    def trace(self, space: str, id: str) -> tuple[str, str, bool] | None:  # noqa: A002
        """Return the id of an answer's trace, its project, and whether LangSmith has a score of it; None: no trace."""
        query = select(ratings.c.run, ratings.c.project, ratings.c.sent)
        query = query.join(memories, memories.c.seq == ratings.c.memory)
        query = query.where(memories.c.space == space_name(space), memories.c.id == id, ratings.c.run.is_not(None))
        with self._ledger.read() as connection:
            found = connection.execute(query).first()
        return (found.run, found.project, found.sent) if found else None

    def told(self, space: str, id: str, *, sent: bool = True) -> None:  # noqa: A002
        """Note whether LangSmith has a score of an answer now."""
        mine = select(memories.c.seq).where(memories.c.space == space_name(space), memories.c.id == id)
        with self._ledger.write(lasting=False) as connection:
            connection.execute(update(ratings).where(ratings.c.memory.in_(mine)).values(sent=sent))

    arate = twin(rate)
    aratings = twin(ratings)
    ascores = twin(scores)
    atraced = twin(traced)
    atrace = twin(trace)
    atold = twin(told)


def _short(name: str, text: str) -> str:
    if not isinstance(text, str) or len(text) > LONGEST:
        raise BadInput(f"The {name} is too long, or no text: give at most {LONGEST:,} characters.")
    return clean(text).strip()


def _rated(
    connection: Connection, space: str, *, ids: Collection[str] | None = None, limit: int | None = None
) -> list[Rated]:
    query = select(memories, ratings).join(memories, memories.c.seq == ratings.c.memory)
    query = query.where(memories.c.space == space, ratings.c.score.is_not(None), memories.c.status != "forgotten")
    query = query.order_by(ratings.c.at.desc(), memories.c.seq.desc()).limit(limit)
    wanted = [None] if ids is None else [[*ids][start : start + BATCH] for start in range(0, len(ids), BATCH)]
    rows = [
        row
        for batch in wanted
        for row in connection.execute(query if batch is None else query.where(memories.c.id.in_(batch))).all()
    ]
    return [_one(connection, row) for row in rows]


def _one(connection: Connection, row: Row[Any]) -> Rated:
    return Rated(
        id=row.id,
        question=_question(connection, row),
        answer=row.text,
        said_at=row.said_at,
        score=row.score,
        comment=row.comment,
        correction=row.correction,
        at=row.at,
        run=row.run,
        sent=row.sent,
    )


def _question(connection: Connection, row: Row[Any]) -> str:
    """Return what an answer answered: what the user said right before it."""
    here = memories.c.space == row.space, memories.c.thread == row.thread, memories.c.kind == "turn"
    before = memories.c.position < row.position, memories.c.status != "forgotten"
    query = select(memories.c.role, memories.c.text, memories.c.position, memories.c.status)
    said: list[str] = []
    place = -1
    for each in connection.execute(
        query.where(*here, *before).order_by(
            memories.c.position.desc(), memories.c.status != "current", memories.c.seq.desc()
        )
    ):
        if each.role != "user":
            break
        if each.position != place:  # versions of one turn share its place; the one that stands comes first
            said.append(each.text)
        place = each.position
    return "\n".join(reversed(said))
