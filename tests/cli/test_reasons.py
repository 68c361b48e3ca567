"""`/why` says in plain words why memory was searched."""

import pytest

from hippograph.cli.reasons import FIRED, QUIET, trigger_line
from hippograph.nodes import requests
from hippograph.nodes.check_trigger import reason
from hippograph.state.turn import Trigger


def line(text: str) -> str:
    why = reason(text)
    fire = not why.startswith("no: ")
    return trigger_line(Trigger(fire=fire, reason=why.removeprefix("no: "), mode="asked", queries=[], time_window=[]))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("My brother lives in Leeds.", 'Memory searched: it is about you or what is yours ("My").'),
        ("我弟弟住在滨江区。", 'Memory searched: it is about you or what is yours ("我").'),
        ("Hello!", "Memory not searched: it is a greeting."),
        ("谢谢！", "Memory not searched: it says thank you."),
        ("17 * 23 = ?", "Memory not searched: it is a sum."),
        ("Translate into French: good morning", "Memory not searched: it is a general request (translation)."),
    ],
)
def test_a_reason_is_a_sentence(text: str, expected: str) -> None:
    assert line(text) == expected


@pytest.mark.parametrize(
    "text", ["Do you remember the plan?", "What happened in May 2023?", "I feel so sad today", "还记得那家餐馆吗？"]
)
def test_no_reason_shows_the_name_of_a_sign_alone(text: str) -> None:
    shown = line(text)
    assert shown.endswith(".")
    assert not any(f": {sign}" in shown for sign in (*FIRED, *QUIET, *requests.TASKS))


def test_a_setting_that_decides_is_told_without_words() -> None:
    always = Trigger(fire=True, reason="always: as the context says", mode="asked", queries=[], time_window=[])
    assert trigger_line(always) == "Memory searched: every message is to be looked up."
