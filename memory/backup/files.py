"""Folders of files: copied, and listed."""

import os
import shutil
from pathlib import Path

from hippograph.memory.backup.chunks import sync_folder, synced
from hippograph.memory.backup.databases import copy_database

DATABASE, SIDES = ".sqlite3", ("-wal", "-shm", "-journal")
PART = ".part"
"""Ends the name of a file that is being written."""


def files_of(folder: Path) -> dict[str, Path]:
    """Return the files in a folder, by their path in it."""
    return {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}


def copy_folder(source: Path, target: Path) -> None:
    """Copy a folder that nobody writes, databases among its files with what is still in their logs."""
    target.mkdir(mode=0o700)
    for name, path in files_of(source).items():
        copy = target / name
        copy.parent.mkdir(mode=0o700, exist_ok=True, parents=True)
        if path.suffix == DATABASE:
            copy_database(path, copy)
        elif not name.endswith(SIDES):
            shutil.copyfile(path, copy)


def put_text(path: Path, text: str) -> None:
    """Write a file for its owner alone, whole or not at all, in place of an earlier one; it is on disk by then."""
    part = path.with_name(path.name + PART)
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(text.encode())
        synced(file)
    part.replace(path)
    sync_folder(path.parent)
