from typing import Any

import pytest
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    RemoveMessage,
    ToolMessage,
    convert_to_messages,
)

from hippograph.memory import Memory
from hippograph.nodes import Resources, Run, write_back
from hippograph.nodes.turns import SILENT, orphans
from hippograph.state import Context
from hippograph.state.conversation import State

RUN = Run(context=Context(user_id="ann"), thread="t")


def state(*messages: Any, **keys: Any) -> State:
    return State(messages=list(messages), **keys)  # type: ignore[typeddict-item]


def stored(memory: Memory, user: str = "ann") -> list[tuple[str, str, str]]:
    return [(each.role, each.text, each.thread) for each in memory.list(user, newest_first=False)]


def test_the_question_and_the_answer_are_kept_in_order(memory: Memory, resources: Resources) -> None:
    old = [HumanMessage("before", id="1"), AIMessage("yes", id="2")]
    write_back(
        state(*old, HumanMessage("a", id="3"), HumanMessage("b", id="4"), AIMessage("c", id="5")), RUN, resources
    )
    assert stored(memory) == [("user", "a", "t"), ("user", "b", "t"), ("assistant", "c", "t")]


def test_running_again_stores_nothing_twice(memory: Memory, resources: Resources) -> None:
    turn = state(HumanMessage("a", id="1"), AIMessage("b", id="2"))
    for _ in range(3):
        write_back(turn, RUN, resources)
    assert len(stored(memory)) == 2
    edited = state(HumanMessage("a, edited", id="1"), AIMessage("b", id="2"))
    write_back(edited, RUN, resources)
    assert {text for _, text, _ in stored(memory)} == {"a, edited", "b"}
    (archived,) = [each for each in memory.list("ann", archived=True) if each.status == "archived"]
    assert archived.text == "a"


def test_another_answer_to_the_same_question_takes_the_place_of_the_first(memory: Memory, resources: Resources) -> None:
    for answer in ("b", "c"):
        write_back(state(HumanMessage("a", id="1"), AIMessage(answer, id=f"run-{answer}")), RUN, resources)
    write_back(state(HumanMessage("d", id="3"), AIMessage("e", id="4")), RUN, resources)
    assert [text for _, text, _ in stored(memory)] == ["a", "c", "d", "e"]


def test_the_same_message_ids_in_another_thread_are_other_turns(memory: Memory, resources: Resources) -> None:
    for thread in ("t", "u"):
        write_back(
            state(HumanMessage("a", id="1"), AIMessage("b", id="2")), Run(context=RUN.context, thread=thread), resources
        )
    assert [thread for _, _, thread in stored(memory)] == ["t", "t", "u", "u"]


def test_a_run_without_a_thread_is_kept_as_one_of_its_own(memory: Memory, resources: Resources) -> None:
    for number in ("1", "2"):
        single = state(HumanMessage("a", id=number), AIMessage("b", id=f"{number}b"))
        write_back(single, Run(context=RUN.context), resources)
    assert len({thread for _, _, thread in stored(memory)}) == 2


def test_told_not_to_remember_it_opens_nothing(nowhere: Resources) -> None:
    run = Run(context=Context(user_id="ann", remember=False), thread="t")
    assert write_back(state(HumanMessage("a", id="1"), AIMessage("b", id="2")), run, nowhere) == {}


def test_what_is_no_answer_of_the_model_is_not_kept(memory: Memory, resources: Resources) -> None:
    ours = AIMessage("(The model gave no answer.)", id="2", response_metadata={SILENT: True})
    write_back(state(HumanMessage("a", id="1"), ours), RUN, resources)
    write_back(state(HumanMessage("b", id="3"), AIMessage("", id="4")), RUN, resources)
    assert [text for _, text, _ in stored(memory)] == ["a", "b"]


def test_who_spoke_is_kept(memory: Memory, resources: Resources) -> None:
    write_back(state(HumanMessage("a", id="1", name="Caroline"), AIMessage("b", id="2")), RUN, resources)
    assert [each.speaker for each in memory.list("ann", newest_first=False)] == ["Caroline", ""]


