"""Folders of files: copied, and listed."""

import shutil
from pathlib import Path

from hippograph.memory.backup.databases import copy_database

DATABASE, SIDES = ".sqlite3", ("-wal", "-shm", "-journal")


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
