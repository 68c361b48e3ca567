"""What the background has still to do for a space, what it failed at, and what it gave up."""

from collections.abc import Sequence
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from hippograph.memory import Backlog, Job, Memory
from hippograph.web.asked import form, opened, url
from hippograph.web.rendering import page

SHOWN = 200
"""Jobs on a page: the dead first, then those that are due next."""
LONGEST = 9
"""Digits of a number in an address; longer ones are somebody's own making."""


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


def show(request: Request) -> Response:
    """Show a space's queue, with how many jobs were just tried again, if any were."""
    retried = request.query_params.get("retried", "")
    again = int(retried) if retried.isdecimal() and len(retried) < LONGEST else None
    return page(request, "queue.html", queue=_queue(request), retried=again)


def jobs(request: Request) -> Response:
    """Show the part that changes while one looks at it."""
    return page(request, "queue_jobs.html", queue=_queue(request))


def retry(request: Request) -> Response:
    """Try what failed again: one memory's jobs, what was given up, or all.

    Raises:
        BadInput: The memory has no job that failed.
    """
    use, given = opened(request), form(request)
    ids = [given["id"]] if given.get("id") else None
    again = use.memory.retry(ids, dead=bool(given.get("dead")), space=use.space)
    return RedirectResponse(url(request, "queue", _query=[("retried", again)]), status_code=303)


def queue(memory: Memory, space: str) -> Queue:
    """Return a space's queue."""
    return Queue(
        index=memory.backlog("index", space),
        extract=memory.backlog("extract", space),
        extractor=memory.status().extractor,
        jobs=memory.jobs(limit=SHOWN, space=space),
    )


def _queue(request: Request) -> Queue:
    use = opened(request)
    return queue(use.memory, use.space)


ROUTES = [
    Route("/queue", show, name="queue"),
    Route("/queue/jobs", jobs, name="queue_jobs"),
    Route("/queue/retry", retry, methods=["POST"], name="queue_retry"),
]
