"""A model is asked once for a block: the same question about the same memories finds what it wrote."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from scripted import Scripted, chat

from hippograph.memory import Memory
from hippograph.models import Breakers
from hippograph.nodes import Resources, Run, Update, summarize
from hippograph.nodes import reuse as reusing
from hippograph.nodes.run import Rung
from hippograph.state import Context, HomeUnusable, ModelUnavailable
from hippograph.state.conversation import State

LONG = "The cello from Cremona is old, and so is its bow. " * 12


@dataclass
class Models:
    """A ladder of two models of the caller's own; each counts its calls, and may be away."""

    away: set[str] = field(default_factory=set)
    calls: list[str] = field(default_factory=list)
    said: Callable[[str], Any] = lambda role: {"bullets": [{"text": "The cello is from Cremona.", "sources": [1]}]}

    def rungs(self, context: Context) -> list[Rung]:
        return [Rung(role=role, spec=role, open=lambda role=role: chat(self.model(role))) for role in ("big", "backup")]  # type: ignore[misc, arg-type]

    def model(self, role: str) -> Scripted:
        def answer(prompt: Any) -> Any:
            if role in self.away:
                return ModelUnavailable(f"{role} is away")
            self.calls.append(role)
            return self.said(role)

        return Scripted(structured=answer)


@pytest.fixture
def models() -> Models:
    return Models()


@pytest.fixture
def both(resources: Resources, models: Models) -> Resources:
    return replace(resources, ladder=models.rungs)


def ask(resources: Resources, text: str = "What about the cello?", ids: Any = None, **context: Any) -> Update:
    memory = resources.memory()
    found = [memory.get(each, "ann") for each in ids] if ids else memory.list("ann")
    state = State(messages=[HumanMessage(text, id="1")], memories=[each.to_record() for each in found])
    run = Run(context=Context(user_id="ann", **{"memory_tokens": 150, **context}))
    return summarize(state, run, resources)


def say(memory: Memory, *texts: str) -> list[str]:
    return memory.add_turns("ann", "t", [{"role": "user", "text": text} for text in texts])


def test_the_second_asking_calls_no_model_and_says_what_that_saved(
    memory: Memory, both: Resources, models: Models
) -> None:
    say(memory, LONG)
    first, second = ask(both), ask(both)
    assert models.calls == ["big"]
    assert (first["block"]["cache"], second["block"]["cache"]) == ("", "exact")
    assert second["block"]["text"] == first["block"]["text"]
    assert second["block"]["cited"] == first["block"]["cited"]
    assert (second["block"]["by"], second["block"]["decision"]) == ("big", first["block"]["decision"])
    (made,), (unsent,) = first["spent"], second["spent"]
    assert (made["cached"], unsent["cached"]) == (False, True)
    assert (unsent["input"], unsent["output"]) == (made["input"], made["output"])
    assert second["block"]["saved"] == made["input"] + made["output"] > 0
    assert second["degraded"] == []
    assert memory.status().cache.hit_rate == 0.5


@pytest.mark.parametrize(
    ("asked", "again"),
    [("Where is the cello from?", "Tell me where the cello is from."), ("大提琴来自哪里？", "告诉我大提琴来自哪儿？")],
)
def test_the_same_question_in_other_words_calls_none_either(
    memory: Memory, both: Resources, models: Models, asked: str, again: str
) -> None:
    say(memory, LONG)
    ask(both, asked)
    update = ask(both, again)
    assert (update["block"]["cache"], models.calls) == ("near", ["big"])
    ask(both, asked.replace("Where", "When").replace("哪里", "什么时候"))
    assert models.calls == ["big", "big"], "another question about the same memories"


def test_a_memory_that_changed_and_a_run_without_a_cache_call_again(
    memory: Memory, both: Resources, models: Models
) -> None:
    told = memory.remember("ann", LONG)
    ask(both)
    assert ask(both, cache=False)["block"]["cache"] == ""
    assert models.calls == ["big", "big"]
    memory.update(told, text=f"{LONG} It was sold.")
    assert ask(both)["block"]["cache"] == ""
    ask(both, memory_tokens=120)
    ask(both, language="zh")
    assert models.calls == ["big"] * 5


def test_what_a_lower_rung_wrote_is_found_while_the_better_is_away_and_not_once_it_is_back(
    memory: Memory, both: Resources, models: Models
) -> None:
    say(memory, LONG)
    models.away = {"big"}
    assert (ask(both)["block"]["by"], ask(both)["block"]["by"]) == ("backup", "backup")
    assert models.calls == ["backup"]
    models.away = set()
    update = ask(both)
    assert (update["block"]["by"], update["block"]["cache"]) == ("big", "")
    assert models.calls == ["backup", "big"]
    models.away = {"backup"}
    assert ask(both)["block"]["cache"] == "exact"


