"""Requests become turns with memory: what is recalled, stored once, passed over; a real agent with a scripted model."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from threading import Event
from typing import Any

import pytest
from scripted import Scripted

from hippograph.graph import Agent
from hippograph.state import ModelUnavailable
from hippograph.web import replying
from hippograph.web.completions import parsed
from hippograph.web.histories import AGAIN
from hippograph.web.replying import Reply, Replying


@pytest.fixture
def door(agent: Agent) -> Replying:
    return Replying(agent)


def asked(*texts: str, **more: Any) -> Any:
    """A request whose messages are of user and assistant in turn."""
    roles = ("user", "assistant")
    messages = [{"role": roles[at % 2], "content": text} for at, text in enumerate(texts)]
    return parsed({"model": "hippograph", "messages": messages, **more})


def kept(agent: Agent, user: str) -> list[str]:
    return [each.text for each in agent.memory.list(user, kinds=["turn"], newest_first=False)]


def test_what_was_told_in_one_conversation_is_known_in_the_next(agent: Agent, model: Scripted, door: Replying) -> None:
    door.reply(asked("My cat is called Tofu."), "ann")
    reply = door.reply(asked("What is my cat called?"), "ann")
    assert "Tofu" in model.text()
    assert "Tofu" in reply.ours["memories"][0]["text"]
    assert (reply.text, reply.finish, reply.ours["user"]) == ("Yes.", "stop", "ann")


def test_of_a_whole_history_only_the_new_turn_is_stored(agent: Agent, model: Scripted, door: Replying) -> None:
    model.reply = lambda prompt: "Noted."
    door.reply(asked("My dog is called Rex."), "bob")
    door.reply(asked("My dog is called Rex.", "Noted.", "He is three."), "bob")
    reply = door.reply(asked("My dog is called Rex.", "Noted.", "He is three.", "Noted.", "He likes snow."), "bob")
    assert kept(agent, "bob") == [
        "My dog is called Rex.",
        "Noted.",
        "He is three.",
        "Noted.",
        "He likes snow.",
        "Noted.",
    ]
    assert {each.thread for each in agent.memory.list("bob", kinds=["turn"])} == {reply.ours["thread"]}


def test_a_history_that_is_cut_at_its_beginning_doubles_nothing(agent: Agent, model: Scripted, door: Replying) -> None:
    model.reply = lambda prompt: f"Noted {len(prompt[-1].text)}."
    said = list[str]()
    for text in ("My dog is called Rex.", "He is three years old.", "He likes snow.", "He hates rain."):
        said += [text, door.reply(asked(*said[-2:], text), "cut").text]
    assert kept(agent, "cut") == said
    assert len({each.thread for each in agent.memory.list("cut", kinds=["turn"])}) == 1


@pytest.mark.parametrize("history", [(), ("Hello", "Yes.")])
def test_a_request_sent_again_stores_the_question_once(agent: Agent, door: Replying, history: Sequence[str]) -> None:
    user = f"again{len(history)}"
    for _ in range(2):
        door.reply(asked(*history, "I moved to Oslo."), user)
    assert kept(agent, user).count("I moved to Oslo.") == 1


def test_another_answer_to_the_same_question_takes_the_place_of_the_first(
    agent: Agent, model: Scripted, door: Replying
) -> None:
    for answer in ("Oslo is cold.", "Oslo is lovely."):
        model.reply = lambda prompt, answer=answer: answer  # type: ignore[misc]
        door.reply(asked("Hello", "Yes.", "What do you think of Oslo?"), "another")
    assert kept(agent, "another") == ["What do you think of Oslo?", "Oslo is lovely."]


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Sets how many times the stretch of a repeat has passed."""

    class Later(datetime):
        by = AGAIN * 0

        @classmethod
        def now(cls, tz: Any = None) -> datetime:  # type: ignore[override]
            return datetime.now(UTC) + cls.by

    def passed(times: float) -> None:
        Later.by = AGAIN * times

    monkeypatch.setattr(replying, "datetime", Later)
    return passed


def test_the_same_words_later_are_said_again(agent: Agent, door: Replying, later: Callable[[float], None]) -> None:
    for times in (0, 2, 2, 4):
        later(times)
        door.reply(asked("I had a headache today."), "later")
    assert kept(agent, "later").count("I had a headache today.") == 3


