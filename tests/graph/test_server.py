"""The LangGraph server itself: `langgraph dev` from this checkout, with the embedded model, offline."""

import asyncio
import json
import re
import sqlite3
import time
from contextlib import closing
from typing import Any

import httpx
from langchain_core.messages import HumanMessage
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.pregel.remote import RemoteGraph
from langgraph.runtime import Runtime
from langgraph_sdk.client import LangGraphClient
from served import START_SECONDS, Served, pending

from hippograph.state import Context

GRAPH = "hippograph"


async def turn(client: LangGraphClient, thread: str, text: str, user: str) -> tuple[list[str], list[dict[str, Any]]]:
    """Take one turn over HTTP; return the pieces of the answer and the stages."""
    pieces, stages = [], []
    stream = client.runs.stream(
        thread,
        GRAPH,
        input={"messages": [{"role": "user", "content": text}]},
        context={"user_id": user},
        stream_mode=["messages-tuple", "custom"],
    )
    async for part in stream:
        assert part.event != "error", part.data
        if part.event == "messages" and part.data[0]["type"] == "AIMessageChunk" and part.data[0]["content"]:
            pieces.append(part.data[0]["content"])
        elif part.event == "custom":
            stages.append(part.data)
    return pieces, stages


async def test_the_memory_lives_with_the_server_and_goes_on_where_it_was_killed(server: Served) -> None:
    """No turn was taken so far."""
    end = time.monotonic() + START_SECONDS
    while pending(server.home):
        assert time.monotonic() < end, server.log.read_text()[-3000:]
        await asyncio.sleep(0.1)


async def test_studio_gets_the_graph_its_schemas_and_its_description(client: LangGraphClient) -> None:
    assert {each["graph_id"] for each in await client.assistants.search()} == {GRAPH, "upkeep"}
    (assistant,) = await client.assistants.search(graph_id=GRAPH)
    assert (assistant["name"], assistant["graph_id"]) == (GRAPH, GRAPH)
    assert "long-term memory" in str(assistant["description"])
    schemas: Any = await client.assistants.get_schemas(assistant["assistant_id"])
    assert list(schemas["input_schema"]["properties"]) == ["messages"]
    assert {"trigger", "memories", "block", "stages", "degraded"} <= set(schemas["output_schema"]["properties"])
    assert schemas["context_schema"]["properties"]["top_k"]["maximum"] == 50
    drawn: Any = await client.assistants.get_graph(assistant["assistant_id"])
    choices = [edge["target"] for edge in drawn["edges"] if edge.get("conditional")]
    assert sorted(choices) == ["respond", "retrieve", "review", "summarize"]


async def test_upkeep_is_a_graph_of_the_server_too(client: LangGraphClient) -> None:
    outcome = await client.runs.wait(None, "upkeep", input={}, context={"dry_run": True, "steps": ["expire", "merge"]})
    assert isinstance(outcome, dict)
    assert [each["step"] for each in outcome["reports"]] == ["expire", "merge"]
    schemas = await client.assistants.get_schemas(
        (await client.assistants.search(graph_id="upkeep"))[0]["assistant_id"]
    )
    described = schemas["context_schema"]["properties"]["dry_run"]["description"]  # type: ignore[index]
    assert described == "Only tell what would be done."


async def test_a_turn_streams_and_a_later_thread_remembers(client: LangGraphClient) -> None:
    told, asked = [str((await client.threads.create())["thread_id"]) for _ in range(2)]
    pieces, stages = await turn(client, told, "I am allergic to lychee; last time I ended up in hospital.", "ann")
    assert len(pieces) > 1
    assert stages[-1]["stage"] == "write_back"
    pieces, stages = await turn(client, asked, "What am I allergic to?", "ann")
    assert "lychee" in "".join(pieces).lower()
    assert [each["stage"] for each in stages][1] == "retrieve"
    state: Any = await client.threads.get_state(asked)
    assert state["values"]["memories"][0]["text"].startswith("I am allergic to lychee")
    other = str((await client.threads.create())["thread_id"])
    pieces, _ = await turn(client, other, "What am I allergic to?", "bob")
    assert "lychee" not in "".join(pieces).lower()


