"""Whose memories a program's request is about, and which conversation it belongs to.

The token says which users may be named. Programs name one in a header or in the request itself, and some chat programs
in headers of their own; a model never does.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from starlette.requests import Request

from hippograph.memory.intake import space_name
from hippograph.state import BadInput, HippographError
from hippograph.web.asked import ME

if TYPE_CHECKING:
    from hippograph.web.access import Grant

USER, THREAD = "x-hippograph-user", "x-hippograph-thread"
"""Our own headers, before all else."""
USERS, THREADS = ("x-openwebui-user-id",), ("x-openwebui-chat-id",)
"""What Open WebUI sends (ENABLE_FORWARD_USER_INFO_HEADERS), where nothing else says it."""


LONGEST = 200
"""Characters of a user's name, as on the page."""


class NotGranted(HippographError):
    """A token does not open the memories that were asked for."""


def space_of(grant: "Grant | None", named: str | None) -> str:
    """Return whose memories are meant.

    Args:
        grant: What the request may use.
        named: The user that it names, if any.

    Raises:
        NotGranted: The token does not open that user's memories.
        BadInput: The token opens several users' memories, and none is named; or none can have that name.
    """
    spaces = None if grant is None else grant.spaces
    if named is not None and grant is not None and not grant.allows(named):
        raise NotGranted(f"The token {grant.name} does not open the memories of {named!r}: name another user, or none.")
    if named is not None and len(named) > LONGEST:
        raise BadInput(f"The user's name has {len(named):,} characters: give one of at most {LONGEST}.")
    if named is not None:
        return space_name(named)
    if spaces is None:
        return ME
    if len(spaces) == 1:
        return next(iter(spaces))
    raise BadInput(f"Whose memories? This token opens those of several users: name one in the header {USER.title()}.")


def named(request: Request, own: str, given: Sequence[str | None] = (), others: Sequence[str] = ()) -> str | None:
    """Return the first name that a request tells: in our own header, in itself, in other programs' headers.

    Args:
        request: The request.
        own: Our header's name.
        given: What the request itself says, the most telling first.
        others: Names of other headers.
    """
    told = [header(request, own), *given, *(header(request, each) for each in others)]
    return next((each for each in told if each and each.strip()), None)


def header(request: Request, name: str) -> str | None:
    """Return a header's text: UTF-8, as clients send it, else as it stands."""
    value = request.headers.get(name)
    try:
        return value and value.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return value
