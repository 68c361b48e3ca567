"""Changes of memories by hand: written, put right, pinned, taken back."""

from collections.abc import Mapping
from datetime import datetime

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from hippograph.memory.intake import EMPTIED, KINDS, OF_TURNS
from hippograph.memory.sheet import Sheet
from hippograph.state import BadInput
from hippograph.web.asked import Missing, Opened, form, opened, url
from hippograph.web.rendering import minute, page

GIVEN = tuple(kind for kind in KINDS if kind not in ("turn", "summary", "media", "item"))
"""Kinds that somebody may write."""
TEXTS = ("text", "kind", "subject", "attribute", "value", "topic")
TIMES = ("valid_from", "valid_until", "expires_at")
DONE = ("remembered", "updated", "unchanged", "pinned", "unpinned", "undone")
"""What a memory's page may be told to say; each has its words in texts/memories.*.json."""


def done(request: Request) -> str:
    """Return what was just done, as the query string says it; empty where nothing was."""
    told = request.query_params.get("done", "")
    return told if told in DONE else ""


def new(request: Request) -> Response:
    """Show an empty form, or remember what it was filled with."""
    home = opened(request)
    if request.method == "GET":
        return page(request, "memory.new.html", kinds=GIVEN)
    given = form(request)
    id_ = home.memory.remember(
        home.space,
        given.get("text", ""),
        given.get("kind") or "fact",
        importance=_share(given.get("importance", "0.5")),
        pinned="pinned" in given,
        topic=given.get("topic", "").strip() or None,
    )
    return _shown(request, id_, "remembered")


def edit(request: Request) -> Response:
    """Show a memory's form, or change the memory as it says."""
    home = opened(request)
    if request.method == "GET":
        known = sheet(home, request.query_params.get("id", ""))
        return page(request, "memory.edit.html", sheet=known, memory=known.memory, kinds=_kinds(known))
    given = form(request)
    id_ = given.get("id", "")
    fields = changed(sheet(home, id_), given)
    if fields:
        home.memory.update(id_, home.space, **fields)
    return _shown(request, id_, "updated" if fields else "unchanged")


def pin(request: Request) -> Response:
    """Pin a memory, or let go of it; to htmx, the button as it is now."""
    home, given = opened(request), form(request)
    id_, pinned = given.get("id", ""), given.get("pinned") == "1"
    home.memory.update(id_, home.space, pinned=pinned)
    if request.headers.get("hx-request"):
        return page(request, "memory.pin.html", id=id_, pinned=pinned)
    return _shown(request, id_, "pinned" if pinned else "unpinned")


def undo(request: Request) -> Response:
    """Take back the last change of a memory."""
    home, id_ = opened(request), form(request).get("id", "")
    home.memory.undo(id_, home.space)
    return _shown(request, id_, "undone")


def sheet(home: Opened, id_: str) -> Sheet:
    """Return all that is known of a memory.

    Raises:
        Missing: There is none.
    """
    try:
        return home.memory.sheet(home.space, id_)
    except BadInput:
        raise Missing("There is no such memory here: it may have been forgotten.") from None


def changed(sheet: Sheet, given: Mapping[str, str]) -> dict[str, object]:
    """Return the fields that a form gives otherwise than a memory has them, as `Memory.update` takes them.

    An empty field empties the memory's. What the form shows rounded (a time to its minute, a share to its hundredth)
    counts as changed only where it shows otherwise.

    Raises:
        BadInput: A time or a share that is none.
    """
    found = sheet.memory
    fields: dict[str, object] = {}
    for name in TEXTS:
        if name in given and given[name].strip().replace("\r\n", "\n") != str(getattr(found, name)).strip():
            text = given[name].strip().replace("\r\n", "\n")
            fields[name] = text or (None if name in EMPTIED else text)
    for name in TIMES:
        held = sheet.expires_at if name == "expires_at" else getattr(found, name)
        if name in given and given[name] != minute(held):
            fields[name] = _time(given[name])
    if "importance" in given and _share(given["importance"]) != round(found.importance, 2):
        fields["importance"] = _share(given["importance"])
    if ("pinned" in given) != sheet.pinned and "importance" in given:
        fields["pinned"] = "pinned" in given
    if found.kind == "turn":
        fields = {name: value for name, value in fields.items() if name in OF_TURNS}
    return fields


def _time(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text).astimezone() if text else None
    except (ValueError, OverflowError):
        raise BadInput(f"{text!r} is no time: write it as 2026-05-31T18:30.") from None


def _share(text: str) -> float:
    try:
        return round(float(text), 2)
    except ValueError:
        raise BadInput(f"{text!r} is no number: give the importance as one from 0 to 1.") from None


def _kinds(sheet: Sheet) -> list[str]:
    return [*dict.fromkeys([sheet.memory.kind, *GIVEN])]


def _shown(request: Request, id_: str, what: str) -> Response:
    """Show a memory again, and what was done to it."""
    return RedirectResponse(url(request, "memory", id=id_, _query=[("done", what)]), status_code=303)


ROUTES = [
    Route("/memories/-/new", new, methods=["GET", "POST"], name="memory_new"),
    Route("/memories/-/edit", edit, methods=["GET", "POST"], name="memory_edit"),
    Route("/memories/-/pin", pin, methods=["POST"], name="memory_pin"),
    Route("/memories/-/undo", undo, methods=["POST"], name="memory_undo"),
]
