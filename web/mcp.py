"""The Model Context Protocol: memory's tools for programs that speak it, over stdio and over HTTP.

The tools are those of `hippograph.graph.tools`: the same names, arguments and answers. Whose memories they are says
whoever starts the server, or the token and the headers of a request; never the model.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any

from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)
from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from hippograph.graph.arguments import ARGUMENTS, NAMES, ToolName
from hippograph.graph.tools import Tools, misread
from hippograph.state import BadInput, HippographError
from hippograph.web.asked import grant
from hippograph.web.naming import USER, USERS, named, space_of

INSTRUCTIONS = (
    "Long-term memory of what this user said in earlier conversations. Call recall before you answer what may depend "
    "on it; call remember when the user tells something lasting; call forget only when the user asks for it."
)
HINTS: dict[ToolName, ToolAnnotations] = {
    "recall": ToolAnnotations(title="Recall", read_only_hint=True, open_world_hint=False),
    "remember": ToolAnnotations(title="Remember", destructive_hint=False, idempotent_hint=True, open_world_hint=False),
    "forget": ToolAnnotations(title="Forget", destructive_hint=True, idempotent_hint=True, open_world_hint=False),
    "history": ToolAnnotations(title="History", read_only_hint=True, open_world_hint=False),
}
"""What a client may know of a tool before it lets a model call it."""

Whose = Callable[[Any], str]
"""Returns whose memories a call is about, given the HTTP request it came with, or None. Raises HippographError."""


def server(tools: Callable[[], Tools], whose: Whose) -> Server[Any]:
    """Return a server of the tools.

    Args:
        tools: Returns the tools, with the memory they work on; called at each call of one, in a thread.
        whose: Says whose memories each call is about.
    """

    async def listed(context: Any, params: PaginatedRequestParams | None) -> ListToolsResult:  # noqa: ANN401
        return ListToolsResult(tools=[_described(name) for name in NAMES])

    async def called(context: Any, params: CallToolRequestParams) -> CallToolResult:  # noqa: ANN401
        try:
            space = whose(context.request)
            return _told(await asyncio.to_thread(_called, tools, space, params.name, params.arguments or {}))
        except ValidationError as error:
            return _told(misread(error), wrong=True)
        except HippographError as error:
            return _told(f"That did not work. {error}", wrong=True)

    return Server(
        "hippograph",
        title="Hippograph",
        version=version("hippograph"),
        instructions=INSTRUCTIONS,
        on_list_tools=listed,
        on_call_tool=called,
    )


async def over_stdio(tools: Tools, space: str) -> None:
    """Serve one user's memories to the program that started this process, until it closes our stdin."""
    serving = server(lambda: tools, lambda request: space)
    async with stdio_server() as (read, write):
        await serving.run(read, write, serving.create_initialization_options())


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncIterator[None]:
    """Serve over HTTP while the app runs.

    No session is kept: each request says who asks, and none is left open when the app ends.
    """

    def tools() -> Tools:
        agent = app.state.home.agent()
        return Tools(agent.memory, agent.settings)

    manager = StreamableHTTPSessionManager(server(tools, _whose), json_response=True, stateless=True)
    app.state.mcp = manager
    async with manager.run():
        yield


class OverHttp:
    """The endpoint of the server over HTTP: that of the app that a request came to."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        manager: StreamableHTTPSessionManager = scope["app"].state.mcp
        await manager.handle_request(scope, receive, send)


def _whose(request: Any) -> str:  # noqa: ANN401 - a Starlette request
    return space_of(grant(request), named(request, USER, others=USERS))


def _called(tools: Callable[[], Tools], space: str, name: str, given: dict[str, Any]) -> str:
    """Call a tool; raises ValidationError where its arguments are not valid."""
    known = next((each for each in NAMES if each == name), None)
    if known is None:
        raise BadInput(f"There is no tool {name!r}: use one of {', '.join(NAMES)}.")
    arguments = ARGUMENTS[known].model_validate(given)
    call: Callable[..., str] = getattr(tools(), known)
    return call(space, **arguments.model_dump())


def _described(name: ToolName) -> Tool:
    arguments = ARGUMENTS[name]
    schema = arguments.model_json_schema()
    schema.pop("description", None)
    schema.pop("title", None)
    words = " ".join((arguments.__doc__ or "").split())
    return Tool(name=name, title=HINTS[name].title, description=words, input_schema=schema, annotations=HINTS[name])


def _told(text: str, *, wrong: bool = False) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=wrong)


ROUTES = [Route("/mcp", OverHttp(), name="mcp")]
