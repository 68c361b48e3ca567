from pathlib import Path

import pytest
from doubles import Ollama, OpenAI, listed
from langchain_core.messages import AIMessageChunk, HumanMessage, SystemMessage
from pydantic import BaseModel

from hippograph.models import ChatModel, chat_model, usage
from hippograph.models.ollama import CHECK_SECONDS
from hippograph.state import (
    BadInput,
    MissingKey,
    ModelError,
    ModelNotFound,
    ModelNotPulled,
    ModelUnavailable,
    Settings,
)

PROMPT = [SystemMessage("Answer in one word."), HumanMessage("我对什么过敏？")]


def merged(made: ChatModel) -> AIMessageChunk:
    chunks = [chunk for chunk in made.model.stream(PROMPT) if isinstance(chunk, AIMessageChunk)]
    whole = chunks[0]
    for chunk in chunks[1:]:
        whole += chunk
    return whole


# Ollama, through the real langchain-ollama


def test_ollama_is_asked_with_the_budgets_window(with_ollama: Settings, ollama: Ollama) -> None:
    ollama.answers = ["荔枝。"]
    made = chat_model("ollama:qwen3:4b", with_ollama, context_tokens=3000, answer_tokens=100)
    answer = made.model.invoke(PROMPT)
    (sent,) = ollama.bodies("/api/chat")
    assert answer.text == "荔枝。"
    assert (sent["model"], made.window) == ("qwen3:4b", 3000)
    assert {name: sent["options"][name] for name in ("num_ctx", "num_predict", "temperature")} == {
        "num_ctx": 3000,
        "num_predict": 100,
        "temperature": 0.0,
    }
    assert usage(answer, PROMPT, made.counter).input == ollama.prompt_tokens


def test_a_model_with_a_small_window_is_not_asked_for_more(with_ollama: Settings, ollama: Ollama) -> None:
    ollama.windows["qwen3:4b"] = 2048
    made = chat_model("ollama:qwen3:4b", with_ollama)
    made.model.invoke(PROMPT)
    assert made.window == ollama.bodies("/api/chat")[0]["options"]["num_ctx"] == 2048


def test_an_answer_that_fills_the_window_is_refused(with_ollama: Settings, ollama: Ollama) -> None:
    ollama.windows["qwen3:4b"] = 512
    with pytest.raises(BadInput, match="window of 512"):
        chat_model("ollama:qwen3:4b", with_ollama, answer_tokens=512)
    with pytest.raises(BadInput, match="answer_tokens"):
        chat_model("ollama:qwen3:4b", with_ollama, context_tokens=512, answer_tokens=512)


def test_latest_is_understood(with_ollama: Settings, ollama: Ollama) -> None:
    ollama.models = [listed("mistral:latest"), listed("mistral")]
    assert chat_model("ollama:mistral", with_ollama).model.invoke("hi").text == "Yes."


def test_a_model_ollama_lacks_is_named_with_what_it_has(with_ollama: Settings) -> None:
    with pytest.raises(ModelNotFound, match=r"has qwen3:4b.*ollama pull llama3:8b"):
        chat_model("ollama:llama3:8b", with_ollama)


def test_an_embedding_model_is_no_chat_model(with_ollama: Settings, ollama: Ollama) -> None:
    ollama.capabilities["qwen3:4b"] = ["embedding"]
    with pytest.raises(BadInput, match="cannot chat"):
        chat_model("ollama:qwen3:4b", with_ollama)


def test_a_dead_server_is_one_line_in_time(settings: Settings) -> None:
    assert CHECK_SECONDS < 5  # M05's promise
    with pytest.raises(ModelUnavailable, match=r"127\.0\.0\.1:9.*ollama serve") as raised:
        chat_model("ollama:qwen3:4b", settings)
    assert "\n" not in str(raised.value)


def test_something_else_at_ollamas_address_is_told(settings: Settings, openai_server: OpenAI) -> None:
    with pytest.raises(ModelUnavailable, match="HTTP 404"):
        chat_model("ollama:qwen3:4b", settings.override(ollama_url=openai_server.url))