def test_what_was_forgotten_is_not_shown_again_though_the_client_sends_it(
    agent: Agent, model: Scripted, door: Replying
) -> None:
    first = "Hello, how are you?"
    door.reply(asked(first), "gone")
    door.reply(asked(first, "Yes.", "My PIN is 4711."), "gone")
    agent.memory.forget("gone", query="4711")
    reply = door.reply(asked(first, "Yes.", "My PIN is 4711.", "Yes.", "What is the capital of Norway?"), "gone")
    assert "4711" not in model.text()
    assert reply.text == "Yes."
    assert "What is the capital of Norway?" in kept(agent, "gone")


PINS = [("My PIN is 4711.", "Where is Oslo?"), ("我的密码是4711。", "奥斯陆在哪里？")]


@pytest.mark.parametrize(("pin", "asks"), PINS)
def test_what_was_forgotten_is_not_shown_in_a_history_that_is_cut(
    agent: Agent, model: Scripted, door: Replying, pin: str, asks: str
) -> None:
    user = f"short{len(pin)}"
    door.reply(asked("Hello"), user)
    door.reply(asked("Hello", "Yes.", pin), user)
    agent.memory.forget(user, ids=[each.id for each in agent.memory.list(user) if each.text == pin])
    model.prompts.clear()
    for known in (door, Replying(agent)):  # the second, as after a restart
        known.reply(asked(pin, "Yes.", asks), user)
    assert "4711" not in model.text()


def test_a_forgotten_conversation_is_not_shown_though_another_says_the_same(
    agent: Agent, model: Scripted, door: Replying, later: Callable[[float], None]
) -> None:
    threads = list[str]()
    for times in (0, 3):
        later(times)
        threads.append(door.reply(asked("My PIN is 4711."), "twice").ours["thread"])
    agent.memory.forget("twice", thread=threads[1])
    for known in (door, Replying(agent)):
        said = ["My PIN is 4711.", "Yes.", "Hello"]
        for asks in ("How are you?", "Where is Oslo?"):
            said += [known.reply(asked(*said), "twice", None).text, asks]
            shown = [str(each.text) for each in model.prompts[-1]]
            assert "My PIN is 4711." not in shown[1:-1]


def test_what_was_forgotten_elsewhere_stays_in_a_conversation_that_has_it(
    agent: Agent, model: Scripted, door: Replying
) -> None:
    door.reply(asked("Tell me of Oslo."), "stays", "one")
    door.reply(asked("Tell me of Oslo."), "stays", "two")
    agent.memory.forget("stays", thread="one")
    door.reply(asked("Tell me of Oslo.", "Yes.", "Go on"), "stays", "two")
    assert [str(each.text) for each in model.prompts[-1]][-3:] == ["Tell me of Oslo.", "Yes.", "Go on"]


def test_an_answer_that_was_forgotten_is_not_shown(agent: Agent, model: Scripted, door: Replying) -> None:
    model.reply = lambda prompt: "Your PIN is 4711."
    door.reply(asked("What did I tell you?"), "answer")
    agent.memory.forget("answer", query="4711")
    model.prompts.clear()
    door.reply(asked("What did I tell you?", "Your PIN is 4711.", "Hello"), "answer")
    assert "4711" not in model.text()


def test_what_was_forgotten_unanswered_is_not_shown(agent: Agent, model: Scripted, door: Replying) -> None:
    model.reply = lambda prompt: ""
    door.reply(asked("My PIN is 4711."), "unanswered")
    agent.memory.forget("unanswered", query="4711")
    messages = [{"role": "user", "content": text} for text in ("My PIN is 4711.", "Hello")]
    model.prompts.clear()
    door.reply(parsed({"model": "hippograph", "messages": messages}), "unanswered")
    assert "4711" not in model.text()
    assert kept(agent, "unanswered")[0] == "Hello"


def test_what_was_forgotten_may_be_said_anew(agent: Agent, door: Replying) -> None:
    door.reply(asked("My PIN is 4711."), "anew")
    agent.memory.forget("anew", all=True)
    door.reply(asked("My PIN is 4711."), "anew")
    assert "My PIN is 4711." in kept(agent, "anew")


def test_the_history_that_the_client_sends_is_what_the_model_sees(
    agent: Agent, model: Scripted, door: Replying
) -> None:
    door.reply(asked("Shall we go to Rome?", "To Paris, rather.", "Why there?"), "edited")
    shown = [str(each.text) for each in model.prompts[-1]]
    assert shown[-3:] == ["Shall we go to Rome?", "To Paris, rather.", "Why there?"]
    assert kept(agent, "edited") == ["Why there?", "Yes."]


