import importlib.util
import math
import sys
import threading
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

import pytest
from doubles import Ollama, OpenAI, Rerank, likeness

from hippograph.models import ChatModel, Reranker, endpoint, reranker
from hippograph.models.rerankers import sigmoid
from hippograph.state import BadInput, MissingKey, ModelError, ModelNotFound, ModelUnavailable, Settings

QUERY = "lychee"
TEXTS = ["green curtains", "allergic to lychee", "a launch"]
LIKE = [likeness(QUERY, text) for text in TEXTS]


def made(spec: str, settings: Settings) -> Reranker:
    found = reranker(spec, settings)
    assert found is not None
    return found


# Names


def test_fusion_is_the_default_and_no_second_look(settings: Settings) -> None:
    assert [reranker(spec, settings) for spec in (None, "fusion", "none")] == [None] * 3


def test_the_settings_name_the_reranker(settings: Settings) -> None:
    named = settings.override(reranker="rerank:http://127.0.0.1:9/v1/rerank")
    assert made("", named).spec == "rerank:http://127.0.0.1:9/v1/rerank"
    assert reranker("fusion", named) is None


@pytest.mark.parametrize(
    "spec",
    ["bge", "cross-encoder:", "cohere:rerank-v3", "rerank:127.0.0.1:8080", "rerank:http://me:key@x/", "llm:qwen"],
)
def test_a_name_that_cannot_be_used_is_told_with_what_can(settings: Settings, spec: str) -> None:
    with pytest.raises(BadInput, match=r"cross-encoder:MODEL|http://HOST|provider:model"):
        reranker(spec, settings)


@pytest.mark.parametrize(("kind", "module"), [("cross-encoder", "sentence_transformers"), ("flashrank", "flashrank")])
def test_a_missing_package_is_named(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, kind: str, module: str
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == module else pytest.fail(name))
    with pytest.raises(ModelUnavailable, match=rf"pip install 'hippograph\[{kind}\]'"):
        reranker(f"{kind}:any", settings)


# What any of them may do wrong


@pytest.mark.parametrize(
    ("scores", "told"),
    [([0.5], "1 scores for 3 texts"), ([0.1, math.nan, 0.2], "not numbers"), ([0.1, 1.5, 0.2], "from 0 to 1")],
)
def test_scores_of_the_wrong_form_are_refused(scores: list[float], told: str) -> None:
    with pytest.raises(ModelError, match=told):
        Reranker(spec="own", score=lambda query, texts: scores).scores(QUERY, TEXTS)


def test_whatever_a_function_raises_becomes_one_line() -> None:
    def failing(query: str, texts: object) -> list[float]:
        raise ZeroDivisionError("by zero\nsecond line")

    with pytest.raises(ModelError, match=r"own failed: by zero$"):
        Reranker(spec="own", score=failing).scores(QUERY, TEXTS)


def test_nothing_is_asked_about_no_texts() -> None:
    assert Reranker(spec="own", score=lambda query, texts: pytest.fail("asked")).scores(QUERY, []) == []


def test_any_logit_is_a_probability() -> None:
    assert [sigmoid(logit) for logit in (-1e6, 0, 1e6)] == [0.0, 0.5, 1.0]
    assert math.isclose(sigmoid(2), 1 / (1 + math.exp(-2)))


# Endpoints


def test_an_endpoint_scores_in_the_texts_order(settings: Settings, rerank_server: Rerank) -> None:
    assert made(f"rerank:{rerank_server.url}/v1/rerank", settings).scores(QUERY, TEXTS) == pytest.approx(LIKE)
    (asked,) = rerank_server.asked
    assert (asked.path, asked.body) == ("/v1/rerank", {"query": QUERY, "documents": TEXTS})
    assert "Authorization" not in asked.headers


def test_an_endpoint_gets_the_model_and_the_key(
    settings: Settings, rerank_server: Rerank, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HIPPOGRAPH_RERANK_KEY", "secret")
    made(f"rerank:{rerank_server.url}#org/model:v2", settings).scores(QUERY, TEXTS)
    (asked,) = rerank_server.asked
    assert (asked.path, asked.body["model"]) == ("/v1/rerank", "org/model:v2")
    assert asked.headers["Authorization"] == "Bearer secret"


def test_an_endpoint_that_wants_texts_is_understood(settings: Settings, rerank_server: Rerank) -> None:
    rerank_server.texts = "texts"
    found = made(f"rerank:{rerank_server.url}/rerank", settings)
    assert found.scores(QUERY, TEXTS) == found.scores(QUERY, TEXTS) == pytest.approx(LIKE)
    assert ["texts" in asked.body for asked in rerank_server.asked] == [False, True, True]


def test_an_endpoints_logits_become_probabilities_from_then_on(settings: Settings, rerank_server: Rerank) -> None:
    rerank_server.logits = True
    found = made(f"rerank:{rerank_server.url}", settings)
    assert found.scores(QUERY, TEXTS) == pytest.approx([sigmoid(8 * like - 4) for like in LIKE])
    rerank_server.answer = {"results": [{"index": 0, "relevance_score": 0.5}]}
    assert found.scores(QUERY, TEXTS[:1]) == pytest.approx([sigmoid(0.5)])


def test_a_data_list_is_understood(settings: Settings, rerank_server: Rerank) -> None:
    rerank_server.answer = {"data": [{"index": 1, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.1}]}
    assert made(f"rerank:{rerank_server.url}", settings).scores(QUERY, TEXTS[:2]) == [0.1, 0.9]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({"hello": "world"}, "is not a reranker"),
        ("text", "is not a reranker"),
        ({"results": [{"index": 0, "relevance_score": None}]}, "is not a reranker"),
        ({"results": [{"index": 0, "relevance_score": math.nan}]}, "is not a reranker"),
        ({"results": [{"index": 2, "relevance_score": 0.5}]}, "1 of 3 texts"),
        ({"results": [{"index": at, "relevance_score": 0.5} for at in (1, 2, 3)]}, "other texts"),
    ],
)
def test_an_answer_of_another_form_is_refused(
    settings: Settings, rerank_server: Rerank, answer: Any, told: str
) -> None:
    rerank_server.answer = answer
    with pytest.raises(ModelError, match=told):
        made(f"rerank:{rerank_server.url}", settings).scores(QUERY, TEXTS)