def test_thinking_is_switched_off_where_the_model_can(with_ollama: Settings, ollama: Ollama) -> None:
    ollama.models = [listed("qwen3:4b"), listed("gpt-oss:20b"), listed("llama3:8b")]
    ollama.capabilities = {"qwen3:4b": ["completion", "thinking"], "gpt-oss:20b": ["completion", "thinking"]}
    for name in ("qwen3:4b", "gpt-oss:20b", "llama3:8b"):
        chat_model(f"ollama:{name}", with_ollama).model.invoke(PROMPT)
    assert [sent.get("think") for sent in ollama.bodies("/api/chat")] == [False, "low", None]


def test_a_template_that_opens_the_thinking_is_seen_through(settings: Settings, openai_server: OpenAI) -> None:
    openai_server.answers = ["Let me see.\n</think>\n\nlychee"]
    for name in ("deepseek-r1:7b", "Qwen3-4B-Thinking"):
        assert merged(chat_model(f"openai:{name}", settings)).content == "lychee"


def test_thinking_is_neither_shown_nor_streamed(with_ollama: Settings, ollama: Ollama) -> None:
    ollama.answers = ["<think>\n也许是花生？不，是荔枝。\n</think>\n\n荔枝。"]
    made = chat_model("ollama:qwen3:4b", with_ollama)
    assert made.model.invoke(PROMPT).content == "荔枝。"
    whole = merged(made)
    assert whole.content == "荔枝。"
    assert whole.usage_metadata is not None
    assert whole.usage_metadata["output_tokens"] == ollama.answer_tokens


def test_a_server_that_counts_nothing_is_not_believed(with_ollama: Settings, ollama: Ollama) -> None:
    ollama.prompt_tokens = ollama.answer_tokens = 0
    made = chat_model("ollama:qwen3:4b", with_ollama)
    counted = usage(made.model.invoke(PROMPT), PROMPT, made.counter)
    assert counted.counted_by == "us"
    assert (counted.input, counted.output) == (made.counter.messages(PROMPT), made.counter.text("Yes."))
    assert counted.total > 10


def test_a_server_that_dies_later_is_named(with_ollama: Settings, ollama: Ollama) -> None:
    made = chat_model("ollama:qwen3:4b", with_ollama)
    ollama.failure = (500, {"error": "llama runner process has terminated"})
    with pytest.raises(ModelUnavailable, match="HTTP 500: llama runner process has terminated"):
        made.model.invoke(PROMPT)


def test_structured_output_is_asked_for_by_schema(with_ollama: Settings, ollama: Ollama) -> None:
    class City(BaseModel):
        city: str

    ollama.answers = ['{"city": "杭州"}']
    made = chat_model("ollama:qwen3:4b", with_ollama)
    assert made.model.with_structured_output(City, method="json_schema").invoke(PROMPT) == City(city="杭州")
    assert ollama.bodies("/api/chat")[0]["format"]["properties"] == {"city": {"title": "City", "type": "string"}}


# OpenAI's API


def test_a_server_on_this_machine_wants_no_key(settings: Settings, openai_server: OpenAI) -> None:
    made = chat_model("openai:tiny", settings, answer_tokens=77)
    assert made.model.invoke(PROMPT).text == merged(made).text == "Yes."
    plain, streamed = openai_server.bodies("/v1/chat/completions")
    assert plain["max_completion_tokens"] == 77
    assert plain["temperature"] == 0.0
    assert streamed["stream_options"] == {"include_usage": True}


def test_the_servers_own_window_counts(settings: Settings, openai_server: OpenAI) -> None:
    openai_server.models = [{"id": "tiny", "max_model_len": 2000}, {"id": "other", "meta": {"n_ctx": 1000}}]
    assert [chat_model(f"openai:{name}", settings).window for name in ("tiny", "other", "third")] == [2000, 1000, 4096]


def test_a_missing_key_is_named(settings: Settings) -> None:
    with pytest.raises(MissingKey, match="OPENAI_API_KEY"):
        chat_model("openai:gpt-5-mini", settings)


