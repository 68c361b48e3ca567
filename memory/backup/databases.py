"""SQLite files as wholes: copied while they are written, and put in each other's place while they are open."""

import sqlite3
from contextlib import closing
from pathlib import Path

from hippograph.memory.ledger import translated

TIMEOUT = 30.0
"""Seconds to wait for others that write."""
SIDES = ("", "-wal", "-shm", "-journal")
"""What is appended to a database's name in the names of its files."""
DAMAGED = ".damaged-"
"""Stands in the name of a file that is no database any more and was kept."""


def copy_database(source: Path, target: Path) -> None:
    """Copy a database as it is at one instant, whoever writes it, into a new file.

    Raises:
        HomeUnusable: It cannot be read, or the disk is full.
    """
    with translated(source), closing(_connect(source)) as read, closing(_connect(target)) as written:
        read.backup(written)
        written.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def put_database(source: Path, target: Path) -> None:
    """Make a database what another one is, in one transaction: whoever has it open sees the new state at its next look.

    What stands in the way and is no database any more is kept beside it.

    Raises:
        HomeUnusable: It cannot be written, or the disk is full; it is as it was.
    """
    with translated(target):
        if not _sound(target):
            set_aside(target)
        with closing(_connect(source)) as read, closing(_connect(target)) as written:
            written.execute("PRAGMA journal_mode=WAL")
            written.execute("PRAGMA synchronous=FULL")
            read.backup(written)
            written.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        target.chmod(0o600)


def set_aside(path: Path) -> Path:
    """Rename a database that cannot be used, with its side files; returns where it is now."""
    free = next(place for n in range(1, 10_000) if not (place := path.with_name(f"{path.name}{DAMAGED}{n}")).exists())
    for side in SIDES:
        here = path.with_name(path.name + side)
        if here.exists():
            here.rename(free.with_name(free.name + side))
    return free


def tables(path: Path) -> list[str]:
    """Return the names of a database's own tables."""
    with translated(path), closing(_connect(path)) as connection:
        query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        return [name for (name,) in connection.execute(query)]


def empty_database(path: Path) -> None:
    """Delete all rows of all tables."""
    names = tables(path)
    with translated(path), closing(_connect(path)) as connection:
        for name in names:
            connection.execute(f'DELETE FROM "{name}"')
        connection.commit()
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def clear(path: Path, *names: str) -> None:
    """Delete all rows of some tables, overwritten; the other pages of the file stay as and where they are."""
    with translated(path), closing(_connect(path)) as connection:
        for name in names:
            connection.execute(f'DELETE FROM "{name}"')
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=TIMEOUT)
    connection.execute("PRAGMA secure_delete=ON")
    return connection


def _sound(path: Path) -> bool:
    """Tell whether SQLite takes a file for a database; what is not there is one that is still empty."""
    try:
        with closing(_connect(path)) as connection:
            connection.execute("PRAGMA schema_version").fetchone()
    except sqlite3.DatabaseError as error:
        if "not a database" in str(error) or "malformed" in str(error):
            return False
        raise
    return True