def test_what_is_quoted_without_a_model_is_not_kept(memory: Memory, both: Resources, models: Models) -> None:
    say(memory, LONG)
    models.away = {"big", "backup"}
    assert ask(both)["block"]["by"] == "extract"
    ask(both, summarize="never")
    assert memory.status().cache.blocks == 0


def test_what_is_kept_is_what_was_checked(memory: Memory, both: Resources, models: Models) -> None:
    say(memory, LONG)
    models.said = lambda role: {"bullets": [{"text": "The cello costs 9,000 euros.", "sources": [1]}]}
    first, second = ask(both), ask(both)
    assert "9,000" not in second["block"]["text"]
    assert first["block"]["unsupported"] == second["block"]["unsupported"] == 1
    assert second["block"]["cache"] == "exact"


def test_a_reply_that_had_to_be_mended_is_not_kept(memory: Memory, both: Resources, models: Models) -> None:
    say(memory, LONG)
    models.said = lambda role: "no JSON"
    both_replies = Scripted(
        structured=lambda prompt: "no JSON",
        reply=lambda prompt: '{"bullets": [{"text": "The cello is from Cremona.", "sources": [1]}]}',
    )
    rung = Rung(role="big", spec="big", open=lambda: chat(both_replies))
    update = ask(replace(both, ladder=lambda context: [rung]))
    assert update["block"]["by"] == "big"
    assert "asked twice" in " ".join(update["degraded"])
    assert memory.status().cache.blocks == 0


def test_other_prompts_or_checks_find_nothing_of_earlier_ones(
    memory: Memory, both: Resources, models: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(memory, LONG)
    ask(both)
    monkeypatch.setattr(reusing, "code", lambda: "another version")
    assert ask(both)["block"]["cache"] == ""
    assert models.calls == ["big", "big"]


def test_the_digest_of_prompts_and_checks_is_of_files_that_are_there() -> None:
    names = {each.name for each in reusing._sources(reusing.files("hippograph.nodes"))}
    assert {"verify.py", "distil.py", "noting.py", "dating.py", "distil.zh.md", "distil_example.en.md"} <= names
    assert reusing.code() == reusing.code.__wrapped__()


def test_models_of_the_callers_own_that_share_a_name_share_no_block(
    memory: Memory, resources: Resources, models: Models
) -> None:
    class Named(Scripted):
        temperature: float = 0.0

        @property
        def _identifying_params(self) -> dict[str, Any]:
            return {"temperature": self.temperature}

    say(memory, LONG)
    for temperature in (0.0, 0.5, 0.0):
        model = Named(structured=models.model("big").structured, temperature=temperature)
        ask(replace(resources, big=lambda context, model=model: chat(model)))  # type: ignore[misc]
    assert models.calls == ["big", "big"]


def test_a_ledger_that_cannot_be_written_costs_the_cache_and_not_the_answer(
    memory: Memory, both: Resources, models: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(memory, LONG)

    def fail(*_: object) -> None:
        raise HomeUnusable("the disk is full")

    for name in ("keep", "find"):
        monkeypatch.setattr(memory.blocks, name, fail)
        update = ask(both)
        assert update["block"]["by"] == "big"
        assert update["degraded"] == ["summarize: kept blocks: the disk is full"]


def test_a_question_that_is_not_to_be_remembered_leaves_no_vector(
    memory: Memory, both: Resources, models: Models
) -> None:
    say(memory, LONG)
    ask(both, "Where is the cello from?", remember=False)
    assert ask(both, "Where is the cello from?")["block"]["cache"] == "exact"
    assert ask(both, "Tell me where the cello is from.")["block"]["cache"] == ""


def test_a_breaker_that_is_open_does_not_keep_the_next_rung_from_its_blocks(
    memory: Memory, both: Resources, models: Models
) -> None:
    say(memory, LONG)
    guarded = replace(both, breakers=Breakers())
    models.away = {"big"}
    for _ in range(8):
        assert ask(guarded)["block"]["by"] == "backup"
    assert models.calls == ["backup"]


def test_a_block_that_is_there_already_saves_nothing_ahead_of_a_question(both: Resources) -> None:
    both.memory().add_turns("ann", "t", [{"role": "user", "text": LONG}])
    ask(both)
    found = [each.to_record() for each in both.memory().list("ann")]
    for text in ("What about the cello?",):
        state = State(messages=[HumanMessage(text, id="1")], memories=found)
        run = Run(context=Context(user_id="ann", memory_tokens=150), ahead=True)
        update = summarize(state, run, both)
        assert update["block"]["cache"] == "exact"
        assert not update["spent"]
