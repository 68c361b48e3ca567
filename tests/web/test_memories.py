"""Memories, connections and topics, as a browser without scripts gets them."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, get_args

import httpx
import pytest
from visiting import ATTACK, ME, Site

from hippograph.memory import Memory
from hippograph.memory.entities import EntityKind
from hippograph.memory.intake import KINDS
from hippograph.memory.listing import STATUSES, Wanted
from hippograph.state.turn import Standing
from hippograph.web import memories as section
from hippograph.web.changing import DONE
from hippograph.web.forgetting import COUNTED
from hippograph.web.lives import TOLD
from hippograph.web.words import text

TITLES = {
    "/memories": ("Memories", "记忆"),
    "/memories/-/new": ("Remember something", "记下一件事"),
    "/connections": ("Connections", "关系图"),
    "/topics": ("Topics", "话题"),
}


@pytest.fixture(scope="module")
def client(site: Site) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=site.url, follow_redirects=True, trust_env=False, timeout=30) as opened:
        yield opened


@pytest.fixture(scope="module")
def other(site: Site) -> Iterator[httpx.Client]:
    cookies = {"hippograph_space": "other"}
    with httpx.Client(base_url=site.url, cookies=cookies, follow_redirects=True, trust_env=False, timeout=30) as opened:
        yield opened


def send(client: httpx.Client, page: str, to: str, **fields: Any) -> httpx.Response:
    """Send a form as the page that has it would."""
    mark = re.search(r'name="csrf" value="(\w+)"', client.get(page).text)
    assert mark
    return client.post(to, data={"csrf": mark[1], **fields})


def listed(answered: httpx.Response) -> list[str]:
    """The texts of a list, without marks."""
    said = re.findall(r'class="line-said">(.*?)</span>', answered.text, re.DOTALL)
    return [re.sub(r"</?mark>", "", each) for each in said]


def said(site: Site, *texts: str) -> list[str]:
    return site.memory.add_turns(ME, texts[0], [{"role": "user", "text": text} for text in texts])


def remember(site: Site, text: str, **fields: Any) -> str:
    return site.memory.remember(ME, text, **fields)


@pytest.mark.parametrize("path", TITLES)
@pytest.mark.parametrize("number", [0, 1], ids=["en", "zh"])
def test_each_section_answers_in_both_languages(client: httpx.Client, path: str, number: int) -> None:
    answered = client.get(path, headers={"accept-language": ("en", "zh")[number]})
    assert answered.status_code == 200
    assert f"<h1>{TITLES[path][number]}" in answered.text
    assert "walrus" not in answered.text


def test_what_memories_hold_is_shown_and_never_done(client: httpx.Client, site: Site) -> None:
    held = [each.id for each in site.memory.browse(ME, Wanted(statuses=())).cards]
    pages = [client.get(f"/memories/{id_}") for id_ in held] + [
        client.get("/memories", params={"q": ATTACK}),
        client.get("/memories", params={"topic": ATTACK, "about": ATTACK, "thread": ATTACK}),
        client.get("/connections"),
        client.get("/connections", params={"name": ATTACK}),
        client.get("/topics"),
        client.get("/memories/-/forget", params={"thread": ATTACK}),
        client.get("/memories/-/edit", params={"id": held[0]}),
    ]
    for answered in pages:
        assert answered.status_code in (200, 400)
        assert "<img" not in answered.text, answered.url
        assert "<script>" not in answered.text, answered.url
        assert "style=" not in answered.text, answered.url
    assert any("&lt;script&gt;window.hacked=1" in answered.text for answered in pages)


def test_a_search_marks_its_words_and_says_how_well_each_memory_fits(client: httpx.Client) -> None:
    answered = client.get("/memories", params={"q": "oolong tea"})
    assert listed(answered)[0] == "My favourite tea is oolong."
    assert "<mark>oolong</mark>" in answered.text
    assert re.search(r'aria-label="Fits \d+ %"', answered.text)
    assert "猫" in listed(client.get("/memories", params={"q": "年糕"}))[0]


def test_filters_narrow_and_can_be_taken_away(client: httpx.Client) -> None:
    assert all("live" in each for each in listed(client.get("/memories?q=live&order=new")))
    kinds = client.get("/memories?kind=turn&kind=fact")
    assert re.search(r'href="/memories\?kind=fact" aria-current="true">said', kinds.text)
    past = client.get("/memories?status=superseded").text
    assert "I live in Oslo" not in past or "out of date" in past
    day = f"{datetime.now(UTC) - timedelta(days=300):%Y-%m-%d}"
    nothing = client.get("/memories", params={"until": day})
    assert "No memory fits this." in nothing.text
    assert client.get("/memories?since=tomorrow").status_code == 400


def test_a_part_says_the_shortest_address_of_what_it_shows(client: httpx.Client) -> None:
    asked = {"q": "tea", "status": "current", "order": "", "since": "", "topic": ""}
    answered = client.get("/memories", params=asked, headers={"hx-request": "true"})
    assert answered.headers["hx-push-url"] == "/memories?q=tea"
    assert "<html" not in answered.text


def test_a_conversation_is_shown_as_it_was_said_and_forgotten_as_a_whole(client: httpx.Client, site: Site) -> None:
    said(site, "First we paint.", "Then we dance.")
    answered = client.get("/memories", params={"thread": "First we paint.", "order": "old", "status": "all"})
    assert listed(answered) == ["First we paint.", "Then we dance."]
    assert "Forget this conversation" in answered.text
    gone = send(client, "/memories/-/new", "/memories/-/forget", thread="First we paint.")
    assert "memories are gone" in gone.text
    assert site.memory.list(ME, thread="First we paint.") == []


def test_a_list_goes_on_where_it_ended(client: httpx.Client, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(section, "SHOWN", 3)
    seen, path = list[str](), "/memories?status=all"
    while path:
        answered = client.get(path)
        seen += re.findall(r'name="id" value="([^"]+)"', answered.text)
        further = re.search(r'<p class="more"><a class="button" href="([^"]+)"', answered.text)
        path = further[1].replace("&amp;", "&") if further else ""
    held = [each.id for each in site.memory.browse(ME, Wanted(statuses=())).cards]
    assert seen == held
    part = client.get("/memories?after=2000-01-01~1", headers={"hx-request": "true"}).text
    assert "<html" not in part


def test_a_memory_shows_its_source_its_place_and_its_history(client: httpx.Client, site: Site) -> None:
    [turn] = site.memory.add_turns(
        ME, "sheet", [{"role": "user", "text": "By the way, I drive a red Volvo these days."}]
    )
    old = remember(site, "Kim drives a Saab.", subject="Kim", attribute="car brand", value="Saab")
    new = remember(
        site,
        "Kim drives a Volvo.",
        subject="Kim",
        attribute="car brand",
        value="Volvo",
        sources=[(turn, "I drive a red Volvo")],
    )
    fact = client.get(f"/memories/{new}").text
    assert "<mark>I drive a red Volvo</mark>" in fact
    assert f'href="/memories/{turn}?quote=12-31#quote"' in fact
    assert "Kim drives a Saab." in fact
    assert '<mark id="quote">I drive a red Volvo</mark>' in client.get(f"/memories/{turn}?quote=12-31").text
    assert client.get(f"/memories/{turn}?quote=12-9999").status_code == 200
    before = client.get(f"/memories/{old}").text
    assert "Out of date: another took its place." in before
    assert "<b>Superseded</b>" in before
    assert "值变了（说于 " in client.get(f"/memories/{old}", headers={"accept-language": "zh"}).text


def test_an_id_may_be_any_text(client: httpx.Client, site: Site) -> None:
    for id_ in ("a/b c?d#e", "<i>", "编号"):
        remember(site, f"Called {id_}.", id=id_)
        [path] = re.findall(r'class="line-body[^"]*" href="([^"]+)"', client.get("/memories", params={"q": id_}).text)[
            :1
        ]
        page = client.get(path.replace("&amp;", "&"))
        assert page.status_code == 200
    assert "Called a/b c?d#e." in client.get("/memories/a%2Fb%20c%3Fd%23e").text


def test_a_memory_is_written_changed_pinned_and_that_is_taken_back(client: httpx.Client, site: Site) -> None:
    written = send(client, "/memories/-/new", "/memories/-/new", text="The shed key hangs in the hall.", pinned="1")
    assert "Remembered." in written.text
    id_ = str(written.url).split("/memories/")[1].split("?")[0]
    assert site.memory.sheet(ME, id_).pinned
    form = client.get("/memories/-/edit", params={"id": id_})
    assert "The shed key hangs in the hall." in form.text
    fields = {
        "id": id_,
        "text": "The shed key hangs in the kitchen.",
        "importance": "0.9",
        "valid_from": "",
        "topic": "",
    }
    given = {name: value for name, value in fields.items() if name != "valid_from"}
    changed = send(client, f"/memories/{id_}", "/memories/-/edit", **given)
    assert "Changed." in changed.text
    assert "<del>The shed key hangs in the hall.</del>" in changed.text
    now = site.memory.sheet(ME, id_)
    assert (now.memory.text, now.memory.importance, now.pinned) == (given["text"], 0.9, False)
    assert "Pinned: upkeep" in send(client, f"/memories/{id_}", "/memories/-/pin", id=id_, pinned="1").text
    undone = send(client, f"/memories/{id_}", "/memories/-/undo", id=id_)
    assert "Taken back." in undone.text
    assert not site.memory.sheet(ME, id_).pinned
    same = send(client, f"/memories/{id_}", "/memories/-/edit", id=id_, text=given["text"], importance="0.9")
    assert "Nothing was changed." in same.text


def test_the_words_of_a_turn_are_not_changed_by_a_form(client: httpx.Client, site: Site) -> None:
    [turn] = said(site, "My desk is green.")
    assert "<textarea" not in client.get("/memories/-/edit", params={"id": turn}).text
    send(
        client,
        f"/memories/{turn}",
        "/memories/-/edit",
        id=turn,
        text="My desk is blue.",
        importance="0.5",
        topic="desk",
    )
    now = site.memory.get(turn, ME)
    assert (now.text, now.topic) == ("My desk is green.", "desk")


@pytest.mark.parametrize(
    "fields", [{"importance": "much"}, {"importance": "7"}, {"text": " "}, {"valid_until": "soon"}, {"kind": "rumour"}]
)
def test_a_bad_value_is_refused_in_words(client: httpx.Client, site: Site, fields: dict[str, str]) -> None:
    id_ = remember(site, "The boat leaves at nine.", id="boat")
    refused = send(client, f"/memories/{id_}", "/memories/-/edit", id=id_, **fields)
    assert refused.status_code == 400
    assert site.memory.get(id_, ME).text == "The boat leaves at nine."


def test_what_would_be_forgotten_is_told_before_and_gone_after(client: httpx.Client, site: Site) -> None:
    [turn] = said(site, "I bought a parrot named Quill.")
    site.memory.flush(30)
    shown = client.get("/memories/-/forget", params={"id": turn})
    assert "I bought a parrot named Quill." in shown.text
    assert "entries of the keyword index" in shown.text or "entry of the keyword index" in shown.text
    assert "<html" not in client.get("/memories/-/forget", params={"id": turn}, headers={"hx-request": "true"}).text
    assert site.memory.get(turn, ME)
    receipt = send(client, f"/memories/{turn}", "/memories/-/forget", id=turn)
    assert "Forgotten" in receipt.text
    assert "Quill" not in receipt.text
    assert client.get(f"/memories/{turn}").status_code == 404
    assert "Quill" not in client.get("/memories", params={"q": "parrot"}).text.partition('<div id="found">')[2]


def test_forgetting_needs_a_choice_and_a_form_of_this_page(client: httpx.Client, site: Site) -> None:
    id_ = remember(site, "The lamp is new.", id="lamp")
    assert client.get("/memories/-/forget").status_code == 400
    assert client.get("/memories/-/forget", params={"id": id_, "thread": "t"}).status_code == 400
    assert client.post("/memories/-/forget", data={"id": id_}).status_code == 403
    assert site.memory.get(id_, ME)


def test_another_user_neither_sees_nor_changes_nor_takes_anything(other: httpx.Client, site: Site) -> None:
    id_ = remember(site, "Kim's secret is a heron.", id="heron", subject="Heron")
    assert listed(other.get("/memories?status=all")) == ["The other user&#39;s secret is a walrus."]
    for path in (
        f"/memories/{id_}",
        f"/memories/-/edit?id={id_}",
        f"/memories/-/forget?id={id_}",
        "/connections?name=Heron",
    ):
        assert other.get(path).status_code in (400, 404), path
    for action in ("pin", "undo", "edit", "forget"):
        sent = send(other, "/memories/-/new", f"/memories/-/{action}", id=id_, text="changed", pinned="1")
        assert sent.status_code in (400, 404), action
    exported = other.get("/memories/-/export").text
    assert "walrus" in exported
    assert "heron" not in exported
    assert site.memory.get(id_, ME).text == "Kim's secret is a heron."


def test_all_of_a_space_is_exported_as_it_is_imported(client: httpx.Client, site: Site, tmp_path: Path) -> None:
    answered = client.get("/memories/-/export")
    assert re.search(r'filename="hippograph-[\d-]+\.jsonl"', answered.headers["content-disposition"])
    path = tmp_path / "all.jsonl"
    path.write_bytes(answered.content)
    from hippograph.bench.hashed import hashed

    with Memory.open(tmp_path / "home", hashed(), settings=site.settings.override(home=tmp_path / "home")) as copy:
        copy.load(path, "ann")
        assert copy.tally("ann").total == site.memory.tally(ME).total


def test_a_name_leads_to_what_is_connected_and_to_the_memories_that_say_so(client: httpx.Client, site: Site) -> None:
    fact = remember(
        site, "Ann Lee works at Fjord Bank.", subject="Ann Lee", attribute="employer", value="Fjord Bank", id="bank"
    )
    page = client.get("/connections", params={"name": "ann lee"}).text
    assert "<h1>Ann Lee</h1>" in page
    assert re.search(r'<a class="node kind-organisation"[^>]*aria-label="Fjord Bank, organisation, 1 memory"', page)
    assert '<span class="pill accent">employer</span>' in page
    assert f'href="/memories/{fact}"' in page
    back = client.get("/connections", params={"name": "Fjord Bank", "hops": "2"}).text
    assert '<span class="pill accent">has it as employer</span>' in back
    assert "Fjord Bank" in client.get("/connections").text
    assert client.get("/connections?name=Nobody").status_code == 404


def test_names_are_read_in_steps_where_many_memories_are_new(
    client: httpx.Client, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hippograph.web import connections

    site.memory.network(ME)
    monkeypatch.setattr(connections, "READ", 2)
    turns: list[Any] = [
        {"role": "user", "text": f"I met {name}ov in Kiel."} for name in ("Petr", "Ivan", "Pavl", "Dav", "Lev")
    ]
    site.memory.add_turns(ME, "names", turns)
    assert 'hx-get="/connections/reading"' in client.get("/connections").text
    answered = client.get("/connections/reading")
    for _ in range(5):
        if "hx-refresh" in answered.headers:
            break
        answered = client.get("/connections/reading")
    assert site.memory.unread(ME) == 0
    assert "Levov" in client.get("/connections").text


def test_topics_lead_to_their_memories(client: httpx.Client, site: Site) -> None:
    remember(site, "The manual tells of pumps.", kind="document", topic="Manual.pdf > Pumps > 3")
    remember(site, "Paint the fence in May.", topic="garden", subject="fence", attribute="plan")
    page = client.get("/topics").text
    assert 'href="/memories?topic=garden"' in page
    assert 'href="/memories?topic=Manual.pdf"' in page
    assert 'href="/memories?about=fence"' in page
    chinese = client.get("/topics", headers={"accept-language": "zh-CN"}).text
    assert '<p class="soft clip-2">计划</p>' in chinese
    assert listed(client.get("/memories?topic=Manual.pdf")) == ["The manual tells of pumps."]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_kind_status_and_count_has_its_words(language: str) -> None:
    named = [f"memories.kind_{kind}" for kind in KINDS]
    named += [f"memories.status_{status}" for status in (*STATUSES, "all")]
    named += [f"memories.column_{column}" for column in TOLD]
    named += [f"memories.done_{done}" for done in DONE]
    named += [f"forgetting.{name}" for name in COUNTED]
    named += [f"connections.kind_{kind or 'other'}" for kind in get_args(EntityKind)]
    named += [f"topics.state_{state}" for state in get_args(Standing)]
    assert [key for key in named if not text(language, key, n=2)] == []
