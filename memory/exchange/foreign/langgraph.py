"""Items of a LangGraph store, as `Item.dict()` and the server's /store routes write them."""

from collections.abc import Sequence
from typing import Any

from hippograph.memory.exchange.foreign.taken import Kept, Taken, first_time
from hippograph.memory.items.item import dumped
from hippograph.state import BadInput

FIELDS = ("namespace", "key", "value")


def is_langgraph(records: Sequence[Any]) -> bool:
    """Tell whether some records are items of a store."""
    return any(isinstance(each, dict) and all(name in each for name in FIELDS) for each in records)


def read(records: Sequence[Any], origin: str, user: str) -> Taken:
    """Read items; where some namespaces begin with the user, those alone, else all."""
    taken, found = Taken(), list[Kept]()
    for number, record in enumerate(records, 1):
        try:
            found.append(_kept(record, origin))
        except BadInput as error:
            taken.bad.append(f"item {number}: {error}")
    own = [each for each in found if each.namespace[0] == user]
    taken.kept = own or found
    if own:
        taken.passed_over["items whose namespace begins with somebody else"] += len(found) - len(own)
    elif found:
        taken.notes.append(
            f"No namespace begins with {user!r}: open the store with space={user!r} to have these items under "
            "the namespaces they had."
        )
    return taken


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
