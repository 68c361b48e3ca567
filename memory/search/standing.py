"""Which turns do not stand any more: all that they tell has been superseded by what was said later.

Turns are kept verbatim and never superseded themselves; what is known of them is asked of the facts taken from them,
when they are found, so that undoing a supersession needs no second step.
"""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, text

from hippograph.memory.schema import memories, sources
from hippograph.memory.tokens import words

LITTLE = 0.4
"""Share of a turn's words beside those that tell what is superseded, up to which it says little else."""
ECHO = 12
"""Words of an answer beside the value that it only repeats."""
LOOSE = ("note", "event")
"""First words of keys under which anything is told: that one such fact took another's place takes no turn with it."""
LONGEST_CHAIN = 20
"""Supersessions followed from a value to the present one."""

_TOLD = text(
    'SELECT sources.turn, sources.start, sources."end", memories.id, memories.subject, memories.attribute, '
    "memories.value, memories.status, memories.valid_until, memories.superseded_by "
    "FROM json_each(:turns) AS each CROSS JOIN sources ON sources.turn = each.value "
    "CROSS JOIN memories ON memories.seq = sources.memory "
    "WHERE memories.status IN ('current', 'superseded') AND memories.kind != 'summary'"
).columns(
    sources.c.turn,
    sources.c.start,
    sources.c.end,
    memories.c.id,
    memories.c.subject,
    memories.c.attribute,
    memories.c.value,
    memories.c.status,
    memories.c.valid_until,
    memories.c.superseded_by,
)
_SUCCESSOR = text("SELECT seq, id, status, superseded_by FROM memories WHERE space = :space AND id = :id")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outdated:
    """What is out of date in a turn."""

    wholly: bool
    """Whether it says little else."""
    subject: str
    attribute: str
    value: str
    """What it tells and is not so any more."""
    valid_until: datetime | None
    superseded_by: str
    """Id of the fact that holds instead."""
    successor: int
    """The same one's number."""


def outdated(
    connection: Connection, space: str, rows: Mapping[int, Row[Any]], at: datetime | None
) -> dict[int, Outdated]:
    """Return for each turn that tells something superseded what that is.

    Args:
        connection: To the ledger.
        space: Whose memories.
        rows: Memories by number.
        at: What was superseded at this time; None: now.
    """
    turns = [seq for seq, row in rows.items() if row.kind == "turn"]
    told = defaultdict[int, list[Row[Any]]](list)
    for fact in connection.execute(_TOLD, {"turns": json.dumps(turns)}).all() if turns else ():
        told[fact.turn].append(fact)
    found = dict[int, Outdated]()
    for seq, facts in told.items():
        over = [fact for fact in facts if _over(fact, at)]
        successor = _successor(connection, space, over[-1].superseded_by) if over else None
        if successor is not None:
            wholly = len(over) == len(facts) and _left(rows[seq].text, over) <= LITTLE
            found[seq] = _outdated(over[-1], successor, wholly=wholly)
    return found | _echoes(rows, found)


def _over(fact: Row[Any], at: datetime | None) -> bool:
    """Tell whether a fact was superseded at a time."""
    if fact.status != "superseded" or not fact.superseded_by or (fact.attribute or "").partition(" ")[0] in LOOSE:
        return False
    return at is None or (fact.valid_until is not None and fact.valid_until <= at)


def _outdated(fact: Row[Any], successor: Row[Any], *, wholly: bool) -> Outdated:
    return Outdated(
        wholly=wholly,
        subject=fact.subject or "",
        attribute=fact.attribute or "",
        value=fact.value or "",
        valid_until=fact.valid_until,
        superseded_by=successor.id,
        successor=successor.seq,
    )


def _successor(connection: Connection, space: str, id: str) -> Row[Any] | None:  # noqa: A002
    """Return the fact that holds in the place of a superseded one; None where what took its place is gone."""
    for _ in range(LONGEST_CHAIN):
        row = connection.execute(_SUCCESSOR, {"space": space, "id": id}).one_or_none()
        if row is None or row.status == "current":
            return row
        if row.status != "superseded" or not row.superseded_by:
            return None
        id = row.superseded_by  # noqa: A001
    return None


def _left(said: str, facts: Sequence[Row[Any]]) -> float:
    """Return which share of a turn's words is in none of some facts' quotes, in [0, 1]."""
    left = said
    for fact in sorted(facts, key=lambda fact: -fact.start):
        left = f"{left[: fact.start]} {left[fact.end :]}"
    whole = words(said)
    return len(words(left)) / len(whole) if whole and left.strip() else 0.0


def _echoes(rows: Mapping[int, Row[Any]], found: Mapping[int, Outdated]) -> dict[int, Outdated]:
    """Return the answers that do little more than repeat what a turn before them told and is not so any more."""
    after = {(rows[seq].thread, rows[seq].position + 1): each for seq, each in found.items() if each.wholly}
    echoes = dict[int, Outdated]()
    for seq, row in rows.items() if after else ():
        told = after.get((row.thread, row.position))
        if told is None or row.kind != "turn" or row.role != "assistant" or seq in found or not told.value:
            continue
        said, value = row.text.casefold(), told.value.casefold()
        if value in said and len(words(said.replace(value, " "))) <= ECHO:
            echoes[seq] = told
    return echoes
