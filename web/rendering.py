"""Templates, and what all of them know: texts, dates, numbers, routes."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from datetime import date as Day
from functools import cache, partial
from pathlib import Path
from typing import Self

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from hippograph.state import BadInput, HippographError
from hippograph.web import asked, words
from hippograph.web.attributes import attribute
from hippograph.web.reasons import reason
from hippograph.web.troubles import framed

TEMPLATES = Path(__file__).parent / "templates"
NAVIGATION = ("chat", "memories", "connections", "topics", "stats", "queue", "review", "found")
"""Routes that the navigation offers, where there are such; each has its word in texts/base.*.json."""


class Unforeseen(HippographError):
    """Something failed in a way nobody foresaw."""

    @classmethod
    def of(cls, error: Exception) -> Self:
        """Say it in one line."""
        line = " ".join(str(error).split()) or "no message"
        return cls(f"{type(error).__name__}: {line}. Started with HIPPOGRAPH_DEBUG=1, the server tells more.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A section in the navigation."""

    name: str
    href: str
    current: bool
    """Whether the page is one of it."""


def page(request: Request, template: str, status: int = 200, **values: object) -> HTMLResponse:
    """Return a template as a page, or as a part of one where the template is a part.

    Every template has: `t(key, …)`, `url(route, …)`, `link(route, …)`
    (none where there is no such route), `lang`, `theme`, `space`, `spaces`, `csrf`, `icon(name)`,
    `grant` and `entries` (the navigation); filters: date, time, moment, clock, weekday,
    minute, number, percent, duration, iso, reason, attribute.
    """
    language = asked.lang(request)
    given = {**shared(request, language), **values}
    return HTMLResponse(environment(language).get_template(template).render(given), status_code=status)


def render(request: Request, template: str, **values: object) -> str:
    """Return a template's text, for a part that goes into something else."""
    language = asked.lang(request)
    return environment(language).get_template(template).render({**shared(request, language), **values})


def trouble(request: Request, error: Exception, status: int) -> Response:
    """Say what went wrong: on a page, to htmx as a notice alone, to programs as JSON."""
    message = framed(error, asked.lang(request))
    if request.headers.get("hx-request"):
        return page(request, "notice.html", status, message=message)
    if "text/html" in request.headers.get("accept", ""):
        return page(request, "trouble.html", status, message=message)
    return JSONResponse({"error": {"message": message, "type": type(error).__name__}}, status_code=status)


def failed(request: Request, error: Exception) -> Response:
    """Answer a request that ended with one of our errors, or with one of Starlette's."""
    if isinstance(error, HTTPException):
        known = {404: "base.not_found", 405: "base.not_allowed"}.get(error.status_code)
        said = words.text(asked.lang(request), known) if known else error.detail
        return trouble(request, HippographError(said), error.status_code)
    status = 404 if isinstance(error, asked.Missing) else 400 if isinstance(error, BadInput) else 503
    return trouble(request, error, status)


def broken(request: Request, error: Exception) -> Response:
    """Answer a request that ended with an error nobody foresaw; the server's log tells more."""
    response = trouble(request, Unforeseen.of(error), 500)
    response.headers.update(asked.HEADERS)  # Starlette answers these outside of the guard.
    return response


def shared(request: Request, language: str) -> Mapping[str, object]:
    """Return what every template has."""
    grant = asked.grant(request)
    return {
        "t": partial(words.text, language),
        "url": partial(asked.url, request),
        "link": partial(asked.link, request),
        "entries": _entries(request),
        "path": asked.back(request, _path(request) if request.method == "GET" else ""),
        "lang": language,
        "theme": asked.theme(request),
        "space": asked.space(request),
        "spaces": sorted(grant.spaces) if grant and grant.spaces is not None else None,
        "grant": grant,
        "csrf": request.scope.get("hippograph.csrf", ""),
    }


@cache
def environment(language: str) -> Environment:
    """Return the templates of a language: whatever memories hold is escaped, a missing value is an error."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "date": partial(date, language=language),
        "time": partial(time, language=language),
        "moment": partial(moment, language=language),
        "iso": iso,
        "number": number,
        "percent": percent,
        "duration": partial(duration, language=language),
        "reason": partial(reason, language=language),
        "attribute": partial(attribute, language=language),
        "clock": clock,
        "weekday": partial(weekday, language=language),
        "minute": minute,
    }
    made.globals["icon"] = made.get_template("icons.html").module.icon  # type: ignore[attr-defined]
    return made


def date(when: datetime | str, *, language: str) -> str:
    """Return the day of an instant, here: "7 May 2023", 2023年5月7日."""
    here = _instant(when).astimezone()
    return f"{here.year}年{here.month}月{here.day}日" if language == "zh" else f"{here.day} {here:%b %Y}"


def time(when: datetime | str, *, language: str) -> str:
    """Return the day and the minute of an instant, here."""
    return f"{date(when, language=language)} {_instant(when).astimezone():%H:%M}"


def moment(when: datetime | str, *, language: str) -> str:
    """Return an instant as short as it can be: today's is a time of day."""
    here = _instant(when).astimezone()
    return f"{here:%H:%M}" if here.date() == datetime.now().astimezone().date() else time(when, language=language)


def clock(when: datetime | str) -> str:
    """Return the minute of an instant, here: "18:05"."""
    return f"{_instant(when).astimezone():%H:%M}"


def weekday(day: Day, *, language: str) -> str:
    """Return a day with the name it has in its week: "Sunday, 7 May 2023", 2023年5月7日 星期日."""
    if language == "zh":
        return f"{day.year}年{day.month}月{day.day}日 星期{'一二三四五六日'[day.weekday()]}"
    return f"{day:%A}, {day.day} {day:%B} {day.year}"


def minute(when: datetime | None) -> str:
    """Return an instant as `<input type="datetime-local">` has it, here; empty for none."""
    return f"{when.astimezone():%Y-%m-%dT%H:%M}" if when else ""


def iso(when: datetime | str) -> str:
    """Return an instant for `<time datetime>`."""
    return _instant(when).isoformat(timespec="seconds")


def number(value: float, digits: int = 0) -> str:
    """Return a number with its thousands apart: 12,345."""
    return f"{value:,.{digits}f}"


def percent(share: float, digits: int = 0) -> str:
    """Return a share of 1 as "37 %"."""
    return f"{100 * share:.{digits}f} %"


def duration(ms: float, *, language: str) -> str:
    """Return milliseconds as people read them: "0.4 ms", "32 ms", "1.8 s", "3 min 05 s"."""
    if ms < 1:
        return f"{ms:.1f} ms"
    if ms < 1000:
        return f"{ms:.0f} ms"
    if ms < 60_000:
        return f"{ms / 1000:.1f} s"
    minutes, seconds = divmod(round(ms / 1000), 60)
    return f"{minutes} 分 {seconds:02} 秒" if language == "zh" else f"{minutes} min {seconds:02} s"


def _instant(when: datetime | str) -> datetime:
    found = datetime.fromisoformat(when) if isinstance(when, str) else when
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _path(request: Request) -> str:
    return f"{request.url.path}?{request.url.query}"


def _entries(request: Request) -> list[Entry]:
    """Return the navigation: the sections that are served here."""
    found = [(name, href) for name in NAVIGATION if (href := asked.link(request, name))]
    path = request.url.path
    here = max(
        (href for _, href in found if path == href or path.startswith(f"{href.rstrip('/')}/")), key=len, default=""
    )
    return [Entry(name=name, href=href, current=href == here) for name, href in found]
