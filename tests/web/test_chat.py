"""The conversation, over HTTP, with a real memory and a scripted model."""

import re
import threading
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from langchain_core.messages import BaseMessage
from scripted import Scripted
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient
from visited import HTML, STREAM, agent, browser, lines, post, said, text_of

from hippograph.bench.hashed import hashed
from hippograph.graph import Agent
from hippograph.memory import Memory
from hippograph.state import ModelUnavailable, Settings
from hippograph.web import served
from hippograph.web.app import create_app

EVIL = "<script>alert('我')</script><img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    with Memory.open(tmp_path_factory.mktemp("chat") / "home", hashed()) as opened:
        yield opened


@pytest.fixture
def model() -> Scripted:
    return Scripted(reply=lambda prompt: "Ada lives in Lisbon now.")


@pytest.fixture
def opened(memory: Memory, model: Scripted) -> Iterator[Agent]:
    with agent(memory, model, Settings.from_env().override(home=memory.home)) as made:
        yield made


@pytest.fixture
def client(opened: Agent, request: pytest.FixtureRequest) -> Iterator[TestClient]:
    """A browser with the memories of a user of this test's own."""
    with browser(opened) as made:
        post(made, "/preferences", {"space": request.node.name})
        yield made


@pytest.fixture
def space(request: pytest.FixtureRequest) -> str:
    return str(request.node.name)


def test_a_turn_streams_and_is_there_afterwards(client: TestClient, memory: Memory, space: str) -> None:
    told = said(client, "My sister Ada moved to Lisbon.", thread="trip")
    nodes = [each["node"] for each in told if "node" in each]
    assert (nodes[0], nodes[-1]) == ("check_trigger", "write_back")
    assert "".join(each["piece"] for each in told if "piece" in each) == "Ada lives in Lisbon now."
    assert "Ada lives in Lisbon now." in told[-1]["answer"]
    page = client.get("/?thread=trip").text
    assert "My sister Ada moved to Lisbon." in page
    assert "Ada lives in Lisbon now." in page
    assert "trip" in text_of(client.get("/").text), "the conversation is listed in others"
    assert [each.thread for each in memory.list(space, kinds=["turn"])] == ["trip", "trip"]


def test_another_user_sees_nothing_of_it(client: TestClient, space: str) -> None:
    said(client, "My sister Ada moved to Tromsø.", thread="trip")
    answer = re.search(r'id="m-([^"]+)"', client.get("/?thread=trip").text)
    post(client, "/preferences", {"space": f"not {space}"})
    assert "Tromsø" not in client.get("/?thread=trip").text
    assert answer
    assert client.get(f"/turns/{answer[1]}?thread=trip").status_code == 404


def test_the_pipeline_tells_why_for_what_and_with_what_it_was_answered(client: TestClient, memory: Memory) -> None:
    said(client, "My sister Ada moved to Lisbon.", thread="one")
    memory.flush()
    seen = text_of(said(client, "Where does my sister Ada live?", thread="two")[-1]["pipeline"])
    for part in (
        "memory searched",
        "Searched for Where does my sister Ada live?",
        "sister Ada moved to Lisbon.",
        "[1]",
        "what it is about",
        "words",
        "The final prompt",
        "You are",
        "given:scripted",
        "How far to trust it",
    ):
        assert part in seen, part


def test_a_turn_s_pipeline_can_be_opened_again_later(client: TestClient, memory: Memory, space: str) -> None:
    said(client, "I keep bees.", thread="t")
    said(client, "Bees are fine animals.", thread="t")
    first = memory.list(space, kinds=["turn"], thread="t", newest_first=False)[1]
    page = client.get(f"/turns/{first.id}?thread=t", headers=HTML)
    assert page.status_code == 200
    assert "I keep bees." in page.text
    part = client.get(f"/turns/{first.id}?thread=t", headers={"hx-request": "true"})
    assert "<html" not in part.text
    assert "I keep bees." in part.text
    gone = client.get("/turns/0123?thread=t", headers={"hx-request": "true"})
    assert gone.status_code == 404
    assert "not kept" in gone.text


