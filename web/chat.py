"""The conversation: what was said, the answer as it comes, what a person is asked on the way."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Set
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from hippograph.graph.streaming import Asked, Done, Ended, Happening, Piece, thread_config
from hippograph.nodes.turns import turn_ids, words_of
from hippograph.state import BadInput, Doubtful, HippographError, Recollection, Review, space_hash
from hippograph.web import asked, pipeline
from hippograph.web.asked import Opened
from hippograph.web.pipeline import Segment, Traced
from hippograph.web.rendering import page, render
from hippograph.web.turning import Turns

THREAD = "main"
"""The conversation of whoever names none, as the command has it."""
SHOWN = 60
"""Messages of a thread that are shown at once."""
LISTED = 30
"""Threads that are listed."""
STREAM = "application/x-ndjson"


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of the conversation."""

    id: str
    mine: bool
    speaker: str
    said: list[Segment]
    said_at: datetime | None
    score: int | None = None
    """What somebody thinks of an answer, 1, -1 or 0 for nothing yet; None where it cannot be rated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a thread stands beside what is remembered of it."""

    traced: Traced | None
    """Its last turn."""
    waiting: Doubtful | None
    """What a person was asked and has not answered."""
    loose: list[Message]
    """What was said in it and is not in long-term memory."""


def chat(request: Request) -> Response:
    """Show a thread."""
    home, thread = asked.opened(request), _thread(request.query_params.get("thread"))
    before = _number(request.query_params.get("before"))
    found = home.memory.list(home.space, kinds=["turn"], thread=thread, archived=True, limit=SHOWN + 1, offset=before)
    standing = _standing(home, thread)
    standing_at = {each.position for each in found if each.status == "current"}
    shown = [each for each in reversed(found[:SHOWN]) if not _overtaken(each, standing_at)]
    scores = home.memory.scores(home.space, [each.id for each in shown])
    messages = [_message(each, standing.traced, scores) for each in shown]
    known = {each.id for each in messages}
    loose = [] if before else [each for each in standing.loose if each.id not in known]
    return page(
        request,
        "chat.html",
        thread=thread,
        threads=home.memory.threads(home.space, LISTED),
        messages=[*messages, *loose],
        earlier=before + SHOWN if len(found) > SHOWN else None,
        traced=standing.traced,
        waiting=standing.waiting,
        underway=request.app.state.turns.running(home.space, thread),
        fresh=f"{datetime.now().astimezone():%Y-%m-%d %H:%M:%S}",
        model=home.settings.small,
    )


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
    return await _turn(request, answer, {**form, "review": "on"})


async def stop(request: Request) -> Response:
    """Have the answer end early; what was said until then is kept."""
    thread = _thread(asked.form(request).get("thread"))
    request.app.state.turns.stop(asked.space(request), thread)
    return Response(status_code=204)


def turn(request: Request) -> Response:
    """Show how an answer came about."""
    home, thread = asked.opened(request), _thread(request.query_params.get("thread"))
    traced = pipeline.kept(home.agent, home.space, thread, request.path_params["id"])
    template = "pipeline.html" if request.headers.get("hx-request") else "turn.html"
    return page(request, template, traced=traced, thread=thread)


async def _turn(request: Request, given: str | Review, form: Mapping[str, str]) -> Response:
    home = await asyncio.to_thread(asked.opened, request)
    thread = _thread(form.get("thread"))
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
                line = {"error": str(each)}
        yield json.dumps(line, ensure_ascii=False) + "\n"


def _ended(request: Request, home: Opened, thread: str) -> dict[str, Any]:
    traced = pipeline.latest(home.agent, home.space, thread)
    if traced is None:  # forgotten in this very moment
        return {"answer": "", "pipeline": ""}
    message = Message(id=traced.id, mine=False, speaker="", said=[*traced.answer], said_at=None, score=0)
    return {
        "answer": render(request, "message.html", message=message, thread=thread),
        "pipeline": render(request, "pipeline.html", traced=traced, thread=thread),
    }


def _standing(home: Opened, thread: str) -> Standing:
    snapshot = home.agent.graph.get_state(thread_config(home.space, thread))
    values = snapshot.values
    if values.get("owner") != space_hash(home.space):
        return Standing(traced=None, waiting=None, loose=[])
    waiting = snapshot.interrupts[0].value if snapshot.interrupts else None
    traced = pipeline.latest(home.agent, home.space, thread)
    messages = values.get("messages", [])
    spoken = [
        (id_, each)
        for id_, each in zip(turn_ids(thread, messages), messages, strict=True)
        if each.type in ("human", "ai") and words_of(each)
    ]
    loose = [
        Message(
            id=id_,
            mine=each.type == "human",
            speaker="",
            said=[*traced.answer] if traced and id_ == traced.id else [Segment(text=words_of(each))],
            said_at=None,
        )
        for id_, each in spoken
    ]
    return Standing(traced=traced, waiting=waiting, loose=loose)


def _overtaken(memory: Recollection, standing: Set[int]) -> bool:
    """Tell whether a message was said anew, in other words, which have its place."""
    return memory.status == "archived" and memory.position in standing


def _message(memory: Recollection, traced: Traced | None, scores: Mapping[str, int]) -> Message:
    cited = traced is not None and traced.id == memory.id
    return Message(
        id=memory.id,
        mine=memory.role == "user",
        speaker=memory.speaker,
        said=[*traced.answer] if traced and cited else [Segment(text=memory.text)],
        said_at=memory.said_at,
        score=None if memory.role == "user" else scores.get(memory.id, 0),
    )


def _context(form: Mapping[str, str]) -> dict[str, Any]:
    """Return what a turn is to do, as chosen beside the message."""
    return {
        "citations": True,
        "remember": not form.get("forgetful"),
        "review": bool(form.get("review")),
    }


def _thread(given: str | None) -> str:
    """Return a thread's name as it was given, or the usual one."""
    return given if given and given.strip() else THREAD


def _number(given: str | None) -> int:
    return int(given) if given and given.isdecimal() and len(given) < 9 else 0


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncIterator[None]:
    """Keep the turns under way; at the end, stop and store them."""
    try:
        yield
    finally:
        await app.state.turns.close()


ROUTES = [
    Route("/", chat, name="chat"),
    Route("/say", say, methods=["POST"], name="say"),
    Route("/decide", decide, methods=["POST"], name="decide"),
    Route("/stop", stop, methods=["POST"], name="stop"),
    Route("/turns/{id}", turn, name="turn"),
]
