"""The page, served in this process to a client that speaks HTTP; and what is read off its pages."""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from html import unescape
from typing import Any

from scripted import Scripted
from scripted import chat as made
from starlette.testclient import TestClient

from hippograph.graph import Agent, open_agent
from hippograph.memory import Memory
from hippograph.state import Settings
from hippograph.web.app import create_app

HERE = "http://127.0.0.1:4747"
FORM = {"content-type": "application/x-www-form-urlencoded"}
STREAM = {"accept": "application/x-ndjson"}
HTML = {"accept": "text/html"}


@contextmanager
def agent(memory: Memory, model: Scripted, settings: Settings) -> Iterator[Agent]:
    with open_agent(settings, small=made(model), memory=memory) as opened:
        yield opened


@contextmanager
def browser(
    agent: Agent,
    *,
    host: str = "127.0.0.1",
    address: str = "127.0.0.1",
    url: str = HERE,
    forgiving: bool = False,
) -> Iterator[TestClient]:
    """A client as a browser on this machine is, unless told otherwise; cookies are kept.

    `forgiving`: errors nobody foresaw are answered as to a browser, and not raised in the test as well.
    """
    app = create_app(agent.settings, host=host, agent=agent)
    with TestClient(
        app,
        base_url=url,
        client=(address, 50_000),
        follow_redirects=False,
        raise_server_exceptions=not forgiving,
    ) as client:
        yield client


def mark(client: TestClient, path: str = "/") -> str:
    """What a form of the page carries."""
    found = re.search(r'name="csrf" value="([0-9a-f]+)"', client.get(path).text)
    assert found
    return found[1]


def post(client: TestClient, path: str, fields: Mapping[str, str], **headers: str) -> Any:
    """Send a form as the page does."""
    given = {**fields, "csrf": fields.get("csrf") or mark(client)}
    return client.post(path, data=given, headers=headers)


def lines(response: Any) -> list[dict[str, Any]]:
    """What a streamed turn said."""
    assert response.headers["content-type"].startswith("application/x-ndjson"), response.text
    return [json.loads(line) for line in response.text.splitlines()]


def said(client: TestClient, text: str, **fields: str) -> list[dict[str, Any]]:
    """Take a turn as the page's script does."""
    return lines(post(client, "/say", {"text": text, **fields}, **STREAM))


def text_of(html: str) -> str:
    """What a reader sees of markup, roughly."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())
