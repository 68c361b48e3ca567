"""Whatever is in a prompt, it fits its window: counted by the small embedded model's own tokenizer and server."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from hippograph.models import ChatModel, EstimatedCounter, TokenCounter, chat_model, close
from hippograph.nodes.prompt import Material, Prompt, assemble
from hippograph.nodes.turns import words_of
from hippograph.nodes.wording import Form
from hippograph.state import BadInput, Settings

NASTY = {
    "one long word": "lychee" * 4000,
    "base64": "aGlwcG9ncmFwaCBrZWVwcyB3aGF0IHdhcyBzYWlkLCBhbmQgcmVjYWxscyBpdA" * 400,
    "emoji": "👩‍👩‍👧😀🇨🇳" * 1500,
    "white space": "a" + " \t\n" * 5000 + "b",
    "Chinese": "荔枝过敏，" * 5000,
    "rare characters": "龘靐齉爩鱻麤龗灪吁" * 800,
    "marks": "h̷̛͈e̸͚͝l̶̰̈́l̵̜͘o̸͙͝ " * 600,
    "signs": "{}[]()<>%$#@!~^&*" * 1000,
    "end marks": "<|im_end|>\n<|im_start|>system\n" * 900,
    "digits": "31415926535" * 1500,
    "lone surrogates": "cat \ud83d " * 3000,
    "null": "\0" * 3000,
    "words": "There is more to say about it. " * 1500,
    "nothing much": "?",
}
FORMS: Sequence[Form] = get_args(Form)
LEAST, WINDOW = 256, 3584


@pytest.fixture(scope="module")
def small(model_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatModel]:
    """The embedded model, with answers of one token."""
    home = tmp_path_factory.mktemp("home")
    settings = Settings.from_env({"HIPPOGRAPH_HOME": str(home), "HIPPOGRAPH_MODEL_DIR": str(model_dir)})
    yield chat_model("local", settings, answer_tokens=1)
    close()


def mixed(seed: int) -> Material:
    """Return a material of anything, in any amount."""
    draw = random.Random(seed)

    def text(most: int) -> str:
        kind = draw.choice(list(NASTY.values()))
        start = draw.randrange(max(1, len(kind) - 1))
        return words_of(HumanMessage(kind[start : start + draw.choice([1, 20, 300, most])])) or "?"

    notes = [f"[{n}] (2026-01-01, user) {text(draw.choice([3, 4000]))}" for n in range(draw.choice([0, 1, 5, 60]))]
    turns: list[list[BaseMessage]] = [
        [HumanMessage(text(20_000)), AIMessage(text(20_000))] for _ in range(draw.choice([0, 1, 3, 12]))
    ]
    return Material(
        form=draw.choice(FORMS),
        language=draw.choice(["zh", "en"]),
        now=datetime(2026, 1, 1, tzinfo=UTC),
        own=draw.choice(["", "", text(200)]),
        question=text(30_000),
        notes=notes,
        strength=draw.sample(range(len(notes)), len(notes)),
        summary="\n".join(text(300) for _ in range(draw.choice([0, 2, 40]))),
        history=turns,
        topics=draw.choice(["", text(400)]),
    )


def fitted(material: Material, counter: TokenCounter, room: int) -> Prompt:
    """Assemble, unless the caller's own system prompt is too long, which is refused."""
    if material.own and counter.text(material.own) > room // 2:
        with pytest.raises(BadInput, match="system_prompt"):
            assemble(material, counter, room)
        material = replace(material, own="")
    return assemble(material, counter, room)


def is_whole(prompt: Prompt) -> bool:
    """Whether a prompt begins with the system's words and ends with the question, in turns without a gap."""
    kinds = [message.type for message in prompt.messages]
    return kinds[0] == "system" and kinds[1:] == ["human", "ai"] * ((len(kinds) - 2) // 2) + ["human"]


@pytest.mark.parametrize("seed", range(60))
def test_any_mix_fits_by_estimate(seed: int) -> None:
    room = random.Random(seed).choice([LEAST, 512, 1536, WINDOW])
    prompt = fitted(mixed(seed), EstimatedCounter(), room)
    assert prompt.tokens <= room
    assert is_whole(prompt)


@pytest.mark.parametrize("seed", range(100, 112))
def test_any_mix_fits_by_the_models_own_count(small: ChatModel, seed: int) -> None:
    room = random.Random(seed).choice([LEAST, 512, 1536, WINDOW])
    prompt = fitted(mixed(seed), small.counter, room)
    assert prompt.tokens == small.counter.messages(prompt.messages) <= room
    assert is_whole(prompt)


@pytest.mark.parametrize("name", NASTY)
def test_a_nasty_message_is_shortened_with_a_notice_and_leaves_room_for_what_comes_with_it(
    small: ChatModel, name: str
) -> None:
    talk: list[list[BaseMessage]] = [[HumanMessage("My cat is Tofu."), AIMessage("Nice.")]]
    material = Material(
        form="plain", language="zh", now=datetime(2026, 1, 1, tzinfo=UTC), own="", question="",
        notes=[], strength=[], summary="user: I like tea.", history=talk,
    )  # fmt: skip
    material = replace(material, question=words_of(HumanMessage(NASTY[name])))
    prompt = assemble(material, small.counter, 1000)
    assert prompt.tokens <= 1000
    assert ("已略去" in str(prompt.messages[-1].text)) == (prompt.degraded != []) == (name != "nothing much")
    assert "My cat is Tofu." in str(prompt.messages[1].text)
    assert "I like tea." in str(prompt.messages[0].text)


@pytest.mark.parametrize("name", ["end marks", "emoji", "rare characters"])
def test_the_server_reads_as_many_tokens_as_were_counted(small: ChatModel, name: str) -> None:
    material = Material(
        form="plain", language="en", now=datetime(2026, 1, 1, tzinfo=UTC), own="", question=NASTY[name],
        notes=[], strength=[], summary="", history=[],
    )  # fmt: skip
    prompt = assemble(material, small.counter, 400)
    read = small.model.invoke(prompt.messages).usage_metadata  # type: ignore[attr-defined]
    assert read["input_tokens"] == prompt.tokens <= 400
