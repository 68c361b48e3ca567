import json
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage
from langgraph.types import Overwrite

from hippograph.memory import Memory
from hippograph.nodes import Resources, Run, check_trigger, cues
from hippograph.nodes.check_trigger import reason
from hippograph.state import BadInput, Context, space_hash
from hippograph.state.conversation import State

TRIGGERS: dict[str, list[str]] = json.loads((Path(__file__).parent / "triggers.json").read_text("utf-8"))
QUIET = Run(context=Context(user_id="ann"))


def fires(text: str) -> bool:
    return not reason(text).startswith("no: ")


def state(*messages: Any, **keys: Any) -> State:
    return State(messages=list(messages), **keys)  # type: ignore[typeddict-item]


def test_of_turns_that_need_memory_98_in_100_fire() -> None:
    missed = [text for text in TRIGGERS["fire"] if not fires(text)]
    assert len(missed) <= 0.02 * len(TRIGGERS["fire"]), missed


def test_of_turns_that_need_none_nine_in_ten_stay_quiet() -> None:
    false_alarms = [text for text in TRIGGERS["rest"] if fires(text)]
    assert len(false_alarms) <= 0.1 * len(TRIGGERS["rest"]), false_alarms


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Do you remember my sister's name?", "recall cue: remember"),
        ("我住在哪里？", "personal: 我"),
        ("How is Priya doing?", "name: Priya"),
        ("The deadline?", "time: deadline"),
        ("Hello!", "no: greeting"),
        ("谢谢", "no: thanks"),
        ("12 * (3 + 4) = ?", "no: arithmetic"),
        ("👍👍", "no: no words"),
        ("Translate 'I remember my sister' into French", "no: translation"),
        ("mangrove", "unsure"),
        ("Does the garage need a new door?", "own: garage"),
        ("Is the heating back on?", "definite: Is the heating"),
        ("What causes thunder?", "no: general"),
        ("打雷是怎么回事？", "no: general"),
        ("How do I reverse a list in Python?", "no: code"),
        ("How do I tell my boss?", "personal: I"),
        ("That actually sounds doable.", "no: remark"),
        ("Who is Marie Curie?", "no: public"),
    ],
)
def test_the_reason_says_which_sign_decided(text: str, why: str) -> None:
    assert reason(text) == why


@pytest.mark.parametrize(
    "text",
    [
        "I'm so proud of her.",
        "I passed my driving test!",
        "Guess what, we got the keys!",
        "You know what? I quit today.",
        "早上的火车又取消了",
        "好累",
        "你知道吗，我今天捡到一个钱包！",
        "嗯，我喜欢数学，因为我很感兴趣！",
    ],
)
def test_a_turn_that_only_tells_is_searched_for_unasked(text: str, resources: Resources) -> None:
    trigger = check_trigger(state(HumanMessage(text, id="1")), QUIET, resources)["trigger"]
    assert (trigger["fire"], trigger["mode"]) == (True, "proactive")


@pytest.mark.parametrize(
    "text",
    [
        "Where do I live?",
        "I'm nervous, what should I do?",
        "Remember that my locker is 42.",
        "Recommend something for dinner",
        "the second one",
        "我很紧张，怎么办",
        "记一下，密码是 42",
        "帮我安排一下周末",
        "那她呢",
    ],
)
def test_a_turn_that_asks_or_wants_something_kept_is_not(text: str, resources: Resources) -> None:
    trigger = check_trigger(state(HumanMessage(text, id="1")), QUIET, resources)["trigger"]
    assert (trigger["fire"], trigger["mode"]) == (True, "asked")


def test_where_the_context_wants_memory_it_counts_as_asked(nowhere: Resources) -> None:
    run = Run(context=Context(user_id="ann", recall="always"))
    assert check_trigger(state(HumanMessage("好累", id="1")), run, nowhere)["trigger"]["mode"] == "asked"


def test_a_word_that_memory_knows_fires_where_general_knowledge_would_not() -> None:
    assert reason("What is a quokka?") == "no: knowledge"
    assert reason("What is a quokka?", lambda text: "quokka") == "known: quokka"


def test_words_of_this_user_fire_and_those_of_another_do_not(memory: Memory, resources: Resources) -> None:
    memory.add_turns("ann", "t", [{"role": "user", "text": "quokka is the code name of the migration"}])
    question = state(HumanMessage("What is a quokka?", id="1"))
    assert check_trigger(question, QUIET, resources)["trigger"]["fire"]
    assert not check_trigger(question, Run(context=Context(user_id="bob")), resources)["trigger"]["fire"]


