"""How a memory keeps up: what is still to be done, what failed, and waiting for it."""

import time
from collections.abc import Sequence
from pathlib import Path

from hippograph.memory.blocks.kept import Blocks
from hippograph.memory.erasure.forgetting import Forgetting
from hippograph.memory.home import Health
from hippograph.memory.ledger import Ledger
from hippograph.memory.twin import twin
from hippograph.memory.work.backlog import JOBS_SHOWN, Job, backlog, listed, readings, retry
from hippograph.memory.work.gathering import Gathering
from hippograph.memory.work.writer import Writer
from hippograph.models import Embedder


class Keeping:
    """The part of `Memory` that tells of the background work."""

    home: Path
    embedder: Embedder
    blocks: Blocks
    """Blocks that models wrote, kept to be found again."""
    _ledger: Ledger
    _writer: Writer
    _forgetting: Forgetting
    _gathering: Gathering

    def flush(self, timeout: float | None = None) -> bool:
        """Wait until all turns are read and all vectors made; False where `timeout` seconds ran out or some fail."""
        deadline = None if timeout is None else time.monotonic() + timeout
        read = self._gathering.flush(timeout)
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        return self._writer.flush(left) and read

    def status(self) -> Health:
        """Return how the home is."""
        index, extract = backlog(self._ledger, "index"), backlog(self._ledger, "extract")
        return Health(
            home=str(self.home),
            memories=self._ledger.count(),
            pending=index.pending,
            failing=index.failing,
            dead=index.dead,
            embeddings=self.embedder.spec,
            dimension=self.embedder.dimension,
            extractor=self._gathering.extractor.spec if self._gathering.extractor else None,
            index=index,
            extract=extract,
            readings=readings(self._ledger),
            cache=self.blocks.status(),
            uncompacted=self._forgetting.due(),
        )

    def jobs(self, *, dead: bool = False, limit: int = JOBS_SHOWN) -> list[Job]:
        """Return what is still to be done, the dead first, then by when it is tried next; with `dead`, only those."""
        return listed(self._ledger, dead=dead, limit=limit)

    def retry(self, ids: Sequence[str] | None = None, *, dead: bool = False) -> int:
        """Try at once what failed or was given up, of all memories or of some; returns how many jobs that are.

        With `dead`, only what was given up.

        Raises:
            BadInput: A memory named has no job that failed; nothing is changed.
        """
        again = retry(self._ledger, ids, dead=dead)
        self._gathering.hurry()
        self._writer.hurry()
        return again

    aflush = twin(flush)
    astatus = twin(status)
    ajobs = twin(jobs)
    aretry = twin(retry)
