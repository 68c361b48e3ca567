import json
import random
from pathlib import Path

import pytest
from doubles import OpenAI
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, convert_to_messages

from hippograph.models import ChatModel, EstimatedCounter, chat_model, estimate, usage
from hippograph.state import Settings

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


def with_tools(number: int) -> list[BaseMessage]:
    """A conversation in OpenAI's format with that many parallel calls, all answered."""
    calls = [
        {"id": f"c{n}", "type": "function", "function": {"name": "weather", "arguments": f'{{"city": "城市 {n}"}}'}}
        for n in range(number)
    ]
    results = [
        {"role": "tool", "tool_call_id": f"c{n}", "content": f"{n} 度，小雨, wind 12 km/h"} for n in range(number)
    ]
    return convert_to_messages(
        [
            {"role": "system", "content": "You are a helpful assistant."},
            {"role": "user", "content": "What is the weather in these cities?"},
            {"role": "assistant", "content": "Let me look.", "tool_calls": calls},
            *results,
            {"role": "assistant", "content": "It rains everywhere."},
            {"role": "user", "content": "谢谢，那明天呢？"},
        ]
    )


@pytest.mark.parametrize("number", [1, 3, 12])
def test_a_prompt_with_tool_calls_is_counted_with_them(small: ChatModel, number: int) -> None:
    prompt = with_tools(number)
    real = small.counter.messages(prompt)
    bare = [each for each in prompt if each.type != "tool"]
    assert real > small.counter.messages(bare) + 10 * number
    assert EstimatedCounter().messages(prompt) == pytest.approx(real, rel=0.25)


PASTED = {
    "base64": "aGlwcG9ncmFwaCBrZWVwcyB3aGF0IHdhcyBzYWlkLCBhbmQgcmVjYWxscyBpdCB3aGVuIGl0IGhlbHBz" * 20,
    "a long word": "".join(random.Random(3).choices("abcdefghijklmnopqrstuvwxyz", k=3000)),
    "signs": "".join(random.Random(4).choices("!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~", k=2000)),
    "rare characters": "龘靐齉爩鱻麤龗灪吁" * 60,
    "any characters": "".join(map(chr, random.Random(5).choices(range(0x4E00, 0x9FA5), k=400))),
    "marks": "h̷̛͈e̸͚͝l̶̰̈́l̵̜͘o̸͙͝ " * 60,
    "families": "👩‍👩‍👧" * 200,
    "Greek": "Η ελληνική γλώσσα είναι όμορφη " * 40,
    "Thai": "ภาษาไทยเป็นภาษาที่ไม่มีการเว้นวรรคระหว่างคำ" * 30,
    "white space": "\t \n" * 800,
    "hexadecimal": "9f86d081884c7d659a2feaa0c55ad015" * 40,
    "capitals": "THE QUICK BROWN FOX " * 60,
    "joined words": "getUserAccountByIdentifierOrThrow " * 60,
    "compounds": "Donaudampfschifffahrtsgesellschaftskapitän " * 40,
}


@pytest.mark.parametrize("name", PASTED)
def test_what_people_paste_is_not_thought_to_cost_much_less_than_it_does(small: ChatModel, name: str) -> None:
    assert estimate(PASTED[name]) >= 0.7 * small.counter.text(PASTED[name])


def test_a_hosted_models_counts_are_learned_and_fit_the_next_prompt(settings: Settings, openai_server: OpenAI) -> None:
    made = chat_model("openai:tiny", settings)
    prompt = [HumanMessage("Η γλώσσα " * 100)]
    before = made.counter.messages(prompt)
    openai_server.prompt_tokens = 3 * before // 2
    for _ in range(2):
        counted = usage(made.model.invoke(prompt), prompt, made.counter)
    assert (counted.counted_by, counted.input) == ("server", 3 * before // 2)
    assert made.counter.messages(prompt) == pytest.approx(3 * before // 2, rel=0.02)
    assert made.counter.messages(with_tools(3)) > EstimatedCounter().messages(with_tools(3))
