"""Stats, queue, review and what is found, as a browser without scripts gets them."""

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from visiting import ATTACK, ME, Site

SECTIONS = {
    "/stats": ("Figures", "统计"),
    "/queue": ("Queue", "队列"),
    "/review": ("Review", "审阅"),
    "/found": ("Settings found", "当前设置"),
}


@pytest.fixture(scope="module")
def client(site: Site) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=site.url, follow_redirects=True, trust_env=False, timeout=30) as opened:
        yield opened


def send(client: httpx.Client, page: str, to: str, **fields: Any) -> httpx.Response:
    """Send a form as the page that has it would."""
    mark = re.search(r'name="csrf" value="(\w+)"', client.get(page).text)
    assert mark
    return client.post(to, data={"csrf": mark[1], **fields})


@pytest.mark.parametrize("path", SECTIONS)
@pytest.mark.parametrize("number", [0, 1], ids=["en", "zh"])
def test_each_section_answers_in_both_languages(client: httpx.Client, path: str, number: int) -> None:
    answered = client.get(path, headers={"accept-language": ("en", "zh")[number]})
    assert answered.status_code == 200
    assert f"<h1>{SECTIONS[path][number]}" in answered.text
    assert "<script>window.hacked" not in answered.text
    assert "walrus" not in answered.text


def test_figures_are_those_of_the_days_asked_for(client: httpx.Client) -> None:
    zh = client.get("/stats", headers={"accept-language": "zh-CN"}).text
    assert '<th scope="row">检索</th>' in zh, "stages have their names"
    week = client.get("/stats?days=7").text
    assert week.count("<svg viewBox") >= 8
    assert re.search(r'aria-current="true">7 days<', week)
    assert re.search(r'aria-current="true">30 days<', client.get("/stats?days=<script>").text)


def test_another_user_sees_none_of_the_first_ones_figures(site: Site) -> None:
    with httpx.Client(base_url=site.url, cookies={"hippograph_space": "other"}, trust_env=False) as other:
        assert "Nothing is left to do." in other.get("/queue").text
        assert "Nothing waits for you." in other.get("/review").text
        assert re.search(r"<span>Turns</span><b>0</b>", other.get("/stats").text)
        assert "oolong" not in other.get("/queue").text
        other.get("/queue/jobs").raise_for_status()


def test_another_user_cannot_have_the_first_ones_jobs_tried_again(site: Site) -> None:
    failed = site.memory.jobs(dead=True, space=ME)[0].id
    with httpx.Client(base_url=site.url, cookies={"hippograph_space": "other"}, trust_env=False) as other:
        answered = send(other, "/queue", "/queue/retry", id=failed)
    assert answered.status_code == 400
    assert "Nothing of" in answered.text
    assert site.memory.jobs(dead=True, space=ME)


def test_what_was_given_up_is_told_with_its_error_and_can_be_tried_again(client: httpx.Client, site: Site) -> None:
    shown = client.get("/queue").text
    assert "My favourite tea is oolong." in shown
    assert "no such model &lt;img" in shown
    failed = site.memory.jobs(dead=True, space=ME)[0].id
    again = send(client, "/queue", "/queue/retry", id=failed)
    assert "1 job is tried again." in again.text
    assert site.memory.flush(30)
    assert "Nothing is left to do." in client.get("/queue").text


def test_a_form_without_the_page_s_mark_changes_nothing(client: httpx.Client, site: Site) -> None:
    held = site.memory.held(ME)[0].memory
    answered = client.post("/review", data={"id": held.id, "action": "reject"})
    assert answered.status_code == 403
    assert site.memory.held(ME)


def test_a_decision_that_is_none_is_told(client: httpx.Client, site: Site) -> None:
    held = site.memory.held(ME)[0].memory
    answered = send(client, "/review", "/review", id=held.id, action="praise")
    assert answered.status_code == 400
    assert "approve, edit or reject" in answered.text


def test_a_doubtful_fact_waits_with_its_reason_and_is_known_once_it_is_approved(
    client: httpx.Client, site: Site
) -> None:
    shown = client.get("/review").text
    assert "it disagrees with what is known" in shown
    assert "Kim lives in Trondheim now." in shown
    held = site.memory.held(ME)[0].memory
    now = send(client, "/review", "/review", id=held.id, action="edit", text="Kim lives in Bremen.")
    assert "Approved: it is remembered now." in now.text
    assert "Nothing waits for you." in now.text
    assert "Bremen" in "".join(each.text for each in site.memory.list(ME))


def test_what_is_decided_twice_is_told_so(client: httpx.Client, site: Site) -> None:
    turn = site.memory.list(ME, kinds=["turn"], limit=1)[0]
    answered = send(client, "/review", "/review", id=turn.id, action="approve")
    assert answered.status_code == 400
    assert "does not wait for review" in answered.text


def test_models_are_told_with_their_roles_and_folders_only_to_whoever_has_the_whole_home(client: httpx.Client) -> None:
    shown = client.get("/found").text
    assert "local:qwen2.5-coder-0.5b" in shown
    assert "nothing is configured" in shown
    assert "HIPPOGRAPH_MODEL_DIR" in shown
    assert ATTACK not in shown