@pytest.mark.usefixtures("disagreeing")
def test_an_old_turn_is_found_without_a_walk_along_its_thread(
    client: TestClient, opened: Agent, memory: Memory, space: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    said(client, "Where does my sister Ada live?", thread="t", review="on")
    lines(post(client, "/decide", {"thread": "t", "action": "approve", "rest": "on"}, **STREAM))
    for number in range(5):
        said(client, f"I like number {number}.", thread="t")
    opened.ask("I like tea.", user=space, thread="t")
    answers = [each for each in memory.list(space, kinds=["turn"], thread="t") if each.role == "assistant"]
    read, history = list[Any](), opened.graph.get_state_history

    def counted(*given: Any, **more: Any) -> Iterator[Any]:
        for each in history(*given, **more):
            read.append(each)
            yield each

    monkeypatch.setattr(opened.graph, "get_state_history", counted)
    for answer, most in ((answers[-1], 2), (answers[3], 1)):
        read.clear()
        assert client.get(f"/turns/{answer.id}?thread=t").status_code == 200
        assert 1 <= len(read) <= most
    assert client.get(f"/turns/{answers[0].id}?thread=t").status_code == 200, "one without a mark is found too"
    read.clear()
    assert "not kept" in client.get("/turns/imported-7?thread=t", headers={"hx-request": "true"}).text
    assert read == []


def test_what_was_forgotten_is_in_no_pipeline(client: TestClient, memory: Memory, space: str) -> None:
    said(client, "The code of the safe is 4711-Kiwi.", thread="t")
    memory.flush()
    said(client, "What is the code of the safe?", thread="u")
    memory.forget(space, query="4711-Kiwi")
    for path in ("/?thread=t", "/?thread=u"):
        assert "4711-Kiwi" not in client.get(path).text


def test_without_scripts_a_form_shows_the_thread_when_the_turn_is_over(client: TestClient) -> None:
    sent = post(client, "/say", {"text": "Where is Ada?", "thread": "plain trip"}, **HTML)
    assert (sent.status_code, sent.headers["location"]) == (303, "/?thread=plain%20trip")
    assert "Ada lives in Lisbon now." in client.get(sent.headers["location"]).text


def test_what_is_not_to_be_remembered_is_still_shown_while_its_thread_stands(
    client: TestClient, memory: Memory, space: str
) -> None:
    said(client, "A secret.", thread="t", forgetful="on")
    assert memory.list(space, kinds=["turn"]) == []
    assert "A secret." in client.get("/?thread=t").text


def test_nothing_that_is_said_becomes_markup(client: TestClient, model: Scripted, memory: Memory, space: str) -> None:
    model.reply = lambda prompt: EVIL
    memory.remember(space, f"Mallory is {EVIL}", subject="Mallory")
    memory.flush()
    told = said(client, f"Who is Mallory? {EVIL}", thread=f"thread {EVIL}")
    pages = [told[-1]["answer"], told[-1]["pipeline"]]
    pages += [client.get("/").text, client.get("/", params={"thread": f"thread {EVIL}"}).text, client.get("/who").text]
    assert "&lt;script&gt;" in pages[0]
    assert "Mallory is &lt;script&gt;" in pages[1]
    for page in pages:
        assert "<script>" not in page
        assert "<img" not in page


def test_the_answer_can_be_stopped_and_what_was_said_is_kept(
    client: TestClient, model: Scripted, memory: Memory, space: str
) -> None:
    model.reply = lambda prompt: "One two three four five six seven."
    over = threading.Event()

    def stop(word: str) -> None:
        if word.startswith("three"):
            assert post(client, "/stop", {"thread": "t"}).status_code == 204
            over.wait(30)  # A model as slow as a real one is: what has arrived by then is kept.

    model.before_word = stop
    told = said(client, "Count!", thread="t")
    over.set()
    assert "answer" in told[-1]
    kept = memory.list(space, kinds=["turn"], thread="t")[0].text
    assert kept.startswith("One two")
    assert "seven" not in kept


def test_a_thread_has_one_answer_under_way_at_a_time(client: TestClient, model: Scripted) -> None:
    seen = list[Any]()

    def meanwhile(word: str) -> None:
        if not seen:
            seen.append(post(client, "/say", {"text": "Me too!", "thread": "t"}, **STREAM))
            seen.append(client.get("/?thread=t").text)

    model.before_word = meanwhile
    said(client, "Where is Ada?", thread="t")
    refused, page = seen
    assert refused.status_code == 400
    assert "under way" in refused.json()["error"]["message"]
    assert "Where is Ada?" in page
    assert "answered for another window" in page
    assert "Nothing has been said here yet" not in page


@pytest.mark.parametrize(
    ("lang", "told"), [("en", "answered for another window"), ("zh", "正在为另一个窗口作答")], ids=["en", "zh"]
)
def test_a_page_loaded_anew_in_mid_answer_follows_the_answer_and_can_stop_it(
    client: TestClient, model: Scripted, lang: str, told: str
) -> None:
    post(client, "/preferences", {"lang": lang})
    seen = list[Any]()

    def meanwhile(word: str) -> None:
        if word.startswith("now"):
            seen.append(client.get("/underway?thread=t"))
            seen.append(client.get("/underway?thread=t&shown=9999"))
            place = re.search(r'hx-get="(/underway[^"]+)"', seen[0].text)
            assert place
            seen.append(client.get(unescape(place[1])))

    model.before_word = meanwhile
    said(client, "Where is Ada?", thread="t")
    part = text_of(seen[0].text)
    assert told in part
    assert "Where is Ada?" in part
    assert "Ada lives in Lisbon" in part
    assert 'action="/stop"' in seen[0].text
    assert [each.status_code for each in seen] == [200, 200, 204], "what is shown already is not sent again"
    over = client.get("/underway?thread=t&shown=3").text
    assert 'hx-select="#messages &gt; *"' in over or 'hx-select="#messages > *"' in over


@pytest.mark.parametrize(
    ("lang", "told"), [("en", "Stopped before its end."), ("zh", "回答被中途停止。")], ids=["en", "zh"]
)
def test_an_answer_cut_short_says_so_then_and_later(client: TestClient, model: Scripted, lang: str, told: str) -> None:
    post(client, "/preferences", {"lang": lang})
    over = threading.Event()

    def stop(word: str) -> None:
        if word.startswith("lives"):
            client.app.state.turns.stop_all()  # type: ignore[attr-defined]
            over.wait(30)

    model.before_word = stop
    answer = said(client, "Where is Ada?", thread="t")[-1]["answer"]
    over.set()
    assert told in answer
    model.before_word = lambda word: None
    whole = said(client, "And now?", thread="t")[-1]["answer"]
    assert told not in whole
    assert client.get("/?thread=t").text.count(told) == 1


@pytest.mark.parametrize(
    ("lang", "told"), [("en", "This has no answer"), ("zh", "这条消息没有得到回答")], ids=["en", "zh"]
)
def test_a_question_whose_answer_failed_says_so_later_and_can_be_asked_again(
    client: TestClient, model: Scripted, lang: str, told: str
) -> None:
    post(client, "/preferences", {"lang": lang})

    def fail(prompt: list[BaseMessage]) -> str:
        raise ModelUnavailable("Nothing answers.")

    model.reply = fail
    said(client, "Where is Ada?", thread="t")
    page = client.get("/?thread=t").text
    assert told in page
    assert 'data-say="Where is Ada?"' in page
    model.reply = lambda prompt: "In Lisbon."
    said(client, "Where is Ada?", thread="t")
    assert told not in client.get("/?thread=t").text


def test_a_turn_just_said_is_shown_as_it_is_after_a_reload(client: TestClient) -> None:
    told = said(client, "Where is Ada?", thread="t")[-1]
    page = client.get("/?thread=t").text
    for part in (told["question"], told["answer"]):
        assert 'href="/memories/' in part
        assert "<time" in part
        assert text_of(part) in text_of(page)
    loose = said(client, "A secret.", thread="t", forgetful="on")[-1]
    assert "<time" not in loose["question"] + loose["answer"]


def test_a_model_that_fails_is_told_in_one_line(client: TestClient, model: Scripted) -> None:
    def fail(prompt: list[BaseMessage]) -> str:
        raise ModelUnavailable("Nothing answers at http://127.0.0.1:9: start Ollama.")

    model.reply = fail
    told = said(client, "Where is Ada?", thread="t")
    assert told[-1] == {"error": "Nothing answers at http://127.0.0.1:9: start Ollama."}
    model.reply = lambda prompt: "In Lisbon."
    assert "In Lisbon." in said(client, "Where is Ada?", thread="t")[-1]["answer"]


def test_an_empty_message_is_no_turn(client: TestClient) -> None:
    assert post(client, "/say", {"text": "  "}, **STREAM).status_code == 400


def test_turns_that_came_from_elsewhere_may_have_any_id(client: TestClient, memory: Memory, space: str) -> None:
    ids = ["a/b", "c?d#e", "100%", "“引号”"]
    memory.add_turns(space, "t", [{"role": "assistant", "text": f"I am {each}.", "id": each} for each in ids])
    page = client.get("/?thread=t")
    assert page.status_code == 200
    for path in re.findall(r'hx-get="(/turns/[^"]+)"', page.text):
        assert "not kept" in client.get(unescape(path), headers={"hx-request": "true"}).text
    for path in re.findall(r'href="(/memories/[^"?]+)"', page.text):
        assert "I am " in client.get(unescape(path)).text, path


@pytest.fixture
def disagreeing(memory: Memory, space: str) -> None:
    """Two memories that cannot both be so, and both stand."""
    about = {"subject": "Ada", "attribute": "home"}
    first = memory.remember(space, "My sister Ada lives in Lisbon.", value="Lisbon", said_at="2025-01-01", **about)
    memory.remember(space, "My sister Ada lives in Porto.", value="Porto", said_at="2025-02-01", **about)
    memory.undo(first, space, both=True)
    memory.flush()


@pytest.mark.usefixtures("disagreeing")
def test_a_person_is_asked_about_what_is_doubtful(client: TestClient, model: Scripted) -> None:
    told = said(client, "Where does my sister Ada live?", thread="t", review="on")
    assert "another one disagrees" in told[-1]["ask"]
    assert model.prompts == []
    assert "May this memory be used?" in client.get("/?thread=t").text, "the question is there after a reload"
    first = re.search(r"lives in (Lisbon|Porto)", told[-1]["ask"])
    assert first
    other = "Porto" if first[1] == "Lisbon" else "Lisbon"
    told = lines(post(client, "/decide", {"thread": "t", "action": "reject"}, **STREAM))
    assert f"lives in {other}" in told[-1]["ask"]
    told = lines(post(client, "/decide", {"thread": "t", "action": "approve"}, **STREAM))
    assert "rejected in review" in told[-1]["pipeline"]
    assert f"lives in {first[1]}." not in model.text()
    assert f"lives in {other}." in model.text()


@pytest.mark.usefixtures("disagreeing")
def test_an_edit_is_used_and_kept(client: TestClient, model: Scripted) -> None:
    said(client, "Where does my sister Ada live?", thread="t", review="on")
    bad = post(client, "/decide", {"thread": "t", "action": "burn"}, **STREAM)
    assert bad.status_code == 400
    empty = post(client, "/decide", {"thread": "t", "action": "edit", "text": " "}, **STREAM)
    assert empty.status_code == 400
    edited = {"thread": "t", "action": "edit", "text": "My sister Ada lives in Faro."}
    lines(post(client, "/decide", edited, **STREAM))
    told = lines(post(client, "/decide", {"thread": "t", "action": "reject", "rest": "on"}, **STREAM))
    assert "answer" in told[-1]
    assert "lives in Faro." in model.text()


@pytest.mark.usefixtures("disagreeing")
def test_what_is_not_to_be_remembered_stays_so_when_something_is_asked_on_the_way(
    client: TestClient, memory: Memory, space: str
) -> None:
    said(client, "Where does my sister Ada live?", thread="t", review="on", forgetful="on")
    told = lines(post(client, "/decide", {"thread": "t", "action": "approve", "rest": "on"}, **STREAM))
    assert "answer" in told[-1]
    assert memory.list(space, kinds=["turn"]) == []
    again = post(client, "/decide", {"thread": "t", "action": "approve"}, **STREAM)
    assert again.status_code == 400
    assert "any more" in again.json()["error"]["message"]


def test_a_conversation_without_a_name_is_called_by_what_it_began_with(client: TestClient) -> None:
    said(client, "What shall we cook on Sunday?", thread="2026-11-30 18:15:51")
    listed = text_of(client.get("/").text)
    assert "What shall we cook on Sunday?" in listed
    assert "2026-11-30 18:15:51" not in listed


def test_all_works_below_a_prefix(opened: Agent) -> None:
    page = create_app(opened.settings, agent=opened)
    with TestClient(
        Starlette(routes=[Mount("/hippograph", page)]),
        base_url="http://localhost:2024",
        client=("127.0.0.1", 1),
        follow_redirects=False,
    ) as client:
        html = client.get("/hippograph/").text
        places = re.findall(r'\s(?:href|src|action|hx-get|data-stop)="([^"#]+)"', html)
        assert len(places) > 8
        assert [each for each in places if not each.startswith("/hippograph/")] == []
        assert all(client.get(each).status_code == 200 for each in places if each.endswith((".css", ".js", ".svg")))


def test_below_langgraph_dev_the_slash_may_be_left_out() -> None:
    client = TestClient(served.app, base_url="http://localhost:2024", follow_redirects=False)
    assert client.get("/hippograph").headers["location"] == "/hippograph/"


def test_turns_under_way_are_stopped_and_stored_with_the_server(
    opened: Agent, model: Scripted, memory: Memory, space: str
) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def wait(word: str) -> None:
        if word.startswith("lives"):
            begun.set()
            go_on.wait(30)

    model.before_word = wait
    with browser(opened) as client:
        post(client, "/preferences", {"space": space})
        talking = threading.Thread(target=said, args=[client, "Where is Ada?"], kwargs={"thread": "t"})
        talking.start()
        assert begun.wait(30)
        client.app.state.turns.stop_all()  # type: ignore[attr-defined]
        talking.join(30)
        go_on.set()
    kept = memory.list(space, kinds=["turn"], thread="t")[0].text
    assert kept.startswith("Ada")
    assert "Lisbon" not in kept
