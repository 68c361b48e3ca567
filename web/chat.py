"""The conversation's page, and how each of its answers came about."""

from datetime import datetime

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hippograph.web import asked, pipeline
from hippograph.web.conversation import FRESH, UNNAMED, listed, message, named, standing
from hippograph.web.rendering import page
from hippograph.web.turning import Turning

SHOWN = 60
"""Messages of a thread that are shown at once."""


def chat(request: Request) -> Response:
    """Show a thread."""
    home, thread = asked.opened(request), named(request.query_params.get("thread"))
    before = _number(request.query_params.get("before"))
    found = home.memory.list(home.space, kinds=["turn"], thread=thread, archived=True, limit=SHOWN + 1, offset=before)
    running = request.app.state.turns.running(home.space, thread)  # before its state: an end between is seen there
    stands = standing(home, thread)
    places = {each.position for each in found if each.status == "current"}
    shown = [each for each in reversed(found[:SHOWN]) if each.status == "current" or each.position not in places]
    scores = home.memory.scores(home.space, [each.id for each in shown])  # not shown: what was said anew
    messages = [message(each, stands, scores) for each in shown]
    known, threads = {each.id for each in messages}, listed(home)
    loose = [] if before else [each for each in stands.loose if each.id not in known]
    return page(
        request,
        "chat.html",
        thread=thread,
        title=next(
            (each.title for each in threads if each.name == thread), None if UNNAMED.fullmatch(thread) else thread
        ),
        threads=threads,
        messages=[*messages, *loose],
        earlier=before + SHOWN if len(found) > SHOWN else None,
        traced=stands.traced,
        waiting=stands.waiting,
        underway=running,
        unanswered="" if running or before else stands.unanswered,
        fresh=f"{datetime.now().astimezone():{FRESH}}",
        model=home.settings.small,
    )


def underway(request: Request) -> Response:
    """Show how far an answer is that another window, or a page that was left, asked for; nothing where all is shown."""
    thread = named(request.query_params.get("thread"))
    running: Turning | None = request.app.state.turns.running(asked.space(request), thread)
    if running and len(running.said) == _number(request.query_params.get("shown")):
        return Response(status_code=204)
    return page(request, "underway.html", underway=running, thread=thread)


def turn(request: Request) -> Response:
    """Show how an answer came about."""
    home, thread = asked.opened(request), named(request.query_params.get("thread"))
    traced = pipeline.kept(home.agent, home.space, thread, request.path_params["id"])
    template = "pipeline.html" if request.headers.get("hx-request") else "turn.html"
    return page(request, template, traced=traced, thread=thread)


def _number(given: str | None) -> int:
    return int(given) if given and given.isdecimal() and len(given) < 9 else 0


ROUTES = [
    Route("/", chat, name="chat"),
    Route("/underway", underway, name="underway"),
    Route("/turns/{id:path}", turn, name="turn"),
]
