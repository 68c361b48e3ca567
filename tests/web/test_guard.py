"""What every request passes."""

import re
from collections.abc import Iterator

import pytest
from scripted import Scripted
from starlette.testclient import TestClient
from visited import FORM, HERE, HTML, STREAM, agent, browser, mark, post, said

from hippograph.bench.hashed import hashed
from hippograph.graph import Agent
from hippograph.memory import Memory
from hippograph.state import Settings
from hippograph.web import access, guard
from hippograph.web.access import add
from hippograph.web.app import create_app


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agent]:
    settings = Settings.from_env().override(home=tmp_path_factory.mktemp("guard") / "home")
    with Memory.open(settings.home, hashed()) as memory, agent(memory, Scripted(), settings) as made:
        made.memory.remember("ann", "Ann keeps bees.")
        made.memory.remember("bob", "Bob keeps hens.")
        yield made


@pytest.fixture
def client(opened: Agent) -> Iterator[TestClient]:
    with browser(opened) as made:
        yield made


@pytest.fixture
def distant(opened: Agent) -> Iterator[TestClient]:
    """A browser in the same network as a server that listens to it."""
    with browser(opened, host="0.0.0.0", address="192.168.1.7", url="http://192.168.1.2:4747") as made:
        yield made


@pytest.mark.parametrize("path", ["/", "/static/style.css", "/login", "/nowhere", "/turns/none"])
def test_every_answer_tells_browsers_to_be_careful(client: TestClient, path: str) -> None:
    headers = client.get(path, headers=HTML).headers
    assert "default-src 'self'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == ("no-cache" if "static" in path else "no-store")


def test_no_page_has_what_that_policy_forbids(client: TestClient) -> None:
    for path in ("/", "/login", "/who", "/nowhere"):
        page = client.get(path, headers=HTML).text
        assert " style=" not in page
        assert "<style" not in page
        assert " on" not in {part[:3] for part in page.split('"')}
        assert "<script>" not in page
        assert "http://" not in page.replace(HERE, "")
        assert "https://" not in page


@pytest.mark.parametrize(
    "headers", [{"origin": "https://evil.example"}, {"origin": "null"}, {"origin": "http://127.0.0.1:9999"}]
)
def test_pages_of_other_sites_may_neither_read_nor_send(client: TestClient, headers: dict[str, str]) -> None:
    assert client.get("/", headers=headers).status_code == 403
    refused = post(client, "/say", {"text": "Remember me."}, **headers)
    assert refused.status_code == 403
    assert "another site" in refused.json()["error"]["message"]


def test_a_form_that_another_site_has_a_browser_send_is_refused(client: TestClient, opened: Agent) -> None:
    before = opened.memory.count("me")
    assert post(client, "/say", {"text": "I hate bees."}, **{"sec-fetch-site": "cross-site"}).status_code == 403
    assert client.post("/say", data={"text": "I hate bees."}).status_code == 403
    assert client.post("/say", data={"text": "I hate bees.", "csrf": "0" * 64}).status_code == 403
    assert opened.memory.count("me") == before


def test_the_page_s_own_forms_pass(client: TestClient) -> None:
    own = {"origin": HERE, "sec-fetch-site": "same-origin"}
    assert post(client, "/preferences", {"theme": "dark"}, **own).status_code == 303
    assert 'data-theme="dark"' in client.get("/").text


def test_a_page_of_another_user_s_memories_changes_nothing(client: TestClient) -> None:
    """Two tabs share their cookies: what is shown in one may not be what the other's form is about."""
    ann = mark(client)
    post(client, "/preferences", {"space": "bob"})
    late = client.post("/say", data={"text": "Hello.", "csrf": ann}, headers=HTML)
    assert late.status_code == 403
    assert "out of date" in late.text


def test_too_large_a_form_is_refused(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "LARGEST", 1000)
    told = client.post("/say", content=b"text=" + b"x" * 2000, headers=FORM)
    assert told.status_code == 403


def test_whoever_has_shown_no_token_sends_little(distant: TestClient) -> None:
    told = distant.post("/login", content=b"token=" + b"x" * guard.LARGEST_STRANGERS, headers=FORM)
    assert (told.status_code, "8 kB" in told.json()["error"]["message"]) == (403, True)


def test_a_form_of_too_many_fields_is_refused_unread(distant: TestClient, client: TestClient) -> None:
    told = distant.post("/login", content=b"a=1&" * (guard.MOST_FIELDS + 1), headers=FORM)
    assert told.status_code == 403
    told = client.post("/say", content=b"a=1&" * 100_000, headers=FORM)
    assert "1000 fields" in told.json()["error"]["message"]


def test_where_everybody_needs_a_token_this_machine_does_too(opened: Agent) -> None:
    with TestClient(create_app(opened.settings, agent=opened, tokens=True), HERE, client=("127.0.0.1", 1)) as here:
        assert here.get("/", follow_redirects=False).status_code == 401
        shown = {"authorization": f"Bearer {add(opened.settings.home, 'here', None)}"}
        assert here.get("/", headers=shown).status_code == 200


def test_tokens_that_cannot_be_read_are_told_without_a_word_of_the_machine(
    distant: TestClient, opened: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "FILE", "damaged.json")
    (opened.settings.home / "damaged.json").write_text("[{")
    shown = {"authorization": "Bearer hippo_x"}
    answers = [distant.get(path, headers=shown) for path in ("/", "/v1/models")]
    answers += [distant.get("/", headers=HTML | shown), distant.post("/login", data={"token": "hippo_x"})]
    for answer in answers:
        assert answer.status_code == 503
        assert "hippograph tokens list" in answer.text
        assert str(opened.settings.home) not in answer.text


