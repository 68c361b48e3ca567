"""How far a step has come with a space: kept in the ledger, so that it goes on from there and does nothing twice."""

import json
from collections.abc import Mapping

from sqlalchemy import Connection, select
from sqlalchemy.dialects.sqlite import insert

from hippograph.memory.keywords import space_key
from hippograph.memory.schema import facts_about_home

Mark = Mapping[str, str | int | None]


def read(connection: Connection, step: str, space: str) -> dict[str, str | int | None]:
    """Return a step's mark in a space; empty before its first run."""
    found = connection.scalar(select(facts_about_home.c.value).where(facts_about_home.c.name == _name(step, space)))
    mark: dict[str, str | int | None] = json.loads(found) if found else {}
    return mark


def write(connection: Connection, step: str, space: str, mark: Mark) -> None:
    """Set a step's mark in a space."""
    statement = insert(facts_about_home).values(name=_name(step, space), value=json.dumps(mark))
    connection.execute(
        statement.on_conflict_do_update(index_elements=["name"], set_={"value": statement.excluded.value})
    )


def _name(step: str, space: str) -> str:
    return f"upkeep {step} {space_key(space)}"
