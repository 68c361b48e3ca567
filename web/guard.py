"""What every request passes: who asks, from which site, and what browsers may do with the answer."""

import asyncio
import hashlib
import hmac
import secrets
from collections.abc import Sequence
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hippograph.state import HippographError, Settings
from hippograph.web import shapes
from hippograph.web.access import Grant, NotAdmitted, TokensUnreadable, admit
from hippograph.web.asked import FORM, GRANT, HEADERS, ROOT, space
from hippograph.web.rendering import trouble

COOKIE = "hippograph_token"
FIELD, HEADER = "csrf", "x-csrf"
"""Where a form, or a request of the page's scripts, carries the mark that only a page of ours knows."""
SAFE = ("GET", "HEAD", "OPTIONS")
LARGEST = 4_000_000
"""Most bytes of a form."""
LARGEST_STRANGERS = 8_000
"""Most bytes of a form from whoever has shown no token."""
MOST_FIELDS = 1000
EVERYBODYS = ("/static", "/login")
"""Paths for which nobody needs to be admitted."""


class Refused(HippographError):
    """A request that another site may have made a browser send."""


class Guard:
    """Middleware before all routes.

    It leaves in the scope what was granted and the fields of a form that came; so handlers need not be `async`.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        settings: Settings,
        bound: str,
        programs: Sequence[str],
    ) -> None:
        """Guard an app.

        Args:
            app: What comes behind.
            settings: Where the tokens are.
            bound: Address the server listens at.
            programs: Paths that programs use, without forms: no mark is asked for, only a browser's origin.
        """
        self.app, self.settings, self.bound = app, settings, bound
        self.programs = tuple(programs)
        self.secret = secrets.token_bytes(32)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or let the app behind do it."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        root = str(scope.get("root_path", ""))
        path = str(scope["path"]).removeprefix(root) or "/"
        scope[ROOT] = root
        send = _with_headers(send, _under(path, ("/static",)))
        request = Request(scope, receive)
        try:
            if not _under(path, EVERYBODYS):
                scope[GRANT] = self._admitted(request)
            _same_origin(request)
            if request.method not in SAFE:
                receive = await self._checked(request, path)
        except NotAdmitted as error:
            await self._turned_away(request, error, path)(scope, receive, send)
            return
        except Refused as error:
            await self._trouble(request, error, 403, path)(scope, receive, send)
            return
        except TokensUnreadable as error:
            await self._trouble(request, error, 503, path)(scope, receive, send)
            return
        scope["hippograph.csrf"] = self.mark(scope.get(GRANT), space(request))
        await self.app(scope, receive, send)

    def mark(self, grant: Grant | None, space: str) -> str:
        """Return what a form must carry: a page of another user's memories does not change this one's."""
        text = f"{grant.name if grant else ''}\0{space}"
        return hmac.new(self.secret, text.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()

    def _admitted(self, request: Request) -> Grant:
        headers = request.headers
        return admit(
            self.settings,
            client=request.client.host if request.client else None,
            host=headers.get("host", ""),
            authorization=headers.get("authorization"),
            cookie=request.cookies.get(COOKIE),
            headers=headers,
            bound=self.bound,
            version=str(request.scope.get("http_version", "1.1")),
        )

    async def _checked(self, request: Request, path: str) -> Receive:
        """Let a request pass that changes something; return where its body is to be read from.

        Raises:
            Refused: It is too large, comes from another site, or from a page that is out of date.
        """
        grant: Grant | None = request.scope.get(GRANT)
        if _under(path, self.programs):
            return request.receive
        shown, receive = request.headers.get(HEADER, ""), request.receive
        if request.headers.get("content-type", "").partition(";")[0].strip() == "application/x-www-form-urlencoded":
            body, receive = await _read(request, LARGEST_STRANGERS if _under(path, EVERYBODYS) else LARGEST)
            fields = await asyncio.to_thread(_fields, body)  # a large one takes long, and nobody shall wait for it
            request.scope[FORM] = fields
            shown = shown or fields.get(FIELD, [""])[-1]
        if (grant and grant.bearer) or _under(path, EVERYBODYS):
            return receive
        right = self.mark(grant, space(request))
        if not hmac.compare_digest(shown.encode(), right.encode()):
            raise Refused(
                "This page is out of date: the server was started anew, or another user was chosen meanwhile. "
                "Load it again; nothing was changed."
            )
        return receive

    def _turned_away(self, request: Request, error: NotAdmitted, path: str) -> Response:
        """Show a browser the way in; tell programs."""
        if request.method == "GET" and "text/html" in request.headers.get("accept", ""):
            return RedirectResponse(f"{request.scope[ROOT]}/login", status_code=303)
        response = self._trouble(request, error, 401, path)
        response.headers["www-authenticate"] = "Bearer"
        return response

    def _trouble(self, request: Request, error: HippographError, status: int, path: str) -> Response:
        """Say why a request is not let pass, to programs as OpenAI's API does."""
        if not _under(path, self.programs):
            return trouble(request, error, status)
        kind, code = _KINDS[status]
        return shapes.Told(shapes.error(str(error), kind, code=code), status_code=status)


_KINDS = {
    401: ("invalid_request_error", "invalid_api_key"),
    403: ("permission_error", None),
    503: ("server_error", None),
}
"""Type and code, in OpenAI's terms, of what is not let pass."""


def _fields(body: bytes) -> dict[str, list[str]]:
    """Return a form's fields.

    Raises:
        Refused: There are too many.
    """
    try:
        return parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise Refused(f"This form has more than {MOST_FIELDS} fields: send fewer at once.") from None


def _under(path: str, places: Sequence[str]) -> bool:
    return any(path == each or path.startswith(f"{each}/") for each in places)


def _same_origin(request: Request) -> None:
    """Refuse what another site's page has a browser send; nor may it read: `langgraph dev` would let any page do so.

    The scheme may differ behind a proxy that speaks TLS. Browsers keep pages from choosing either header.
    """
    grant: Grant | None = request.scope.get(GRANT)
    if grant and grant.bearer:
        return
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    elsewhere = origin is not None and urlsplit(origin).netloc != request.headers.get("host")
    if elsewhere or (request.method not in SAFE and site not in (None, "same-origin", "none")):
        raise Refused("This came from another site's page, and was not done.")


async def _read(request: Request, most: int) -> tuple[bytes, Receive]:
    """Return a body of at most so many bytes, and where the next one reads it again."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise Refused(f"This is more than {most // 1000:,} kB: send less at once.")
    whole, sent = bytes(body), False

    async def again() -> Message:
        nonlocal sent
        if sent:
            return await request.receive()
        sent = True
        return {"type": "http.request", "body": whole, "more_body": False}

    return whole, again


def _with_headers(send: Send, static: bool) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("cache-control", "no-cache" if static else "no-store")
        await send(message)

    return sending