def test_turns_beyond_the_last_few_leave_the_thread_with_their_tool_calls(resources: Resources) -> None:
    call = AIMessage("", id="a0", tool_calls=[{"name": "look", "args": {}, "id": "c"}])
    first = [
        HumanMessage("fact 0", id="h0"),
        call,
        ToolMessage("r", tool_call_id="c", id="r0"),
        AIMessage("ok", id="b0"),
    ]
    rest = [
        message for n in (1, 2, 3) for message in (HumanMessage(f"fact {n}", id=f"h{n}"), AIMessage("ok", id=f"a{n}"))
    ]
    update = write_back(state(*first, *rest, summary="user: earlier"), RUN, resources)
    assert [each.id for each in update["messages"] if isinstance(each, RemoveMessage)] == ["h0", "a0", "r0", "b0"]
    assert update["summary"] == "user: earlier\nuser: fact 0 → assistant: ok"


def test_a_short_thread_is_left_alone(resources: Resources) -> None:
    assert write_back(state(HumanMessage("a", id="1"), AIMessage("b", id="2")), RUN, resources) == {}


def openai_history(*talk: dict[str, Any]) -> list[BaseMessage]:
    messages = convert_to_messages(list(talk))
    return [each.model_copy(update={"id": f"m{number}"}) for number, each in enumerate(messages)]


def call(*ids: str) -> dict[str, Any]:
    calls = [{"id": each, "type": "function", "function": {"name": "look", "arguments": "{}"}} for each in ids]
    return {"role": "assistant", "content": "", "tool_calls": calls}


def result(id_: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id_, "content": f"found {id_}"}


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def answer(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


HISTORIES = {
    "parallel calls": [user("a"), call("1", "2", "3"), result("2"), result("1"), result("3"), answer("done")],
    "calls one after the other": [user("a"), call("1"), result("1"), call("2"), result("2"), answer("done")],
    "a result that comes late": [user("a"), call("1", "2"), result("1"), user("hurry"), result("2"), answer("done")],
    "a call that is never answered": [user("a"), call("1", "2"), result("1"), answer("done")],
    "the same id in two turns": [user("a"), call("1"), result("1"), answer("x"), user("b"), call("1"), result("1")],
    "a result without a call": [result("0"), user("a"), answer("done")],
}


@pytest.mark.parametrize("name", HISTORIES)
@pytest.mark.parametrize("last_turns", [1, 2, 3])
def test_no_tool_result_stays_without_its_call(name: str, last_turns: int, resources: Resources) -> None:
    more = [each for n in range(3) for each in (user(f"then {n}"), call(f"t{n}"), result(f"t{n}"), answer("ok"))]
    messages = openai_history(*HISTORIES[name], *more)
    run = Run(context=Context(user_id="ann", last_turns=last_turns), thread="t")
    for end in [each for each, message in enumerate(messages, start=1) if message.type == "ai" and message.text]:
        given = messages[:end]
        gone = {each.id for each in write_back(state(*given), run, resources).get("messages", [])}
        left = [each for each in given if each.id not in gone]
        assert left == given or not orphans(left)
        pairs = {each.tool_call_id for each in given if isinstance(each, ToolMessage)}
        for message in left:
            if isinstance(message, AIMessage):  # No call of those that stay lost a result that was there.
                there = {each.tool_call_id for each in left if isinstance(each, ToolMessage)}
                assert {str(each["id"]) for each in message.tool_calls} & pairs <= there


def test_what_the_thread_is_about_is_kept_up_to_date(resources: Resources) -> None:
    first = write_back(state(HumanMessage("My cat Tofu is sick.", id="1"), AIMessage("Oh.", id="2")), RUN, resources)
    assert [each["name"] for each in first["topics"]] == ["cat Tofu sick"]
    said_more = (HumanMessage("We plan a trip to Porto.", id="3"), AIMessage("Nice.", id="4"))
    second = write_back(state(*said_more, topics=first["topics"]), RUN, resources)
    assert [each["name"] for each in second["topics"]] == ["plan trip Porto", "cat Tofu sick"]
    thanks = write_back(state(HumanMessage("thanks", id="5"), AIMessage("Sure.", id="6"), topics=second["topics"]), RUN,
                        resources)  # fmt: skip
    assert "topics" not in thanks
