"""Folders of files: copied as they are at one instant, and listed."""

import shutil
import time
from pathlib import Path

from hippograph.memory.databases import copy_database
from hippograph.state import HomeUnusable

TRIES = (0.0, 0.05, 0.2, 1.0)
"""Seconds between tries to copy a folder that is written meanwhile."""
DATABASE, SIDES = ".sqlite3", ("-wal", "-shm", "-journal")


def copy_still(source: Path, target: Path) -> None:
    """Copy the index's folder, if there is one, as it is at one instant: nothing may have changed meanwhile.

    Raises:
        HomeUnusable: It is written all the time.
    """
    if not source.exists():
        return
    for wait in TRIES:
        time.sleep(wait)
        before = _state(source)
        shutil.rmtree(target, ignore_errors=True)
        try:
            _copy(source, target)
        except FileNotFoundError:
            continue
        if _state(source) == before:
            return
    raise HomeUnusable(f"{source} is written all the time: take the snapshot when less is going on.")


def files_of(folder: Path) -> dict[str, Path]:
    """Return the files in a folder, by their path in it."""
    return {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}


def _copy(source: Path, target: Path) -> None:
    target.mkdir(mode=0o700)
    for name, path in files_of(source).items():
        copy = target / name
        copy.parent.mkdir(mode=0o700, exist_ok=True, parents=True)
        if path.suffix == DATABASE:
            copy_database(path, copy)
        elif not name.endswith(SIDES):
            shutil.copyfile(path, copy)


def _state(folder: Path) -> dict[str, tuple[int, int]]:
    found = {name: path.stat() for name, path in files_of(folder).items() if not name.endswith(SIDES)}
    return {name: (stat.st_size, stat.st_mtime_ns) for name, stat in found.items()}
