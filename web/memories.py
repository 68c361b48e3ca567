"""The memories: searched, filtered, in the order of time; and each with where it comes from and what became of it."""

import asyncio
import logging
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from hippograph.memory.intake import KINDS
from hippograph.memory.listing import STATUSES, Leaf
from hippograph.web import changing, forgetting
from hippograph.web.asked import Opened, opened, url
from hippograph.web.lines import Day, Line, in_time, quoted, ranked
from hippograph.web.lives import events, reason, undoable
from hippograph.web.narrowing import ALL, Narrowing, bars
from hippograph.web.rendering import page

log = logging.getLogger(__name__)

SHOWN = 50
"""Memories in one stretch of the list."""
BEST = 40
"""Memories that a search gives."""


def memories(request: Request) -> Response:
    """List memories; to htmx, what was found alone, or the next stretch."""
    home, narrowing = opened(request), Narrowing.read(request.query_params.multi_items())
    after, part = request.query_params.get("after", ""), bool(request.headers.get("hx-request"))
    if after and part:
        days, more = _stretch(home, narrowing, after)
        return page(request, "memories.days.html", days=days, more=more, narrowing=narrowing)
    found = _ranked(home, narrowing) if narrowing.by_fit else []
    days, more = ([], "") if narrowing.by_fit else _stretch(home, narrowing, after)
    wanted = narrowing.wanted()
    tally = home.memory.tally(home.space, replace(wanted, words="") if narrowing.by_fit else wanted)
    answer = page(
        request,
        "memories.found.html" if part else "memories.html",
        narrowing=narrowing,
        found=found,
        days=days,
        more=more,
        total=len(found) if narrowing.by_fit else tally.total,
        tally=tally,
        bars=bars(tally.months, narrowing),
        kinds=[kind for kind in KINDS if tally.kinds.get(kind) or kind in narrowing.kind],
        statuses=[*STATUSES, ALL],
    )
    if part:
        answer.headers["HX-Push-Url"] = f"{url(request, 'memories')}{narrowing.query()}"
    return answer


def memory(request: Request) -> Response:
    """Show one memory."""
    home, id_ = opened(request), str(request.path_params["id"])
    sheet = changing.sheet(home, id_)
    steps = home.memory.history(id_, home.space)
    found = sheet.memory
    replaced = [each.id for each in (*sheet.line, *sheet.details) if each.superseded_by == found.id]
    return page(
        request,
        "memory.html",
        sheet=sheet,
        memory=found,
        quotes=[(each, quoted(each.text, each.source.start, each.source.end)) for each in sheet.quotes],
        passage=_passage(request, found.text),
        successor=next(iter(home.memory.cards(home.space, [found.superseded_by or ""])), None),
        because=reason(sheet.because, found.status),
        events=events(steps, found.id),
        undoable=undoable(steps, found.id, replaced),
        done=changing.done(request),
    )


def export(request: Request) -> Response:
    """Give all of a space as one file, which `hippograph import` takes."""
    home = opened(request)
    folder = tempfile.TemporaryDirectory(prefix="hippograph-")
    try:
        path = Path(folder.name) / "memories.jsonl"
        home.memory.export(path, home.space)
    except BaseException:
        folder.cleanup()
        raise
    name = f"hippograph-{datetime.now().astimezone():%Y-%m-%d}.jsonl"
    return FileResponse(
        path, media_type="application/x-ndjson", filename=name, background=BackgroundTask(folder.cleanup)
    )


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncIterator[None]:
    """Open the largest space's index while nobody has searched yet: that takes seconds with thousands of memories."""
    warming = asyncio.create_task(asyncio.to_thread(_warm, app))
    try:
        yield
    finally:
        await warming


def _warm(app: Starlette) -> None:
    try:
        memory = app.state.home.agent().memory
        if spaces := memory.spaces():
            memory.warm(max(spaces, key=lambda space: space.memories).name)
    except Exception as error:  # whatever it is: a page that needs the index says so again
        log.warning("The index could not be opened ahead: %s", error)


def _stretch(home: Opened, narrowing: Narrowing, after: str) -> tuple[list[Day], str]:
    """Return a stretch of the list by day, and where it goes on."""
    leaf: Leaf = home.memory.browse(home.space, narrowing.wanted(), after=after, limit=SHOWN)
    last = datetime.fromisoformat(after.partition("~")[0]).astimezone().date() if after else None
    return in_time(leaf.cards, narrowing.q, last), leaf.more


def _ranked(home: Opened, narrowing: Narrowing) -> list[Line]:
    """Return what recall finds, best first."""
    found = home.memory.recall(
        home.space, narrowing.q, BEST, kinds=narrowing.kind or None, where=narrowing.where() or None
    )
    cards = home.memory.cards(home.space, [each.id for each in found])
    return ranked(cards, found, narrowing.q)


def _passage(request: Request, text: str) -> tuple[int, int] | None:
    """Return the stretch of a text that the query string marks as "quote=12-40"; None where it marks none."""
    first, _, last = request.query_params.get("quote", "").partition("-")
    if not (first.isdecimal() and last.isdecimal() and int(first) < int(last) <= len(text)):
        return None
    return int(first), int(last)


ROUTES = [
    Route("/memories", memories, name="memories"),
    Route("/memories/-/export", export, name="memory_export"),
    *changing.ROUTES,
    *forgetting.ROUTES,
    Route("/memories/{id:path}", memory, name="memory"),  # the last: an id may be any text
]
