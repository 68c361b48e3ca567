"""What a request may ask for, and how it is refused."""

import re
from typing import Any

import pytest

from hippograph.web.completions import MOST_MESSAGES, Refused, Request, parsed
from hippograph.web.errands import is_errand

HI: dict[str, Any] = {"model": "hippograph", "messages": [{"role": "user", "content": "Hi"}]}
IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}


def test_what_is_honoured_becomes_settings_of_the_turn() -> None:
    request = parsed({**HI, "temperature": 0.7, "max_completion_tokens": 64, "hippograph": {"citations": True}})
    settings = request.settings()
    assert (settings["temperature"], settings["answer_tokens"], settings["citations"]) == (0.7, 64, True)
    assert "answer_tokens" not in parsed(HI).settings()


def test_a_limit_that_is_too_low_is_the_lowest_and_said() -> None:
    request = parsed({**HI, "max_tokens": 1})  # as programs send that only try the connection
    assert (request.settings()["answer_tokens"], request.ignored) == (16, ["max_tokens"])
    request = parsed({**HI, "max_tokens": 200_000})
    assert (request.settings()["answer_tokens"], request.ignored) == (32_000, [])


def test_system_and_developer_messages_are_the_system_prompt() -> None:
    messages = [
        {"role": "system", "content": "You are a tutor."},
        {"role": "developer", "content": [{"type": "text", "text": "Be brief."}]},
        {"role": "user", "content": "Hi"},
    ]
    assert parsed({**HI, "messages": messages}).settings()["system_prompt"] == "You are a tutor.\n\nBe brief."


def test_fields_that_change_nothing_are_named() -> None:
    request = parsed(
        {**HI, "top_p": 0.9, "seed": 3, "n": 1, "tools": [], "tool_choice": "auto", "presence_penalty": None}
    )
    assert request.ignored == ["seed", "top_p"]


def test_parts_of_text_are_joined() -> None:
    parts = [{"type": "text", "text": "Look:"}, {"type": "text", "text": "a cat"}]
    assert parsed({**HI, "messages": [{"role": "user", "content": parts}]}).messages[0].text == "Look:\na cat"


def test_an_image_in_an_earlier_message_is_passed_over() -> None:
    earlier = [{"role": "user", "content": [IMAGE]}, {"role": "assistant", "content": "A cat."}]
    assert parsed({**HI, "messages": [*earlier, *HI["messages"]]}).messages[0].text == ""


@pytest.mark.parametrize(
    ("more", "param"),
    [
        ({"tools": [{"type": "function", "function": {"name": "f"}}]}, "tools"),
        ({"functions": [{"name": "f"}]}, "functions"),
        ({"n": 2}, "n"),
        ({"logprobs": True}, "logprobs"),
        ({"response_format": {"type": "json_object"}}, "response_format"),
        ({"modalities": ["text", "audio"]}, "modalities"),
        ({"audio": {"voice": "alloy"}}, "audio"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"temperature": 3}, "temperature"),
        ({"temperature": "hot"}, "temperature"),
        ({"messages": []}, "messages"),
        ({"messages": None}, "messages"),
        ({"messages": [{"role": "wizard", "content": "Hi"}]}, "messages.0.role"),
        ({"messages": [{"role": "assistant", "content": "Hi"}]}, "messages"),
        ({"messages": [{"role": "tool", "content": "5", "tool_call_id": "1"}]}, "messages"),
        ({"messages": [{"role": "user", "content": [IMAGE]}]}, "messages"),
        ({"messages": [{"role": "user", "content": " "}]}, "messages"),
        ({"model": None}, "model"),
        ({"hippograph": {"big": "openai:gpt-5"}}, "hippograph.big"),
        ({"hippograph": "x"}, "hippograph"),
        ({"messages": ["Hi"]}, "messages.0"),
        ({"messages": [{"role": "user", "content": 5}]}, "messages.0.content"),
        ({"messages": [{"role": "user", "content": [{"text": "Hi"}]}]}, "messages.0.content.0.type"),
        ({"stop": 5}, "stop"),
        ({"stop": ["END", 5]}, "stop.1"),
    ],
)
def test_what_cannot_be_done_is_refused_by_name(more: dict[str, Any], param: str) -> None:
    with pytest.raises(Refused) as refused:
        parsed({**HI, **more})
    assert refused.value.param == param
    assert not re.search(r"function-|list\[|Ours|Message", str(refused.value))
    assert refused.value.status == 400


@pytest.mark.parametrize(
    "messages",
    [
        HI["messages"] * (MOST_MESSAGES + 1),
        [{"role": "user", "content": [{"type": "text", "text": "Hi"}] * MOST_MESSAGES}],
    ],
)
def test_more_messages_than_are_read_are_refused_unread(messages: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Request, "model_validate", None)
    with pytest.raises(Refused, match="10,000 messages"):
        parsed({**HI, "messages": messages})


@pytest.mark.parametrize("body", [None, [], "Hi", 3])
def test_a_body_that_is_no_object_is_refused(body: object) -> None:
    with pytest.raises(Refused, match="JSON object"):
        parsed(body)


def test_tools_that_must_not_be_called_are_no_hindrance() -> None:
    assert parsed({**HI, "tools": [{"type": "function"}], "tool_choice": "none"}).ignored == []


@pytest.mark.parametrize(
    ("system", "question"),
    [
        (
            "",
            "### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the chat history.\n###",
        ),
        ("", "### Task:\nSuggest 3-5 relevant follow-up questions that the user might ask, based on the chat history:"),
        ("", "Provide a concise, 5-word-or-less title for the conversation, using title case conventions."),
        ("", "Based on the chat history, give this conversation a name.\nKeep it short."),
        ("你是一名擅长会话的助理，你需要将用户的会话总结为 10 个字以内的标题", "user: 你好"),
    ],
)
def test_errands_of_chat_programs_are_known(system: str, question: str) -> None:
    assert is_errand(system, question)


@pytest.mark.parametrize(
    "question", ["### Task:\nTranslate this into German.", "Give this conversation a name.", "帮我把会话总结为一句话"]
)
def test_what_a_user_may_say_is_no_errand(question: str) -> None:
    assert not is_errand("You are helpful.", question)
