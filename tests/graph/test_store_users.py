"""Who uses the store: LangMem's tools, `create_agent(store=…)`, nodes of a graph, and the agent's own recall."""

import warnings
from collections.abc import Iterator
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolCall
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, tool
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolRuntime
from langgraph.runtime import Runtime
from scripted import Scripted

from hippograph.bench.hashed import hashed
from hippograph.graph import build_graph
from hippograph.graph.store import HippographStore, label
from hippograph.memory import Memory

with warnings.catch_warnings():  # one of its dependencies imports by an old name
    warnings.simplefilter("ignore")
    from langmem import create_manage_memory_tool, create_search_memory_tool

ANN: RunnableConfig = {"configurable": {"langgraph_user_id": "ann"}}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    with Memory.open(tmp_path_factory.mktemp("home"), hashed(), reranker="fusion", extractor="none") as opened:
        yield opened


class Calling(GenericFakeChatModel):
    """A model that says what a script says, and calls tools."""

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self


def calling(*calls: ToolCall, last: str) -> Calling:
    said: list[BaseMessage] = [AIMessage("", tool_calls=[call]) for call in calls]
    return Calling(messages=iter([*said, AIMessage(last)]))


def call(name: str, **arguments: Any) -> ToolCall:
    return ToolCall(name=name, args=arguments, id=f"call {name}", type="tool_call")


def test_langmems_tools_keep_find_change_and_delete_memories_of_the_right_user(home: Memory) -> None:
    store = HippographStore(home, space=label(1))
    namespace = ("memories", "{langgraph_user_id}")
    manage = create_manage_memory_tool(namespace=namespace, store=store)
    search = create_search_memory_tool(namespace=namespace, store=store)
    said = manage.invoke({"content": "Ann prefers dark mode.", "action": "create"}, ANN)
    key = said.rsplit(" ", 1)[-1]
    assert "Ann prefers dark mode." in str(search.invoke({"query": "Which mode does Ann prefer?"}, ANN))
    assert [each.text for each in home.recall("ann", "dark mode")] == ["Ann prefers dark mode."]
    bob: RunnableConfig = {"configurable": {"langgraph_user_id": "bob"}}
    assert "dark" not in str(search.invoke({"query": "dark mode"}, bob))
    manage.invoke({"content": "Ann prefers light mode.", "action": "update", "id": key}, ANN)
    assert [each.text for each in home.recall("ann", "mode")] == ["Ann prefers light mode."]
    manage.invoke({"action": "delete", "id": key}, ANN)
    assert home.recall("ann", "mode") == []


async def test_an_agent_of_langchain_reaches_the_store_through_langmem_and_its_own_tools(home: Memory) -> None:
    @tool
    def town(user: str, runtime: ToolRuntime) -> str:
        """Where a user lives."""
        assert runtime.store is not None
        item = runtime.store.get((user, "profile"), "town")
        return item.value["name"] if item else "unknown"

    store = HippographStore(home)
    await store.aput(("eve", "profile"), "town", {"name": "Bergen"})
    tools: list[BaseTool] = [town, create_manage_memory_tool(namespace=("eve", "memories"))]
    model = calling(
        call("town", user="eve"),
        call("manage_memory", content="Eve sails on Sundays.", action="create"),
        last="You live in Bergen, and I noted that you sail.",
    )
    agent = create_agent(model, tools, store=store)
    final = await agent.ainvoke({"messages": [HumanMessage("Where do I live? And I sail on Sundays.")]})
    told = [str(each.text) for each in final["messages"] if each.type == "tool"]
    assert told[0] == "Bergen"
    assert [each.value for each in store.search(("eve", "memories"))] == [{"content": "Eve sails on Sundays."}]


def test_what_an_agent_elsewhere_put_is_recalled_by_ours(home: Memory) -> None:
    store = HippographStore(home)
    store.put(("lea", "memories"), "1", {"content": "Lea keeps her spare key under the blue pot."})
    model = Scripted(reply=lambda prompt: "Under the blue pot.")
    agent = build_graph(memory=home, small=model, store=store)
    final = agent.invoke({"messages": [HumanMessage("Where is my spare key?")]}, context={"user_id": "lea"})  # type: ignore[arg-type]
    assert [each["kind"] for each in final["memories"]] == ["item"]
    assert "under the blue pot" in model.text()


def test_a_node_of_a_graph_has_the_store(home: Memory) -> None:
    def visit(state: MessagesState, runtime: Runtime[None]) -> dict[str, Any]:
        assert runtime.store is not None
        before = runtime.store.get(("ida", "counts"), "visits")
        count = 1 + (before.value["n"] if before else 0)
        runtime.store.put(("ida", "counts"), "visits", {"n": count}, index=False)
        return {"messages": [AIMessage(str(count))]}

    graph = StateGraph(MessagesState).add_node("visit", visit).add_edge(START, "visit")
    compiled = graph.compile(store=HippographStore(home))
    said = [compiled.invoke({"messages": []})["messages"][-1].text for _ in range(3)]
    assert said == ["1", "2", "3"]
    assert home.recall("ida", "visits 3") == []
