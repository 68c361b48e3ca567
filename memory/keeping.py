"""How a memory keeps up: what is still to be done, what failed, and waiting for it."""

import time
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

from hippograph.memory.blocks.kept import Blocks
from hippograph.memory.costs.account import DAYS
from hippograph.memory.costs.recorder import FAR
from hippograph.memory.erasure.forgetting import Forgetting
from hippograph.memory.growth import Growth, growth
from hippograph.memory.home import Health
from hippograph.memory.intake import space_name
from hippograph.memory.ledger import Ledger
from hippograph.memory.times import now
from hippograph.memory.twin import twin
from hippograph.memory.work.backlog import JOBS_SHOWN, Backlog, Job, backlog, listed, readings, retry
from hippograph.memory.work.gathering import Gathering
from hippograph.memory.work.queue import Work
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

    def growth(self, space: str, *, days: float = DAYS) -> Growth:
        """Return what a space learned on each of the last days, and what it holds by now."""
        return growth(self._ledger, space_name(space), now() - timedelta(days=min(days, FAR)))

    def backlog(self, kind: Work, space: str | None = None) -> Backlog:
        """Return how many jobs of a kind there are, of a space or of all."""
        return backlog(self._ledger, kind, None if space is None else space_name(space))

    def jobs(self, *, dead: bool = False, limit: int = JOBS_SHOWN, space: str | None = None) -> list[Job]:
        """Return what is still to be done, the dead first, then by when it is tried next; with `dead`, only those."""
        return listed(self._ledger, dead=dead, limit=limit, space=None if space is None else space_name(space))

    def retry(self, ids: Sequence[str] | None = None, *, dead: bool = False, space: str | None = None) -> int:
        """Try at once what failed or was given up, of all memories or of some; returns how many jobs that are.

        With `dead`, only what was given up; with `space`, only what is of that space.

        Raises:
            BadInput: A memory named has no job that failed; nothing is changed.
        """
        again = retry(self._ledger, ids, dead=dead, space=None if space is None else space_name(space))
        self._gathering.hurry()
        self._writer.hurry()
        return again

    aflush = twin(flush)
    astatus = twin(status)
    agrowth = twin(growth)
    abacklog = twin(backlog)
    ajobs = twin(jobs)
    aretry = twin(retry)
