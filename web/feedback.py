"""Thumbs: what somebody thinks of an answer, with a word on why."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from hippograph.graph.feedback import rate
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
    rated = rate(use.memory, use.space, id_, score, comment=comment, correction=correction)
    if not request.headers.get("hx-request"):
        return RedirectResponse(url(request, "chat", _query=[("thread", thread)]), status_code=303)
    return page(request, "thumbs.html", id=id_, thread=thread, score=rated.score if rated else 0, rated=rated)


ROUTES = [Route("/feedback", feedback, methods=["POST"], name="feedback")]