def test_a_follow_up_is_searched_for_together_with_the_turn_before(resources: Resources) -> None:
    said = [HumanMessage("When did Ada move to Bergen?", id="1"), AIMessage("In May.", id="2")]
    update = check_trigger(state(*said, HumanMessage("And why was that?", id="3")), QUIET, resources)
    assert update["trigger"]["queries"] == ["And why was that?", "Ada move Bergen May\nAnd why was that?"]
    update = check_trigger(state(*said, HumanMessage("What do I like to drink?", id="3")), QUIET, resources)
    assert update["trigger"]["queries"] == ["What do I like to drink?"]


def test_a_time_that_is_named_becomes_a_window(resources: Resources) -> None:
    update = check_trigger(state(HumanMessage("What did I plan in May 2023?", id="1")), QUIET, resources)
    assert update["trigger"]["time_window"] == ["2023-05-01T00:00:00+00:00", "2023-05-31T23:59:59.999999+00:00"]


def test_the_context_overrides_and_opens_nothing(nowhere: Resources) -> None:
    for recall, fire in (("always", True), ("never", False)):
        run = Run(context=Context(user_id="ann", recall=recall))
        assert check_trigger(state(HumanMessage("Hello!", id="1")), run, nowhere)["trigger"]["fire"] is fire


@pytest.mark.parametrize("content", ["", " \n\t", [{"type": "image", "url": "http://127.0.0.1/a.png"}]])
def test_a_message_without_text_is_one_clear_line(content: Any, nowhere: Resources) -> None:
    with pytest.raises(BadInput, match=r"^The message is empty: write some text"):
        check_trigger(state(HumanMessage(content, id="1")), QUIET, nowhere)


@pytest.mark.parametrize("messages", [[], [HumanMessage("Hi", id="1"), AIMessage("Hello", id="2")]])
def test_without_a_message_to_answer_it_says_so(messages: list[Any], nowhere: Resources) -> None:
    with pytest.raises(BadInput, match="no message to answer"):
        check_trigger(state(*messages), QUIET, nowhere)


def test_text_parts_of_a_message_are_read(resources: Resources) -> None:
    parts: list[str | dict[Any, Any]] = [
        {"type": "text", "text": "What is my "},
        {"type": "text", "text": "cat called?"},
    ]
    assert check_trigger(state(HumanMessage(parts, id="1")), QUIET, resources)["trigger"]["queries"] == [
        "What is my cat called?"
    ]


def test_a_lone_surrogate_is_replaced_before_anything_stores_it(resources: Resources) -> None:
    (repaired,) = check_trigger(state(HumanMessage("my cat \ud83d", id="1")), QUIET, resources)["messages"]
    assert (repaired.id, repaired.content) == ("1", "my cat ?")


def test_a_turn_starts_with_nothing_left_of_the_last_one(resources: Resources) -> None:
    update = check_trigger(state(HumanMessage("Hello", id="1")), QUIET, resources)
    assert update["stages"] == Overwrite({})
    assert update["degraded"] == Overwrite([])
    assert (update["memories"], update["block"]["text"]) == ([], "")


def test_another_user_on_the_thread_finds_it_empty(resources: Resources) -> None:
    left = [HumanMessage("My PIN is 4711", id="1"), AIMessage("Noted.", id="2"), HumanMessage("And 4712", id="3")]
    now = HumanMessage("And which was the first?", id="4")
    run = Run(context=Context(user_id="bob"))
    update = check_trigger(state(*left, now, owner=space_hash("ann"), summary="user: PIN"), run, resources)
    assert [each.id for each in update["messages"] if isinstance(each, RemoveMessage)] == ["1", "2", "3"]
    assert (update["owner"], update["summary"]) == (space_hash("bob"), "")
    assert update["trigger"]["queries"] == ["And which was the first?"]


def test_the_same_user_keeps_the_thread(resources: Resources) -> None:
    update = check_trigger(
        state(
            HumanMessage("Hi", id="1"),
            AIMessage("Yes?", id="2"),
            HumanMessage("Go on", id="3"),
            owner=space_hash("ann"),
        ),
        QUIET,
        resources,
    )
    assert update["messages"] == []
    assert "summary" not in update


@pytest.mark.parametrize(
    "text", ["ok " * 40_000, "((((" * 20_000, "1 " * 40_000, "what is " + "a b" * 20_000, "早" * 60_000]
)
def test_a_huge_message_is_decided_like_any_other(text: str) -> None:
    assert isinstance(fires(text), bool)


@pytest.mark.parametrize("run", ["哈", "不用", "ha", "嗯", "ok ", "好的"])
def test_a_long_run_of_laughter_or_nods_is_read_at_once(run: str) -> None:
    """A run that could be split in exponentially many ways took hours before it failed."""
    assert not cues.THANKS.match(run * 45 + "我明天去上海")
    assert not cues.GREETING.match(run * 45 + "我明天去上海")
    assert cues.THANKS.match(run * 45)
