"""How far a step has come with a space: kept in the ledger, so that it goes on from there and does nothing twice."""

import json
from collections.abc import Mapping

from sqlalchemy import Connection

from hippograph.memory.about import noted, remembered
from hippograph.memory.keywords import space_key

Mark = Mapping[str, str | int | None]


def read(connection: Connection, step: str, space: str) -> dict[str, str | int | None]:
    """Return a step's mark in a space; empty before its first run."""
    found = remembered(connection, _name(step, space))
    mark: dict[str, str | int | None] = json.loads(found) if found else {}
    return mark


def write(connection: Connection, step: str, space: str, mark: Mark) -> None:
    """Set a step's mark in a space."""
    noted(connection, **{_name(step, space): json.dumps(mark)})


def _name(step: str, space: str) -> str:
    return f"upkeep {step} {space_key(space)}"
