"""Conditions on memories, as callers write them and as SQL."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, or_, true

from hippograph.memory.schema import memories
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
    if kinds:
        parts.append(memories.c.kind.in_(kinds))
    return and_(true(), *parts, *(_compare(*item) for item in (where or {}).items()))


def _compare(field: str, wanted: object) -> ColumnElement[bool]:
    if field not in FIELDS:
        raise BadInput(f"Unknown field {field!r} in a filter: use one of {', '.join(FIELDS)}.")
    tests = wanted if isinstance(wanted, Mapping) else {"$eq": wanted}
    return and_(true(), *(_test(field, operator, value) for operator, value in tests.items()))


def _test(field: str, operator: str, value: Any) -> ColumnElement[bool]:  # noqa: ANN401
    column = memories.c[field]
    convert = utc if field == "said_at" else (lambda given: given)
    if operator in ("$in", "$nin"):
        values = [convert(each) for each in value]
        return column.in_(values) if operator == "$in" else column.not_in(values)
    if operator not in OPERATORS:
        raise BadInput(f"Unknown operator {operator!r} in a filter: use {', '.join([*OPERATORS, '$in', '$nin'])}.")
    compared: ColumnElement[bool] = getattr(column, OPERATORS[operator])(convert(value))
    return compared