@pytest.mark.parametrize(
    ("status", "kind", "told"),
    [
        (401, MissingKey, "HIPPOGRAPH_RERANK_KEY"),
        (404, ModelNotFound, "check the address"),
        (429, ModelUnavailable, "429"),
        (500, ModelUnavailable, "out of memory"),
        (400, ModelError, "out of memory"),
    ],
)
def test_a_failing_endpoint_is_told(
    settings: Settings, rerank_server: Rerank, status: int, kind: type[Exception], told: str
) -> None:
    rerank_server.failure = (status, {"error": {"message": "out of memory"}})
    with pytest.raises(kind, match=told) as raised:
        made(f"rerank:{rerank_server.url}", settings).scores(QUERY, TEXTS)
    assert "\n" not in str(raised.value)


def test_a_silent_endpoint_is_given_up(
    settings: Settings, rerank_server: Rerank, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoint, "READ_SECONDS", 0.2)
    rerank_server.silence = threading.Event()
    with pytest.raises(ModelUnavailable, match="took too long"):
        made(f"rerank:{rerank_server.url}", settings).scores(QUERY, TEXTS)


def test_a_dead_endpoint_is_told(settings: Settings) -> None:
    with pytest.raises(ModelUnavailable, match=r"No model server answers at http://127\.0\.0\.1:9"):
        made("rerank:http://127.0.0.1:9", settings).scores(QUERY, TEXTS)


