"""What items are asked for: conditions on their values, and patterns of namespaces. Pure: no I/O, no SQL.

Conditions are compared here, not by the database, so that neither a key nor a value of one is ever part of a query.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hippograph.memory.items.item import Namespace
from hippograph.state import BadInput

ANY = "*"
"""A label of a pattern that any one label fits."""
_MISSING = object()
_ORDERS: Mapping[str, Callable[[Any, Any], bool]] = {
    "$gt": lambda one, other: one > other,
    "$gte": lambda one, other: one >= other,
    "$lt": lambda one, other: one < other,
    "$lte": lambda one, other: one <= other,
}
OPERATORS = ("$eq", "$ne", *_ORDERS)


def fits(value: Mapping[str, Any], conditions: Mapping[str, Any]) -> bool:
    """Tell whether a value fits all conditions.

    Args:
        value: An item's.
        conditions: Key, or path of keys joined with dots, to what must stand there: a value, or {operator: value}.
            Objects fit where all of their named keys do; lists are compared whole.

    Raises:
        BadInput: An unknown operator.
    """
    return all(_fits(_at(value, key), wanted) for key, wanted in conditions.items())


def begins(namespace: Namespace, pattern: Sequence[str]) -> bool:
    """Tell whether a namespace begins with the labels of a pattern, in which ANY stands for any one."""
    return len(namespace) >= len(pattern) and all(map(_is, namespace, pattern))


def ends(namespace: Namespace, pattern: Sequence[str]) -> bool:
    """Tell whether a namespace ends with the labels of a pattern."""
    return begins(namespace[::-1], [*pattern][::-1])


def _is(label: str, wanted: str) -> bool:
    return wanted in (ANY, label)


def _at(value: Mapping[str, Any], key: str) -> Any:  # noqa: ANN401 - JSON
    """Return what stands under a key or, where there is none of that name, at a path of keys."""
    if key in value or "." not in key:
        return value.get(key, _MISSING)
    found: Any = value
    for part in key.split("."):
        if not isinstance(found, Mapping) or part not in found:
            return _MISSING
        found = found[part]
    return found


def _fits(found: Any, wanted: Any) -> bool:  # noqa: ANN401 - JSON
    if isinstance(wanted, Mapping):
        if any(isinstance(key, str) and key.startswith("$") for key in wanted):
            return all(_compared(found, operator, than) for operator, than in wanted.items())
        return isinstance(found, Mapping) and all(_fits(found.get(key, _MISSING), each) for key, each in wanted.items())
    if isinstance(wanted, list | tuple):
        same = isinstance(found, list | tuple) and len(found) == len(wanted)
        return same and all(map(_fits, found, wanted))
    return _equal(found, wanted)


def _compared(found: Any, operator: str, than: Any) -> bool:  # noqa: ANN401 - JSON
    if operator not in OPERATORS:
        raise BadInput(f"Unknown operator {operator!r} in a filter: use {', '.join(OPERATORS)}.")
    if operator in ("$eq", "$ne"):
        return _fits(found, than) is (operator == "$eq")
    one, other = _number(found), _number(than)
    if one is None or other is None:
        one, other = found, than
        if not isinstance(one, str) or not isinstance(other, str):
            return False
    return _ORDERS[operator](one, other)


def _number(value: object) -> float | int | None:
    """Return a number, or a text that is one; a truth value is none."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return None
    return None


def _equal(found: object, wanted: object) -> bool:
    """Compare JSON values: true is not 1; what is missing equals null, as in LangGraph's stores."""
    if found is _MISSING:
        return wanted is None
    return found == wanted and isinstance(found, bool) is isinstance(wanted, bool)