def test_a_dead_base_url_is_named(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    with pytest.raises(ModelUnavailable, match=r"http://127\.0\.0\.1:9/v1.*OPENAI_BASE_URL"):
        chat_model("openai:tiny", settings)


def test_reasoning_models_are_spared_what_they_refuse(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    inner = chat_model("openai:gpt-5-mini", settings, answer_tokens=100).model.inner  # type: ignore[attr-defined]
    assert (inner.temperature, inner.reasoning_effort) == (None, "low")
    assert inner.max_tokens > 1000  # They count their thinking as output.
    inner = chat_model("openai:gpt-4o-mini", settings, answer_tokens=100).model.inner  # type: ignore[attr-defined]
    assert (inner.temperature, inner.max_tokens) == (0.0, 100)


@pytest.mark.parametrize(
    ("status", "message", "kind", "told"),
    [
        (401, "Incorrect API key provided", MissingKey, "OPENAI_API_KEY"),
        (404, "The model `tiny` does not exist", ModelNotFound, '"tiny"'),
        (429, "Rate limit reached", ModelUnavailable, "Rate limit reached"),
        (400, "This model's maximum context length is 4096 tokens, your prompt has 9000", ModelError, "9000"),
        (400, "Unknown field", ModelError, "Unknown field"),
    ],
)
def test_what_a_server_refuses_is_one_line(
    settings: Settings, openai_server: OpenAI, status: int, message: str, kind: type[ModelError], told: str
) -> None:
    made = chat_model("openai:tiny", settings)
    openai_server.failure = (status, {"error": {"message": message, "type": "x", "code": status}})
    for call in (made.model.invoke, lambda prompt: list(made.model.stream(prompt))):
        with pytest.raises(kind, match=told) as raised:
            call(PROMPT)
        assert "\n" not in str(raised.value)


# Others


def test_a_missing_package_is_named(settings: Settings) -> None:
    with pytest.raises(ModelUnavailable, match=r"pip install langchain-groq"):
        chat_model("groq:llama", settings)


def test_an_unknown_provider_may_be_an_ollama_model(settings: Settings) -> None:
    with pytest.raises(BadInput, match="ollama:mistral:7b"):
        chat_model("mistral:7b", settings)


# The embedded model


def test_the_embedded_model_answers(small: ChatModel) -> None:
    answer = small.model.invoke("Repeat this word and nothing else: lychee")
    assert "lychee" in answer.text.lower()
    assert (small.spec, small.window) == ("local:qwen2.5-coder-0.5b", 4096)
    assert answer.usage_metadata is not None
    assert answer.usage_metadata["input_tokens"] == small.counter.messages(
        [HumanMessage("Repeat this word and nothing else: lychee")]
    )


def test_the_embedded_model_keeps_to_its_answer_tokens(small: ChatModel) -> None:
    whole = merged(ChatModel(spec=small.spec, model=small.model, counter=small.counter, window=small.window))
    assert whole.usage_metadata is not None
    assert 0 < whole.usage_metadata["output_tokens"] <= 48


def test_a_prompt_beyond_the_window_is_told_with_its_size(small: ChatModel) -> None:
    with pytest.raises(ModelError, match=r"context window.*8192 tokens"):
        small.model.invoke("荔枝 " * 5000)


def test_an_embedded_model_that_was_not_pulled_is_named(settings: Settings) -> None:
    with pytest.raises(ModelNotPulled, match=r"hippograph models pull qwen2\.5-coder-1\.5b"):
        chat_model("local:qwen2.5-coder-1.5b", settings)


def test_an_incomplete_file_is_told(settings: Settings) -> None:
    settings.model_dir.mkdir()
    (settings.model_dir / "qwen2.5-coder-0.5b-instruct.gguf").write_bytes(b"GGUF")
    with pytest.raises(ModelNotPulled, match="incomplete"):
        chat_model("local", settings)


@pytest.mark.parametrize(("content", "told"), [(b"<html>", "not a GGUF"), (b"GGUF" + bytes(999), "cannot be loaded")])
def test_a_damaged_file_is_told(settings: Settings, tmp_path: Path, content: bytes, told: str) -> None:
    path = tmp_path / "broken.gguf"
    path.write_bytes(content)
    with pytest.raises(ModelUnavailable, match=told):
        chat_model(f"local:{path}", settings)


def test_a_path_that_leads_nowhere_is_told(settings: Settings, tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="no model file"):
        chat_model(f"local:{tmp_path / 'nothing.gguf'}", settings)
