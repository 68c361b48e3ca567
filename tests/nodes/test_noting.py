from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.messages import BaseMessage
from langchain_openai import ChatOpenAI
from scripted import Scripted, chat

from hippograph.models import cooled, estimate
from hippograph.nodes.distil import distil
from hippograph.nodes.noting import MOST_CHUNKS, Terms, note
from hippograph.state import ModelError, PromptTooLong, Recollection

Make = Callable[..., Recollection]


def long(found: Make, number: int) -> Recollection:
    return found(f"Cello fact {number}: " + f"the bow number {number} is long. " * 40, id=str(number))


def first_cited(prompt: list[BaseMessage]) -> Any:
    """Notes the first memory that a prompt shows, under its number."""
    line = next(each for each in str(prompt[-1].text).splitlines() if each.startswith("["))
    number = int(line[1 : line.index("]")])
    return {"bullets": [{"text": line.partition(") ")[2][:60].rpartition(" ")[0], "sources": [number]}]}


def test_evidence_larger_than_a_prompt_is_read_in_several_and_numbered_anew(found: Make) -> None:
    big = Scripted(structured=first_cited)
    memories = [long(found, n) for n in range(9)]
    made = distil(chat(big, window=2600), memories, "What about the cello?", 600, estimate, "en", Terms())
    assert 1 < len(big.prompts) <= MOST_CHUNKS
    assert all(estimate("\n".join(str(each.text) for each in prompt)) < 2600 for prompt in big.prompts)
    lines = made.block["text"].splitlines()
    assert [line[:3] for line in lines] == [f"[{n}]" for n in range(1, len(lines) + 1)]
    assert len(lines) == len({*made.block["cited"]}) == len(big.prompts)
    assert made.block["unsupported"] == 0
    assert made.block["more"].startswith("More details exist about")


def test_what_not_even_several_prompts_hold_is_told(found: Make) -> None:
    big = Scripted(structured=first_cited)
    noted = note(chat(big, window=1500), [long(found, n) for n in range(14)], "What about the cello?", "en", Terms())
    assert len(big.prompts) <= MOST_CHUNKS
    assert any("of 14 memories are too long to be read" in each for each in noted.degraded)


def test_a_prompt_that_is_too_long_after_all_is_halved_once(found: Make) -> None:
    def refuse_long(prompt: list[BaseMessage]) -> Any:
        size = estimate("\n".join(str(each.text) for each in prompt))
        return first_cited(prompt) if size < 1500 else PromptTooLong("too long")

    big = Scripted(structured=refuse_long)
    memories = [long(found, n) for n in range(6)]
    assert note(chat(big, window=3400), memories, "What about the cello?", "en", Terms()).entries
    stubborn = Scripted(structured=lambda prompt: PromptTooLong("too long"))
    with pytest.raises(PromptTooLong):
        note(chat(stubborn, window=3400), [long(found, 1)], "What about the cello?", "en", Terms())
    assert len(stubborn.prompts) == 2


def test_an_unreadable_reply_is_asked_for_once_more_and_no_oftener(found: Make) -> None:
    notes = '{"bullets": [{"text": "the cello", "sources": [1]}]}'
    big = Scripted(structured=lambda prompt: None, reply=lambda prompt: notes)
    terms = Terms()
    noted = note(chat(big), [found("the cello")], "?", "en", terms)
    assert noted.degraded == ("given:scripted was asked twice",)
    assert len(terms.spent) == 2
    assert all(call["input"] > 0 for call in terms.spent)
    assert "That could not be read" in str(big.prompts[-1][-1].text)
    mute = Scripted(structured=lambda prompt: None, reply=lambda prompt: "…")
    with pytest.raises(ModelError, match="gave nothing readable twice"):
        note(chat(mute), [found("大提琴")], "?", "zh", Terms())
    assert len(mute.prompts) == 2
    assert "读不出来" in str(mute.prompts[-1][-1].text)


def test_a_callers_model_is_cooled() -> None:
    def made(**given: Any) -> Any:
        return ChatOpenAI(api_key="none", **given)  # type: ignore[arg-type]

    assert cooled(made(model="tiny", temperature=0.9), 0.1).temperature == 0.1  # type: ignore[attr-defined]
    assert cooled(made(model="tiny"), 0.1).temperature == 0.1  # type: ignore[attr-defined]
    assert cooled(made(model="tiny", temperature=0.0), 0.1).temperature == 0.0  # type: ignore[attr-defined]
    thinks = made(model="o3-mini")
    assert cooled(thinks, 0.1) is thinks
