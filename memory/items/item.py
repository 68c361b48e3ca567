"""An item: a JSON value under a namespace and a key, and the words in it that it is found by. Pure: no I/O."""

import dataclasses
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from enum import Enum
from typing import Any
from uuid import UUID

from hippograph.state import BadInput

Namespace = tuple[str, ...]
"""Labels from the outermost to the innermost: ("ann", "memories")."""
Value = Mapping[str, Any]
"""What an item holds: a JSON object."""
UNNAMED = frozenset({"content", "text", "memory", "data", "value"})
"""Keys that say nothing of what stands under them, so that `readable` leaves them out."""
MOST_MINUTES = 525_600_000
"""Longest time to live: a thousand years."""
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """What is stored."""

    space: str
    namespace: Namespace
    key: str
    value: dict[str, Any]
    created_at: datetime
    """UTC, as `updated_at`."""
    updated_at: datetime
    id: str
    """Of the memory that it is."""
    score: float | None = None
    """How well it fits a query, in [0, 1]; None where nothing was asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Put:
    """What is to be stored."""

    space: str
    """Whose memory it is."""
    namespace: Namespace
    key: str
    value: Value | None
    """None takes the item away."""
    text: str | None = None
    """What of it is searched; None: all of it, as `readable` says it; "": nothing, it is found by its key alone."""
    ttl: float | None = None
    """Minutes after which it is deleted, counted from its last use; None: never."""
    origin: str | None = None
    """The file it was imported from."""
    at: datetime | None = None
    """When it was put; None: now."""


def path(namespace: Sequence[str]) -> str:
    """Return a namespace as the ledger has it, so that those under it begin with it but for the last character.

    Raises:
        BadInput: It is empty, or a label is no text.
    """
    if isinstance(namespace, str) or not namespace or not all(isinstance(each, str) for each in namespace):
        raise BadInput(f"The namespace is {namespace!r}: give one or more labels, such as ('ann', 'memories').")
    return _dumped([*namespace])


def labels(path: str) -> Namespace:
    """Undo `path`."""
    return tuple(json.loads(path))


def dumped(value: Value) -> str:
    """Return a value as JSON, from which `json.loads` gives it back.

    Times, UUIDs, dataclasses and models of Pydantic become texts and objects, as in LangGraph's own stores.

    Raises:
        BadInput: It is no mapping, or holds what JSON has no form for.
    """
    if not isinstance(value, Mapping):
        raise BadInput(f"The value is {value!r}: an item holds a JSON object, such as {{'text': 'Ann likes tea.'}}.")
    try:
        return _dumped(dict(value))
    except (TypeError, ValueError, RecursionError) as error:
        raise BadInput(
            f"The value cannot be stored as JSON ({error}): put texts, numbers, lists and objects."
        ) from None


def minutes(ttl: float | None) -> float | None:
    """Return how long an item is to last after its last use.

    Raises:
        BadInput: It is no number of minutes from 0 to MOST_MINUTES.
    """
    number = isinstance(ttl, int | float) and not isinstance(ttl, bool)
    if ttl is not None and not (number and 0 <= ttl <= MOST_MINUTES):
        raise BadInput(f"The time to live is {ttl!r}: give minutes, from 0 to {MOST_MINUTES:,}, or None for ever.")
    return ttl


def readable(value: object) -> str:
    """Return all that a value says in words, a line for each property: "title: Tea", or the text alone."""
    return "\n".join(_lines(value, ""))


def leaves(value: object) -> Iterator[str]:
    """Yield every text in a value, its keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield str(key)
            yield from leaves(each)
    elif isinstance(value, Sequence):
        for each in value:
            yield from leaves(each)


def _lines(value: object, name: str) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from _lines(each, "" if str(key) in UNNAMED else str(key))
    elif isinstance(value, list | tuple):
        plain = [each for each in value if not isinstance(each, Mapping | list | tuple)]
        said = ", ".join(filter(None, map(_word, plain)))
        yield from [_named(name, said)] if said else []
        for each in value:
            if isinstance(each, Mapping | list | tuple):
                yield from _lines(each, name)
    elif said := _word(value):
        yield _named(name, said)


def _named(name: str, said: str) -> str:
    return f"{name}: {said}" if name else said


def _word(value: object) -> str:
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value).strip()


def _dumped(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_plain)
    # Half a character, which no file can hold: written as \ud83d it comes back as it was.
    return _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _plain(value: Any) -> Any:  # noqa: ANN401 - whatever an application puts
    """Return what JSON has no form for in the form that LangGraph's stores give it."""
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return dict(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    if callable(dump := getattr(value, "model_dump", None)):
        return dump(mode="json")
    raise TypeError(f"{type(value).__name__} is no JSON")
