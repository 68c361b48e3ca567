"""What becomes of a model's answers, good and bad: cases X01 to X08."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from langchain_core.messages import BaseMessage
from scripted import Scripted, chat

from hippograph.memory.extraction import ByModel, extractor
from hippograph.memory.extraction.by_model import MOST
from hippograph.memory.facts import Extracted, Fact, Heard
from hippograph.state import BadInput, ModelError, ModelUnavailable, Settings

SAID = datetime(2026, 5, 6, 12, tzinfo=UTC)
OSLO = "I go hiking whenever I can, and Oslo is where I live."
PETS = "Our gecko goes by Guava, the canary by Pip, the pony by Oats, the ferret by Dill, the duck by Elsa."


def heard(text: str, role: str = "user", speaker: str = "") -> Heard:
    return Heard(id="t", text=text, role=role, speaker=speaker, said_at=SAID)


def extract(text: str, answer: Any, *replies: str, before: list[Heard] | None = None) -> tuple[Extracted, Scripted]:
    """What a model extracts that answers `answer` under the schema and then, asked again, `replies`."""
    said = list(replies)
    model = Scripted(reply=lambda prompt: said.pop(0), structured=lambda prompt: answer)
    extracted = ByModel("given:scripted", lambda: chat(model)).extract([heard(text)], before or [])
    return extracted, model


def by_model(extracted: Extracted) -> list[tuple[str, str, str]]:
    return [(fact.subject, fact.attribute, fact.value) for fact in extracted.facts if fact.model != "rules"]


def entry(attribute: str, value: str, quote: str, subject: str = "user") -> dict[str, str]:
    return {"subject": subject, "attribute": attribute, "value": value, "quote": quote}


HIKING = ("user", "opinion of hiking", "likes")
LIVES = ("user", "residence", "Oslo")


def test_x01_bare_strings_are_stored_as_facts() -> None:
    extracted, _ = extract(OSLO, {"memory": ["user likes hiking", "user lives in Oslo"]})
    assert by_model(extracted) == [HIKING, LIVES]
    assert not extracted.dropped


GOOD = {
    "facts": [entry("likes", "hiking", "I go hiking whenever I can"), entry("city", "Oslo", "Oslo is where I live")]
}


@pytest.mark.parametrize(
    "wrapped",
    [
        json.dumps(GOOD["facts"]),
        f"```json\n{json.dumps(GOOD)}\n```",
        f"Here you are:\n```\n{json.dumps(GOOD)}",
        f"<think>The user mentions two things.\n{json.dumps(GOOD)}",
        f"<think>Let me see.</think>\n{json.dumps(GOOD)}",
        json.dumps(GOOD)[:-3],
    ],
)
def test_x02_arrays_fences_thinking_and_cut_json_give_their_facts(wrapped: str) -> None:
    extracted, model = extract(OSLO, wrapped)
    assert by_model(extracted) == [HIKING, LIVES]
    assert len(model.prompts) == 1


@pytest.mark.parametrize("key", ["items", "memories", "data"])
def test_x03_another_key_or_a_numbered_list_is_understood(key: str) -> None:
    extracted, _ = extract(OSLO, {key: GOOD["facts"]})
    assert by_model(extracted) == [HIKING, LIVES]
    extracted, _ = extract(OSLO, "1. User likes hiking.\n2. User lives in Oslo.")
    assert by_model(extracted) == [HIKING, LIVES]
    assert extracted.degraded == ["the answer of given:scripted was repaired"]


def test_x03_prose_gets_one_repair_and_then_the_turn_stays_verbatim() -> None:
    extracted, model = extract(OSLO, "The user seems to be fond of nature.", "I am afraid I cannot do that.")
    assert by_model(extracted) == []
    assert len(model.prompts) == 2
    assert "verbatim" in extracted.degraded[0]
    extracted, model = extract(OSLO, "The user seems to be fond of nature.", json.dumps(GOOD))
    assert by_model(extracted) == [HIKING, LIVES]
    assert extracted.degraded == ["given:scripted was asked twice"]


@pytest.mark.parametrize(
    "text", ["哈哈哈", "ok thanks", "How are you?", "如果我住在海边就好了", "```\nname = 'Ann'\n```"]
)
def test_x04_a_turn_that_tells_nothing_asks_no_model(text: str) -> None:
    extracted, model = extract(text, GOOD)
    assert not extracted.facts
    assert not model.prompts


def test_x04_no_text_of_the_prompt_becomes_a_memory() -> None:
    def echo(prompt: list[BaseMessage]) -> Any:
        return json.loads(str(prompt[2].text))

    for text in ("The bus was late again this morning.", "今天的公交车又晚点了。"):
        model = Scripted(structured=echo)
        extracted = ByModel("given:scripted", lambda model=model: chat(model)).extract([heard(text)])  # type: ignore[misc]
        assert model.prompts
        assert not extracted.facts
        assert len(extracted.dropped) == 3


def test_x05_a_memory_id_that_was_never_shown_is_ignored_with_a_warning() -> None:
    answer = [{**GOOD["facts"][0], "id": "12"}, {"memory_id": "c0ffee", "event": "DELETE"}, GOOD["facts"][1]]
    extracted, _ = extract(OSLO, {"facts": answer})
    assert by_model(extracted) == [HIKING, LIVES]
    assert [
        warning for warning in extracted.degraded if "not shown" in warning and ("12" in warning or "c0ffee" in warning)
    ]


def test_x06_a_fact_without_a_required_field_is_dropped_with_its_reason() -> None:
    names = {"gecko": "Guava", "canary": "Pip", "pony": "Oats", "ferret": "Dill", "duck": "Elsa"}
    answer = [entry("pet", name, f"by {name}") for name in names.values()]
    del answer[2]["value"]
    extracted, _ = extract(PETS, {"facts": answer})
    pets = {fact.value for fact in extracted.facts if fact.attribute.startswith("pet ")}
    assert pets == set(names.values()) - {"Oats"}
    assert len(extracted.dropped) == 1
    assert "has no value" in extracted.dropped[0]


def test_x07_a_repetition_loop_gives_one_fact() -> None:
    looped = '{"facts": [' + ", ".join([json.dumps(GOOD["facts"][1])] * 400) + ', {"subject": "user", "attri'
    extracted, model = extract(OSLO, looped)
    assert by_model(extracted) == [LIVES]
    assert len(model.prompts) == 1


def test_x07_the_list_is_capped() -> None:
    names = [f"Bo{number}" for number in range(40)]
    text = "I have these friends: " + ", ".join(names) + "."
    extracted, _ = extract(text, {"facts": [entry("friend", name, name) for name in names]})
    assert MOST < len(extracted.facts) < 30
    assert "beyond" in extracted.dropped[-1]


def test_x08_a_chinese_fact_stays_chinese() -> None:
    text = "我喜欢喝榛子拿铁和年糕汤"
    extracted, _ = extract(text, {"facts": [entry("喜欢", "榛子拿铁", "我喜欢喝榛子拿铁")]})
    assert [fact.text for fact in extracted.facts] == ["用户喜欢喝榛子拿铁。", "用户喜欢喝年糕汤。"]


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (entry("likes", "skiing", "I ski every winter"), "quotes what the turn does not say"),
        (entry("residence", "Bergen", "Oslo is where I live"), "a value the turn does not say"),
        (entry("residence", "Oslo", "Oslo is where I live", subject="Marta"), "somebody the turn does not name"),
        (entry("residence", "yes", "Oslo is where I live"), "no usable value"),
    ],
)
def test_what_the_turn_does_not_say_is_dropped_with_the_reason(wrong: dict[str, str], why: str) -> None:
    extracted, _ = extract(OSLO, {"facts": [wrong]})
    assert by_model(extracted) == []
    assert why in extracted.dropped[0]


def test_what_others_said_and_what_is_asked_is_dropped() -> None:
    text = "My sister said she loves opera. I bought a piano. Do you play the harp?"
    answer = [entry("likes", "opera", "she loves opera"), entry("plays", "harp", "play the harp")]
    extracted, _ = extract(text, {"facts": answer})
    assert by_model(extracted) == []
    assert all("asked, supposed or said by others" in each for each in extracted.dropped)


def test_a_fact_of_rules_and_model_is_one() -> None:
    extracted, _ = extract("I live in Oslo now.", {"facts": [entry("lives in", "Oslo", "I live in Oslo")]})
    assert [(fact.attribute, fact.model) for fact in extracted.facts] == [("residence", "rules")]


def test_quotes_are_the_turns_own_words_at_their_place() -> None:
    text = "Hm. Oslo  is where\nI live, and “Kiln & Co” is my shop's name."
    extracted, _ = extract(text, {"facts": [entry("city", "Oslo", "oslo is where i live")]})
    for fact in extracted.facts:
        assert text[fact.start : fact.end] == fact.quote
    assert LIVES in by_model(extracted)


def test_assistant_and_system_turns_are_never_sources() -> None:
    model = Scripted(structured=lambda prompt: GOOD)
    turns = [heard(OSLO, role="assistant"), heard(OSLO, role="system")]
    assert not ByModel("given:scripted", lambda: chat(model)).extract(turns).facts
    assert not model.prompts


def test_earlier_turns_are_shown_but_not_taken_down() -> None:
    answer = {
        "facts": [entry("likes", "hiking", "I go hiking whenever I can"), entry("plays", "cello", "I play the cello")]
    }
    extracted, model = extract("I play the cello too.", answer, before=[heard(OSLO)])
    assert "I go hiking" in model.text()
    assert ("user", "plays cello", "cello") in [(fact.subject, fact.attribute, fact.value) for fact in extracted.facts]
    assert HIKING not in by_model(extracted)


def test_a_model_out_of_reach_is_said_and_not_swallowed() -> None:
    def fail(prompt: list[BaseMessage]) -> Any:
        return ModelUnavailable("nobody answers")

    model = Scripted(structured=fail)
    with pytest.raises(ModelError, match="nobody answers"):
        ByModel("given:scripted", lambda: chat(model)).extract([heard(OSLO)])


def test_the_extractor_is_named_or_follows_from_the_settings(settings_of: Callable[..., Settings]) -> None:
    assert extractor("none", settings_of()) is None
    big = settings_of(big="openai:gpt-5-mini")
    chosen = [extractor(None, settings_of()), extractor(None, big), extractor("big", big), extractor("rules", big)]
    assert [each and (each.spec, each.instant) for each in chosen] == [
        ("rules", True),
        ("openai:gpt-5-mini", False),
        ("openai:gpt-5-mini", False),
        ("rules", True),
    ]
    assert extractor(None, settings_of(extractor="none")) is None
    for wrong in ("big", "regexes"):
        with pytest.raises(BadInput):
            extractor(wrong, settings_of())


@pytest.fixture
def settings_of(tmp_path: Any) -> Callable[..., Settings]:
    def make(**changes: str) -> Settings:
        return Settings.from_env({"HIPPOGRAPH_HOME": str(tmp_path)}).override(**changes)

    return make


def test_facts_carry_feeling_time_and_confidence() -> None:
    entries = [entry("residence", "Oslo", "Oslo has been home to me")]
    extracted, _ = extract("Since 2019 Oslo has been home to me, and I love it.", {"facts": entries})
    fact: Fact = next(each for each in extracted.facts if each.value == "Oslo")
    assert fact.valid_from == datetime(2019, 1, 1, tzinfo=UTC)
    assert 0 < fact.confidence < 1
