"""Snapshots of a home: ledger, vector index and the short-term memory of all threads, as they are at one instant.

The home stays open and is written meanwhile. The order makes the copy consistent: short-term memory, then the ledger,
then the index, while the writer of vectors waits. So every turn that a thread rests on is in the ledger, and the index
holds exactly the vectors that the ledger says it does; what was still to be embedded is in the ledger's queue.
"""

import logging
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from secrets import token_hex

from hippograph.memory.backup import restoring
from hippograph.memory.backup.chunks import Damaged
from hippograph.memory.backup.contents import described
from hippograph.memory.backup.databases import DAMAGED, clear, copy_database
from hippograph.memory.backup.files import copy_folder, files_of
from hippograph.memory.backup.manifests import Manifest, Snapshot
from hippograph.memory.backup.restoring import INDEX, LEDGER
from hippograph.memory.backup.vault import Vault
from hippograph.memory.backup.vaults import FOLDER, Vaults
from hippograph.memory.erasure import purging
from hippograph.memory.erasure.forgetting import Purge
from hippograph.memory.erasure.pruning import FILE as CHECKPOINTS
from hippograph.memory.erasure.rest import UNDER_WAY, Rest
from hippograph.memory.ledger import Ledger, living
from hippograph.memory.schema import memories
from hippograph.memory.times import now
from hippograph.memory.vectors.index import Index
from hippograph.memory.vectors.scrubbing import blank
from hippograph.memory.work.writer import Writer
from hippograph.models import Embedder
from hippograph.state import BadInput, EmbedderChanged, HomeUnusable

log = logging.getLogger(__name__)

KEPT_BLOCKS = ("rests", "blocks")
"""Tables that no snapshot has rows of: what they hold can be written again, and quotes questions asked later."""
WORK = "copy"
"""Folder of copies while they are cut into pieces; what a killed process left is deleted at the next opening."""
LONGEST_NOTE = 500
Pause = Callable[[], AbstractContextManager[object]]


