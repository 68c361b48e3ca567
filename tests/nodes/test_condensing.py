"""The rolling summary by a big model: what it may change, and what it never may."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from scripted import Scripted, chat

from hippograph.memory import Memory
from hippograph.nodes import Resources, Run, write_back
from hippograph.nodes.condensing import EVERY, Condenser, shortened
from hippograph.nodes.noting import Terms
from hippograph.nodes.rolling import BULLET, fold
from hippograph.state import Context, ModelUnavailable
from hippograph.state.conversation import State

LINES = {
    "en": [
        "user: My cat is called Tofu. → assistant: Nice.",
        "user: Tofu is 3 years old.",
        "user: I like long walks.",
        *(f"user: I bought boat {n}. → assistant: Good." for n in range(4, 12)),
    ],
    "zh": [
        "用户：我家猫叫豆腐。 → 助手：好的。",
        "用户：豆腐3岁了。",
        "用户：我喜欢散步。",
        *(f"用户：我买了第{n}条船。" for n in range(4, 12)),
    ],
}
TRUE = {
    "en": {"text": "The user's cat Tofu is 3 years old.", "sources": [1, 2]},
    "zh": {"text": "用户的猫豆腐3岁了。", "sources": [1, 2]},
}


def writing(*bullets: dict[str, Any]) -> Scripted:
    return Scripted(structured=lambda prompt: {"bullets": list(bullets)})


def condensed(summary: str, model: Scripted) -> str:
    condenser = Condenser()
    condenser.offer("t", summary, lambda: chat(model))
    condenser.wait(10)
    return condenser.taken("t", summary)[0]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_lines_that_a_sentence_holds_leave_and_all_others_stay(language: str) -> None:
    lines = LINES[language]
    after = condensed("\n".join(lines), writing(TRUE[language]))
    assert after.splitlines() == [f"{BULLET}{TRUE[language]['text']}", *lines[2:]]


@pytest.mark.parametrize(
    "made_up",
    [
        {"text": "The user's cat Tofu is 5 years old.", "sources": [1, 2]},
        {"text": "The user's dog Rex is called Tofu.", "sources": [1]},
        {"text": "The user moved to Bergen in 2019.", "sources": [1]},
        {"text": "The user's cat is called Tofu.", "sources": []},
        {"text": "The user's cat is called Tofu.", "sources": [99]},
        {"text": "", "sources": [1]},
    ],
)
def test_what_is_made_up_never_enters(made_up: dict[str, Any]) -> None:
    after = condensed("\n".join(LINES["en"]), writing(made_up))
    for word in ("5 years", "Rex", "Bergen", "2019"):
        assert word not in after
    assert "Tofu" in after
    assert "3 years old" in after


def test_a_line_whose_number_or_name_a_sentence_lost_stays_beside_it() -> None:
    model = chat(writing({"text": "The user's cat is called Tofu.", "sources": [1, 2]}))
    found = shortened(model, LINES["en"], Terms())
    assert found.stands_for == (LINES["en"][0],)
    assert found.spent


@pytest.mark.parametrize(
    "reply", [{"bullets": []}, {}, None, "nonsense", RuntimeError("away"), ModelUnavailable("away")]
)
def test_nothing_and_failures_leave_the_summary_as_it_was(reply: Any) -> None:
    summary = "\n".join(LINES["en"])
    model = Scripted(structured=lambda prompt: reply, reply=lambda prompt: "nothing to see")
    condenser = Condenser()
    condenser.offer("t", summary, lambda: chat(model))
    condenser.wait(10)
    after, spent = condenser.taken("t", summary)
    assert after == summary
    assert spent, "what failed is told of too"


def test_a_model_that_is_none_leaves_it_too() -> None:
    condenser = Condenser()
    condenser.offer("t", "\n".join(LINES["en"]), lambda: None)
    condenser.wait(10)
    assert condenser.taken("t", "x") == ("x", [])


def test_a_short_summary_is_not_worth_a_call() -> None:
    condenser = Condenser()
    condenser.offer("t", "\n".join(LINES["en"][: EVERY - 1]), _never)
    condenser.wait(10)


def _never() -> Any:
    raise AssertionError("not to be asked")


def test_what_was_forgotten_meanwhile_does_not_come_back() -> None:
    condenser = Condenser()
    condenser.offer("t", "\n".join(LINES["en"]), lambda: chat(writing(TRUE["en"])))
    condenser.wait(10)
    assert condenser.taken("t", "user: I like tea.")[0] == "user: I like tea."
    assert condenser.taken("t", "\n".join(LINES["en"]))[0] == "\n".join(LINES["en"]), "it is used once, if at all"


def test_another_threads_summary_is_another() -> None:
    condenser = Condenser()
    condenser.offer("t", "\n".join(LINES["en"]), lambda: chat(writing(TRUE["en"])))
    condenser.wait(10)
    assert BULLET not in condenser.taken("u", "\n".join(LINES["en"]))[0]
    assert BULLET in condenser.taken("t", "\n".join(LINES["en"]))[0]


def talk(resources: Resources, turns: int, rolling: str, each: Callable[[int], None] = lambda number: None) -> str:
    """Take turns through write_back as the graph would; return the summary."""
    run = Run(context=Context(user_id="ann", remember=False, rolling=rolling), thread="t")  # type: ignore[arg-type]
    messages: list[BaseMessage] = []
    summary = ""
    for number in range(turns):
        messages += [HumanMessage(f"I bought boat {number}.", id=f"h{number}"), AIMessage("Good.", id=f"a{number}")]
        update = write_back(State(messages=messages, summary=summary), run, resources)  # type: ignore[typeddict-item]
        gone = {message.id for message in update.get("messages", [])}
        messages = [message for message in messages if message.id not in gone]
        summary = update.get("summary", summary)
        each(number)
    return summary


def test_no_turn_waits_and_the_next_one_has_it(memory: Memory) -> None:
    begun, release = threading.Event(), threading.Event()

    def slow(prompt: list[BaseMessage]) -> Any:
        begun.set()
        assert release.wait(30)
        return {"bullets": [{"text": "The user bought boat 0.", "sources": [1]}]}

    condenser, model = Condenser(), Scripted(structured=slow)
    resources = Resources(memory=lambda: memory, small=_never, big=lambda context: chat(model), condenser=condenser)

    def go_on(number: int) -> None:
        if number == 14:
            assert begun.wait(30)
            release.set()
            condenser.wait(30)

    summary = talk(resources, 16, "big", go_on)
    assert begun.is_set()
    assert f"{BULLET}The user bought boat 0." in summary
    assert "user: I bought boat 1." in summary


def test_by_default_code_writes_it_and_no_model_is_asked(memory: Memory) -> None:
    resources = Resources(memory=lambda: memory, small=_never, big=_never, condenser=Condenser())
    summary = talk(resources, 16, "code")
    assert summary == fold("", [[HumanMessage(f"I bought boat {n}."), AIMessage("Good.")] for n in range(13)])


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("reply", [{"bullets": []}, ModelUnavailable("away")])
def test_lines_that_gave_nothing_are_not_sent_again_with_each_turn(language: str, reply: Any) -> None:
    model = Scripted(structured=lambda prompt: reply, reply=lambda prompt: "nothing")
    condenser, lines = Condenser(), [*LINES[language]]
    opened: list[int] = []

    def big() -> Any:
        opened.append(len(lines))
        return chat(model)

    for number in range(EVERY + 1):
        condenser.offer("t", "\n".join(lines), big)
        condenser.wait(10)
        condenser.taken("t", "")
        lines.append(f"user: I sold boat {number + 50}.")
    assert opened == [len(LINES[language]), len(LINES[language]) + EVERY]
