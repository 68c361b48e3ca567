"""Whole histories become one conversation and what is new in it; no server, no model."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from hippograph.web.completions import Message
from hippograph.web.histories import AGAIN, Threads, history, occasions, without


def said(*texts: str, first: str = "user") -> list[Message]:
    """Messages of user and assistant in turn."""
    roles = ("user", "assistant") if first == "user" else ("assistant", "user")
    return [Message(role=roles[at % 2], content=text) for at, text in enumerate(texts)]  # type: ignore[arg-type]


def ids(messages: list[Message]) -> list[str | None]:
    told = history(messages)
    return [each.id for each in [*told.earlier, *told.asked]]


def test_what_the_user_said_since_the_last_answer_is_new() -> None:
    told = history([*said("My cat is called Tofu.", "Noted.", "And"), Message(role="user", content="who is she?")])
    assert [each.text for each in told.earlier] == ["My cat is called Tofu.", "Noted."]
    assert [each.text for each in told.asked] == ["And", "who is she?"]


def test_a_request_sent_again_has_the_same_ids() -> None:
    assert ids(said("我养了一只猫。", "好的。", "它叫豆腐。")) == ids(said("我养了一只猫。 ", "好的。\n", "它叫豆腐。"))


def test_a_longer_history_keeps_the_ids_of_what_was_said_before() -> None:
    shorter, longer = (
        said("Hi", "Hello!", "I live in Oslo."),
        said("Hi", "Hello!", "I live in Oslo.", "Noted.", "Where?"),
    )
    assert ids(longer)[:3] == ids(shorter)


def test_the_same_words_later_in_a_conversation_are_another_message() -> None:
    found = ids(said("More", "One.", "More", "One.", "More"))
    assert len({*found}) == 5


def test_the_same_words_after_another_answer_are_another_message() -> None:
    assert ids(said("Hi", "Hello!", "Yes"))[-1] != ids(said("Hi", "Good day!", "Yes"))[-1]


def test_no_two_ways_to_cut_words_have_one_id() -> None:
    joined = [Message(role="user", content="a\0b"), Message(role="user", content="c")]
    assert ids(joined)[-1] != ids([Message(role="user", content="a"), Message(role="user", content="b\0c")])[-1]


def test_system_lines_tools_and_empty_messages_are_not_part_of_what_was_said() -> None:
    messages = [
        Message(role="system", content="Be brief."),
        Message(role="user", content="What is 2 + 3?"),
        Message(role="assistant", content=None),
        Message(role="tool", content="5"),
        Message(role="assistant", content="Five."),
        Message(role="user", content="Thanks"),
    ]
    told = history(messages)
    assert [each.text for each in told.earlier] == ["What is 2 + 3?", "Five."]


def test_a_speakers_name_is_kept() -> None:
    assert history([Message(role="user", content="Hi", name="Ann")]).asked[0].name == "Ann"


def test_an_opening_may_be_marked_as_another_one() -> None:
    first, again = history(said("Hi")), history(said("Hi"), "12")
    assert first.asked[0].id != again.asked[0].id
    assert first.root != again.root


def test_openings_are_told_apart_by_time() -> None:
    now = datetime(2026, 3, 1, 12, tzinfo=UTC)
    assert occasions(now)[0] == ""
    assert occasions(now)[2] == occasions(now + AGAIN)[1]
    assert not {*occasions(now)[1:]} & {*occasions(now + 3 * AGAIN)[1:]}
    assert occasions(now) == occasions(now + timedelta(seconds=1))


def test_what_was_forgotten_leaves_with_its_answer() -> None:
    told = history(said("My PIN is 4711.", "4711, noted.", "Where is Oslo?", "In Norway.", "Thanks"))
    left = without(told, {str(told.earlier[0].id)})
    assert [each.text for each in left.earlier] == ["Where is Oslo?", "In Norway."]
    assert left.asked == told.asked
    assert without(told, set()) == told


def test_what_was_forgotten_leaves_alone_where_it_is_an_answer_or_a_part_of_what_was_asked() -> None:
    messages = [
        *said("What is my PIN?", "4711."),
        *said("My PIN is 4711."),
        *said("Where is Oslo?", "I noted 4711.", "Thanks"),
    ]
    told = history(messages)
    left = without(told, {str(told.earlier[1].id), str(told.earlier[2].id)})
    assert [each.text for each in left.earlier] == ["What is my PIN?", "Where is Oslo?"]


def test_of_what_is_new_the_last_is_never_left_out() -> None:
    told = history([*said("My PIN is 4711."), *said("Where is Oslo?")])
    left = without(told, {str(each.id) for each in told.asked})
    assert [each.text for each in left.asked] == ["Where is Oslo?"]


def test_a_conversation_keeps_its_name_also_when_its_beginning_is_cut_off() -> None:
    threads = Threads()
    opening = history(said("My cat is called Tofu."))
    name = threads.of("ann", opening)
    threads.answered("ann", opening, "Noted.", name)
    second = history(said("My cat is called Tofu.", "Noted.", "What is her name?"))
    assert threads.of("ann", second) == name
    threads.answered("ann", second, "Tofu.", name)
    cut = history(said("What is her name?", "Tofu.", "And mine?"))
    assert threads.of("ann", cut) == name
    assert threads.of("bob", cut) != name


def test_after_a_restart_a_whole_history_still_has_its_name() -> None:
    name = Threads().of("ann", history(said("My cat is called Tofu.")))
    assert Threads().of("ann", history(said("My cat is called Tofu.", "Noted.", "Who?"))) == name


def test_two_conversations_have_two_names() -> None:
    threads = Threads()
    assert threads.of("ann", history(said("Hi"))) != threads.of("ann", history(said("Hello")))


@pytest.mark.parametrize("content", [None, "", "  ", [], [{"type": "image_url", "image_url": {"url": "x"}}]])
def test_a_message_without_words_is_left_out(content: Any) -> None:
    told = history([*said("Hi"), Message(role="assistant", content=content), Message(role="user", content="Well?")])
    assert [each.text for each in told.asked] == ["Hi", "Well?"]
