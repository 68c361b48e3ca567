import sys
from collections.abc import Callable
from datetime import datetime, tzinfo
from threading import Event
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from scripted import Scripted, chat

from hippograph.models import EstimatedCounter
from hippograph.nodes import Resources, Run, respond
from hippograph.nodes.material import room
from hippograph.nodes.turns import INTERRUPTED, SILENT, turn_ids
from hippograph.nodes.write_back import said
from hippograph.state import Context, ModelError
from hippograph.state.conversation import State
from hippograph.state.turn import Block, Trigger, no_block

material_module = sys.modules["hippograph.nodes.material"]
NO_BLOCK = no_block()
CONTEXT = Context(user_id="ann")
RUN = Run(context=CONTEXT)


def state(*messages: Any, block: Block = NO_BLOCK, **keys: Any) -> State:
    trigger = Trigger(fire=True, reason="personal: my", queries=[], time_window=[])
    return State(messages=list(messages), block=block, trigger=trigger, **keys)  # type: ignore[typeddict-item]


def ask(model: Scripted, given: State, run: Run = RUN, spec: str = "given:scripted", window: int = 4096) -> Any:
    def untouched(*_: object) -> Any:
        raise AssertionError("respond opens no memory and no big model")

    resources = Resources(memory=untouched, small=lambda context: chat(model, spec=spec, window=window), big=untouched)
    return respond(given, run, resources)


def test_the_answer_is_one_message_with_its_cost(model: Scripted) -> None:
    model.reply = lambda prompt: "Your cat is called Tofu."
    update = ask(model, state(HumanMessage("What is my cat called?", id="1")))
    (answer,) = update["messages"]
    assert (type(answer), answer.text) == (AIMessage, "Your cat is called Tofu.")
    assert update["degraded"] == []


def test_reported_usage_counts_and_a_report_of_nothing_is_counted_by_us(model: Scripted) -> None:
    question = state(HumanMessage("Hello", id="1"))
    model.usage = (40, 2)
    (call,) = ask(model, question)["spent"]
    assert (call["role"], call["model"], call["input"], call["output"]) == ("small", "given:scripted", 40, 2)
    model.usage = (0, 0)
    (call,) = ask(model, question)["spent"]
    assert call["input"] > 20


def test_ollama_that_read_far_less_than_was_sent_is_reported(model: Scripted) -> None:
    question = state(HumanMessage("Hello " * 200, id="1"))
    model.usage = (60, 2)
    (warning,) = ask(model, question, spec="ollama:qwen3:4b")["degraded"]
    assert warning.startswith("respond: prompt truncated: ollama:qwen3:4b read 60 of about ")
    model.usage = (220, 2)
    assert ask(model, question, spec="ollama:qwen3:4b")["degraded"] == []


def test_a_request_to_stop_ends_the_answer_and_keeps_what_was_said(model: Scripted) -> None:
    model.reply = lambda prompt: "one two three four"
    stop, release = Event(), Event()

    def stop_before_three(word: str) -> None:
        if word.startswith("three"):
            stop.set()
            release.wait(10)

    model.before_word = stop_before_three
    update = ask(model, state(HumanMessage("Count", id="1")), Run(context=CONTEXT, stopping=stop.is_set))
    release.set()
    (answer,) = update["messages"]
    assert "one two ".startswith(answer.text)
    assert answer.response_metadata[INTERRUPTED]
    assert update["degraded"] == ["respond: the answer was interrupted"]


def test_a_request_to_stop_does_not_wait_for_the_first_word(model: Scripted) -> None:
    stop, release = Event(), Event()

    def read_the_prompt(word: str) -> None:
        stop.set()
        assert release.wait(10), "the node waited for the model"

    model.before_word = read_the_prompt
    update = ask(model, state(HumanMessage("Count", id="1")), Run(context=CONTEXT, stopping=stop.is_set))
    release.set()
    (answer,) = update["messages"]
    assert answer.text == ""
    assert answer.response_metadata[INTERRUPTED]


@pytest.mark.parametrize(("question", "line"), [("Hello", "(The model gave no answer"), ("你好", "（模型没有给出回答")])
def test_a_model_that_says_nothing_gets_a_line_that_says_so(model: Scripted, question: str, line: str) -> None:
    model.reply = lambda prompt: ""
    update = ask(model, state(HumanMessage(question, id="1")))
    (answer,) = update["messages"]
    assert answer.text.startswith(line)
    assert answer.response_metadata[SILENT]
    assert update["degraded"] == ["respond: given:scripted gave no answer"]