def test_programs_are_turned_away_in_the_terms_of_openai(distant: TestClient, client: TestClient) -> None:
    told = distant.get("/v1/models").json()["error"]
    assert (told["type"], told["param"], told["code"]) == ("invalid_request_error", None, "invalid_api_key")
    told = client.get("/v1/models", headers={"origin": "https://evil.example"}).json()["error"]
    assert (told["type"], told["param"], told["code"]) == ("permission_error", None, None)


@pytest.mark.parametrize("path", ["//evil.example/x", "/%09/evil.example/x"])
def test_no_page_leads_to_another_site(opened: Agent, path: str) -> None:
    with browser(opened) as client:
        page = client.get(f"{HERE}{path}", headers=HTML)
        assert page.status_code == 404
        links = re.findall(r'(?:href|value)="([^"]*)"', page.text)
        assert [each for each in links if "evil" in each] == []


@pytest.mark.parametrize("back", ["https://evil.example", "//evil.example", "/\\evil.example", "/\t/evil", "//[", ""])
def test_no_form_leads_to_another_site(client: TestClient, back: str) -> None:
    assert post(client, "/preferences", {"theme": "dark", "back": back}).headers["location"] == "/"
    assert (
        post(client, "/preferences", {"theme": "dark", "back": "/topics?x=//y"}).headers["location"] == "/topics?x=//y"
    )


def test_a_browser_elsewhere_is_shown_the_way_in_and_a_program_told(distant: TestClient) -> None:
    turned = distant.get("/", headers=HTML)
    assert (turned.status_code, turned.headers["location"]) == (303, "/login")
    told = distant.get("/")
    assert (told.status_code, told.headers["www-authenticate"]) == (401, "Bearer")
    assert "hippograph tokens add" in told.json()["error"]["message"]
    assert distant.get("/static/style.css").status_code == 200
    login = distant.get("/login")
    assert login.status_code == 200
    assert "Ann keeps bees" not in login.text


def test_a_token_lets_in_and_shows_no_more_than_it_opens(distant: TestClient, opened: Agent) -> None:
    token = add(opened.settings.home, "phone", ["ann"])
    assert distant.post("/login", data={"token": "hippo_wrong"}).status_code == 403
    entered = distant.post("/login", data={"token": token})
    assert entered.status_code == 303
    cookie = entered.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    who = distant.get("/who").text
    assert "ann" in who
    assert "bob" not in who
    refused = post(distant, "/preferences", {"space": "bob"}, **HTML)
    assert refused.status_code == 400
    distant.cookies.set("hippograph_space", "bob")
    assert "bob" not in distant.get("/who").text
    assert post(distant, "/logout", {}).status_code == 303
    assert distant.get("/", headers=HTML).status_code == 303


def test_a_program_with_a_token_needs_no_form(distant: TestClient, opened: Agent) -> None:
    bearer = {"authorization": f"Bearer {add(opened.settings.home, 'script', ['cleo'])}"}
    answered = distant.post("/say", data={"text": "I keep a cat."}, headers={**bearer, **STREAM})
    assert answered.status_code == 200
    assert [each.text for each in opened.memory.list("cleo", kinds=["turn"])] == ["Yes.", "I keep a cat."]


@pytest.mark.parametrize("back", ["//evil.example/", "https://evil.example/", "/\\evil.example", "", "javascript:x"])
def test_choosing_leads_back_to_this_site_only(client: TestClient, back: str) -> None:
    assert post(client, "/preferences", {"lang": "zh", "back": back}).headers["location"] == "/"


def test_the_page_speaks_the_browser_s_language_until_another_is_chosen(client: TestClient) -> None:
    assert 'lang="zh-Hans"' in client.get("/", headers={"accept-language": "zh-CN,zh;q=0.9,en;q=0.8"}).text
    assert 'lang="en"' in client.get("/", headers={"accept-language": "fr"}).text
    chosen = post(client, "/preferences", {"lang": "zh", "back": "/?thread=trip"})
    assert chosen.headers["location"] == "/?thread=trip"
    assert "对话" in client.get("/", headers={"accept-language": "en"}).text


def test_what_is_not_there_is_said_on_a_page(client: TestClient) -> None:
    missing = client.get("/nowhere", headers=HTML)
    assert missing.status_code == 404
    assert "There is no such page." in missing.text


def test_an_error_nobody_foresaw_is_one_line_on_a_page(opened: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise LookupError("no such\nthing <b>")

    with browser(opened, forgiving=True) as client:
        monkeypatch.setattr(opened.memory, "spaces", fail)
        told = client.get("/who", headers=HTML)
    assert told.status_code == 500
    assert "LookupError: no such thing &lt;b&gt;. Started with HIPPOGRAPH_DEBUG=1" in told.text
    assert "frame-ancestors 'none'" in told.headers["content-security-policy"]


def test_a_home_that_cannot_be_opened_is_said_on_every_page(opened: Agent) -> None:
    """Another process, here another memory of this one, has it."""
    with TestClient(create_app(opened.settings), base_url=HERE, client=("127.0.0.1", 1)) as client:
        told = client.get("/", headers=HTML)
    assert told.status_code == 503
    assert str(opened.settings.home) in told.text


def test_every_user_is_offered_with_how_much_is_remembered(client: TestClient) -> None:
    page = client.get("/who").text
    assert "1 memory" in page
    assert 'value="bob"' in page
    assert said(client, "Hello.")[-1]["answer"]
