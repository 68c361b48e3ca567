"""The graph's reasons, in the page's languages."""

import re

import pytest

from hippograph.memory.life.changes import undoing
from hippograph.memory.search.weights import GAINED, WEIGHTS
from hippograph.nodes.check_trigger import reason as trigger_reason
from hippograph.nodes.requests import TASKS
from hippograph.nodes.rerank import OF_OTHERS, below
from hippograph.web.lives import reason as because_of
from hippograph.web.reasons import reason

HAN = re.compile(r"[一-鿿]")


@pytest.mark.parametrize("signal", [*WEIGHTS, *GAINED, "newest", "reranker", *TASKS])
def test_every_signal_and_task_has_its_word(signal: str) -> None:
    assert HAN.search(reason(signal, language="zh"))


@pytest.mark.parametrize(
    "text",
    [
        "Do you remember Ada?",
        "My sister is ill.",
        "Where does Ada live?",
        "What shall I do?",
        "Hello!",
        "2 + 2 = ?",
        "嗯",
    ],
)
def test_every_reason_of_the_trigger_is_told_in_chinese(text: str) -> None:
    why = trigger_reason(text, lambda query: "Ada" if "Ada" in query else None).removeprefix("no: ")
    assert HAN.search(reason(why, language="zh")), why


def test_what_is_cut_is_told_with_its_number() -> None:
    assert reason("too weak: below 0.28", language="zh") == "太弱：低于 0.28"
    assert HAN.search(reason(OF_OTHERS, language="zh"))
    assert HAN.search(reason(below(8), language="zh"))


def test_a_reason_within_a_reason_is_told_too() -> None:
    said = reason("fits (90 of 700 tokens), but a memory is said twice", language="zh")
    assert said == "放得下（90 / 700 个词元），但有一条记忆重复"


def test_what_is_not_known_stays_as_it_is() -> None:
    assert reason("the index is made anew", language="zh") == "the index is made anew"
    assert reason("known: {a} <b>", language="en") == "memory knows “{a} <b>”"


@pytest.mark.parametrize(
    "because", ["updated: text, valid_until", "superseded: the turn was said anew", "archived: the turn was said anew"]
)
def test_what_was_taken_back_is_told_in_chinese(because: str) -> None:
    what = because.partition(":")[0]
    told = reason(because_of(f"{undoing(what)} ({because})", "undone"), language="zh")
    assert HAN.search(told)
    assert not re.search("[a-z]", told)