def test_what_a_model_raises_is_one_line(model: Scripted) -> None:
    def boom(prompt: Any) -> str:
        raise OSError("socket closed\nTraceback …")

    model.reply = boom
    with pytest.raises(ModelError, match=r"^given:scripted failed: socket closed$"):
        ask(model, state(HumanMessage("Hello", id="1")))


def test_turns_older_than_the_last_few_come_as_summary(model: Scripted) -> None:
    old = [
        message for n in range(8) for message in (HumanMessage(f"fact {n}", id=f"h{n}"), AIMessage("ok", id=f"a{n}"))
    ]
    ask(model, state(*old, HumanMessage("And?", id="q"), summary="user: the very first"))
    system, *rest = model.prompts[-1]
    assert [each.text for each in rest if each.type == "human"] == ["fact 5", "fact 6", "fact 7", "And?"]
    assert all(part in system.text for part in ("the very first", "fact 0", "fact 4"))


def test_todays_date_is_that_of_the_asking_each_time(model: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    """Case T03."""

    class Clock(datetime):
        today_is = datetime(2026, 3, 5, 12)

        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            return cls.today_is

    monkeypatch.setattr(material_module, "datetime", Clock)
    asked = state(HumanMessage("What is today's date?", id="1"))
    for day in (5, 6):
        Clock.today_is = datetime(2026, 3, day, 12)
        ask(model, asked)
        assert f"2026-03-0{day}" in model.prompts[-1][0].text


def test_tool_traffic_and_system_lines_of_the_thread_stay_out(model: Scripted) -> None:
    call = AIMessage("", id="2", tool_calls=[{"name": "look", "args": {}, "id": "c"}])
    ask(model, state(HumanMessage("Hi", id="1"), call, AIMessage("Yes?", id="3"), HumanMessage("Go on", id="4")))
    assert [each.type for each in model.prompts[-1]] == ["system", "human", "ai", "human"]


@pytest.mark.parametrize(("language", "marker"), [("zh", "今天是"), ("en", "Today is"), ("auto", "Today is")])
def test_the_prompt_speaks_the_users_language_or_the_one_asked_for(model: Scripted, language: Any, marker: str) -> None:
    ask(model, state(HumanMessage("Hello", id="1")), Run(context=Context(user_id="ann", language=language)))
    assert marker in model.text()


def test_the_block_is_reported_as_it_was_injected(model: Scripted, found: Callable[..., Any]) -> None:
    notes = [found(f"note {n} " + "fact " * 120, id=str(n), score=0.9 - n / 10) for n in range(5)]
    text = "\n".join(f"[{n + 1}] (2025-11-02, user) {each.text}" for n, each in enumerate(notes))
    cited = [each.id for each in notes]
    block = Block(**{**no_block(), "text": text, "tokens": 400, "cited": cited, "by": "extract"})
    run = Run(context=Context(user_id="ann", context_tokens=700, answer_tokens=200))
    memories = [each.to_record() for each in notes]
    update = ask(model, state(HumanMessage("What is the note?", id="1"), block=block, memories=memories), run)
    injected = update["block"]
    assert 0 < len(injected["cited"]) < 5
    assert injected["cited"] == [str(n) for n in range(len(injected["cited"]))]
    assert injected["text"] in model.text()
    assert "did not fit" in str(update["degraded"])


def test_room_leaves_space_for_the_answer_but_never_less_than_half() -> None:
    assert room(Context(context_tokens=4096, answer_tokens=512), 100_000) == 3584
    assert room(Context(context_tokens=4096, answer_tokens=512), 2048) == 1536
    assert room(Context(context_tokens=512, answer_tokens=512), 4096) == 256


NOTES = "[1] (2025-11-02, user) My sister Ada lives in Lisbon.\n[2] (2025-11-03, user) Ada plays the cello."
BLOCK = Block(**{**no_block(), "text": NOTES, "tokens": 40, "cited": ["a", "b"], "by": "extract"})
WHERE = HumanMessage("Where does Ada live?", id="1")


def test_each_sentence_is_cited_on_request_and_remembered_without(model: Scripted) -> None:
    model.reply = lambda prompt: "Ada lives in Lisbon. She plays the cello."
    update = ask(model, state(WHERE, block=BLOCK), Run(context=Context(user_id="ann", citations=True)))
    (answer,) = update["messages"]
    assert answer.text == "Ada lives in Lisbon [1]. She plays the cello [2]."
    kept = said([WHERE, answer], "t")
    assert [each["text"] for each in kept] == ["Where does Ada live?", "Ada lives in Lisbon. She plays the cello."]
    assert turn_ids("t", [WHERE, answer])[1] == kept[1]["id"]  # by which forgetting knows it
    plain = ask(model, state(WHERE, block=BLOCK))["messages"][0]
    assert plain.text == "Ada lives in Lisbon. She plays the cello."


def structured(model: Scripted, **options: Any) -> Any:
    context = Context(user_id="ann", structured=True, **options)
    return ask(model, state(WHERE, block=BLOCK), Run(context=context))


def test_a_structured_answer_names_the_memories_by_their_ids(model: Scripted) -> None:
    model.structured = lambda prompt: {
        "answer": "Ada lives in Lisbon.",
        "memories": [1, 1, 7, "x"],
        "confidence": "high",
    }
    update = structured(model, citations=True)
    assert update["structured"] == {"answer": "Ada lives in Lisbon.", "memories": ["a"], "confidence": "high"}
    assert update["messages"][0].text == "Ada lives in Lisbon [1]."
    assert update["degraded"] == []
    assert "JSON" in model.text()


@pytest.mark.parametrize("reply", [{"memories": []}, "no JSON", {"answer": "  "}, RuntimeError("no grammar here")])
def test_without_a_usable_structure_the_answer_is_plain_and_says_so(model: Scripted, reply: Any) -> None:
    model.structured = lambda prompt: reply
    model.reply = lambda prompt: "Ada lives in Lisbon."
    update = structured(model)
    assert (update["structured"], update["messages"][0].text) == (None, "Ada lives in Lisbon.")
    assert len(update["spent"]) == (2 if isinstance(reply, Exception) else 3)
    assert update["degraded"][0].endswith("; answered in plain text")


def test_a_structure_that_comes_at_the_second_try_is_taken(model: Scripted) -> None:
    good = {"answer": "Lisbon.", "memories": [1], "confidence": "sure"}
    replies = iter(["nothing", good])
    model.structured = lambda prompt: next(replies)
    update = structured(model)
    assert update["structured"] == {"answer": "Lisbon.", "memories": ["a"], "confidence": "low"}
    assert [call["role"] for call in update["spent"]] == ["small", "small"]


def test_every_answer_has_its_confidence(model: Scripted, found: Any) -> None:
    memories = [found("My sister Ada lives in Lisbon.", id="a", score=0.9).to_record()]
    model.reply = lambda prompt: "Ada lives in Lisbon since 2019."
    given = ask(model, state(WHERE, block=BLOCK, memories=memories))["confidence"]
    assert (given["level"], given["why"][0]) == ("low", "not in the notes: 2019")
    model.reply = lambda prompt: ""
    assert ask(model, state(WHERE, block=BLOCK))["confidence"]["why"] == ["there is no answer"]


def test_a_model_that_knows_no_structure_answers_in_plain_text() -> None:
    class Plain(Scripted):
        def with_structured_output(self, *args: Any, **kwargs: Any) -> Any:
            raise NotImplementedError("with_structured_output is not implemented for this model.")

    update = structured(Plain(reply=lambda prompt: "Ada lives in Lisbon."))
    assert (update["structured"], update["messages"][0].text) == (None, "Ada lives in Lisbon.")
    assert update["degraded"][0].endswith("; answered in plain text")


def test_a_structured_answer_can_be_stopped_while_it_is_waited_for(model: Scripted) -> None:
    asked, ended = Event(), Event()

    def waits(prompt: Any) -> Any:
        asked.set()
        ended.wait(30)

    model.structured = waits
    context = Context(user_id="ann", structured=True)
    try:
        update = ask(model, state(WHERE, block=BLOCK), Run(context=context, stopping=asked.is_set))
    finally:
        ended.set()
    assert update["structured"] is None
    assert "respond: the answer was interrupted" in update["degraded"]


@pytest.mark.parametrize("said", ["Where does Ada live? " * 200, "小美住在哪里？" * 200])
def test_what_asks_for_structure_is_counted_in_the_prompt(model: Scripted, said: str) -> None:
    model.structured = lambda prompt: {"answer": "Lisbon.", "memories": [1], "confidence": "high"}
    context = Context(user_id="ann", structured=True, context_tokens=512, answer_tokens=100)
    ask(model, state(HumanMessage(said, id="q"), block=BLOCK), Run(context=context))
    assert EstimatedCounter().messages(model.prompts[-1]) <= 512 - 100
