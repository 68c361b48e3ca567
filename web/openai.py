"""The API of OpenAI's chat completions, for chat programs that know no other: point their base URL at /v1.

What they send becomes a turn with memory (`replying`); what cannot be done is refused in OpenAI's terms.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from threading import Event, Lock
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from hippograph.state import HippographError
from hippograph.web import completions, shapes
from hippograph.web.asked import grant
from hippograph.web.completions import WITH_MEMORY, WITHOUT, Refused, parsed
from hippograph.web.naming import THREAD, THREADS, USER, USERS, named, space_of
from hippograph.web.problems import described, failed
from hippograph.web.replying import Reply, Replying

LARGEST = 8_000_000
"""Most bytes of a request."""
MOST_AT_ONCE = 8
"""Answers that are written at a time; others wait."""
QUIET_SECONDS = 10.0
"""Longest silence in a stream; proxies and clients give up after a minute or so."""
Told = str | Reply | Exception
"""What the thread that answers tells: a piece of the answer, all of it, or what went wrong."""


class Door:
    """Answers requests in threads of its own, and ends all of them with the app."""

    def __init__(self, app: Starlette) -> None:
        self._app = app
        self._replying: Replying | None = None
        self._threads = ThreadPoolExecutor(MOST_AT_ONCE, thread_name_prefix="hippograph-openai")
        self._stops = set[Event]()
        self._lock = Lock()

    def begin(
        self, request: completions.Request, space: str, thread: str | None
    ) -> "tuple[asyncio.Queue[Told], Event]":
        """Begin an answer; return where it is told, and what ends it early."""
        told, stop, loop = asyncio.Queue[Told](), Event(), asyncio.get_running_loop()

        def tell(each: Told) -> None:
            with suppress(RuntimeError):  # the loop has ended, and nobody listens
                loop.call_soon_threadsafe(told.put_nowait, each)

        def answer() -> None:
            try:
                tell(self._opened().reply(request, space, thread, tell, stop))
            except Exception as error:  # told to the client, whatever it is
                tell(error)
            finally:
                self._stops.discard(stop)

        self._stops.add(stop)
        self._threads.submit(answer)
        return told, stop

    def stop_all(self) -> None:
        """Have all answers end early; what was said until then is kept."""
        for stop in [*self._stops]:
            stop.set()

    def close(self) -> None:
        """End all answers, and wait for them."""
        self.stop_all()
        self._threads.shutdown()

    def _opened(self) -> Replying:
        agent = self._app.state.home.agent()
        with self._lock:
            if self._replying is None or self._replying.agent is not agent:
                self._replying = Replying(agent)
            return self._replying


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncIterator[None]:
    """Answer while the app runs."""
    app.state.openai = door = Door(app)
    app.state.turns.beside.append(door.stop_all)
    try:
        yield
    finally:
        await asyncio.to_thread(door.close)


async def complete(request: Request) -> Response:
    """POST /v1/chat/completions."""
    try:
        body = await _body(request)
        asked = await asyncio.to_thread(parsed, body)
        if asked.model not in _models(request):
            raise _no_model(asked.model)
        space, thread = _whose(request, asked)
    except HippographError as error:
        return failed(error)
    told, stop = request.app.state.openai.begin(asked, space, thread)
    watching = asyncio.create_task(_gone(request, stop))
    first = await (_soon(told) if asked.stream else told.get())
    if isinstance(first, Exception):
        watching.cancel()
        return failed(first)
    if asked.stream:
        return StreamingResponse(_events(asked, first, told, stop, watching), media_type="text/event-stream")
    while not isinstance(first, Reply | Exception):
        first = await told.get()  # pieces, which the whole answer has too
    watching.cancel()
    if isinstance(first, Exception):
        return failed(first)
    return shapes.Told(shapes.Answering(asked.model).whole(first.text, first.finish, first.usage, first.ours))


def list_models(request: Request) -> Response:
    """GET /v1/models."""
    return shapes.Told(shapes.models(_models(request)))


def one_model(request: Request) -> Response:
    """GET /v1/models/NAME."""
    name = request.path_params["name"]
    return shapes.Told(shapes.model(name)) if name in _models(request) else failed(_no_model(name))


def nothing(request: Request) -> Response:
    """Whatever else is asked for below /v1."""
    path = request.url.path
    return failed(
        Refused(
            f"This server has no {request.method} {path}: it has POST /v1/chat/completions and GET /v1/models.",
            code="unknown_url",
            status=404,
        )
    )


async def _events(
    asked: completions.Request,
    first: Told | None,
    told: "asyncio.Queue[Told]",
    stop: Event,
    watching: "asyncio.Task[None]",
) -> AsyncIterator[str]:
    """Yield an answer as server-sent events; a client that leaves ends it."""
    answering, each = shapes.Answering(asked.model), first
    try:
        yield shapes.event(answering.first())
        while each is None or isinstance(each, str):
            yield shapes.WAITING if each is None else shapes.event(answering.piece(each))
            each = await _soon(told)
        if isinstance(each, Exception):
            yield shapes.event(described(each)[1])
            return
        yield shapes.event(answering.last(each.finish, each.ours))
        if asked.stream_options and asked.stream_options.include_usage:
            yield shapes.event(answering.used(each.usage))
        yield shapes.DONE
    finally:
        stop.set()
        watching.cancel()


async def _soon(told: "asyncio.Queue[Told]") -> Told | None:
    """Return what is told next, or None where nothing is for a while: no one in between shall take that for the end."""
    try:
        return await asyncio.wait_for(told.get(), QUIET_SECONDS)
    except TimeoutError:
        return None


async def _gone(request: Request, stop: Event) -> None:
    """Stop an answer when its client has left."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
    stop.set()


async def _body(request: Request) -> Any:  # noqa: ANN401 - whatever JSON it is
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise Refused("Send JSON, with `Content-Type: application/json`.")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST:
            raise Refused(f"The request is larger than {LARGEST // 1_000_000} MB: send less history.", status=413)
    try:
        return await asyncio.to_thread(json.loads, body)
    except (ValueError, RecursionError):
        raise Refused("The body is no valid JSON.") from None


def _whose(request: Request, asked: completions.Request) -> tuple[str, str | None]:
    """Return whose memories are meant, and the conversation's name, if it has one."""
    ours, metadata = asked.hippograph, asked.metadata or {}
    user = named(request, USER, [ours.user, asked.user, asked.safety_identifier], USERS)
    thread = named(request, THREAD, [ours.thread, metadata.get("thread_id"), metadata.get("thread")], THREADS)
    return space_of(grant(request), user), thread and thread.encode("utf-8", "replace").decode()


def _models(request: Request) -> list[str]:
    small = request.app.state.home.settings.small
    return [WITH_MEMORY, WITHOUT, *([small] if small else [])]


def _no_model(name: str) -> Refused:
    return Refused(
        f"There is no model {name!r} here: use {WITH_MEMORY}, or {WITHOUT} for what memory has no part in.",
        "model",
        "model_not_found",
        404,
    )


ROUTES = [
    Route("/v1/chat/completions", complete, methods=["POST"]),
    Route("/v1/models", list_models),
    Route("/v1/models/{name:path}", one_model),
    Route("/v1/{rest:path}", nothing, methods=["GET", "POST", "PUT", "PATCH", "DELETE"]),
]
