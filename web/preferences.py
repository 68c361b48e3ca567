"""What a browser keeps: whose memories it shows, in which language and colours; and the way in and out."""

from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from hippograph.memory.threads import Space
from hippograph.state import BadInput
from hippograph.web import asked
from hippograph.web.access import NotAdmitted, admit
from hippograph.web.guard import COOKIE
from hippograph.web.rendering import page

YEAR = 365 * 86_400


def prefer(request: Request) -> Response:
    """Keep what was chosen and show the page again that it was chosen on.

    Raises:
        BadInput: Memories that are not granted, or a user without a name.
    """
    form = asked.form(request)
    response = RedirectResponse(asked.back(request, form.get("back", "")), status_code=303)
    if (lang := form.get("lang")) in asked.LANGUAGES:
        _keep(request, response, asked.LANGUAGE, str(lang))
    if (theme := form.get("theme")) in asked.THEMES:
        _keep(request, response, asked.THEME, str(theme))
    if (space := form.get("space")) is not None:
        grant = asked.grant(request)
        if not space.strip():
            raise BadInput("Whose memories? Give the user a name.")
        if grant is None or not grant.allows(space):
            raise BadInput(f"This token does not open the memories of {space}.")
        _keep(request, response, asked.SPACE, quote(space, safe=""))
    return response


def who(request: Request) -> Response:
    """Show whose memories there are, of those that may be seen."""
    home, grant = asked.opened(request), asked.grant(request)
    there = {each.name: each for each in home.memory.spaces()}
    granted = {*there, home.space} if grant is None or grant.spaces is None else grant.spaces
    known = [there.get(name) or Space(name=name, memories=0) for name in sorted(granted)]
    return page(request, "who.html", known=known)


def login(request: Request) -> Response:
    """Take a token, and have the browser keep it out of reach of scripts."""
    if request.method == "GET":
        return page(request, "login.html", wrong=False)
    token = asked.form(request).get("token", "").strip()
    guarded = request.app.state.guarded
    try:
        admit(guarded["settings"], client=None, host="", authorization=f"Bearer {token}", bound=guarded["bound"])
    except NotAdmitted:
        return page(request, "login.html", 403, wrong=True)
    response = RedirectResponse(asked.url(request, "chat"), status_code=303)
    _keep(request, response, COOKIE, token)
    return response


def logout(request: Request) -> Response:
    """Have the browser forget its token."""
    response = RedirectResponse(asked.url(request, "login"), status_code=303)
    response.delete_cookie(COOKIE, path=_root(request), httponly=True, samesite="strict")
    return response


def _keep(request: Request, response: Response, name: str, value: str) -> None:
    secure = request.url.scheme == "https"
    response.set_cookie(name, value, max_age=YEAR, path=_root(request), httponly=True, samesite="strict", secure=secure)


def _root(request: Request) -> str:
    return str(request.scope.get(asked.ROOT, "")) or "/"


ROUTES = [
    Route("/who", who, name="who"),
    Route("/preferences", prefer, methods=["POST"], name="preferences"),
    Route("/login", login, methods=["GET", "POST"], name="login"),
    Route("/logout", logout, methods=["POST"], name="logout"),
]
