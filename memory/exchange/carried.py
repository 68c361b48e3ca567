"""One line of an exported space, read and checked before anything of it is stored."""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar, get_args

from sqlalchemy import JSON, Boolean, Column, Float, Integer
from sqlalchemy.sql.schema import ScalarElementColumnDefault

from hippograph.memory.erasure.returning import forms
from hippograph.memory.exchange.export import CARRIED, VERSION
from hippograph.memory.intake import KINDS, SHAPES, clean
from hippograph.memory.items.item import dumped, minutes, path
from hippograph.memory.life.changes import SOURCES
from hippograph.memory.schema import Utc
from hippograph.memory.times import utc
from hippograph.state import BadInput, Status

STATUSES = tuple(status for status in get_args(Status) if status != "forgotten")

Values = Mapping[str, Any]
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The first line: what the file is."""

    space: str
    memories: int
    """How many lines follow."""
    tombstones: Sequence[tuple[str, datetime]]
    """Digests of what was forgotten, and when."""
    key: str
    """What the digests are keyed with; empty where there are none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """One memory with all that is kept of it, its times parsed."""

    row: Values
    """Columns of `memories` but those of the home."""
    sources: Sequence[Values]
    changes: Sequence[Values]
    extractions: Sequence[Values]
    pending: Sequence[str]
    """Kinds of jobs that are still to be done."""
    mentions: Sequence[Values]
    relations: Sequence[Values]
    item: Values | None
    """What of an item is no part of a memory; None where it is none."""

    @property
    def id(self) -> str:
        """Its id."""
        return str(self.row["id"])

    @property
    def forms(self) -> Sequence[str]:
        """By what texts it is known to have been forgotten."""
        return forms(str(self.row["text"]), str(self.row["kind"]), self.row["said_at"], "")


def head(line: str) -> Head | None:
    """Return the first line of an exported space; None where it is none.

    Raises:
        BadInput: The file is of a newer version, or its head is damaged.
    """
    try:
        found: Any = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or "hippograph" not in found:
        return None
    version = found["hippograph"]
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise BadInput(f"It says version {version!r}, which no Hippograph wrote.")
    if version > VERSION:
        raise BadInput(
            f"It was written by a newer Hippograph (version {version} of the format, this one reads up to {VERSION}): "
            "`pip install --upgrade hippograph`."
        )
    try:
        stones = [(_text(digest), utc(_text(at))) for digest, at in found.get("tombstones", [])]
        space, key = _text(found["space"]), _text(found.get("key", ""))
        return Head(space=space, memories=_whole(found["memories"]), tombstones=stones, key=key)
    except (KeyError, TypeError, ValueError) as error:
        raise BadInput(f"Its first line is damaged ({error}).") from None


def carried(line: str) -> Carried:
    """Return one line's memory.

    Raises:
        BadInput: It is none; the message says why.
    """
    try:
        found: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"no JSON ({error})") from None
    if not isinstance(found, dict) or not isinstance(found.get("memory"), dict):
        raise BadInput("no JSON object with a memory")
    if unknown := sorted(set(found) - {"memory", *PARTS}):
        raise BadInput(f"an unknown part {unknown[0]!r}")
    parts = {name: _listed(name, found.get(name, []), fields) for name, fields in PARTS.items()}
    row = _row(found["memory"])
    if len(parts["item"]) != (row["kind"] == "item"):
        raise BadInput("an item has one namespace and key, and nothing else has any")
    return Carried(
        row=row,
        sources=parts["sources"],
        changes=parts["changes"],
        extractions=parts["extractions"],
        pending=[str(each["kind"]) for each in parts["pending"]],
        mentions=parts["mentions"],
        relations=parts["relations"],
        item=parts["item"][0] if parts["item"] else None,
    )


def _row(found: Values) -> Values:
    names = {column.name for column in CARRIED}
    if unknown := sorted(set(found) - names):
        raise BadInput(f"an unknown column {unknown[0]!r}")
    row = {column.name: _value(column, found.get(column.name)) for column in CARRIED}
    if not row["id"]:
        raise BadInput("its id is empty")
    if row["superseded_by"] == row["id"]:
        raise BadInput("it is superseded by itself")
    for name, allowed in (("kind", KINDS), ("status", STATUSES)):
        if row[name] not in allowed:
            raise BadInput(f"{name} is {row[name]!r}: it must be one of {', '.join(allowed)}")
    for name, (fits, what) in SHAPES.items():
        if row[name] is not None and not fits(row[name]):
            raise BadInput(f"{name} is {row[name]!r}: it must be {what}")
    return row


