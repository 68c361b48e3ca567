"""Taking a turn: what is said, the answer as it comes, what a person is asked on the way."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from hippograph.graph.streaming import REMEMBER, Asked, Done, Ended, Happening, Piece, thread_config
from hippograph.state import BadInput, HippographError, Review
from hippograph.web import asked
from hippograph.web.asked import Opened
from hippograph.web.conversation import just_said, listed, named, standing
from hippograph.web.rendering import render
from hippograph.web.troubles import framed
from hippograph.web.turning import Turns

STREAM = "application/x-ndjson"


async def say(request: Request) -> Response:
    """Take a turn; stream what happens in it, or without scripts show the thread when it is over.

    Raises:
        BadInput: No text, or another turn of the thread is under way.
    """
    form = asked.form(request)
    if not (text := form.get("text", "").strip()):
        raise BadInput("The message is empty: write some text and send it again.")
    return await _turn(request, text, form)


async def decide(request: Request) -> Response:
    """Go on with a turn that asked what becomes of a memory.

    Raises:
        BadInput: What was said is no answer to that.
    """
    form = asked.form(request)
    edited = form.get("text", "") if form.get("action") == "edit" else ""
    try:
        answer = Review.model_validate(
            {
                "action": form.get("action"),
                "text": edited,
                "scope": "always" if form.get("always") else "once",
                "rest": bool(form.get("rest")) and form.get("action") != "edit",
            }
        )
    except ValueError:
        raise BadInput("Say whether the memory is used, changed (to what?) or left out.") from None
    asking = await asyncio.to_thread(_asking, request, named(form.get("thread")))
    return await _turn(request, answer, {**form, **asking, "review": "on"})


async def stop(request: Request) -> Response:
    """Have the answer end early; what was said until then is kept."""
    thread = named(asked.form(request).get("thread"))
    request.app.state.turns.stop(asked.space(request), thread)
    return Response(status_code=204)


def _asking(request: Request, thread: str) -> dict[str, str]:
    """Return how the turn that asks was begun.

    Raises:
        BadInput: None does.
    """
    home = asked.opened(request)
    snapshot = home.agent.graph.get_state(thread_config(home.space, thread))
    if not snapshot.interrupts:
        raise BadInput("Nothing is asked in this conversation any more: load the page again.")
    remembered = (snapshot.metadata or {}).get(REMEMBER, True)
    return {} if remembered else {"forgetful": "on"}


async def _turn(request: Request, given: str | Review, form: Mapping[str, str]) -> Response:
    home = await asyncio.to_thread(asked.opened, request)
    thread = named(form.get("thread"))
    turns: Turns = request.app.state.turns
    happening = turns.begin(home.agent, given, user=home.space, thread=thread, context=_context(form))
    if STREAM in request.headers.get("accept", ""):
        lines = _lines(request, home, thread, happening)
        return StreamingResponse(lines, media_type=STREAM, headers={"x-accel-buffering": "no"})
    async for each in happening:
        if isinstance(each, HippographError):
            raise each
    return RedirectResponse(asked.url(request, "chat", _query=[("thread", thread)]), status_code=303)


async def _lines(
    request: Request, home: Opened, thread: str, happening: AsyncIterator[Happening | HippographError]
) -> AsyncIterator[str]:
    """Yield what happens as lines of JSON; markup is rendered here, so that all of it is escaped in one place."""
    async for each in happening:
        match each:
            case Piece(text):
                line: dict[str, Any] = {"piece": text}
            case Done(name, stage):
                line = {"node": name, "html": render(request, "stage.html", name=name, stage=stage)}
            case Asked(about):
                line = {"ask": render(request, "decide.html", waiting=about, thread=thread)}
            case Ended():
                line = await asyncio.to_thread(_ended, request, home, thread)
            case HippographError():
                line = {"error": framed(each, home.lang)}
        yield json.dumps(line, ensure_ascii=False) + "\n"


def _ended(request: Request, home: Opened, thread: str) -> dict[str, Any]:
    stands = standing(home, thread)
    if stands.traced is None:  # forgotten in this very moment
        return {"answer": "", "pipeline": "", "threads": ""}
    threads = listed(home)
    said = {
        each.mine: render(request, "message.html", message=each, thread=thread)
        for each in just_said(home, thread, stands)
    }
    return {
        "question": said.get(True, ""),
        "answer": said.get(False, ""),
        "pipeline": render(request, "pipeline.html", traced=stands.traced, thread=thread),
        "threads": render(request, "threads.html", threads=threads, thread=thread),
        "title": next((each.title for each in threads if each.name == thread), ""),
    }


def _context(form: Mapping[str, str]) -> dict[str, Any]:
    """Return what a turn is to do, as chosen beside the message."""
    return {
        "citations": True,
        "remember": not form.get("forgetful"),
        "review": bool(form.get("review")),
    }


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncIterator[None]:
    """Keep the turns under way; at the end, stop and store them."""
    try:
        yield
    finally:
        await app.state.turns.close()


ROUTES = [
    Route("/say", say, methods=["POST"], name="say"),
    Route("/decide", decide, methods=["POST"], name="decide"),
    Route("/stop", stop, methods=["POST"], name="stop"),
]