def test_no_proxy_is_asked_for_this_machine(
    settings: Settings, rerank_server: Rerank, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    assert made(f"rerank:{rerank_server.url}", settings).scores(QUERY, TEXTS) == pytest.approx(LIKE)


def test_a_llama_server_without_a_reranker_says_so(
    settings: Settings, small: ChatModel, local_settings: Settings
) -> None:
    """The embedded model's own server has the route, but no model that ranks."""
    from hippograph.models import local
    from hippograph.models.spec import parse

    url = local.serve(parse("local"), local_settings).url()
    with pytest.raises(ModelError, match="reranking"):
        made(f"rerank:{url}/v1/rerank", settings).scores(QUERY, TEXTS)


# Cross-encoders in this process; a stub stands for the package, where only the way to it is tested


class Logits(list[Any]):
    def tolist(self) -> list[Any]:
        return self


def stub(monkeypatch: pytest.MonkeyPatch, name: str, **content: Any) -> None:
    module = ModuleType(name)
    module.__spec__ = importlib.util.spec_from_loader(name, None)
    vars(module).update(content)
    monkeypatch.setitem(sys.modules, name, module)


class StubEncoder:
    def __init__(self, name: str, **options: Any) -> None:
        if name == "missing":
            raise OSError("no such model\nand more")
        self.classes = name == "classes"

    def predict(self, pairs: Any, activation_fn: Any, show_progress_bar: bool) -> Any:
        logits = [8 * likeness(*pair) - 4 for pair in pairs]
        return activation_fn(Logits([[logit, 0.0] for logit in logits] if self.classes else logits))


def test_a_cross_encoders_logits_become_probabilities(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    stub(monkeypatch, "sentence_transformers", CrossEncoder=StubEncoder)
    scores = made("cross-encoder:any/model", settings).scores(QUERY, TEXTS)
    assert scores == pytest.approx([sigmoid(8 * like - 4) for like in LIKE])


@pytest.mark.parametrize(("name", "told"), [("missing", "cannot be loaded .no such model"), ("classes", "that ranks")])
def test_a_model_that_is_no_cross_encoder_is_told(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, name: str, told: str
) -> None:
    stub(monkeypatch, "sentence_transformers", CrossEncoder=StubEncoder)
    with pytest.raises(ModelError, match=told):
        made(f"cross-encoder:{name}", settings).scores(QUERY, TEXTS)


class StubRanker:
    folders: ClassVar[list[str]] = []

    def __init__(self, model_name: str, cache_dir: str, **options: Any) -> None:
        self.folders.append(cache_dir)

    def rerank(self, request: Any) -> list[dict[str, Any]]:
        scored = [{**each, "score": likeness(request.query, each["text"])} for each in request.passages]
        return sorted(scored, key=lambda each: -each["score"])


def test_flashrank_scores_in_the_texts_order(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    stub(monkeypatch, "flashrank", Ranker=StubRanker, RerankRequest=SimpleNamespace)
    assert made("flashrank:any", settings).scores(QUERY, TEXTS) == pytest.approx(LIKE)
    assert StubRanker.folders == [str(settings.model_dir / "flashrank")]


@pytest.mark.parametrize(("kind", "module"), [("cross-encoder", "sentence_transformers"), ("flashrank", "flashrank")])
def test_a_real_cross_encoder_prefers_the_text_that_answers(
    model_dir: Path, local_settings: Settings, kind: str, module: str
) -> None:
    folder = next(iter(sorted((model_dir / kind).glob("*/config.json"))), None)
    if importlib.util.find_spec(module) is None or folder is None:
        pytest.skip(f"{module} is not installed, or {model_dir / kind} holds no model")
    name = str(folder.parent) if kind == "cross-encoder" else folder.parent.name
    scores = made(f"{kind}:{name}", local_settings).scores("What am I allergic to?", TEXTS)
    assert scores.index(max(scores)) == 1


# Listwise


def test_a_chat_model_names_the_best(with_ollama: Settings, ollama: Ollama) -> None:
    ollama.answers = ['{"numbers": [3, 2, 3, 9, 0]}']
    scores = made("llm:ollama:qwen3:4b", with_ollama).scores("What am I allergic to?", TEXTS)
    assert scores == [0.25, 0.75, 1.0]
    (sent,) = ollama.bodies("/api/chat")
    assert sent["format"]["properties"]["numbers"]["maxItems"] == 10
    assert sent["messages"][-1]["content"] == (
        "[1] green curtains\n[2] allergic to lychee\n[3] a launch\n\nQuestion: What am I allergic to?"
    )


def test_a_chinese_question_gets_a_chinese_prompt(with_ollama: Settings, ollama: Ollama) -> None:
    ollama.answers = ['{"numbers": [1]}']
    assert made("llm:ollama:qwen3:4b", with_ollama).scores("我对什么过敏？", ["荔枝", "窗帘"]) == [1.0, 0.25]
    first, *_, last = ollama.bodies("/api/chat")[0]["messages"]
    assert "段落" in first["content"]
    assert last["content"].endswith("问题：我对什么过敏？")


def test_what_is_not_named_keeps_its_order(with_ollama: Settings, ollama: Ollama) -> None:
    ollama.answers = ['{"numbers": []}']
    scores = made("llm:ollama:qwen3:4b", with_ollama).scores(QUERY, ["text"] * 20)
    assert scores == sorted(scores, reverse=True)
    assert 0 < scores[-1] < scores[0] < 0.5


def test_a_list_among_words_is_read(settings: Settings, openai_server: OpenAI) -> None:
    openai_server.answers = ['{"numbers": [2, 1]}']
    assert made("llm:openai:tiny", settings).scores(QUERY, TEXTS) == [0.75, 1.0, 0.25]


def test_long_texts_are_cut_to_the_models_window(with_ollama: Settings, ollama: Ollama) -> None:
    ollama.windows["qwen3:4b"] = 2048
    ollama.answers = ['{"numbers": [20]}']
    scores = made("llm:ollama:qwen3:4b", with_ollama).scores("荔枝" * 5000, ["荔枝过敏。" * 500] * 20)
    assert scores[19] == 1.0
    sent = ollama.bodies("/api/chat")[0]["messages"]
    assert sum(len(message["content"]) for message in sent) < 2 * 2048


@pytest.mark.parametrize("answer", ["I cannot say.", '{"numbers": "all"}', '{"other": [1]}'])
def test_an_answer_without_a_list_is_told(with_ollama: Settings, ollama: Ollama, answer: str) -> None:
    ollama.answers = [answer]
    with pytest.raises(ModelError, match=r"list of numbers|failed"):
        made("llm:ollama:qwen3:4b", with_ollama).scores(QUERY, TEXTS)


def test_a_chat_model_that_comes_up_later_is_found(with_ollama: Settings, ollama: Ollama) -> None:
    models, ollama.models = ollama.models, []
    ollama.answers = ['{"numbers": [1]}']
    found = made("llm:ollama:qwen3:4b", with_ollama)
    with pytest.raises(ModelNotFound, match="ollama pull"):
        found.scores(QUERY, TEXTS)
    ollama.models = models
    assert found.scores(QUERY, TEXTS)[0] == 1.0


def test_the_embedded_model_gives_an_order(local_settings: Settings, small: ChatModel) -> None:
    found = made("llm:local", local_settings)
    for query, texts in [
        ("What am I allergic to?", TEXTS),
        ("我对什么过敏？", ["买了窗帘", "我对荔枝过敏", "下周上线"]),
    ]:
        scores = found.scores(query, texts)
        assert len(set(scores)) == 3
        assert scores[1] > 0.5
