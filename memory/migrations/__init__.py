"""The ledger's migrations (Alembic), run when a home is opened."""

from pathlib import Path

from sqlalchemy import Connection

from hippograph.state import HomeUnusable


def upgrade(connection: Connection, path: Path) -> None:
    """Bring the ledger behind a connection to the newest schema, inside its transaction.

    Raises:
        HomeUnusable: The ledger was written by a newer version, whose migrations are not known here.
    """
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", "hippograph.memory:migrations")
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise HomeUnusable(f"{path} was written by a newer Hippograph: upgrade this one. ({error})") from error
