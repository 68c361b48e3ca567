from collections.abc import Callable
from dataclasses import replace
from typing import Any

from langchain_core.messages import HumanMessage
from scripted import Scripted, chat

from hippograph.nodes import Resources, Run, summarize
from hippograph.nodes.run import Rung
from hippograph.nodes.summarize import TINY_NOTES, most_notes
from hippograph.state import Context, ModelUnavailable, Recollection
from hippograph.state.conversation import State

Make = Callable[..., Recollection]
RUN = Run(context=Context(user_id="ann", memory_tokens=150))


def state(*memories: Recollection) -> State:
    return State(
        messages=[HumanMessage("What about the cello?", id="1")], memories=[each.to_record() for each in memories]
    )


def with_big(resources: Resources, structured: Callable[[Any], Any]) -> Resources:
    return replace(resources, big=lambda context: chat(Scripted(structured=structured)))


def test_no_memories_open_no_model(nowhere: Resources) -> None:
    assert summarize(state(), RUN, nowhere) == {}


def test_evidence_that_fits_is_quoted_without_asking_the_big_model(resources: Resources, found: Make) -> None:
    def asked(prompt: Any) -> Any:
        raise AssertionError("not to be asked")

    update = summarize(state(found("The cello is old.")), RUN, with_big(resources, asked))
    assert (update["block"]["by"], update["degraded"]) == ("extract", [])
    assert update["spent"] == []


def test_evidence_that_does_not_fit_is_distilled(resources: Resources, found: Make) -> None:
    reply = {"bullets": [{"text": "The cello is old.", "sources": [1]}]}
    update = summarize(state(found("The cello is old. " * 40)), RUN, with_big(resources, lambda prompt: reply))
    assert (update["block"]["by"], update["block"]["text"]) == ("big", "[1] (2025-11-02, user) The cello is old.")
    (call,) = update["spent"]
    assert (call["role"], call["model"], call["cached"]) == ("big", "given:scripted", False)
    assert call["input"] > update["block"]["tokens"] > call["output"] > 0


def test_a_failing_big_model_degrades_to_the_memories_own_words(resources: Resources, found: Make) -> None:
    for failure in (OSError("boom"), {"bullets": []}, "no JSON"):
        update = summarize(
            state(found("The cello is old. " * 40)), RUN, with_big(resources, lambda prompt, f=failure: f)
        )
        assert update["block"]["by"] == "extract"
        assert "The cello is old." in update["block"]["text"]
        assert len(update["degraded"]) == 1
        assert update["degraded"][0].startswith("summarize: ")


def test_a_big_model_that_cannot_be_opened_degrades_too(resources: Resources, found: Make) -> None:
    def unavailable(context: Context) -> Any:
        raise ModelUnavailable("No model server answers.")

    update = summarize(state(found("The cello. " * 90)), RUN, replace(resources, big=unavailable))
    assert update["block"]["by"] == "extract"
    assert update["degraded"] == ["summarize: big: No model server answers.; used the memories' own words"]


def test_the_calls_of_every_model_that_was_tried_are_told_also_those_that_failed(
    resources: Resources, found: Make
) -> None:
    away = Scripted(structured=lambda prompt: OSError("boom"))
    there = Scripted(structured=lambda prompt: {"bullets": [{"text": "The cello is old.", "sources": [1]}]})
    rungs = [
        Rung(role="big", spec="a", open=lambda: chat(away)),
        Rung(role="backup", spec="b", open=lambda: chat(there)),
    ]
    update = summarize(state(found("The cello is old. " * 40)), RUN, replace(resources, ladder=lambda context: rungs))
    failed, made = update["spent"][0], update["spent"][-1]
    assert update["block"]["by"] == "backup"
    assert (failed["role"], failed["input"], failed["output"]) == ("big", 0, 0)
    assert made["role"] == "backup"
    assert made["input"] > made["output"] > 0


def test_a_tiny_model_gets_only_the_best_notes(found: Make, resources: Resources) -> None:
    notes = [found(f"cello {n}", id=str(n)) for n in range(TINY_NOTES + 2)]
    tiny = replace(resources, small=lambda context: chat(Scripted(), spec="local:qwen2.5-coder-0.5b"))
    assert summarize(state(*notes), RUN, tiny)["block"]["cited"] == [str(n) for n in range(TINY_NOTES)]
    assert len(summarize(state(*notes), RUN, resources)["block"]["cited"]) == len(notes)
    sizes = {
        "ollama:qwen3:0.6b": TINY_NOTES,
        "ollama:qwen3:4b": None,
        "ollama:llama3.1:70b": None,
        "openai:gpt-5-mini": None,
    }
    assert {spec: most_notes(spec) for spec in sizes} == sizes
