"""Threads of 300 turns, Chinese and English: what is still known, how much is kept, and what forgetting leaves."""

from collections.abc import Iterator
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.graph import END, START, MessagesState, StateGraph
from scripted import Scripted

from hippograph.bench.hashed import hashed
from hippograph.graph import Agent, Checkpoints, build_graph, open_agent
from hippograph.memory import Memory
from hippograph.models import estimate
from hippograph.nodes.rolling import TOKENS
from hippograph.nodes.topics import MOST
from hippograph.state import Context, Settings, thread_key

TURNS = 300
TALK = {
    "en": {
        "fact": "I am allergic to lychee, and my sister is called Ingrid.",
        "asked": "What am I allergic to?",
        "expected": ("lychee", "Ingrid"),
        "chat": [
            "The weather is nice today, round {}.",
            "haha",
            "Tell me joke number {}.",
            "Is the sky blue?",
            "thanks",
        ],
    },
    "zh": {
        "fact": "我对荔枝过敏，我姐姐叫英格丽。",
        "asked": "我对什么过敏？",
        "expected": ("荔枝", "英格丽"),
        "chat": ["今天天气真好，第{}轮。", "哈哈", "再讲第{}个笑话", "天是蓝的吗？", "谢谢"],
    },
}


@pytest.fixture
def agent(settings: Settings, model: Scripted) -> Iterator[Agent]:
    """An open agent whose embeddings cost nothing."""
    memory = Memory.open(settings.home, hashed(), reranker="fusion", extractor="none")
    with open_agent(settings, small=model, memory=memory) as opened:
        yield opened
    memory.close()


def state_of(agent: Agent, user: str, thread: str) -> dict[str, Any]:
    values: dict[str, Any] = agent.graph.get_state({"configurable": {"thread_id": thread_key(user, thread)}}).values
    return values


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_was_said_in_the_third_of_300_turns_is_known_in_the_last(
    agent: Agent, model: Scripted, settings: Settings, language: str
) -> None:
    talk: dict[str, Any] = TALK[language]
    for number in range(TURNS):
        text = talk["fact"] if number == 2 else talk["chat"][number % 5].format(number)
        turned = agent.ask(text, user="ann", thread="long", recall="never", remember=number < 20)
        assert len(turned.topics) <= MOST
    state = state_of(agent, "ann", "long")
    assert estimate(state["summary"]) <= TOKENS
    assert all(each in state["summary"] for each in talk["expected"])
    assert len(state["messages"]) == 6
    agent.ask(talk["asked"], user="ann", thread="long", recall="never", remember=False)
    assert all(each in str(model.prompts[-1][0].text) for each in talk["expected"])
    recalled = agent.ask(talk["asked"], user="ann", thread="another", remember=False)
    assert any(talk["expected"][0] in each.text for each in recalled.memories)
    assert sum(each.stat().st_size for each in settings.home.glob("checkpoints.db*")) < 20_000_000


def test_forgetting_takes_summary_and_topics_out_of_every_file(agent: Agent, settings: Settings) -> None:
    said = "My safe is behind the marmalade shelf, and its code is 77124."
    agent.ask(said, user="ann", thread="t")
    for number in range(6):
        agent.ask(f"Lighthouse {number} was built of stone.", user="ann", thread="t")
    before = state_of(agent, "ann", "t")
    assert "marmalade" in before["summary"]
    assert any("marmalade" in str(each) for each in before["topics"])
    agent.memory.forget("ann", query="marmalade")
    assert state_of(agent, "ann", "t") == {}
    files = [each for each in settings.home.rglob("*") if each.is_file()]
    assert [each.name for each in files if b"marmalade" in each.read_bytes() or b"77124" in each.read_bytes()] == []
    after = agent.ask("Lighthouse 9 was built of stone.", user="ann", thread="t", recall="never")
    assert "marmalade" not in str(after.topics)


def test_what_is_forgotten_while_the_model_answers_leaves_no_topic(agent: Agent, model: Scripted) -> None:
    agent.ask("My safe is behind the marmalade shelf.", user="ann", thread="t")
    model.reply = lambda prompt: (
        str(agent.memory.forget("ann", query="marmalade").ids) and "Behind the marmalade shelf."
    )
    turned = agent.ask("Where is my safe?", user="ann", thread="t")
    assert turned.answer.startswith("(What this answer rested on was forgotten")
    assert turned.topics == []
    assert "marmalade" not in str(state_of(agent, "ann", "t"))


def test_another_user_of_a_thread_starts_without_its_topics(
    memory: Memory, model: Scripted, saver: Checkpoints
) -> None:
    graph = build_graph(memory=memory, small=model, checkpointer=saver)
    thread: Any = {"configurable": {"thread_id": "shared"}}
    graph.invoke({"messages": [HumanMessage("My PIN is 4711.")]}, thread, context=Context(user_id="ann"))
    answer = graph.invoke({"messages": [HumanMessage("I like Porto.")]}, thread, context=Context(user_id="bob"))
    assert [each["name"] for each in answer["topics"]] == ["Porto"]


def test_inside_a_graph_with_tools_the_prompt_has_what_was_said_and_no_half_of_a_tools_call(
    memory: Memory, model: Scripted
) -> None:
    def look(state: MessagesState) -> dict[str, Any]:
        calls = [{"name": "weather", "args": {"city": each}, "id": each} for each in ("Oslo", "Porto")]
        results = [ToolMessage(f"{each}: rain", tool_call_id=each) for each in ("Porto", "Oslo")]
        said = state["messages"][-1]
        return {"messages": [AIMessage("Looking.", tool_calls=calls), *results, HumanMessage(f"So: {said.text}")]}

    outer = StateGraph(MessagesState, Context)
    outer.add_node("look", look)
    outer.add_node("remember", build_graph(memory=memory, small=model))
    outer.add_edge(START, "look")
    outer.add_edge("look", "remember")
    outer.add_edge("remember", END)
    app = outer.compile()
    messages: list[Any] = []
    for number in range(6):
        messages = app.invoke(
            {"messages": [*messages, HumanMessage(f"Shall I take an umbrella on day {number}?")]},
            context=Context(user_id="ann", recall="never", remember=False),
        )["messages"]
        for message in model.prompts[-1]:
            assert message.type in ("system", "human", "ai")
            assert not getattr(message, "tool_calls", None)
    assert "day 5" in str(model.prompts[-1][-1].text)
    assert "day 0" in str(model.prompts[-1][0].text)