class Snapshots:
    """Takes and restores snapshots of an open home. Safe to use from several threads."""

    def __init__(self, home: Path, ledger: Ledger, index: Index | None = None, writer: Writer | None = None) -> None:
        """Look after a home; without an index and a writer, one that nobody else uses."""
        self.home = home
        self.vaults = Vaults(home)
        self._ledger = ledger
        self._embedder = index.embedder if index else None
        self._paused: Pause = writer.paused if writer else nullcontext
        self._still: Pause = index.still if index else nullcontext
        self._away: Pause = index.away if index else nullcontext
        self._one = threading.Lock()
        self._storing = threading.Lock()
        """Held by whoever changes what is kept. Taken after `paused`, never before."""

    def tidy(self) -> None:
        """Delete what a killed process left of its work."""
        shutil.rmtree(self.home / FOLDER / WORK, ignore_errors=True)

    def take(self, note: str = "", to: Path | None = None) -> Snapshot:
        """Keep the home as it is now.

        Args:
            note: A word on why, up to 500 characters.
            to: A folder on another disk; without it, the home's own.

        Raises:
            BadInput: The note is too long, or the folder holds something else.
            HomeUnusable: The disk is full; nothing is kept, and nothing else was touched.
        """
        if len(note) > LONGEST_NOTE:
            raise BadInput(f"The note has {len(note)} characters: {LONGEST_NOTE} are enough.")
        with self._one, ExitStack() as stack:
            with self._paused(), self._ledger.read():
                stack.enter_context(self._storing)
                vault = self.vaults.into(to)
                at, work = now(), stack.enter_context(self._copied(vault))
            return self._store(vault, work, at, note)

    def restore(self, id: str, embeddings: str, *, reindex: bool = False) -> Snapshot:  # noqa: A002
        """Make the home what it was; returns the snapshot that was taken of what it is now.

        Args:
            id: Which snapshot: its id, the beginning of it, or "latest".
            embeddings: The name of the home's embedding model, with its dimension where that is known.
            reindex: Leave the vectors out; all are made anew.

        Raises:
            BadInput: There is no such snapshot.
            EmbedderChanged: Its vectors come from another embedding model.
            HomeUnusable: It is damaged, or the disk is full. The home is as it was, or, where the swap had begun, is
                finished when it is next opened.
        """
        with self._one, self._paused(), self._storing:  # so nothing is forgotten meanwhile
            if self._ledger.remembered(UNDER_WAY):
                raise HomeUnusable(
                    "What was forgotten is not out of all snapshots yet, so none is restored: connect the disks they "
                    "are on, and open the home again."
                )
            vault, manifest = self.vaults.find(id)
            _same_embedder(manifest, embeddings, reindex=reindex)
            self._room(2 * sum(file.bytes for file in manifest.files.values()), self.home)
            aside = restoring.build(self.home, vault, manifest, reindex=reindex)
            with self._ledger.still():
                own, at = self.vaults.into(None), now()
                with self._copied(own) as work:
                    former = self._store(own, work, at, f"before the restore of {manifest.id}", automatic=True)
                restoring.keep_forgotten(aside, self._ledger)
                restoring.mark(aside)
                restoring.finish(self.home, self._away)
        return former

    def purges(self) -> dict[str, Purge]:
        """Return for each folder with snapshots, by its path, how to take out of them what is forgotten."""
        return {str(folder): partial(self._purge, folder) for folder in self.vaults.folders()}

    def _purge(self, folder: Path, rest: Rest) -> int:
        """Take memories out of a folder's snapshots as out of the home; returns how many were changed.

        A snapshot that is damaged goes as a whole, and so does a damaged ledger that was kept beside: nobody could say
        that they hold nothing of them.

        Raises:
            HomeUnusable: The folder is not there, or the disk is full; to be done again.
        """
        assert self._embedder is not None  # who forgets has the home open
        with self._storing:
            vault = self.vaults.at(folder)
            for path in self.home.glob(f"*{DAMAGED}*"):
                log.warning("%s goes with what was forgotten: nobody could say that it holds nothing of it.", path)
                path.unlink()
            return self._purged(vault, rest, self._embedder)

    def _purged(self, vault: Vault, rest: Rest, embedder: Embedder) -> int:
        gone = purging.Gone(
            space=rest.space,
            ids=rest.ids,
            threads=rest.threads,
            everything=rest.everything,
            reworded=self._said(rest),
        )
        changed, clean = 0, datetime.fromisoformat(rest.clean)
        for id_ in vault.names():
            try:
                manifest = vault.manifest(id_)
                if datetime.fromisoformat(manifest.at) > clean:
                    continue  # its threads and its space may hold what was told since
                with self._work() as work:
                    vault.unpack(manifest, work)
                    restoring.keep_forgotten(work, self._ledger)
                    if not purging.forget(work, gone, embedder):
                        continue
                    counts, _ = described(work)
                    vault.store(replace(manifest, counts=counts), files_of(work))
            except Damaged as error:
                log.warning("A damaged snapshot went with what was forgotten: %s", error)
                vault.delete([id_])
            changed += 1
        vault.collect(wholly=True)
        return changed

    def _said(self, rest: Rest) -> dict[str, Sequence[str | None]]:
        """Return what memories that had other words say now."""
        with self._ledger.read() as connection:
            return {
                id_: purging.said(row)
                for id_ in rest.reworded
                for row in connection.execute(living(rest.space).where(memories.c.id == id_))
            }

    @contextmanager
    def _work(self) -> Iterator[Path]:
        """Give an empty folder that is gone afterwards."""
        work = self.home / FOLDER / WORK
        try:
            self.tidy()
            work.mkdir(mode=0o700)
            yield work
        except OSError as error:
            raise HomeUnusable(
                f"{work} cannot be written ({error.strerror or error}): free some space. Nothing was changed."
            ) from error
        finally:
            self.tidy()

    @contextmanager
    def _copied(self, vault: Vault) -> Iterator[Path]:
        """Copy the home as it is, into a folder that is gone afterwards. The index must be still."""
        whole = sum(path.stat().st_size for path in self._files())
        self._room(whole, self.home)
        self._room(whole if not vault.names() else whole // 8, vault.folder)
        with self._work() as work:
            if (self.home / CHECKPOINTS).exists():
                copy_database(self.home / CHECKPOINTS, work / CHECKPOINTS)
            copy_database(self.home / LEDGER, work / LEDGER)
            clear(work / LEDGER, *KEPT_BLOCKS)
            if (self.home / INDEX).exists():
                with self._still():
                    copy_folder(self.home / INDEX, work / INDEX)
                blank(work / INDEX)
            yield work

    def _store(self, vault: Vault, work: Path, at: datetime, note: str, *, automatic: bool = False) -> Snapshot:
        purging.clean(work)
        counts, embeddings = described(work)
        manifest = Manifest(
            id=f"{at:%Y%m%d-%H%M%S}-{token_hex(2)}",
            at=at.isoformat(),
            note=note,
            automatic=automatic,
            embeddings=embeddings,
            counts=counts,
            new_bytes=0,
            files={},
        )
        return vault.store(manifest, files_of(work)).snapshot(vault.folder)

    def _files(self) -> list[Path]:
        databases = [self.home / name for name in (LEDGER, f"{LEDGER}-wal", CHECKPOINTS, f"{CHECKPOINTS}-wal")]
        return [path for path in (*databases, *(self.home / INDEX).rglob("*")) if path.is_file()]

    def _room(self, needed: int, folder: Path) -> None:
        """Make sure that a disk has room, before anything is written."""
        if (free := shutil.disk_usage(folder).free) < needed:
            raise HomeUnusable(
                f"The disk of {folder} has {free / 1e6:,.0f} MB left, and this may take {needed / 1e6:,.0f} MB: free "
                "some space, or take snapshots elsewhere with --to FOLDER. Nothing was changed."
            )


def _same_embedder(manifest: Manifest, embeddings: str, *, reindex: bool) -> None:
    name = manifest.embeddings.rpartition(" (")[0]
    if embeddings not in (manifest.embeddings, name) and name and not reindex:
        raise EmbedderChanged(
            f"The snapshot {manifest.id} has vectors of the embedding model {manifest.embeddings}, not {embeddings}: "
            f"open the home with `--embeddings {name}`, or restore with --reindex, which makes all vectors anew."
        )
