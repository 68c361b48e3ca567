"""What the server runs beside the graph: the memory lives as long as it does. langgraph.json names `app`."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette

from hippograph.graph.opened import close_shared, shared_memory
from hippograph.state import HippographError, Settings

log = logging.getLogger(__name__)


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncIterator[None]:
    """Open the home's memory with the server, which goes on with what its queue holds; drain and close it at the end.

    A home that cannot be opened stops no server: each turn says what is wrong with it.
    """
    try:
        await asyncio.to_thread(shared_memory, Settings.from_env())
    except HippographError as error:
        log.warning("%s", error)
    try:
        yield
    finally:
        await asyncio.to_thread(close_shared)


app = Starlette(lifespan=lifespan)
