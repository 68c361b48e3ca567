"""A snapshot put in a home's place: built aside, then swapped in; killed on the way, it is undone or finished.

Until the mark is written, the home is what it was, and the next opening throws the half-built copy away. From then on
the copy is whole, and the next opening finishes what was begun: every step may be done twice.
"""

import contextlib
import json
import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.dialects.sqlite import insert

from hippograph.memory.about import noted, remembered
from hippograph.memory.backup.chunks import sync_folder, synced
from hippograph.memory.backup.databases import copy_database, empty_database, put_database
from hippograph.memory.backup.manifests import Manifest
from hippograph.memory.backup.vault import Vault
from hippograph.memory.erasure.pruning import FILE as CHECKPOINTS
from hippograph.memory.erasure.tombstones import SECRET
from hippograph.memory.home import own
from hippograph.memory.ledger import Ledger
from hippograph.memory.schema import tombstones
from hippograph.memory.upkeep.lease import NAME as UPKEEP
from hippograph.memory.vectors.seal import Seal
from hippograph.memory.work.queue import Queue
from hippograph.state import HomeInUse, HomeUnusable

ASIDE = "restoring"
READY = "ready.json"
LEDGER, INDEX = "ledger.db", "chroma"


def build(home: Path, vault: Vault, manifest: Manifest, *, reindex: bool) -> Path:
    """Make a snapshot's files beside the home's, checked and migrated; returns the folder.

    Raises:
        HomeUnusable: The snapshot is damaged or of a newer version, or the disk is full; the home is as it was.
    """
    aside = home / ASIDE
    _clear(aside)
    try:
        _make(aside)
        vault.unpack(manifest, aside)
        with Ledger(aside / LEDGER) as ledger:
            ledger.note(**{UPKEEP: None})  # a run of upkeep that is at work has read what will be gone
            if reindex:
                shutil.rmtree(aside / INDEX, ignore_errors=True)
                _unindexed(ledger)
        if not (aside / CHECKPOINTS).exists() and (home / CHECKPOINTS).exists():
            copy_database(home / CHECKPOINTS, aside / CHECKPOINTS)
            empty_database(aside / CHECKPOINTS)
    except BaseException:
        _clear(aside)
        raise
    return aside


def keep_forgotten(aside: Path, ledger: Ledger) -> None:
    """Carry tombstones over into a copy that is to be restored: what was forgotten since stays forgotten."""
    with ledger.read() as connection:
        stones = [row._asdict() for row in connection.execute(select(tombstones))]
        secret = remembered(connection, SECRET)
    if not stones:
        return
    with Ledger(aside / LEDGER) as restored, restored.write() as connection:
        connection.execute(insert(tombstones).on_conflict_do_nothing(), stones)
        noted(connection, secret=secret)


def mark(aside: Path) -> None:
    """Say that a copy is complete: from now on it will take the home's place, whatever happens.

    Raises:
        HomeUnusable: The disk is full or cannot be written.
    """
    part = aside / f"{READY}.part"
    try:
        part.write_text(json.dumps({"index": (aside / INDEX).exists()}))
        for path in aside.rglob("*"):
            if path.is_file():
                with path.open("rb+") as file:
                    synced(file)
        part.rename(aside / READY)
        sync_folder(aside)
        sync_folder(aside.parent)
    except OSError as error:
        raise _unwritable(aside, error) from error


def pending(home: Path) -> bool:
    """Tell whether a restore was begun that cannot be undone any more."""
    return (home / ASIDE / READY).exists()


def finish(home: Path, away: Callable[[], AbstractContextManager[object]] = contextlib.nullcontext) -> bool:
    """Finish a restore that was begun, or clear what is left of one that was not; tells whether there was one.

    The home must be owned. Databases may be open: who has them sees the new state at the next look.

    Args:
        home: The folder.
        away: Lets go of the vector index, if it is open, for a while.

    Raises:
        HomeUnusable: The disk is full or cannot be written; to be tried again.
    """
    aside = home / ASIDE
    if not pending(home):
        _clear(aside)
        return False
    for name in (LEDGER, CHECKPOINTS):
        if (aside / name).exists():
            put_database(aside / name, home / name)
    try:
        with away():
            Seal(home / INDEX).forget()
            _swap(aside / INDEX, home / INDEX, json.loads((aside / READY).read_text())["index"])
        (aside / READY).unlink()
        sync_folder(aside)
    except OSError as error:
        raise HomeUnusable(
            f"{home} cannot be written ({error.strerror or error}), so a restore is not complete: free disk space and "
            "open it again, which finishes it."
        ) from error
    _clear(aside)
    return True


def finish_unowned(home: Path) -> None:
    """Finish a restore that was killed, for one who is about to use the home's short-term memory without owning it."""
    if not pending(home):
        return
    with contextlib.suppress(HomeInUse):  # its owner has finished it, or is about to
        lock = own(home)
        try:
            finish(home)
        finally:
            lock.release()


def _swap(new: Path, old: Path, there: bool) -> None:
    """Put a folder in another's place; gone already, it was put there before."""
    if new.exists() or not there:
        shutil.rmtree(old, ignore_errors=True)
    if new.exists():
        new.rename(old)
    sync_folder(old.parent)


def _unindexed(ledger: Ledger) -> None:
    """Queue all memories to be embedded by whatever model the home is opened with."""
    Queue(ledger).requeue_all()
    ledger.note(embeddings=None)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700)
    except OSError as error:
        raise _unwritable(folder, error) from error


def _unwritable(folder: Path, error: OSError) -> HomeUnusable:
    return HomeUnusable(f"{folder} cannot be written ({error.strerror or error}): free some space.")


def _clear(aside: Path) -> None:
    if aside.exists():
        shutil.rmtree(aside, ignore_errors=True)
        if aside.exists():
            raise HomeUnusable(f"{aside} is in the way and cannot be removed: delete it.")
