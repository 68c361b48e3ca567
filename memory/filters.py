"""Conditions on memories, as callers write them and as SQL."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, bindparam, or_, text, true

from hippograph.memory.intake import KINDS
from hippograph.memory.schema import Utc, memories
from hippograph.memory.times import now, utc
from hippograph.state import BadInput

Where = Mapping[str, Any]
"""Field to value, or to {operator: value}: {"speaker": "Ann", "said_at": {"$lt": "2023-06-01"}}."""

FIELDS = ("role", "speaker", "thread", "subject", "attribute", "topic", "language", "kind", "said_at", "importance")
OPERATORS: Mapping[str, str] = {
    "$eq": "__eq__",
    "$ne": "__ne__",
    "$gt": "__gt__",
    "$gte": "__ge__",
    "$lt": "__lt__",
    "$lte": "__le__",
}


def condition(
    space: str, at: datetime | None = None, kinds: Sequence[str] | None = None, where: Where | None = None
) -> ColumnElement[bool]:
    """Return the SQL condition for a space's memories that hold now (or held at a time) and fit all filters.

    Raises:
        BadInput: An unknown field or operator.
    """
    parts = [memories.c.space == space]
    if at is None:
        present = now()
        parts += [
            memories.c.status == "current",
            or_(memories.c.valid_until.is_(None), memories.c.valid_until > present),
            or_(memories.c.expires_at.is_(None), memories.c.expires_at > present),
        ]
    else:
        parts += [
            memories.c.status.in_(("current", "superseded")),
            memories.c.valid_from <= at,
            or_(memories.c.valid_until.is_(None), memories.c.valid_until > at),
        ]
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


_PAST = text(
    "SELECT seq FROM memories INDEXED BY memories_by_space "
    "WHERE space = :space AND status IN ('superseded', 'expired', 'archived', 'quarantined') "
    "UNION SELECT seq FROM memories INDEXED BY memories_ending "
    "WHERE space = :space AND (valid_until IS NOT NULL OR expires_at IS NOT NULL) "
    "AND (valid_until <= :present OR expires_at <= :present)"
).bindparams(bindparam("present", type_=Utc()))


def ended(connection: Connection, space: str) -> set[int]:
    """Return the numbers of a space's memories that no longer hold, whose text may still be indexed; usually few."""
    return {*connection.execute(_PAST, {"space": space, "present": now()}).scalars().all()}


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
    if field == "said_at" and isinstance(value, str | datetime):
        return utc(value)
    fits = isinstance(value, int | float) if field == "importance" else isinstance(value, str) and field != "said_at"
    if not fits:
        kind = "number" if field == "importance" else "time" if field == "said_at" else "text"
        raise BadInput(f"{field!r} cannot be compared with {value!r}: give a {kind}.")
    return value
