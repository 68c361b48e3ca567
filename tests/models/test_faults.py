import threading

import httpx
import openai
import pytest
from doubles import Ollama, OpenAI

from hippograph.models import chat_model, explain
from hippograph.models.faults import recognise
from hippograph.state import MissingKey, ModelError, ModelNotFound, ModelUnavailable, Settings

REQUEST = httpx.Request("POST", "http://box:11434/api/chat")


def raised_from(error: BaseException, cause: BaseException) -> BaseException:
    error.__context__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "kind", "told"),
    [
        (httpx.ConnectError("refused", request=REQUEST), ModelUnavailable, "http://box:11434"),
        (raised_from(ConnectionError("no"), httpx.ConnectError("x", request=REQUEST)), ModelUnavailable, "box:11434"),
        (httpx.ConnectTimeout("slow", request=REQUEST), ModelUnavailable, "No model server answers"),
        (httpx.ReadTimeout("slow", request=REQUEST), ModelUnavailable, "too long"),
        (httpx.RemoteProtocolError("eof", request=REQUEST), ModelUnavailable, "broke off"),
        (TimeoutError(), ModelUnavailable, "too long"),
        (ValueError("odd\nthing"), ModelError, "ollama:qwen3:4b failed: odd$"),
    ],
)
def test_an_exception_becomes_one_line(error: BaseException, kind: type[ModelError], told: str) -> None:
    explained = explain(error, "ollama:qwen3:4b")
    assert type(explained) is kind
    with pytest.raises(kind, match=told):
        raise explained


def test_our_own_errors_stay_as_they_are() -> None:
    ours = MissingKey("set it")
    assert explain(ours, "openai:x") is ours
    assert explain(raised_from(ConnectionError("wrapped"), ours), "openai:x") is ours


def test_errors_of_our_own_making_are_not_blamed_on_the_model() -> None:
    assert recognise(KeyError("x"), "openai:x") is None


def test_a_server_that_stops_between_two_turns_is_named(with_ollama: Settings, settings: Settings) -> None:
    made = chat_model("ollama:qwen3:4b", with_ollama)
    inner = made.model.inner.model_copy()  # type: ignore[attr-defined]
    moved = type(inner)(model="qwen3:4b", base_url=settings.ollama_url, client_kwargs={"trust_env": False})
    for call in (moved.invoke, lambda text: list(moved.stream(text))):
        with pytest.raises(Exception, match="onnect") as raised:
            call("hi")
        explained = explain(raised.value, "ollama:qwen3:4b")
        assert type(explained) is ModelUnavailable
        assert "http://127.0.0.1:9" in str(explained)


def test_an_answer_that_breaks_off_is_told_though_the_client_speaks_of_the_connection() -> None:
    wrapped = openai.APIConnectionError(request=REQUEST)
    wrapped.__cause__ = httpx.RemoteProtocolError("peer closed connection", request=REQUEST)
    assert "broke off in mid-answer" in str(explain(wrapped, "openai:tiny"))
    wrapped.__cause__ = httpx.ConnectError("refused", request=REQUEST)
    assert "No model server answers" in str(explain(wrapped, "openai:tiny"))


def test_an_answer_that_breaks_off_is_told(settings: Settings, openai_server: OpenAI) -> None:
    made = chat_model("openai:tiny", settings)
    openai_server.answers, openai_server.hang = ["A long answer."], threading.Event()
    openai_server.hang.set()
    shown = []
    with pytest.raises(ModelUnavailable, match="openai:tiny broke off in mid-answer"):
        shown.extend(str(chunk.content) for chunk in made.model.stream("hi"))
    assert "".join(shown) == "A l"


def test_an_answer_of_ollama_that_breaks_off_is_told(with_ollama: Settings, ollama: Ollama) -> None:
    made = chat_model("ollama:qwen3:4b", with_ollama)
    ollama.answers, ollama.hang = ["A long answer."], threading.Event()
    ollama.hang.set()
    for call in (made.model.invoke, lambda text: list(made.model.stream(text))):
        with pytest.raises(ModelUnavailable, match="broke off in mid-answer"):
            call("hi")


def test_a_model_removed_later_is_told(with_ollama: Settings, ollama: Ollama) -> None:
    made = chat_model("ollama:qwen3:4b", with_ollama)
    ollama.models.clear()
    with pytest.raises(ModelNotFound, match=r"ollama pull qwen3:4b"):
        made.model.invoke("hi")
