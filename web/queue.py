"""What the background has still to do for a space, what it failed at, and what it gave up."""

from collections.abc import Sequence
from dataclasses import dataclass

from hippograph.memory import Backlog, Job, Memory

SHOWN = 200
"""Jobs on a page: the dead first, then those that are due next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Queue:
    """What the page tells."""

    index: Backlog
    extract: Backlog
    extractor: str | None
    """Who reads turns for facts; None: nobody."""
    jobs: Sequence[Job]

    @property
    def total(self) -> int:
        """All jobs there are, those that are not shown too."""
        return sum(each.pending + each.dead for each in (self.index, self.extract))

    @property
    def failed(self) -> int:
        """Jobs that failed and may be tried again at once."""
        return sum(each.failing + each.dead for each in (self.index, self.extract))


def queue(memory: Memory, space: str) -> Queue:
    """Return a space's queue."""
    return Queue(
        index=memory.backlog("index", space),
        extract=memory.backlog("extract", space),
        extractor=memory.status().extractor,
        jobs=memory.jobs(limit=SHOWN, space=space),
    )
