from dataclasses import replace
from datetime import UTC, datetime

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from hippograph.models import EstimatedCounter
from hippograph.nodes.prompt import Material, Prompt, assemble, shorten

COUNTER = EstimatedCounter()
PLAIN = Material(
    form="plain",
    language="en",
    now=datetime(2025, 11, 30, tzinfo=UTC),
    own="",
    question="What is my cat called?",
    notes=[],
    strength=[],
    summary="",
    history=[],
)
LONG_TALK = [
    [HumanMessage(f"question {n} " + "word " * 150), AIMessage(f"answer {n} " + "word " * 150)] for n in range(6)
]
MUCH = replace(
    PLAIN,
    form="notes",
    notes=[f"[{n}] (2025-11-02, user) note {n} " + "fact " * 60 for n in range(1, 9)],
    strength=[3, 0, 5, 1, 7, 2, 6, 4],
    summary="\n".join(f"user: old turn {n} " + "word " * 20 for n in range(30)),
    history=LONG_TALK,
)


def text(prompt: Prompt) -> str:
    return "\n".join(str(message.text) for message in prompt.messages)


@pytest.mark.parametrize("room", [128, 256, 512, 800, 1200, 2048, 4000, 9000])
def test_the_prompt_fits_whatever_the_room(room: int) -> None:
    prompt = assemble(MUCH, COUNTER, room)
    assert prompt.tokens == COUNTER.messages(prompt.messages) <= room


@pytest.mark.parametrize("room", [128, 512, 2048])
@pytest.mark.parametrize("word", ["word ", "长长的问题", "😀", "x "])
def test_a_question_longer_than_the_room_keeps_its_ends_and_says_so(room: int, word: str) -> None:
    prompt = assemble(replace(PLAIN, question="START" + word * 20_000 + "END"), COUNTER, room)
    assert prompt.tokens <= room
    last = str(prompt.messages[-1].text)
    assert last.startswith("START")
    assert last.endswith("END")
    assert "left out" in last
    assert prompt.degraded == ["respond: the message is longer than the model's window; its middle was left out"]


def test_order_is_system_examples_last_turns_question() -> None:
    talk = [[HumanMessage("earlier question"), AIMessage("earlier answer")]]
    prompt = assemble(replace(MUCH, history=talk), COUNTER, 9000)
    kinds = [message.type for message in prompt.messages]
    assert kinds[0] == "system"
    assert kinds[1:] == ["human", "ai"] * ((len(kinds) - 2) // 2) + ["human"]
    assert [str(each.text) for each in prompt.messages[-3:-1]] == ["earlier question", "earlier answer"]
    assert "What is my cat called?" in str(prompt.messages[-1].text)
    assert "old turn 29" in str(prompt.messages[0].text)


def test_memories_are_kept_before_turns_and_turns_before_the_summary() -> None:
    everything = assemble(MUCH, COUNTER, 9000)
    assert all(part in text(everything) for part in ("note 8", "question 0", "old turn 0"))
    tight = text(assemble(MUCH, COUNTER, 2300))
    assert all(f"note {n} " in tight for n in range(1, 9))
    assert "answer 5" in tight
    assert "question 0" not in tight
    assert "old turn 0 " not in tight


def test_the_weakest_memories_give_way_first() -> None:
    prompt = assemble(MUCH, COUNTER, 500)
    assert 0 < len(prompt.kept) < 8
    kept = {MUCH.strength[index] for index in prompt.kept}
    assert kept == set(range(len(kept)))
    assert "of 8 memories did not fit" in str(prompt.degraded)


def test_a_huge_earlier_message_does_not_push_out_its_turn() -> None:
    huge = [[HumanMessage("read this " + "word " * 9000), AIMessage("I have read it.")]]
    prompt = assemble(replace(PLAIN, history=huge), COUNTER, 2000)
    assert [message.type for message in prompt.messages] == ["system", "human", "ai", "human"]
    assert str(prompt.messages[1].text).startswith("read this")


def test_the_latest_lines_of_the_summary_are_those_that_stay() -> None:
    prompt = assemble(replace(PLAIN, summary=MUCH.summary), COUNTER, 400)
    assert "old turn 29" in text(prompt)
    assert "old turn 0 " not in text(prompt)


def test_shortening_leaves_what_fits_alone() -> None:
    assert shorten("short", 10, COUNTER.text, "en") == "short"


def test_turns_that_do_not_fit_are_told_in_short_and_that_is_said() -> None:
    long = [[HumanMessage(f"I bought boat {n}. " + "word " * 200), AIMessage("word " * 200)] for n in range(3)]
    prompt = assemble(replace(PLAIN, history=long, summary="user: I like tea."), COUNTER, 800)
    assert "user: I bought boat 0." in str(prompt.messages[0].text)
    assert "user: I like tea." in str(prompt.messages[0].text)
    assert prompt.degraded == ["respond: 2 of the last 3 turns did not fit the window; the summary tells them in short"]


def test_a_turn_is_in_the_prompt_whole_or_not_at_all() -> None:
    for room in range(300, 2000, 60):
        kinds = [each.type for each in assemble(replace(PLAIN, history=LONG_TALK), COUNTER, room).messages]
        assert kinds[1:] == ["human", "ai"] * ((len(kinds) - 2) // 2) + ["human"]


def test_what_the_thread_is_about_comes_last_and_gives_way_first() -> None:
    about = replace(PLAIN, summary="user: I like tea.", topics="trip Porto (We plan a trip to Porto.)")
    wide, tight = assemble(about, COUNTER, 2000), assemble(about, COUNTER, 75)
    assert str(wide.messages[0].text).endswith(
        "Also talked about in this conversation: trip Porto (We plan a trip to Porto.)"
    )
    assert "Porto" not in text(tight)
    assert "I like tea" in text(tight)


def test_of_a_summary_that_does_not_fit_what_matters_stays() -> None:
    lines = [
        "user: I am allergic to lychee.",
        *(f"user: tell me a joke, please, the {'very ' * n}funny one" for n in range(12)),
    ]
    prompt = assemble(replace(PLAIN, summary="\n".join(lines)), COUNTER, 200)
    assert "lychee" in text(prompt)
    assert "jokes" not in text(prompt)
