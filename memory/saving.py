"""How a home is kept safe: snapshots, and the way back to one."""

from pathlib import Path
from typing import TYPE_CHECKING

from hippograph.memory.backup import restoring
from hippograph.memory.backup.manifests import Snapshot
from hippograph.memory.backup.snapshots import Snapshots
from hippograph.memory.erasure.forgetting import Forgetting
from hippograph.memory.home import check_index
from hippograph.memory.ledger import Ledger
from hippograph.memory.search.recall import Recall
from hippograph.memory.twin import twin
from hippograph.memory.vectors.index import Index
from hippograph.memory.work.gathering import Gathering
from hippograph.memory.work.queue import Queue
from hippograph.memory.work.writer import Writer
from hippograph.models import Embedder


class Saving:
    """The part of `Memory` that takes snapshots and restores them."""

    home: Path
    embedder: Embedder
    _ledger: Ledger
    _index: Index
    _queue: Queue
    _writer: Writer
    _recall: Recall
    _forgetting: Forgetting
    _gathering: Gathering
    _snapshots: Snapshots

    if TYPE_CHECKING:

        def close(self, timeout: float = 10.0) -> None:
            """As `Memory.close`."""

    def snapshot(self, note: str = "", *, to: str | Path | None = None) -> Snapshot:
        """Keep the home as it is now: ledger, vectors and the short-term memory of all threads.

        The first one is full, later ones take only what has changed. The home may be in use meanwhile.

        Args:
            note: A word on why.
            to: A folder on another disk, empty or with snapshots of this home; without it, the home's own.

        Raises:
            BadInput: The note is too long, or the folder holds something else.
            HomeUnusable: There is not enough room, or files still hold what was forgotten; nothing is changed.
        """
        with self._forgetting.finished():
            return self._snapshots.take(note, Path(to) if to is not None else None)

    def snapshots(self) -> list[Snapshot]:
        """Return all snapshots, the oldest first."""
        return self._snapshots.vaults.list()

    def restore(self, id: str, *, reindex: bool = False) -> Snapshot:  # noqa: A002
        """Make the home exactly what it was when a snapshot was taken, but what was forgotten since stays forgotten.

        What the home is now becomes a snapshot first. Killed on the way, the next opening finishes or undoes it. Let
        running turns end before: they would go on from what they have read.

        Args:
            id: The snapshot's id, the beginning of it, or "latest".
            reindex: Make all vectors anew, with the embedding model of now.

        Returns:
            The snapshot of what the home was before.

        Raises:
            BadInput: There is no such snapshot.
            EmbedderChanged: Its vectors come from another embedding model, and `reindex` is not said.
            HomeUnusable: It is damaged, or there is not enough room; the home is as it was.
        """
        mine = f"{self.embedder.spec} ({self.embedder.dimension})"
        try:
            # Paused, else it might store what it has just read of turns that are gone.
            with self._forgetting.finished(), self._gathering.paused():
                former = self._snapshots.restore(id, mine, reindex=reindex)
        except BaseException:
            if restoring.pending(self.home):
                self.close(timeout=0)  # half old, half new: the next opening finishes it
            raise
        self._recall = Recall(self._ledger, self._index, self._writer)
        check_index(self.home, self._ledger, self._queue, self._index, reindex=False)
        self._forgetting.finish()
        self._writer.wake()
        return former

    asnapshot = twin(snapshot)
    asnapshots = twin(snapshots)
    arestore = twin(restore)
