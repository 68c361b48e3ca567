"""What a handler gets of a request: memory, agent, whose memories, language, and the fields of a form.

Handlers are plain functions, which Starlette runs in a thread; `async def` ones call `opened` by `asyncio.to_thread`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from starlette.requests import Request
from starlette.routing import NoMatchFound

from hippograph.state import BadInput, Settings

if TYPE_CHECKING:
    from hippograph.graph import Agent
    from hippograph.memory import Memory
    from hippograph.web.access import Grant

ME = "me"
"""The user of whoever names none, as the command has it."""
LANGUAGES = ("en", "zh")
THEMES = ("auto", "light", "dark")
SPACE, LANGUAGE, THEME = "hippograph_space", "hippograph_lang", "hippograph_theme"
"""Cookies of what was chosen on the page."""
GRANT, FORM, ROOT = "hippograph.grant", "hippograph.form", "hippograph.root"
"""Keys under which the guard leaves in a request's scope what it found out."""

POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
"""What browsers are told with every answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """What a page works with."""

    memory: "Memory"
    agent: "Agent"
    space: str
    """Whose memories; always one that whoever asks may see."""
    lang: str
    """"en" or "zh"."""
    settings: Settings


class Missing(BadInput):
    """What a page is asked to show is not there."""


def opened(request: Request) -> Opened:
    """Return what a page works with, opening the home if nobody did so far.

    Raises:
        HippographError: The home cannot be opened; shown as a page that says why.
    """
    agent = request.app.state.home.agent()
    return Opened(memory=agent.memory, agent=agent, space=space(request), lang=lang(request), settings=agent.settings)


def form(request: Request) -> dict[str, str]:
    """Return the fields of a form that was sent, of several of one name the last one."""
    return {name: values[-1] for name, values in fields(request).items()}


def fields(request: Request) -> dict[str, list[str]]:
    """Return the fields of a form that was sent, with all their values."""
    found: dict[str, list[str]] = request.scope.get(FORM, {})
    return found


def grant(request: Request) -> "Grant | None":
    """Return what whoever asks may use; None on the pages that are everybody's, such as the login."""
    found: Grant | None = request.scope.get(GRANT)
    return found


def space(request: Request) -> str:
    """Return whose memories are shown: the one chosen, if it is granted, else "me" or the first that is."""
    given, chosen = grant(request), unquote(request.cookies.get(SPACE, ""))
    if given is None or given.spaces is None:
        return chosen or ME
    if chosen in given.spaces:
        return chosen
    return ME if ME in given.spaces else min(given.spaces)


def lang(request: Request) -> str:
    """Return the language chosen, else the first that the browser wants and the page has."""
    chosen = request.cookies.get(LANGUAGE)
    wanted = [chosen, *(each.strip()[:2].lower() for each in request.headers.get("accept-language", "").split(","))]
    return next((each for each in wanted if each in LANGUAGES), LANGUAGES[0])


def theme(request: Request) -> str:
    """Return "light" or "dark" where one was chosen, else "auto": as the system has it."""
    chosen = request.cookies.get(THEME)
    return chosen if chosen in THEMES else THEMES[0]


def url(request: Request, name: str, /, **parameters: Any) -> str:  # noqa: ANN401 - as Starlette has it
    """Return a route's path, below whatever the page is mounted at; `_query` pairs go behind it."""
    query: Sequence[tuple[str, object]] = parameters.pop("_query", ())
    placed = {key: quote(str(value), safe="/") for key, value in parameters.items()}
    path = f"{request.scope.get(ROOT, '')}{request.app.url_path_for(name, **placed)}"
    pairs = "&".join(f"{quote(key, safe='')}={quote(str(value), safe='')}" for key, value in query if value is not None)
    return f"{path}?{pairs}" if pairs else path


def back(request: Request, given: str) -> str:
    """Return a path of a page of ours; in place of another site's, which browsers read in "//", the chat's."""
    bare = "".join(each for each in given if each > " ")  # browsers pass over tabs and line ends
    ours = bare.startswith(f"{request.scope.get(ROOT, '')}/") and not bare.startswith(("//", "/\\"))
    return given if ours else url(request, "chat")


def link(request: Request, name: str, /, **parameters: Any) -> str | None:  # noqa: ANN401 - as `url`
    """Return a route's path; None where its section is not served here."""
    try:
        return url(request, name, **parameters)
    except NoMatchFound:
        return None
