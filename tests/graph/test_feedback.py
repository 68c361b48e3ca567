"""Ratings, and what LangSmith is told of them: all of it where tracing is on, nothing where it is off."""

import json
from typing import Any
from unittest.mock import MagicMock

import pytest
from langsmith import Client, tracing_context
from requests import HTTPError
from scripted import Scripted

from hippograph.bench import evaluating
from hippograph.graph import open_agent
from hippograph.graph.feedback import rate
from hippograph.memory import Memory
from hippograph.state import Settings

PROJECT = {
    "id": "00000000-0000-0000-0000-000000000007",
    "tenant_id": "00000000-0000-0000-0000-000000000008",
    "name": "default",
    "start_time": "2026-01-01T00:00:00",
    "reference_dataset_id": None,
}


def respond(method: str, url: str, **options: Any) -> MagicMock:
    """What LangSmith answers: a project to whoever asks for one."""
    return MagicMock(json=lambda: [PROJECT] if "/sessions" in url else {})


@pytest.fixture
def session() -> MagicMock:
    return MagicMock(request=MagicMock(side_effect=respond))


@pytest.fixture
def client(session: MagicMock) -> Client:
    """A LangSmith client whose HTTP session is a recorder; nothing leaves the machine."""
    return Client(api_url="http://127.0.0.1:9", api_key="none", session=session, info={}, auto_batch_tracing=False)  # type: ignore[arg-type]


def told(session: MagicMock) -> list[tuple[str, dict[str, Any]]]:
    """Method and body of the requests about feedback."""
    calls = [call for call in session.request.call_args_list if "/feedback" in call.args[1]]
    return [(call.args[0], json.loads(call.kwargs.get("data") or "{}")) for call in calls]


def answered(memory: Memory) -> str:
    """The id of Ann's one answer."""
    (answer,) = [each for each in memory.list("ann", kinds=["turn"]) if each.role == "assistant"]
    return answer.id


def test_a_rating_goes_to_the_run_that_was_traced_and_is_changed_and_taken_back_there(
    settings: Settings, memory: Memory, model: Scripted, client: Client, session: MagicMock
) -> None:
    with tracing_context(enabled=True, client=client), open_agent(settings, small=model, memory=memory) as agent:
        agent.ask("How are you?", user="ann")
        answer = answered(memory)
        trace = memory.trace("ann", answer)
        assert trace is not None
        run = trace[0]
        runs = [json.loads(call.kwargs.get("data") or "{}") for call in session.request.call_args_list]
        assert run in {each.get("id") for each in runs if each.get("name") == "hippograph"}
        rated = rate(memory, "ann", answer, 1, comment="Nice.")
        rate(memory, "ann", answer, -1, correction="Well.")
        rate(memory, "ann", answer, 0)
    (created, first), (changed, second), (deleted, _) = told(session)
    assert (created, changed, deleted) == ("POST", "PATCH", "DELETE")
    assert (first["run_id"], first["key"], first["score"], first["comment"]) == (run, "user_score", 1.0, "Nice.")
    assert first["session_id"] == PROJECT["id"]
    assert (second["score"], second["correction"]) == (0.0, {"answer": "Well."})
    assert rated is not None
    assert memory.ratings("ann") == []


def test_without_tracing_a_rating_stays_here(
    settings: Settings, memory: Memory, model: Scripted, client: Client, session: MagicMock
) -> None:
    with open_agent(settings, small=model, memory=memory) as agent:
        agent.ask("How are you?", user="ann")
    rate(memory, "ann", answered(memory), 1, client=client)
    session.request.assert_not_called()
    (rated,) = memory.ratings("ann")
    assert (rated.run, rated.sent) == (None, False)


def test_a_rating_that_langsmith_cannot_be_told_is_kept(
    settings: Settings, memory: Memory, model: Scripted, client: Client, session: MagicMock
) -> None:
    with tracing_context(enabled=True, client=client), open_agent(settings, small=model, memory=memory) as agent:
        agent.ask("How are you?", user="ann")
        session.request.side_effect = ConnectionError("no network")
        rate(memory, "ann", answered(memory), 1)
    (rated,) = memory.ratings("ann")
    assert (rated.score, rated.sent) == (1, False)


def test_a_rating_that_langsmith_does_not_have_yet_or_no_longer_is_sent_whole(
    settings: Settings, memory: Memory, model: Scripted, client: Client, session: MagicMock
) -> None:
    with tracing_context(enabled=True, client=client), open_agent(settings, small=model, memory=memory) as agent:
        agent.ask("How are you?", user="ann")
        answer = answered(memory)
        session.request.side_effect = ConnectionError("no network")
        rate(memory, "ann", answer, 1)
        rate(memory, "ann", answer, 0)
        session.request.side_effect = respond
        session.request.reset_mock()
        rate(memory, "ann", answer, 0)
        assert told(session) == [], "there is nothing to take back"
        rate(memory, "ann", answer, -1)
        rate(memory, "ann", answer, 0)
        rate(memory, "ann", answer, 1)
        assert [method for method, _ in told(session)] == ["POST", "DELETE", "POST"]
        (rated,) = memory.ratings("ann")
        assert rated.sent

        def deleted(method: str, url: str, **options: Any) -> MagicMock:
            answer = respond(method, url, **options)
            if method == "PATCH":
                answer.status_code, answer.raise_for_status.side_effect = 404, HTTPError("no such feedback")
            return answer

        session.request.side_effect = deleted
        session.request.reset_mock()
        rate(memory, "ann", answer, -1)
    assert [(method, body.get("score")) for method, body in told(session)] == [("PATCH", 0.0), ("POST", 0.0)]


@pytest.mark.parametrize(
    ("told_before", "question", "answer", "word"),
    [
        ("Rex is my dog.", "Where does my sister Ada live?", "Ada lives in Lisbon.", "Lisbon"),
        ("雷克斯是我的狗。", "我妹妹小雨住在哪里？", "小雨住在里斯本。", "里斯本"),
    ],
)
def test_an_evaluation_does_not_find_the_answer_that_it_asks_for(
    settings: Settings, memory: Memory, model: Scripted, told_before: str, question: str, answer: str, word: str
) -> None:
    turns: list[Any] = [{"role": "user", "text": each} for each in (told_before, question)]
    *_, rated = memory.add_turns("ann", "trip", [*turns, {"role": "assistant", "text": answer}])
    memory.rate(rated, 1, "ann")
    cases = evaluating.from_ratings(memory.ratings("ann"), "ann")
    with open_agent(settings, small=model, memory=memory) as agent:
        agent.ask(question, user="ann", history=[], remember=False)
        assert word in model.text(), "else there is nothing to pass over"
        model.prompts.clear()
        evaluating.run(cases, evaluating.asking(agent, "ann", cases))
    assert model.prompts
    assert word not in model.text()