async def test_the_page_is_mounted_and_shares_memory_and_threads(server: Served, client: LangGraphClient) -> None:
    page = f"{server.url}/hippograph"
    async with httpx.AsyncClient(trust_env=False, timeout=START_SECONDS) as browser:
        html = (await browser.get(f"{page}/?thread=kitchen")).text
        mark = re.search(r'name="csrf" value="([0-9a-f]+)"', html)
        assert mark
        assert 'href="/hippograph/static/style.css"' in html
        assert (await browser.get(f"{page}/static/style.css")).is_success
        form = {"csrf": mark[1], "text": "My grandmother's soup has fennel in it.", "thread": "kitchen"}
        told = await browser.post(f"{page}/say", data=form, headers={"accept": "application/x-ndjson"})
        assert "answer" in json.loads(told.text.splitlines()[-1]), told.text
        stolen = await browser.get(f"{page}/?thread=kitchen", headers={"origin": "https://evil.example"})
        assert (stolen.status_code, "fennel" in stolen.text) == (403, False)
    asked = str((await client.threads.create())["thread_id"])
    pieces, _ = await turn(client, asked, "What is in my grandmother's soup?", "me")
    assert "fennel" in "".join(pieces).lower()


async def test_what_goes_wrong_is_said_in_one_line(client: LangGraphClient) -> None:
    thread = str((await client.threads.create())["thread_id"])
    stream = client.runs.stream(thread, GRAPH, input={"messages": [{"role": "user", "content": " "}]})
    errors = [part.data async for part in stream if part.event == "error"]
    assert errors == [{"error": "BadInput", "message": "The message is empty: write some text and send it again."}]


async def test_the_served_graph_is_a_node_of_another_graph(client: LangGraphClient) -> None:
    builder = StateGraph(MessagesState)
    builder.add_node("memory", RemoteGraph(GRAPH, client=client))
    builder.add_edge(START, "memory")
    builder.add_edge("memory", END)
    app = builder.compile()
    final = await app.ainvoke({"messages": [HumanMessage("What is the capital of France?")]})
    assert "Paris" in final["messages"][-1].text


async def test_a_node_hands_the_served_graph_its_user(client: LangGraphClient) -> None:
    remote, found = RemoteGraph(GRAPH, client=client), list[str]()

    async def ask(state: MessagesState, runtime: Runtime[Context]) -> dict[str, Any]:
        told = await remote.ainvoke({"messages": state["messages"]}, context=runtime.context.model_dump())
        found[:] = [each["text"] for each in told["memories"]]
        return {"messages": told["messages"][-1:]}

    builder = StateGraph(MessagesState, Context)
    builder.add_node("ask", ask)
    builder.add_edge(START, "ask")
    builder.add_edge("ask", END)
    app = builder.compile()
    for text in ("Remember that my locker is number 4711.", "Which number is my locker?"):
        final = await app.ainvoke({"messages": [HumanMessage(text)]}, context=Context(user_id="nora"))
    assert final["messages"][-1].text
    assert "4711" in found[0]


async def test_the_store_of_the_server_is_the_memory_of_its_users(server: Served, client: LangGraphClient) -> None:
    """Studio's memory panel asks the same."""
    await client.store.put_item(["kim", "memories"], "tea", {"content": "Kim drinks oolong."}, ttl=60)
    await client.store.put_item(["kim", "memories"], "键", {"content": "Kim 住在三楼。", "floor": 3}, index=False)
    item: Any = await client.store.get_item(["kim", "memories"], "tea")
    assert item["value"] == {"content": "Kim drinks oolong."}
    found: Any = await client.store.search_items(["kim"], query="Which tea does Kim drink?")
    assert [(each["key"], each["score"] > 0) for each in found["items"]] == [("tea", True)]
    filtered: Any = await client.store.search_items(["kim"], filter={"floor": {"$gte": 3}})
    assert [each["key"] for each in filtered["items"]] == ["键"]
    listed: Any = await client.store.list_namespaces(prefix=["kim"])
    assert listed["namespaces"] == [["kim", "memories"]]
    with closing(sqlite3.connect(server.home / "ledger.db")) as ledger:
        kept = ledger.execute("SELECT space, text FROM memories WHERE kind = 'item' ORDER BY seq").fetchall()
    assert kept == [("kim", "Kim drinks oolong."), ("kim", "Kim 住在三楼。\nfloor: 3")]
    for key in ("tea", "键"):
        await client.store.delete_item(["kim", "memories"], key)
    assert (await client.store.search_items(["kim"]))["items"] == []


async def test_nothing_is_missing_from_the_checkpointer(server: Served, client: LangGraphClient) -> None:
    source = str((await client.threads.create())["thread_id"])
    await turn(client, source, "Hello!", "ann")
    copied: Any = await client.threads.copy(source)
    state: Any = await client.threads.get_state(copied["thread_id"])
    assert state["values"]["messages"][0]["content"] == "Hello!"
    await client.threads.delete(source)
    log = server.log.read_text()
    assert "Using custom checkpointer: Checkpoints" in log
    assert "does not implement" not in log
    assert "BlockingError" not in log
