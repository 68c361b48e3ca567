"""What items say, for whoever forgets by words: values hold more than what is searched."""

import json

from sqlalchemy import Connection, select

from hippograph.memory.items.item import labels, leaves
from hippograph.memory.schema import items


def saying(connection: Connection, space: str, query: str) -> set[int]:
    """Return the numbers of a space's items that have a text in their value, key or namespace, as forgetting asks."""
    wanted = query.strip().casefold()
    said = select(items.c.memory, items.c.namespace, items.c.key, items.c.value).where(items.c.space == space)
    found = set[int]()
    for row in connection.execute(said):
        words = [*labels(row.namespace), row.key, *leaves(json.loads(row.value))]
        if any(wanted in each.casefold() for each in words):
            found.add(row.memory)
    return found
