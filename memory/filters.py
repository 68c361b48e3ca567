"""Conditions on memories, as callers write them and as SQL."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, bindparam, or_, text, true

from hippograph.memory.dates.periods import Window
from hippograph.memory.intake import KINDS, clean
from hippograph.memory.schema import Utc, memories
from hippograph.memory.times import now, utc
from hippograph.state import BadInput

Where = Mapping[str, Any]
"""Field to value, or to {operator: value}: {"speaker": "Ann", "said_at": {"$lt": "2023-06-01"}}."""

FIELDS = (
    "role speaker thread subject attribute value topic language kind said_at recorded_at valid_from importance"
).split()
TIMES = ("said_at", "recorded_at", "valid_from")
OPERATORS: Mapping[str, str] = {
    "$eq": "__eq__",
    "$ne": "__ne__",
    "$gt": "__gt__",
    "$gte": "__ge__",
    "$lt": "__lt__",
    "$lte": "__le__",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """When memories must hold to be found: now, unless more is said."""

    at: datetime | None = None
    """At this instant, whatever became of them since."""
    during: tuple[Window, ...] = ()
    """Or at some time in one of these stretches: "where did I live in March?"."""
    once: bool = False
    """Or at any time: "where did I live before?"."""
    archived: bool = False
    """Those too whose place a summary took."""


NOW = Held()


def condition(
    space: str, held: Held = NOW, kinds: Sequence[str] | None = None, where: Where | None = None
) -> ColumnElement[bool]:
    """Return the SQL condition for a space's memories that hold when they should and fit all filters.

    Raises:
        BadInput: An unknown field or operator.
    """
    parts = [memories.c.space == space, _holds(held)]
    if where is not None and not isinstance(where, Mapping):
        raise BadInput(f"where is {where!r}: give conditions on fields, such as {{'speaker': 'Ann'}}.")
    if kinds:
        if (
            isinstance(kinds, str)
            or not isinstance(kinds, Sequence)
            or (unknown := [each for each in kinds if each not in KINDS])
        ):
            wrong = unknown[0] if isinstance(kinds, Sequence) and not isinstance(kinds, str) else kinds
            raise BadInput(f"kinds must be a list of {', '.join(KINDS)}; {wrong!r} is not.")
        parts.append(memories.c.kind.in_(kinds))
    return and_(true(), *parts, *(_compare(*item) for item in (where or {}).items()))


def _holds(held: Held) -> ColumnElement[bool]:
    """Return the condition for memories that hold when they should."""
    kept = ("archived",) if held.archived else ()
    if held.at is not None:
        # What expired since, held then: it is the time that counts, not what has become of it.
        status = memories.c.status.in_(("current", "superseded", "expired", *kept))
        return and_(status, _valid(held.at, held.at), _unexpired(held.at))
    present = now()
    holding = and_(memories.c.status.in_(("current", *kept)), _until(present))
    over = memories.c.status.in_(("current", "superseded"))
    if held.during:
        holding = or_(holding, and_(over, or_(*(_valid(each.start, each.end, open_end=True) for each in held.during))))
    elif held.once:
        holding = or_(holding, over)
    return and_(holding, _unexpired(present))


def _valid(start: datetime, end: datetime, *, open_end: bool = False) -> ColumnElement[bool]:
    """Return the condition for memories that are valid at some time from start to end."""
    begun = memories.c.valid_from < end if open_end else memories.c.valid_from <= end
    return and_(begun, _until(start))


def _until(moment: datetime) -> ColumnElement[bool]:
    return or_(memories.c.valid_until.is_(None), memories.c.valid_until > moment)


def _unexpired(moment: datetime) -> ColumnElement[bool]:
    return or_(memories.c.expires_at.is_(None), memories.c.expires_at > moment)


_OVER = text(
    "SELECT seq, status, valid_from, valid_until, expires_at FROM memories INDEXED BY memories_by_space "
    "WHERE space = :space AND status IN ('superseded', 'expired', 'archived', 'quarantined') "
    "UNION SELECT seq, status, valid_from, valid_until, expires_at FROM memories INDEXED BY memories_ending "
    "WHERE space = :space AND (valid_until IS NOT NULL OR expires_at IS NOT NULL) "
    "AND (valid_until <= :present OR expires_at <= :present)"
).bindparams(bindparam("present", type_=Utc()))
_OVER_TIMES = _OVER.columns(
    memories.c.seq, memories.c.status, memories.c.valid_from, memories.c.valid_until, memories.c.expires_at
)


def ended(connection: Connection, space: str, held: Held = NOW) -> set[int]:
    """Return the numbers of a space's memories that do not hold, whose text may still be indexed; usually few."""
    present = now()
    rows = connection.execute(_OVER_TIMES, {"space": space, "present": present}).all()
    return {row.seq for row in rows if not _revived(row, held, present)}


def _revived(row: Row[Any], held: Held, present: datetime) -> bool:
    """Tell whether what is over now is wanted nevertheless; as `condition` does."""
    if row.expires_at is not None and row.expires_at <= present:
        return False
    if row.status == "archived":
        return held.archived and (row.valid_until is None or row.valid_until > present)
    if row.status not in ("current", "superseded"):
        return False
    if not held.during:
        return held.once
    until = row.valid_until
    return any(row.valid_from < each.end and (until is None or until > each.start) for each in held.during)


def _compare(field: str, wanted: object) -> ColumnElement[bool]:
    if field not in FIELDS:
        raise BadInput(f"Unknown field {field!r} in a filter: use one of {', '.join(FIELDS)}.")
    tests = wanted if isinstance(wanted, Mapping) else {"$eq": wanted}
    return and_(true(), *(_test(field, operator, value) for operator, value in tests.items()))


def _test(field: str, operator: str, value: object) -> ColumnElement[bool]:
    column = memories.c[field]
    if operator in ("$in", "$nin"):
        if isinstance(value, str) or not isinstance(value, Sequence):
            raise BadInput(f"{operator} of {field!r} needs a list, not {value!r}.")
        values = [_value(field, each) for each in value]
        return column.in_(values) if operator == "$in" else column.not_in(values)
    if operator not in OPERATORS:
        raise BadInput(f"Unknown operator {operator!r} in a filter: use {', '.join([*OPERATORS, '$in', '$nin'])}.")
    compared: ColumnElement[bool] = getattr(column, OPERATORS[operator])(_value(field, value))
    return compared


def _value(field: str, value: object) -> object:
    """Return a value that a field can be compared with."""
    if field in TIMES and isinstance(value, str | datetime):
        return utc(value)
    fits = isinstance(value, int | float) if field == "importance" else isinstance(value, str) and field not in TIMES
    if not fits:
        kind = "number" if field == "importance" else "time" if field in TIMES else "text"
        raise BadInput(f"{field!r} cannot be compared with {value!r}: give a {kind}.")
    return clean(value) if isinstance(value, str) else value