def _value(column: "Column[Any]", value: object) -> object:
    """Return a column's value as the ledger takes it; its default where there is none."""
    if value is None:
        if column.nullable:
            return None
        if isinstance(column.default, ScalarElementColumnDefault):
            return column.default.arg
        if column.default is not None:
            return []  # the one other default is an empty list
        raise BadInput(f"{column.name} is missing")
    try:
        return next(read for kind, read in _READ if isinstance(column.type, kind))(value)
    except (TypeError, ValueError) as error:
        raise BadInput(f"{column.name} is {value!r}: {error}") from None


def _listed(name: str, found: object, fields: Mapping[str, Callable[[Any], Any]]) -> list[Values]:
    """Return a part's entries, each with exactly its fields."""
    if not isinstance(found, list) or not all(isinstance(each, dict) and set(each) == set(fields) for each in found):
        raise BadInput(f"{name} must be a list of objects with {', '.join(fields)}")
    try:
        return [{field: read(each[field]) for field, read in fields.items()} for each in found]
    except (TypeError, ValueError) as error:
        raise BadInput(f"{name}: {error}") from None


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("it must be a text")
    return clean(value)


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**63:
        raise TypeError("it must be a whole number, 0 or more")
    return value


def _number(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
        raise TypeError("it must be a number")
    return float(value)


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError("it must be true or false")
    return value


def _time(value: object) -> datetime:
    return utc(_text(value))


def _names(value: object) -> list[str]:
    if not isinstance(value, list):
        raise TypeError("it must be a list of texts")
    return [_text(each) for each in value]


def _before(value: object) -> dict[str, Any]:
    """Return what a change kept; of the sources that a merger brought, (turn's id, start, end)."""
    if not isinstance(value, dict):
        raise TypeError("it must be an object")
    brought = value.get(SOURCES, [])
    if not isinstance(brought, list) or not all(isinstance(each, list) and len(each) == 3 for each in brought):
        raise TypeError("its sources must be a list of [turn, start, end]")
    return {**value, SOURCES: [[_text(turn), *map(_whole, place)] for turn, *place in brought]} if brought else value


def _path(value: object) -> str:
    return path(_loaded(value, list))


def _object(value: object) -> str:
    return dumped(_loaded(value, dict))


def _loaded(value: object, kind: type[T]) -> T:
    """Return what a text says as JSON; it must be of a kind."""
    try:
        found = json.loads(_text(value))
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(found, kind):
        raise TypeError(f"it must be a JSON {'list' if kind is list else 'object'} in a text")
    return found


def _or_none(read: Callable[[object], Any]) -> Callable[[object], Any]:
    return lambda value: None if value is None else read(value)


_READ: Sequence[tuple[Any, Callable[[object], object]]] = (
    (Utc, _time),
    (Boolean, _flag),
    (Float, _number),
    (Integer, _whole),
    (JSON, _names),
    (object, _text),
)
"""How a column's value is read, by its type."""

PARTS: Mapping[str, Mapping[str, Callable[[Any], Any]]] = {
    "sources": {"id": _text, "quote": _text, "start": _whole, "end": _whole},
    "changes": {"at": _time, "what": _text, "because": _text, "by": _or_none(_text), "before": _before},
    "extractions": {"at": _time, "model": _text, "facts": _whole, "dropped": _whole, "degraded": _or_none(_text)},
    "pending": {"kind": _text},
    "mentions": {"key": _text, "name": _text, "kind": _text},
    "relations": {"head": _text, "relation": _text, "tail": _text},
    "item": {
        "namespace": _path,
        "key": _text,
        "value": _object,
        "ttl": lambda value: minutes(_or_none(_number)(value)),
        "created_at": _time,
        "updated_at": _time,
    },
}
"""What stands beside a memory, and how its fields are read."""
