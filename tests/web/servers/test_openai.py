"""OpenAI's API over HTTP: the official client and langchain-openai, against a served app and a real process."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import openai
import pytest
from doubles import OpenAI as Double
from langchain_core.messages import AIMessage, HumanMessage
from langchain_openai import ChatOpenAI
from openai import DefaultHttpxClient, OpenAI
from pydantic import SecretStr
from scripted import Scripted
from sqlalchemy import select

from hippograph.graph import Agent
from hippograph.memory.ledger import Ledger
from hippograph.memory.schema import memories
from hippograph.state import ModelUnavailable
from hippograph.web import access
from hippograph.web import openai as openai_door

HIPPOGRAPH = str(Path(sys.executable).with_name("hippograph"))


def connected(url: str, key: str = "none", **headers: str) -> OpenAI:
    client = DefaultHttpxClient(trust_env=False)
    return OpenAI(base_url=f"{url}/v1", api_key=key, max_retries=0, default_headers=headers, http_client=client)


@pytest.fixture
def client(url: str) -> Iterator[OpenAI]:
    with connected(url) as opened:
        yield opened


def user(text: str) -> Any:
    return [{"role": "user", "content": text}]


def test_what_was_told_is_known_in_another_conversation(client: OpenAI, model: Scripted) -> None:
    client.chat.completions.create(model="hippograph", messages=user("My cat is called Tofu."), user="ann")
    answer = client.chat.completions.create(model="hippograph", messages=user("What is my cat called?"), user="ann")
    assert (answer.choices[0].message.content, answer.choices[0].finish_reason) == ("Yes.", "stop")
    assert answer.id.startswith("chatcmpl-")
    assert answer.usage is not None
    assert answer.usage.total_tokens > 0
    assert "Tofu" in model.text()
    assert answer.model_extra is not None
    assert "Tofu" in answer.model_extra["hippograph"]["memories"][0]["text"]
    other = client.chat.completions.create(model="hippograph", messages=user("What is my cat called?"), user="bob")
    assert other.model_extra is not None
    assert other.model_extra["hippograph"]["memories"] == []


def test_a_stream_has_the_answer_in_pieces_its_end_and_its_cost(client: OpenAI, model: Scripted) -> None:
    model.reply = lambda prompt: "一 二 三。"
    chunks = [
        *client.chat.completions.create(
            model="hippograph",
            messages=user("Count to three"),
            stream=True,
            stream_options={"include_usage": True},
            user="stream",
        )
    ]
    assert len({chunk.id for chunk in chunks}) == 1
    assert chunks[0].choices[0].delta.role == "assistant"
    pieces = [chunk.choices[0].delta.content for chunk in chunks if chunk.choices]
    assert "".join(filter(None, pieces)) == "一 二 三。"
    assert len([*filter(None, pieces)]) > 1
    assert chunks[-2].choices[0].finish_reason == "stop"
    assert chunks[-1].usage is not None
    assert not chunks[-1].choices


def test_the_models_are_listed_and_no_other_is_there(client: OpenAI) -> None:
    assert [each.id for each in client.models.list()] == ["hippograph", "hippograph-plain"]
    assert client.models.retrieve("hippograph").owned_by == "hippograph"
    with pytest.raises(openai.NotFoundError, match="hippograph-plain") as wrong:
        client.chat.completions.create(model="gpt-4o", messages=user("Hi"))
    assert wrong.value.code == "model_not_found"
    with pytest.raises(openai.NotFoundError):
        client.models.retrieve("gpt-4o")


def test_what_cannot_be_done_is_refused_in_the_clients_own_errors(client: OpenAI) -> None:
    tool: Any = {"type": "function", "function": {"name": "f", "parameters": {}}}
    with pytest.raises(openai.BadRequestError, match="calls no tools") as refused:
        client.chat.completions.create(model="hippograph", messages=user("Hi"), tools=[tool])
    assert (refused.value.param, refused.value.code) == ("tools", "unsupported_parameter")
    with pytest.raises(openai.BadRequestError, match="must be from the user"):
        client.chat.completions.create(model="hippograph", messages=[{"role": "assistant", "content": "Hi"}])
    with pytest.raises(openai.BadRequestError, match="system_prompt takes"):
        client.chat.completions.create(
            model="hippograph", messages=[{"role": "system", "content": "Be brief. " * 2000}, *user("Hi")]
        )
    with pytest.raises(openai.NotFoundError, match="chat/completions"):
        client.embeddings.create(model="hippograph", input="Hi")


@pytest.mark.parametrize("stream", [False, True])
def test_a_model_that_is_away_is_told_before_a_stream_begins(client: OpenAI, model: Scripted, stream: bool) -> None:
    def away(prompt: object) -> str:
        raise ModelUnavailable("Nothing answers at http://127.0.0.1:9.")

    model.reply = away
    with pytest.raises(openai.InternalServerError, match="Nothing answers") as failed:
        client.chat.completions.create(model="hippograph", messages=user("Hi"), stream=stream)
    assert failed.value.status_code == 503


def test_a_model_that_fails_midway_is_told_in_the_stream(client: OpenAI, model: Scripted) -> None:
    def fails(word: str) -> None:
        if word.startswith("two"):
            raise ModelUnavailable("The server is gone.")

    model.reply, model.before_word = (lambda prompt: "one two three"), fails
    try:
        stream = client.chat.completions.create(model="hippograph", messages=user("Hi"), stream=True)
        with pytest.raises(openai.APIError, match="The server is gone"):
            list(stream)
    finally:
        model.before_word = Scripted().before_word


def test_a_stream_is_kept_open_while_a_slow_model_reads(
    url: str, model: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openai_door, "QUIET_SECONDS", 0.05)
    seen = threading.Event()
    model.reply = lambda prompt: "Yes." if seen.wait(60) else "Nobody saw that it is at work."
    body = {"model": "hippograph", "messages": user("Hi"), "stream": True}
    with httpx.stream("POST", f"{url}/v1/chat/completions", json=body, trust_env=False, timeout=120) as answer:
        lines = list[str]()
        for line in answer.iter_lines():
            lines.append(line)
            if line.startswith(":"):
                seen.set()
    assert lines[-2] == "data: [DONE]"
    assert '"content": "Yes."' in "".join(lines)


def test_an_unforeseen_failure_is_one_line(client: OpenAI, model: Scripted) -> None:
    model.reply = lambda prompt: str(1 // 0)
    with pytest.raises(openai.InternalServerError) as failed:
        client.chat.completions.create(model="hippograph", messages=user("Hi"))
    assert "Traceback" not in str(failed.value)


def test_a_client_that_leaves_a_stream_stops_the_answer_and_the_turn_is_kept(
    client: OpenAI, model: Scripted, agent: Agent
) -> None:
    pause = threading.Event()
    model.reply = lambda prompt: "word " * 5000  # more than it writes, at this pace, before anybody notices
    model.before_word = lambda word: pause.wait(0.01)
    try:
        stream = client.chat.completions.create(
            model="hippograph", messages=user("My cat is called Tofu."), stream=True, user="leaves"
        )
        next(chunk for chunk in stream if chunk.choices[0].delta.content)
        stream.close()
        for _ in range(6000):  # two minutes at most: a turn that is lost fails here, and hangs nothing
            if agent.memory.list("leaves", kinds=["turn"]):
                break
            pause.wait(0.02)
    finally:
        model.before_word = Scripted().before_word
    kept = {each.role: each.text for each in agent.memory.list("leaves", kinds=["turn"])}
    assert kept["user"] == "My cat is called Tofu."
    assert len(kept.get("assistant", "").split()) < 5000


def test_a_token_opens_the_memories_of_its_users_alone(url: str, agent: Agent) -> None:
    one, two = (access.add(agent.settings.home, name, users) for name, users in (("a", ["u1"]), ("b", ["u1", "u2"])))
    with connected(url, one) as client:
        told = client.chat.completions.create(model="hippograph", messages=user("My PIN is 4711."))
        assert told.model_extra is not None
        assert told.model_extra["hippograph"]["user"] == "u1"
        with pytest.raises(openai.PermissionDeniedError, match="does not open"):
            client.chat.completions.create(model="hippograph", messages=user("Hi"), user="u2")
    with connected(url, two) as client:
        with pytest.raises(openai.BadRequestError, match="X-Hippograph-User"):
            client.chat.completions.create(model="hippograph", messages=user("Hi"))
        found = client.chat.completions.create(model="hippograph", messages=user("What is my PIN?"), user="u2")
        assert found.model_extra is not None
        assert found.model_extra["hippograph"]["memories"] == []
    with connected(url, f"{access.PREFIX}wrong") as client, pytest.raises(openai.AuthenticationError, match="token"):
        client.chat.completions.create(model="hippograph", messages=user("Hi"))


def test_users_and_threads_may_be_named_in_headers(url: str, agent: Agent) -> None:
    headers = {"X-Hippograph-User": "小李".encode(), "X-Hippograph-Thread": b"chat-7"}
    body = {"model": "hippograph", "messages": user("我养了一只猫。"), "user": "somebody"}
    with httpx.Client(trust_env=False) as client:
        told = client.post(f"{url}/v1/chat/completions", json=body, headers=headers).json()["hippograph"]
        assert (told["user"], told["thread"]) == ("小李", "chat-7")
        forwarded = {"X-OpenWebUI-User-Id": "7f", "X-OpenWebUI-Chat-Id": "c1"}
        body = {"model": "hippograph", "messages": user("Hello there")}
        told = client.post(f"{url}/v1/chat/completions", json=body, headers=forwarded).json()["hippograph"]
        assert (told["user"], told["thread"]) == ("7f", "c1")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"content-type": "text/plain"}, 400),  # what another site's page may send without being asked for leave
        ({"content-type": "application/json", "origin": "https://evil.example"}, 403),
        ({"content-type": "application/json", "host": "evil.example"}, 401),
        ({"content-type": "application/json", "x-forwarded-for": "203.0.113.9"}, 401),
    ],
)
def test_no_other_site_talks_here_through_a_browser(url: str, headers: dict[str, str], status: int) -> None:
    body = b'{"model": "hippograph", "messages": [{"role": "user", "content": "Hi"}]}'
    answer = httpx.post(f"{url}/v1/chat/completions", content=body, headers=headers, trust_env=False)
    assert answer.status_code == status
    assert answer.json()["error"]["message"]


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'"x"', b"\xff", b"[" * 100_000])
def test_a_body_that_is_no_request_is_refused(url: str, body: bytes) -> None:
    headers = {"content-type": "application/json"}
    answer = httpx.post(f"{url}/v1/chat/completions", content=body, headers=headers, trust_env=False)
    assert (answer.status_code, answer.json()["error"]["type"]) == (400, "invalid_request_error")


def test_a_user_s_name_is_no_essay(client: OpenAI) -> None:
    with pytest.raises(openai.BadRequestError, match="at most 200"):
        client.chat.completions.create(model="hippograph", messages=user("Hi"), user="x" * 5000)


@pytest.mark.parametrize("user", [r"\ud800", r"a\u0000b"])
@pytest.mark.parametrize("field", ['"user": "%s"', '"safety_identifier": "%s"', '"hippograph": {"user": "%s"}'])
def test_a_user_whose_name_no_encoding_takes_is_refused(url: str, field: str, user: str) -> None:
    body = f'{{"model": "hippograph", "messages": [{{"role": "user", "content": "Hi"}}], {field % user}}}'
    headers = {"content-type": "application/json"}
    answer = httpx.post(f"{url}/v1/chat/completions", content=body.encode(), headers=headers, trust_env=False)
    assert (answer.status_code, "no text" in answer.json()["error"]["message"]) == (400, True)


@pytest.mark.parametrize("stream", [False, True])
def test_characters_that_no_encoding_takes_harm_nothing(url: str, stream: bool) -> None:
    odd = r"\ud800\u0000"
    parts = f'[{{"type": "text", "text": "c{odd}"}}]'
    body = (
        f'{{"model": "hippograph", "stream": {str(stream).lower()}, "more": "{odd}", "messages": ['
        f'{{"role": "system", "content": "s{odd}"}}, {{"role": "user", "content": "a{odd}"}},'
        f'{{"role": "assistant", "content": "b{odd}"}}, {{"role": "user", "content": {parts}}}]}}'
    )
    with httpx.Client(trust_env=False, timeout=60, headers={"content-type": "application/json"}) as client:
        answer = client.post(f"{url}/v1/chat/completions", content=body)
        assert answer.status_code == 200
        assert "Yes." in answer.text
        for more in (r'"user": "\ud800"', r'"model": "\ud800"', r'"metadata": {"thread": "\ud800"}'):
            answer = client.post(f"{url}/v1/chat/completions", content=f"{body[:-1]}, {more}}}")
            assert answer.status_code < 500, answer.text


def test_langchain_talks_and_streams_with_memory(url: str, model: Scripted) -> None:
    model.reply = lambda prompt: "As you say."
    with DefaultHttpxClient(trust_env=False) as http:
        chat = ChatOpenAI(
            model="hippograph",
            base_url=f"{url}/v1",
            api_key=SecretStr("none"),
            http_client=http,
            temperature=0.3,
            max_completion_tokens=64,
            model_kwargs={"user": "lang"},
        )
        told = chat.invoke("My cat is called Tofu.")
        history = [
            HumanMessage("My cat is called Tofu."),
            AIMessage(str(told.text)),
            HumanMessage("What is it called?"),
        ]
        pieces = [str(each.text) for each in chat.stream(history)]
    assert "".join(pieces) == "As you say."
    assert len([*filter(None, pieces)]) > 1
    assert told.usage_metadata is not None


async def test_many_answers_at_once_are_each_their_own(url: str, model: Scripted) -> None:
    model.reply = lambda prompt: str(prompt[-1].text).rpartition(" ")[2]

    async def ask(number: int) -> str | None:
        body = {"model": "hippograph", "messages": user(f"Please say {number}"), "user": f"many{number}"}
        answer = await http.post(f"{url}/v1/chat/completions", json=body)
        return str(answer.json()["choices"][0]["message"]["content"])

    async with httpx.AsyncClient(trust_env=False, timeout=120) as http:
        assert await asyncio.gather(*map(ask, range(12))) == [str(number) for number in range(12)]


def test_the_installed_command_answers_and_ends_in_order_in_the_middle_of_an_answer(
    openai_server: Double, home: Path
) -> None:
    openai_server.answers = ["Noted."]
    command = [HIPPOGRAPH, "serve", "--openai", "--no-browser", "--port", "0", "--home", str(home)]
    environment = {**os.environ, "HIPPOGRAPH_SMALL": "openai:tiny"}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stdout is not None
        url = next(line for line in process.stdout if line.startswith("OpenAI's API")).split()[-1].removesuffix("/v1")
        with connected(url) as client:
            client.chat.completions.create(
                model="openai:tiny", messages=user("My cat is called Tofu."), temperature=0.7
            )
            found = client.chat.completions.create(model="hippograph", messages=user("What is my cat called?"))
            openai_server.hang = threading.Event()  # the next answer stops after its first piece
            stream = client.chat.completions.create(
                model="hippograph", messages=user("My dog is called Rex."), stream=True
            )
            chunks = iter(stream)
            next(chunk for chunk in chunks if chunk.choices[0].delta.content)
            process.send_signal(signal.SIGTERM)
            assert [chunk.choices[0].finish_reason for chunk in chunks][-1] == "stop"
        assert process.wait(60) == 0
    assert found.model_extra is not None
    assert "Tofu" in found.model_extra["hippograph"]["memories"][0]["text"]
    assert openai_server.bodies("/v1/chat/completions")[0]["temperature"] == 0.7
    with Ledger(home / "ledger.db") as ledger, ledger.read() as connection:
        texts = {*connection.execute(select(memories.c.text).where(memories.c.kind == "turn")).scalars()}
    assert {"My cat is called Tofu.", "My dog is called Rex."} <= texts