def test_the_clients_system_prompt_takes_the_place_of_ours(agent: Agent, model: Scripted, door: Replying) -> None:
    system = {"role": "system", "content": "You are a pirate."}
    messages = [system, {"role": "user", "content": "What is my parrot called?"}]
    door.reply(asked("My parrot is called Kiwi."), "pirate")
    door.reply(parsed({"model": "hippograph", "messages": messages}), "pirate")
    assert model.prompts[-1][0].text.startswith("You are a pirate.")
    assert "Kiwi" in model.text()


def test_an_errand_is_answered_without_memory_and_not_stored(agent: Agent, model: Scripted, door: Replying) -> None:
    door.reply(asked("My cat is called Tofu."), "errand")
    stored = kept(agent, "errand")
    title = "### Task:\nGenerate a concise title summarizing the chat history.\nUSER: What is my cat called?"
    reply = door.reply(asked(title), "errand")
    plain = door.reply(asked("What is my cat called?", model="hippograph-plain"), "errand")
    assert (reply.ours["remembered"], plain.ours["remembered"], plain.ours["memories"]) == (False, False, [])
    assert kept(agent, "errand") == stored


def test_store_false_is_not_remembered(agent: Agent, door: Replying) -> None:
    assert not door.reply(asked("My PIN is 4711.", store=False), "off").ours["remembered"]
    assert not door.reply(asked("My PIN is 4711.", hippograph={"remember": False}), "off").ours["remembered"]
    assert kept(agent, "off") == []


def test_an_answer_comes_in_pieces_that_are_all_of_it(agent: Agent, model: Scripted, door: Replying) -> None:
    model.reply = lambda prompt: "One two three."
    pieces = list[str]()
    reply = door.reply(asked("Count"), "pieces", on_text=pieces.append)
    assert len(pieces) > 1
    assert "".join(pieces) == reply.text == "One two three."


def test_an_answer_ends_at_a_stop(agent: Agent, model: Scripted, door: Replying) -> None:
    model.reply = lambda prompt: "One two. END three four."
    pieces = list[str]()
    reply = door.reply(asked("Count", stop=["END"]), "stops", on_text=pieces.append)
    assert "".join(pieces).strip() == reply.text == "One two."
    assert reply.finish == "stop"


def test_an_answer_without_words_is_said_in_ours(agent: Agent, model: Scripted, door: Replying) -> None:
    model.reply = lambda prompt: ""
    pieces = list[str]()
    reply = door.reply(asked("Count"), "silent", on_text=pieces.append)
    assert "".join(pieces) == reply.text != ""
    assert any("gave no answer" in each for each in reply.ours["degraded"])


def test_a_client_that_leaves_stops_the_answer_and_what_was_said_is_kept(
    agent: Agent, model: Scripted, door: Replying
) -> None:
    stop = Event()
    model.reply = lambda prompt: " ".join(f"word{at}" for at in range(50))

    def read(text: str) -> None:
        if "word3" in text:
            stop.set()

    reply = door.reply(asked("My cat is called Tofu."), "left", on_text=read, stop=stop)
    assert "word3" in reply.text
    assert "word40" not in reply.text
    assert kept(agent, "left")[0] == "My cat is called Tofu."


@pytest.mark.parametrize("text", ["My number is 99.", "我的号码是99。"])
def test_who_left_before_the_answer_began_is_not_answered_and_what_was_said_is_kept(
    agent: Agent, model: Scripted, door: Replying, text: str
) -> None:
    gone = Event()
    gone.set()
    user = f"gone{len(text)}"
    with pytest.raises(ModelUnavailable, match="is kept"):
        door.reply(asked(text), user, stop=gone)
    assert model.prompts == []
    assert kept(agent, user) == [text]
    door.reply(asked(text), user)
    assert kept(agent, user) == [text, "Yes."]


def test_usage_is_what_the_model_that_answers_read_and_wrote(agent: Agent, model: Scripted, door: Replying) -> None:
    model.usage = (120, 7)
    reply = door.reply(asked("My cat is called Tofu."), "usage")
    assert reply.usage == {"prompt_tokens": 120, "completion_tokens": 7, "total_tokens": 127}


def test_two_users_share_nothing(agent: Agent, model: Scripted, door: Replying) -> None:
    door.reply(asked("My PIN is 4711."), "u1", "main")
    reply: Reply = door.reply(asked("What is my PIN?"), "u2", "main")
    assert reply.ours["memories"] == []
    assert "4711" not in model.text()


def test_a_named_thread_is_the_turns_thread(agent: Agent, door: Replying) -> None:
    assert door.reply(asked("Hello"), "named", thread="chat-7").ours["thread"] == "chat-7"
    assert {each.thread for each in agent.memory.list("named", kinds=["turn"])} == {"chat-7"}
