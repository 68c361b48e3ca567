"""Memory's tools over the Model Context Protocol: the official client, in this process and to real ones."""

import json
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import TextContent
from starlette.applications import Starlette
from starlette.routing import Mount

from hippograph.graph import Agent
from hippograph.graph.tools import Tools
from hippograph.memory.ledger import Ledger
from hippograph.web import access
from hippograph.web.app import create_app
from hippograph.web.mcp import server

Connect = Callable[[], Client]
Serving = Callable[[Starlette], AbstractContextManager[str]]
HIPPOGRAPH = str(Path(sys.executable).with_name("hippograph"))


def words(result: Any) -> str:
    """All text of a tool's answer."""
    return "\n".join(part.text for part in result.content if isinstance(part, TextContent))


@pytest.fixture(params=["auto", "legacy"])
def connect(agent: Agent, request: pytest.FixtureRequest) -> Connect:
    """Connects a client of the newest protocol, or one that begins with the older handshake, for one user."""
    serving = server(lambda: Tools(agent.memory), lambda asked: f"mcp-{request.param}")
    return lambda: Client(serving, mode=request.param)


async def test_the_tools_are_told_with_arguments_that_a_small_model_can_fill_in(connect: Connect) -> None:
    async with connect() as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {"recall", "remember", "forget", "history"}
        assert tools["recall"].input_schema["required"] == ["query"]
        assert "user" not in str([tool.input_schema["properties"].keys() for tool in tools.values()])
        assert tools["forget"].annotations is not None
        assert tools["forget"].annotations.destructive_hint
        assert tools["recall"].description.startswith("Search long-term memory")  # type: ignore[union-attr]


async def test_what_is_remembered_is_recalled_and_has_a_history_and_is_forgotten(connect: Connect) -> None:
    async with connect() as client:
        told = await client.call_tool("remember", {"text": "Ann is allergic to lychee."})
        assert not told.is_error
        found = words(await client.call_tool("recall", {"query": "What is Ann allergic to?"}))
        assert "lychee" in found
        id = found.rpartition("(id: ")[2].rstrip(")")  # noqa: A001
        assert "lychee" in words(await client.call_tool("history", {"id": id}))
        gone = await client.call_tool("forget", {"id": id})
        assert not gone.is_error
        assert "lychee" not in words(await client.call_tool("recall", {"query": "What is Ann allergic to?"}))


async def test_chinese_is_answered_in_chinese(connect: Connect) -> None:
    async with connect() as client:
        await client.call_tool("remember", {"text": "小李对花生过敏。"})
        assert "花生" in words(await client.call_tool("recall", {"query": "小李对什么过敏？"}))
        assert words(await client.call_tool("forget", {"id": "没有这个"})).startswith("That did not work.")


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("recall", {}, "query"),
        ("recall", {"query": " "}, "empty"),
        ("remember", {"text": "x", "kind": "secret"}, "kind"),
        ("forget", {"id": "0123456789"}, "call recall"),
        ("history", {"id": "me"}, "no id"),
        ("dream", {}, "recall, remember, forget, history"),
    ],
)
async def test_what_goes_wrong_is_said_in_words(
    connect: Connect, tool: str, arguments: dict[str, Any], said: str
) -> None:
    async with connect() as client:
        result = await client.call_tool(tool, arguments)
        assert result.is_error
        assert said in words(result)


async def test_a_model_cannot_choose_another_user(connect: Connect, agent: Agent) -> None:
    async with connect() as client:
        agent.memory.remember("zoe", "Zoe's PIN is 4711.")
        found = await client.call_tool("recall", {"query": "What is Zoe's PIN?", "user": "zoe", "space": "zoe"})
        assert "4711" not in words(found)


@asynccontextmanager
async def over_http(url: str, mode: str = "auto", **headers: str) -> AsyncIterator[Client]:
    async with (
        httpx2.AsyncClient(trust_env=False, headers=headers) as http,
        Client(streamable_http_client(f"{url}/mcp", http_client=http), mode=mode) as client,
    ):
        yield client


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_tools_are_served_over_http(url: str, agent: Agent, mode: str) -> None:
    async with over_http(url, mode, **{"x-hippograph-user": f"http-{mode}"}) as client:
        await client.call_tool("remember", {"text": "Ann's dog is called Rex."})
        assert "Rex" in words(await client.call_tool("recall", {"query": "What is Ann's dog called?"}))
        assert (await client.call_tool("recall", {"query": ""})).is_error
    assert agent.memory.count(f"http-{mode}") == 1
    async with over_http(url, mode) as client:
        assert "Rex" not in words(await client.call_tool("recall", {"query": "What is Ann's dog called?"}))


async def test_the_tools_are_served_below_a_prefix_too(agent: Agent, serving: Serving) -> None:
    page = create_app(agent.settings, agent=agent)
    app = Starlette(routes=[Mount("/hippograph", page)], lifespan=lambda _: page.router.lifespan_context(page))
    with serving(app) as address:
        async with over_http(f"{address}/hippograph") as client:
            assert len((await client.list_tools()).tools) == 4


async def test_a_token_opens_its_users_memories_alone(url: str, agent: Agent) -> None:
    agent.memory.remember("locked", "The PIN is 4711.")
    token = access.add(agent.settings.home, "mcp", ["opened"])
    async with over_http(url, authorization=f"Bearer {token}") as client:
        assert "4711" not in words(await client.call_tool("recall", {"query": "What is the PIN?"}))
    async with over_http(url, authorization=f"Bearer {token}", **{"x-hippograph-user": "locked"}) as client:
        refused = await client.call_tool("recall", {"query": "What is the PIN?"})
    assert refused.is_error
    assert "does not open" in words(refused)


@pytest.mark.parametrize(
    "headers",
    [
        {"authorization": f"Bearer {access.PREFIX}wrong"},
        {"host": "evil.example"},
        {"origin": "https://evil.example"},
        {"x-forwarded-for": "203.0.113.9"},
    ],
)
async def test_nobody_else_is_let_in(url: str, headers: dict[str, str]) -> None:
    listing = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    accept = {"accept": "application/json, text/event-stream"}
    async with httpx2.AsyncClient(trust_env=False) as http:
        answer = await http.post(f"{url}/mcp", json=listing, headers={**accept, **headers})
        assert answer.status_code in (401, 403)
        assert (await http.post(f"{url}/mcp", json=listing, headers=accept)).status_code == 200


def test_the_installed_command_serves_over_stdio_until_a_signal_though_its_client_stays(home: Path) -> None:
    """The older handshake, line by line; docs/guide/mcp.md has the official client start it, with the newest one."""
    asked = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    fact = {"name": "remember", "arguments": {"text": "Ann's dog is called Rex."}}
    command = [HIPPOGRAPH, "mcp", "--user", "ann", "--home", str(home)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as process:

        def call(method: str, params: dict[str, Any], **more: Any) -> Any:
            assert process.stdin is not None
            assert process.stdout is not None
            print(
                json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}),
                file=process.stdin,
                flush=True,
            )
            return json.loads(process.stdout.readline())["result"] if more else None

        assert call("initialize", asked, id=1)["serverInfo"]["name"] == "hippograph"
        call("notifications/initialized", {})
        assert not call("tools/call", fact, id=2).get("isError")
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 128 + signal.SIGTERM
    with Ledger(home / "ledger.db") as ledger:
        assert ledger.count("ann") == 1
