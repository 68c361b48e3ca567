"""The inbox: what was found in reviewed turns and waits for a person's word."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from hippograph.memory import Memory
from hippograph.memory.reviewing import Held
from hippograph.state import BadInput
from hippograph.web.asked import form, opened, url
from hippograph.web.rendering import page

SHOWN = 100
"""Facts on a page, the oldest first; the next ones come up as these are decided about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A fact that waits, as the page shows it."""

    held: Held
    doubts: Sequence[str]
    """Why a person should look at it, each as `rendering`'s filter `reason` takes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inbox:
    """What the page tells."""

    waiting: Sequence[Waiting]
    total: int


def show(request: Request) -> Response:
    """Show what waits in a space, and what became of the one just decided about."""
    use = opened(request)
    decided = None
    if id_ := request.query_params.get("decided"):
        with suppress(BadInput):  # forgotten meanwhile, or a link of somebody's own making
            decided = use.memory.get(id_, use.space)
    return page(request, "review.html", inbox=inbox(use.memory, use.space), decided=decided)


def decide(request: Request) -> Response:
    """Approve a fact, with other words where they are given, or reject it.

    Raises:
        BadInput: It does not wait any more, the words cannot be its, or nothing was chosen.
    """
    use, given = opened(request), form(request)
    id_ = given.get("id", "")
    match given.get("action"):
        case "approve":
            now = use.memory.approve(id_, use.space)
        case "edit":
            now = use.memory.approve(id_, use.space, text=given.get("text", ""))
        case "reject":
            now = use.memory.reject(id_, use.space)
        case _:
            raise BadInput("Choose what becomes of it: approve, edit or reject.")
    return RedirectResponse(url(request, "review", _query=[("decided", now.id)]), status_code=303)


def inbox(memory: Memory, space: str) -> Inbox:
    """Return what waits in a space."""
    held = memory.held(space)
    return Inbox(waiting=[Waiting(held=each, doubts=doubts(each.because)) for each in held[:SHOWN]], total=len(held))


def doubts(because: str) -> list[str]:
    """Return the reasons that a held fact was given."""
    parts = because.removeprefix("held for review:").split(";")
    return [stripped for each in parts if (stripped := each.strip())]


ROUTES = [
    Route("/review", show, name="review"),
    Route("/review", decide, methods=["POST"], name="review_decide"),
]
