"""What went wrong is told in Chinese on the Chinese page."""

import re

import httpx
import pytest

from hippograph.models import faults
from hippograph.web import guard
from hippograph.web.reasons import reason
from hippograph.web.troubles import told

ENGLISH = re.compile(r"\b(?:the|try|again|check|set|wait|answer|server)\b")
REQUEST = httpx.Request("POST", "http://box:11434/api/chat")


def replied(status: int, text: str = "overloaded") -> Exception:
    return httpx.HTTPStatusError(text, request=REQUEST, response=httpx.Response(status, request=REQUEST))


@pytest.mark.parametrize("spec", ["openai:tiny", "ollama:qwen3:4b", "local:qwen2.5-0.5b", "groq:x"])
@pytest.mark.parametrize(
    "error",
    [
        *(replied(status) for status in (400, 401, 404, 429, 500)),
        replied(400, "the token length exceeds"),
        httpx.ConnectError("refused", request=REQUEST),
        httpx.ReadTimeout("slow", request=REQUEST),
        httpx.RemoteProtocolError("eof", request=REQUEST),
        ValueError("odd"),
    ],
)
def test_every_failure_of_a_model_is_told_in_chinese(error: Exception, spec: str) -> None:
    explained = str(faults.explain(error, spec))
    chinese = told(explained, "zh").replace("the token length exceeds", "")  # the server's own words
    assert re.search(r"[一-鿿]", chinese)
    assert not ENGLISH.search(chinese)
    assert "overloaded" not in explained or "overloaded" in chinese
    assert told(explained, "en") == explained


def test_a_failure_inside_another_is_told_too() -> None:
    inner = str(faults.broken_off("openai:tiny", "http://box"))
    text = f"openai:tiny is left alone after 3 failures in a row, for 28 s more (the last: {inner})"
    assert "回答到一半中断了" in told(text, "zh")
    assert "28 秒" in told(text, "zh")


def test_what_a_turn_went_without_is_told_with_its_stage() -> None:
    failed = str(faults.unreachable("openai:tiny", "http://box"))
    assert reason(f"retrieve: {failed}", language="zh") == f"检索：{told(failed, 'zh')}"
    assert reason(f"respond: {failed}; answered in plain text", language="zh").endswith("；改用纯文本回答")
    assert reason(f"retrieve: {failed}", language="en") == f"retrieve: {failed}"


def test_a_key_that_is_missing_is_told_with_its_name() -> None:
    assert (
        told(faults.missing_key("openai:tiny"), "zh")
        == "openai:tiny 需要密钥：设置 OPENAI_API_KEY（环境变量或 .env）。"
    )


def test_what_is_not_known_is_told_as_it_is() -> None:
    assert told("Something else {x}", "zh") == "Something else {x}"


def test_forms_are_refused_in_chinese() -> None:
    with pytest.raises(guard.Refused) as refused:
        guard._fields(b"a=1&" * (guard.MOST_FIELDS + 1))
    assert "表单超过了 1000 项" in told(refused.value, "zh")
