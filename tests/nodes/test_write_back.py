from typing import Any

from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage, ToolMessage

from hippograph.memory import Memory
from hippograph.nodes import Resources, Run, write_back
from hippograph.nodes.turns import SILENT
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
    assert [text for _, text, _ in stored(memory)] == ["a", "b", "a, edited"]


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
