"""What the ledger knows of the home itself: names and values, such as the embedding model its index belongs to."""

from sqlalchemy import Connection, select
from sqlalchemy.dialects.sqlite import insert

from hippograph.memory.schema import facts_about_home


def remembered(connection: Connection, name: str) -> str | None:
    """Return a fact about the home."""
    return connection.scalar(select(facts_about_home.c.value).where(facts_about_home.c.name == name))


def noted(connection: Connection, **values: str | None) -> None:
    """Remember facts about the home; None takes one away."""
    for name, value in values.items():
        if value is None:
            connection.execute(facts_about_home.delete().where(facts_about_home.c.name == name))
        else:
            statement = insert(facts_about_home).values(name=name, value=value)
            connection.execute(statement.on_conflict_do_update(index_elements=["name"], set_={"value": value}))
