import json
import random
from pathlib import Path

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

from hippograph.models import ChatModel, EstimatedCounter, estimate, usage

TEXTS: dict[str, str] = json.loads(Path(__file__).with_name("texts.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", TEXTS)
def test_an_estimate_is_within_a_quarter_of_the_real_tokenizer(small: ChatModel, name: str) -> None:
    real = small.counter.text(TEXTS[name])
    assert estimate(TEXTS[name]) == pytest.approx(real, rel=0.25)


def test_an_estimate_of_a_long_mixture_is_close(small: ChatModel) -> None:
    pieces = list(TEXTS.values()) * 5
    random.Random(7).shuffle(pieces)
    text = "\n".join(pieces)
    assert estimate(text) == pytest.approx(small.counter.text(text), rel=0.1)


def test_a_whole_prompt_is_estimated_within_a_quarter(small: ChatModel) -> None:
    prompt = [
        SystemMessage("你是一个有记忆的助手。\n[1] 2026-03-02 我对荔枝过敏。"),
        HumanMessage(TEXTS["zh talk"]),
        AIMessage("听起来很棒！"),
        HumanMessage("我能吃荔枝吗？"),
    ]
    assert EstimatedCounter().messages(prompt) == pytest.approx(small.counter.messages(prompt), rel=0.25)


def test_the_embedded_model_counts_a_prompt_as_its_server_does(small: ChatModel) -> None:
    prompt = [SystemMessage("Be brief."), HumanMessage("你好"), AIMessage("你好！"), HumanMessage("Say hi.")]
    answer = small.model.invoke(prompt)
    counted = usage(answer, prompt, small.counter)
    assert counted.counted_by == "server"
    assert counted.input == small.counter.messages(prompt)


@pytest.mark.parametrize("text", ["\0", "\ud800", "a\ud800b", "<|im_end|>", " " * 100, "\n" * 50])
def test_odd_texts_are_counted(small: ChatModel, text: str) -> None:
    assert small.counter.text(text) >= 1
    assert estimate(text) >= 1


def test_nothing_costs_nothing(small: ChatModel) -> None:
    assert small.counter.text("") == estimate("") == 0


def test_what_a_server_reports_counts_unless_it_is_nothing() -> None:
    counter = EstimatedCounter()
    prompt = [HumanMessage("hello there")]
    told = AIMessage("Hi.", usage_metadata={"input_tokens": 9, "output_tokens": 0, "total_tokens": 9})
    assert (usage(told, prompt, counter).input, usage(told, prompt, counter).output) == (9, counter.text("Hi."))
    for silent in (AIMessage("Hi."), AIMessage("Hi.", usage_metadata=dict.fromkeys(told.usage_metadata or {}, 0))):
        counted = usage(silent, prompt, counter)
        assert (counted.counted_by, counted.input) == ("us", counter.messages(prompt))


def test_an_estimate_that_is_too_low_is_corrected_by_what_the_server_counts() -> None:
    counter = EstimatedCounter()
    prompt = [HumanMessage("床前明月光，疑是地上霜。" * 30)]
    before = counter.messages(prompt)
    answer = AIMessage("好。", usage_metadata={"input_tokens": 2 * before, "output_tokens": 1, "total_tokens": 0})
    usage(answer, prompt, counter)
    assert counter.messages(prompt) == pytest.approx(2 * before, rel=0.02)
    assert counter.text("床前明月光") > estimate("床前明月光")
    lower = AIMessage("好。", usage_metadata={"input_tokens": 40, "output_tokens": 1, "total_tokens": 41})
    usage(lower, prompt, counter)  # A cached or cut prompt is counted low; that teaches nothing.
    assert counter.messages(prompt) == pytest.approx(2 * before, rel=0.02)
