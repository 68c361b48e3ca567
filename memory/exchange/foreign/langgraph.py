"""Items of a LangGraph store, as `Item.dict()` and the server's /store routes write them."""

from collections.abc import Sequence
from typing import Any

from hippograph.memory.exchange.foreign.taken import Kept, Taken, first_time
from hippograph.memory.items.item import dumped
from hippograph.state import BadInput

FIELDS = ("namespace", "key", "value")
LANGMEM = "memories"
"""The label before the user's in the namespaces of LangMem."""
SHOWN = 10
"""Owners named where it is not told which of them is meant."""


def is_langgraph(records: Sequence[Any]) -> bool:
    """Tell whether some records are items of a store."""
    return any(isinstance(each, dict) and all(name in each for name in FIELDS) for each in records)


def read(records: Sequence[Any], origin: str, user: str) -> Taken:
    """Read items: the user's where some namespaces name the user, else all, if they are one owner's.

    Raises:
        BadInput: There are those of several owners, and none of this one.
    """
    taken, found = Taken(), list[Kept]()
    for number, record in enumerate(records, 1):
        try:
            found.append(_kept(record, origin))
        except BadInput as error:
            taken.bad.append(f"item {number}: {error}")
    own = [each for each in found if _owner(each) == user] or [each for each in found if user in each.namespace]
    owners = sorted({_owner(each) for each in found})
    if len(owners) > 1 and not own:
        named = ", ".join(owners[:SHOWN]) + (" …" if len(owners) > SHOWN else "")
        raise BadInput(f"{origin} holds items of {named}: say whose with --user, or import those of one alone.")
    taken.kept = own or found
    taken.passed_over["items of others"] += len(found) - len(taken.kept)
    if found and not any(each.namespace[0] == user for each in found):
        taken.notes.append(
            f"No namespace begins with {user!r}: open the store with space={user!r} to have these items under "
            "the namespaces they had."
        )
    return taken


def _owner(item: Kept) -> str:
    """Return whose an item is, as far as its namespace says."""
    first, *inside = item.namespace
    return inside[0] if inside and first == LANGMEM else first


def _kept(record: Any, origin: str) -> Kept:  # noqa: ANN401 - JSON
    if not isinstance(record, dict):
        raise BadInput("it is no object")
    namespace, key, value = (record.get(name) for name in FIELDS)
    labels = namespace.split(".") if isinstance(namespace, str) else namespace
    if not isinstance(labels, list) or not labels or not all(isinstance(each, str) and each for each in labels):
        raise BadInput("its namespace is no list of labels")
    if not isinstance(key, str) or not key:
        raise BadInput("it has no key")
    if not isinstance(value, dict):
        raise BadInput("its value is no object")
    dumped(value)
    at = first_time(record, "updated_at", "created_at")
    return Kept(namespace=tuple(labels), key=key, value=value, at=at, origin=origin)
