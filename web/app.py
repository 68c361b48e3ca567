"""The local page: one Starlette app, by itself (`hippograph serve`) or mounted in another (`langgraph dev`).

A section adds itself so:

- A module `web/<noun>.py` with `ROUTES`, named in `SECTIONS` below: `Route("/memories", memories, name="memories")`.
  The names in `rendering.NAVIGATION` are links of the navigation, with words in `texts/base.*.json`.
- Handlers are plain functions (run in a thread): `def memories(request: Request) -> Response`. They take
  `asked.opened(request)` (memory, agent, space, lang, settings) and `asked.form(request)`, a form's fields
  (urlencoded, already checked against forgery), and return `rendering.page(request, "memories.html", …)`, or raise
  one of our errors, which is shown as a page with its words, to htmx as a notice.
- Templates in `templates/` extend "base.html" (blocks title, head, aside, main); parts for htmx extend nothing. Forms
  that post carry `<input type="hidden" name="csrf" value="{{ csrf }}">`; htmx sends the mark by itself (see <body>).
  Links are `{{ url("memory", id=…) }}`, so that all works below any prefix; `link` is the same, or none where there
  is no such route. Never `style="…"` nor `onclick="…"`, which the Content-Security-Policy forbids: give classes,
  attributes of SVG, and listeners in `static/<section>.js`.
- A dialog that htmx brings is `<dialog data-open>`; a button with `data-close` closes it.
- Texts in `texts/<section>.en.json` and `texts/<section>.zh.json`: `{{ t("memories.title") }}`, `{{
  t("memories.found", n=3) }}` with {"one": …, "other": …} where the number matters. A test keeps both languages
  alike.
- Styles: the variables and parts of `static/style.css` (.page, .card, .list, .row, .table, .facts, .pill, .button,
  .field, .filters, .quote, .notice, .empty, .bar); what one section alone needs is in `static/<section>.css`, linked
  in block head.

A section with something to start and stop has `lifespan(app)`, an async context manager. Paths that programs use
instead of browsers (OpenAI's, MCP's) are named in `PROGRAMS`.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from hippograph.graph import Agent
from hippograph.state import HippographError, Settings
from hippograph.web import (
    chat,
    connections,
    feedback,
    found,
    mcp,
    memories,
    preferences,
    queue,
    review,
    saying,
    stats,
    topics,
)
from hippograph.web import openai as completions_api
from hippograph.web.access import ANYWHERE
from hippograph.web.guard import Guard
from hippograph.web.home import Home
from hippograph.web.rendering import broken, failed
from hippograph.web.turning import Turns

SECTIONS = [
    chat,
    saying,
    memories,
    connections,
    topics,
    stats,
    queue,
    review,
    found,
    preferences,
    feedback,
    mcp,
]
PROGRAMS = ("/v1", "/mcp")
"""Paths that programs use: without forms, by whoever is admitted."""
STATIC = Path(__file__).parent / "static"

log = logging.getLogger(__name__)


def create_app(
    settings: Settings,
    *,
    host: str = "127.0.0.1",
    agent: Agent | None = None,
    openai: bool = False,
    tokens: bool = False,
) -> Starlette:
    """Return the page as an app.

    Args:
        settings: Where the home is, and its tokens.
        host: Address the server will listen at: one that others reach demands a token of everybody.
        agent: An open agent, which stays the caller's to close; None: the home's, opened with the app.
        openai: Whether programs that speak OpenAI's API are answered too, at /v1.
        tokens: Whether everybody needs a token wherever it listens, as behind a proxy.
    """
    host = ANYWHERE if tokens else host
    sections = [*SECTIONS, *([completions_api] if openai else [])]
    routes: list[BaseRoute] = [route for section in sections for route in section.ROUTES]
    for route in routes:
        if isinstance(route, Route):
            route.include_in_schema = False  # `langgraph dev` would read the docstrings of a page as OpenAPI's YAML.
    static = Mount("/static", StaticFiles(directory=STATIC), name="static")
    app = Starlette(
        routes=[*routes, static],
        middleware=[Middleware(Guard, settings=settings, bound=host, programs=PROGRAMS)],
        exception_handlers={HippographError: failed, 404: failed, 405: failed, Exception: broken},
        lifespan=_lifespan,
    )
    app.state.home, app.state.turns, app.state.sections = Home(settings, agent), Turns(), sections
    app.state.guarded = {"settings": settings, "bound": host}
    return app


@asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    """Open the home with the server; one that cannot be opened stops none: each page says what is wrong with it."""
    home: Home = app.state.home
    async with AsyncExitStack() as running:
        running.push_async_callback(asyncio.to_thread, home.close)
        try:
            await asyncio.to_thread(home.agent)
        except HippographError as error:
            log.warning("%s", error)
        for section in app.state.sections:
            if hasattr(section, "lifespan"):
                await running.enter_async_context(section.lifespan(app))
        yield
