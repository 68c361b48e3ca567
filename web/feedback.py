"""Thumbs: what somebody thinks of an answer, with a word on why."""

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from hippograph.graph.feedback import tell
from hippograph.state import BadInput
from hippograph.web.asked import form, opened, url
from hippograph.web.rendering import page

SCORES = {"1": 1, "-1": -1, "0": 0}


def feedback(request: Request) -> Response:
    """Keep what was said of an answer; show the thumbs as they stand now.

    Raises:
        BadInput: There is no such answer in the space, or the score is none.
    """
    use, given = opened(request), form(request)
    if (score := SCORES.get(given.get("score", ""))) is None:
        raise BadInput("Say whether the answer is good or bad.")
    id_, thread = given.get("id", ""), given.get("thread", "")
    comment, correction = given.get("comment", ""), given.get("correction", "")
    rated = use.memory.rate(id_, score, use.space, comment=comment, correction=correction)
    telling = BackgroundTask(tell, use.memory, use.space, id_, rated)  # nobody's thumb waits for a network
    if not request.headers.get("hx-request"):
        back = url(request, "chat", _query=[("thread", thread)])
        return RedirectResponse(back, status_code=303, background=telling)
    response = page(request, "thumbs.html", id=id_, thread=thread, score=rated.score if rated else 0, rated=rated)
    response.background = telling
    return response


ROUTES = [Route("/feedback", feedback, methods=["POST"], name="feedback")]
