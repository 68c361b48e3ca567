from pathlib import Path

import pytest
from doubles import Ollama, listed
from langchain_core.messages import HumanMessage
from scripted import Scripted

from hippograph.graph import build_graph
from hippograph.graph.opened import Models, close_shared, shared_memory
from hippograph.memory import Memory
from hippograph.state import Context, HomeInUse, ModelNotFound, Settings


def test_graphs_of_one_home_share_one_memory_until_it_is_closed(settings: Settings, model: Scripted) -> None:
    for text in ("My cat is called Tofu.", "My dog is called Rex."):
        build_graph(small=model, settings=settings).invoke(
            {"messages": [HumanMessage(text)]}, context=Context(user_id="ann")
        )
    assert len(shared_memory(settings).list("ann", kinds=["turn"])) == 4
    assert shared_memory(settings) is shared_memory(settings)
    with pytest.raises(HomeInUse):
        Memory.open(settings.home)
    close_shared()
    with Memory.open(settings.home) as memory:
        assert len(memory.list("ann", kinds=["turn"])) == 4


def test_building_a_graph_opens_nothing(tmp_path: Path) -> None:
    settings = Settings.from_env().override(home=tmp_path / "home", small="ollama:nosuch", big="openai:none")
    build_graph(settings=settings)
    assert not settings.home.exists()


def test_a_model_is_checked_once_and_again_after_it_failed(settings: Settings, ollama: Ollama) -> None:
    models = Models(settings=settings.override(ollama_url=ollama.url, small="ollama:qwen3:4b"))
    first = models.small(Context())
    checks = len(ollama.asked)
    assert models.small(Context(user_id="another")) is first
    assert len(ollama.asked) == checks
    models.forget()
    assert models.small(Context()) is not first


def test_the_run_wins_over_the_graph_and_the_graph_over_the_settings(settings: Settings, ollama: Ollama) -> None:
    ollama.models = [listed(name) for name in ("a:1b", "b:1b", "c:1b")]
    models = Models(settings=settings.override(ollama_url=ollama.url, small="ollama:a:1b"))
    assert models.small(Context()).spec == "ollama:a:1b"
    models.small_given = "ollama:b:1b"
    assert models.small(Context()).spec == "ollama:b:1b"
    assert models.small(Context(small="ollama:c:1b")).spec == "ollama:c:1b"
    with pytest.raises(ModelNotFound):
        models.small(Context(small="ollama:d:1b"))


def test_without_a_big_model_there_is_none(settings: Settings, ollama: Ollama) -> None:
    models = Models(settings=settings.override(ollama_url=ollama.url))
    assert models.big(Context()) is None
    assert models.big(Context(big="ollama:qwen3:4b")) is not None


def test_the_big_model_has_a_budget_of_its_own(settings: Settings, ollama: Ollama) -> None:
    ollama.models = [listed("a:1b"), listed("b:8b")]
    models = Models(settings=settings.override(ollama_url=ollama.url, small="ollama:a:1b", big="ollama:b:8b"))
    context = Context(context_tokens=1000, answer_tokens=100)
    small, big = models.small(context), models.big(context)
    assert big is not None
    assert (small.window, small.reserved) == (1000, 100)
    assert (big.window, big.reserved) == (4096, 1024)


def test_a_given_big_model_is_used_within_what_it_tells(settings: Settings) -> None:
    told = Scripted(profile={"max_input_tokens": 200_000})
    for model, window in ((told, 32_768), (Scripted(), 4096)):
        big = Models(settings=settings, big_given=model).big(Context())
        assert big is not None
        assert (big.window, big.reserved) == (window, 1024)


def test_a_window_smaller_than_the_answer_still_leaves_room_to_ask(settings: Settings, ollama: Ollama) -> None:
    models = Models(settings=settings.override(ollama_url=ollama.url, small="ollama:qwen3:4b"))
    small = models.small(Context(context_tokens=512, answer_tokens=512))
    assert small.window == 512
    given = Models(settings=settings, small_given=Scripted()).small(Context(context_tokens=600))
    assert given.window == 600
