import pytest

from hippograph.models.spec import Spec, parse
from hippograph.state import BadInput


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("ollama:qwen3:4b", Spec("ollama", "qwen3:4b")),
        ("ollama:hf.co/acme/tiny-GGUF:Q4_K_M", Spec("ollama", "hf.co/acme/tiny-GGUF:Q4_K_M")),
        (" OpenAI:gpt-5-mini ", Spec("openai", "gpt-5-mini")),
        ("google-genai:gemini-3", Spec("google_genai", "gemini-3")),
        ("local", Spec("local", "")),
        ("local:", Spec("local", "")),
        ("local:C:\\models\\a.gguf", Spec("local", "C:\\models\\a.gguf")),
    ],
)
def test_a_name_is_cut_at_its_first_colon(text: str, spec: Spec) -> None:
    assert parse(text) == spec


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("qwen3:4b", "ollama:qwen3:4b"),
        ("llama3.2", "ollama:llama3.2"),
        ("gpt-5-mini", "openai:gpt-5-mini"),
        ("claude-x", "anthropic:claude-x"),
        ("qwen2.5-coder-0.5b", "local:qwen2.5-coder-0.5b"),
        (":x", "ollama:x"),
    ],
)
def test_a_name_without_provider_gets_a_proposal(text: str, meant: str) -> None:
    with pytest.raises(BadInput, match=f"Did you mean {meant}"):
        parse(text)


@pytest.mark.parametrize("text", ["  ", "openai:"])
def test_an_empty_name_gets_examples(text: str) -> None:
    with pytest.raises(BadInput, match="example ollama:qwen3:4b"):
        parse(text)


def test_a_spec_prints_as_it_is_written() -> None:
    assert [str(parse(text)) for text in ("ollama:qwen3:4b", "local")] == ["ollama:qwen3:4b", "local"]
