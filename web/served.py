"""What `langgraph dev` runs beside the graph: the memory, which lives as long as the server, and the page.

langgraph.json names `app`; the page is at /hippograph.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route

from hippograph.graph.opened import close_shared, shared_memory
from hippograph.state import HippographError, Settings
from hippograph.web.app import create_app

PREFIX = "/hippograph"

log = logging.getLogger(__name__)


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncIterator[None]:
    """Open the home's memory with the server, which goes on with what its queue holds; drain and close it at the end.

    A home that cannot be opened stops no server: each turn, and each page, says what is wrong with it.
    """
    try:
        await asyncio.to_thread(shared_memory, settings)
    except HippographError as error:
        log.warning("%s", error)
    try:
        async with page.router.lifespan_context(page):  # a mounted app's own is nobody's to run
            yield
    finally:
        await asyncio.to_thread(close_shared)


def entered(request: Request) -> Response:
    """Lead to the page whoever left out the slash at its end."""
    return RedirectResponse(f"{request.url.path}/")


settings = Settings.from_env()
page = create_app(settings)
app = Starlette(
    routes=[Route(PREFIX, entered, include_in_schema=False), Mount(PREFIX, page, name="hippograph")], lifespan=lifespan
)
