"""What the page itself refuses: in the page's language, and with the status that says what is wrong."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from scripted import Scripted
from starlette.testclient import TestClient
from visited import HTML, agent, browser, post, text_of

from hippograph import web
from hippograph.bench.hashed import hashed
from hippograph.memory import Memory
from hippograph.state import HippographError, Settings
from hippograph.web.troubles import framed, told

HAN = re.compile(r"[一-鿿]")
ENGLISH = re.compile(r"\b(?:the|is|no|not|this|say|give|load|again|memory|was|or)\b", re.IGNORECASE)
ERRORS = ("BadInput", "Missing", "Refused")
OF_PROGRAMS = (
    "completions",
    "openai",
    "replying",
    "histories",
    "naming",
    "shapes",
    "mcp",
    "access",
    "problems",
    "stops",
)
"""Modules whose errors programs get, or the command."""


def _text(node: ast.expr) -> str | None:
    """What an error says, with "7" in place of each value."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        quoted = {114: "'7'"}
        return "".join(
            str(part.value) if isinstance(part, ast.Constant) else quoted.get(getattr(part, "conversion", -1), "7")
            for part in node.values
        )
    return None


def _raised() -> list[str]:
    """What the page's own modules raise."""
    found = list[str]()
    for path in sorted(Path(next(iter(web.__path__))).glob("*.py")):
        if path.stem in OF_PROGRAMS:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ERRORS and node.args:
                text = _text(node.args[0])
                assert text is not None, f"{path.name}:{node.lineno}"
                found.append(text)
    return found


@pytest.mark.parametrize("text", _raised())
def test_every_refusal_of_the_page_has_its_words_in_chinese(text: str) -> None:
    chinese = told(text, "zh")
    assert HAN.search(chinese)
    assert not ENGLISH.search(re.sub(r"`[^`]*`", "", chinese))
    assert told(text, "en") == text


def test_what_has_no_words_in_chinese_is_framed_by_some() -> None:
    odd = HippographError("The moon is full: wait.")
    assert HAN.search(framed(odd, "zh"))
    assert "The moon is full: wait." in framed(odd, "zh")
    assert framed(odd, "en") == "The moon is full: wait."


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with Memory.open(tmp_path_factory.mktemp("refusals") / "home", hashed()) as memory:
        settings = Settings.from_env().override(home=memory.home)
        with agent(memory, Scripted(), settings) as made, browser(made) as opened:
            yield opened


@pytest.mark.parametrize(
    "path",
    [
        "/memories/nope",
        "/memories/-/edit?id=nope",
        "/memories/-/pin",
        "/connections?name=nobody",
        "/turns/nope",
        f"/turns/{'0' * 24}-a{'0' * 8}",
        "/nowhere",
    ],
)
def test_what_is_not_there_is_answered_with_404_in_both_languages(client: TestClient, path: str) -> None:
    for lang, right in (("en", lambda said: not HAN.search(said)), ("zh-CN", HAN.search)):
        answer = client.get(path, headers={**HTML, "accept-language": lang})
        assert answer.status_code == 404
        said = re.search(r'<p class="notice bad"[^>]*>(.*?)</p>', answer.text, re.DOTALL)
        assert said
        assert right(text_of(said[1]))
        assert "hippograph memories" not in said[1], "a command is of no use to whoever has a page"


@pytest.mark.parametrize(("lang", "told"), [("en", "nothing to forget"), ("zh-CN", "没有可遗忘的")])
def test_where_nothing_is_there_to_forget_no_button_offers_it(client: TestClient, lang: str, told: str) -> None:
    page = client.get("/memories/-/forget?thread=nope", headers={**HTML, "accept-language": lang}).text
    assert told in page
    assert "danger" not in page


def test_forms_are_refused_in_the_page_s_language(client: TestClient) -> None:
    zh = {**HTML, "accept-language": "zh-CN"}
    for answer, status in (
        (client.get("/memories/-/forget", headers=zh), 400),
        (client.get("/say", headers=zh), 405),
        (post(client, "/say", {"text": "x", "csrf": "old"}, **zh), 403),
        (post(client, "/say", {"text": " "}, **zh), 400),
        (post(client, "/memories/-/pin", {"id": "nope", "pinned": "1"}, **zh), 400),
        (post(client, "/memories/-/new", {"text": ""}, **zh), 400),
    ):
        said = re.search(r'<p class="notice bad"[^>]*>(.*?)</p>', answer.text, re.DOTALL)
        assert answer.status_code == status
        assert said
        assert HAN.search(said[1])
        assert "（英文）" not in said[1]
