import json
from typing import Any
from unittest.mock import MagicMock

import pytest
from langchain_core.messages import HumanMessage
from langsmith import Client, tracing_context
from scripted import Scripted

from hippograph.graph import build_graph, open_agent
from hippograph.memory import Memory
from hippograph.state import Context, Settings, space_hash


@pytest.fixture
def session() -> MagicMock:
    return MagicMock()


@pytest.fixture
def client(session: MagicMock) -> Client:
    """A LangSmith client whose HTTP session is a recorder; nothing leaves the machine."""
    return Client(api_url="http://127.0.0.1:9", api_key="none", session=session, info={}, auto_batch_tracing=False)  # type: ignore[arg-type]


def sent(session: MagicMock) -> list[dict[str, Any]]:
    """The bodies of all requests, those that update a run merged into those that began it."""
    runs: dict[str, dict[str, Any]] = {}
    for call in session.request.call_args_list:
        method, url = call.args[:2]
        body = json.loads(call.kwargs["data"]) if call.kwargs.get("data") else {}
        key = body.get("id") or url.rsplit("/", 1)[-1]
        known = runs.setdefault(key, {})
        extra = {**known.get("extra", {}), **body.get("extra", {})}
        metadata = {**known.get("extra", {}).get("metadata", {}), **body.get("extra", {}).get("metadata", {})}
        known.update({**body, "extra": {**extra, "metadata": metadata}, "method": method})
    return list(runs.values())


def test_runs_carry_names_tags_stages_the_hashed_space_and_what_was_skipped(
    memory: Memory, model: Scripted, client: Client, session: MagicMock
) -> None:
    model.reply = lambda prompt: ""
    user = "ann@example.org"
    with tracing_context(enabled=True, client=client, project_name="test"):
        build_graph(memory=memory, small=model).invoke(
            {"messages": [HumanMessage("What is my name?")]}, context=Context(user_id=user)
        )
    runs = {run["name"]: run for run in sent(session)}
    root = runs["hippograph"]
    assert "hippograph" in root["tags"]
    for name in ("check_trigger", "retrieve", "rerank", "summarize", "respond", "write_back"):
        metadata = runs[name]["extra"]["metadata"]
        assert metadata["space"] == space_hash(user)
        assert metadata["stage"]
    assert runs["respond"]["extra"]["metadata"]["degraded"] == ["respond: given:scripted gave no answer"]
    assert root["extra"]["metadata"]["degraded"] == ["respond: given:scripted gave no answer"]
    assert root["extra"]["metadata"]["space"] == space_hash(user)
    assert user not in json.dumps(sent(session), default=str)


def test_nothing_is_sent_unless_tracing_is_on(
    settings: Settings, model: Scripted, client: Client, session: MagicMock
) -> None:
    with tracing_context(client=client), open_agent(settings, small=model) as agent:
        agent.ask("What is my name?")
    session.request.assert_not_called()


def test_two_users_have_two_hashes_that_do_not_tell_their_names() -> None:
    assert space_hash("ann") != space_hash("bob")
    assert "ann" not in space_hash("ann")
    assert space_hash("\ud83d")
