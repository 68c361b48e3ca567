"""What forgetting does to what turns cost: rows of a space go with it, those of single turns keep numbers alone."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, select, update

from hippograph.memory.costs import samples
from hippograph.memory.costs.book import midnight, turn_key
from hippograph.memory.keywords import space_key
from hippograph.memory.ledger import BATCH
from hippograph.memory.schema import calls, rounds, spent_days
from hippograph.state import thread_key


@dataclass(frozen=True, slots=True)
class Scrubbed:
    """What was taken out."""

    figures: int
    """Rows of what was spent that are gone, or keep their numbers and their day alone."""
    samples: int
    """Summaries that were to be judged."""


def forget_costs(
    connection: Connection, space: str, ids: Iterable[str], threads: Iterable[str], *, everything: bool
) -> Scrubbed:
    """Take out what tells of forgotten turns: when they were asked, in which thread, and every sample of the space.

    Args:
        connection: Of a transaction that writes.
        space: Whose they were.
        ids: Memories that are forgotten.
        threads: Conversations that are forgotten whole, turns included that were never remembered.
        everything: Whether all of the space is: then no row is left.
    """
    sampled = samples.drop(connection, space, everything=everything)
    key = space_key(space)
    if everything:
        tables = (calls, rounds, spent_days)
        gone = sum(connection.execute(table.delete().where(table.c.space == key)).rowcount for table in tables)
        return Scrubbed(gone, sampled)
    found = dict[int, datetime]()
    for column, digests in (
        (rounds.c.turn, [turn_key(space, each) for each in ids]),
        (rounds.c.thread, [thread_key(space, each) for each in threads]),
    ):
        for start in range(0, len(digests), BATCH):
            query = select(rounds.c.seq, rounds.c.at).where(rounds.c.space == key)
            for row in connection.execute(query.where(column.in_(digests[start : start + BATCH]))):
                found[row.seq] = midnight(row.at)
    keep_day(connection, found)
    return Scrubbed(len(found), sampled)


def keep_day(connection: Connection, found: Mapping[int, datetime]) -> None:
    """Keep of some turns' rows, by number, what they cost and their day alone."""
    for seq, day in found.items():
        connection.execute(update(rounds).where(rounds.c.seq == seq).values(turn=None, thread=None, at=day))
        connection.execute(update(calls).where(calls.c.round == seq).values(at=day))
