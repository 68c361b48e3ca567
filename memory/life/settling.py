"""Settling: what extraction found becomes memories of the ledger, each with its sources."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, select
from sqlalchemy.dialects.sqlite import insert

from hippograph.memory.erasure.tombstones import unread
from hippograph.memory.facts import Extracted, Fact
from hippograph.memory.language import language
from hippograph.memory.ledger import BATCH, Ledger
from hippograph.memory.life.arrival import Quote, arrive, doubtful
from hippograph.memory.life.digest import digest, fact_id, matter
from hippograph.memory.life.review import Suspects, hold
from hippograph.memory.life.supersession import Claim
from hippograph.memory.life.tiebreak import Judge
from hippograph.memory.life.values import value
from hippograph.memory.schema import extractions, memories
from hippograph.memory.times import now


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """What became of some facts, by the ids of the memories."""

    stored: tuple[str, ...] = ()
    """New memories."""
    merged: tuple[str, ...] = ()
    """Memories that say the same already, and have one source more."""
    superseded: tuple[str, ...] = ()
    """Memories that another one took the place of."""


MOST_DOUBTS = 4
"""Times that a model is asked about the facts of one batch."""


class Settling:
    """Settles facts inside a transaction of the caller's."""

    def __init__(self, judge: Judge | None = None) -> None:
        """Prepare it; `judge` has the last word where code cannot tell a changed value from other words for it.

        `suspects` says what else is wrong with a fact that a person is to look at.
        """
        self.judge = judge
        self.suspects: Suspects = lambda text: ""
        self._same: dict[str, set[int]] = {}

    def ponder(self, ledger: Ledger, space: str, extracted: Extracted, turns: Mapping[str, int]) -> None:
        """Ask the judge, if there is one, about what is doubtful; outside a transaction, for a model takes its time."""
        if self.judge is None:
            return
        self._same.clear()
        with ledger.read() as connection:
            alive = _alive(connection, turns)
            rows = [(_row(space, each, alive), _quote(each, alive)) for each in extracted.facts if each.turn in alive]
            doubts = [(row, doubtful(connection, row, [quote])) for row, quote in rows]
        pairs = [(row, seq, old) for row, found in doubts for seq, old in found.items()]
        for row, seq, old in pairs[:MOST_DOUBTS]:
            if self.judge(old, Claim.of(row)):
                self._same.setdefault(row["id"], set()).add(seq)

    def settle(
        self,
        connection: Connection,
        space: str,
        extracted: Extracted,
        turns: Mapping[str, int],
        held: Collection[str] = (),
    ) -> Settled:
        """Store facts, and note that their turns have been read; doing it again changes nothing.

        Args:
            connection: To the ledger, of a transaction that writes.
            space: Whose memories they are.
            extracted: What was found in the turns.
            turns: Id and number of every turn that was read, also of those without a fact. Those forgotten by now are
                passed over, and so is a fact that was forgotten itself.
            held: Ids of those turns whose doubtful facts wait for a person.
        """
        alive = _alive(connection, turns)
        facts = [fact for fact in extracted.facts if fact.turn in alive]
        rows = [(_row(space, fact, alive), [_quote(fact, alive)]) for fact in facts]
        gone = unread(connection, space, [row["id"] for row, _ in rows])
        rows = [(row, quotes) for row, quotes in rows if row["id"] not in gone]
        looked_at = {alive[turn].seq for turn in held if turn in alive}
        arrived = [
            arrive(connection, row, quotes, same_as=self._same.get(row["id"], ()))
            for row, quotes in rows
            if quotes[0]["turn"] not in looked_at or not hold(connection, row, quotes, self.suspects(row["text"]))
        ]
        _note(connection, extracted, alive)
        return Settled(
            stored=tuple(each.id for each in arrived if each.what == "stored"),
            merged=tuple(each.id for each in arrived if each.what == "merged"),
            superseded=tuple(id_ for each in arrived for id_ in each.superseded),
        )


def _alive(connection: Connection, turns: Mapping[str, int]) -> dict[str, Row[Any]]:
    """Return the turns that are not forgotten, by id."""
    found = dict[str, Row[Any]]()
    seqs = [*turns.values()]
    query = select(memories.c.seq, memories.c.id, memories.c.said_at).where(memories.c.status != "forgotten")
    for start in range(0, len(seqs), BATCH):
        rows = connection.execute(query.where(memories.c.seq.in_(seqs[start : start + BATCH]))).all()
        found |= {row.id: row for row in rows}
    return found


def _row(space: str, fact: Fact, turns: Mapping[str, Row[Any]]) -> dict[str, Any]:
    """Return the ledger row of a fact; it belongs to no thread, its sources do."""
    turn = turns[fact.turn]
    starts = fact.valid_from if fact.kind == "event" or not value(fact.value).is_time else None
    copied = "kind text subject attribute value negated importance confidence sentiment model valid_until".split()
    return {name: getattr(fact, name) for name in copied} | {
        "space": space,
        "id": fact_id(fact.turn, fact.subject, fact.attribute, fact.value, negated=fact.negated),
        "thread": "",
        "said_at": turn.said_at,
        "valid_from": starts or turn.said_at,  # a deadline on Friday is one from when it is told
        "recorded_at": now(),
        "language": language(fact.text),
        "entities": [*fact.entities],
        "digest": digest(fact.text),
        "matter": matter(fact.subject, fact.attribute),
    }


def _quote(fact: Fact, turns: Mapping[str, Row[Any]]) -> Quote:
    return {"turn": turns[fact.turn].seq, "quote": fact.quote, "start": fact.start, "end": fact.end}


def _note(connection: Connection, extracted: Extracted, turns: Mapping[str, Row[Any]]) -> None:
    """Keep for each turn what reading it gave; what was dropped of several turns is counted with the last."""
    degraded = "; ".join(extracted.degraded) or None
    for number, (id_, turn) in enumerate(turns.items(), 1):
        row = {
            "at": now(),
            "model": extracted.model,
            "facts": sum(fact.turn == id_ for fact in extracted.facts),
            "dropped": len(extracted.dropped) if number == len(turns) else 0,
            "degraded": degraded,
        }
        statement = insert(extractions).values(turn=turn.seq, **row)
        connection.execute(statement.on_conflict_do_update(index_elements=["turn"], set_=row))
