"""Memories and connections in a real Chromium: searched while typing, forgotten by a dialog, walked by keys."""

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from visiting import ATTACK, DESK, ME, PHONE, Lang, Scheme, Site, Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Page

PAGES = ["/memories", "/memories/-/new", "/connections", f"/connections?name={quote(ATTACK)}", "/topics"]


def inside(page: "Page", selector: str) -> bool:
    """Whether what has the focus is, or is in, something."""
    found: bool = page.evaluate("(wanted) => Boolean(document.activeElement.closest(wanted))", selector)
    return found


@pytest.mark.parametrize(
    ("size", "scheme", "lang"), [(DESK, "light", "en-GB"), (PHONE, "dark", "zh-CN")], ids=["desk", "phone"]
)
def test_no_page_is_wider_than_its_screen_whatever_memories_hold(
    visit: Visitor, site: Site, size: tuple[int, int], scheme: Scheme, lang: Lang
) -> None:
    attack = next(each.id for each in site.memory.browse(ME).cards if ATTACK in each.text)
    page = visit(PAGES[0], size=size, scheme=scheme, lang=lang)
    for path in (*PAGES[1:], f"/memories/{attack}", f"/memories/-/edit?id={attack}", f"/memories/-/forget?id={attack}"):
        page.goto(f"{visit.url}{path}")
        assert page.locator("h1").count() == 1, path
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0], path


def test_what_is_typed_is_searched_for_at_once_and_is_in_the_address(visit: Visitor) -> None:
    page = visit("/memories")
    page.get_by_role("searchbox").press_sequentially("oolong")
    page.locator("#found mark", has_text="oolong").first.wait_for()
    page.wait_for_url("**/memories?q=oolong*")
    page.reload()
    assert page.get_by_role("searchbox").input_value() == "oolong"
    page.locator(".line-body").first.click()
    page.locator(".sheet").wait_for()
    page.go_back()
    page.locator("#found mark").first.wait_for()


def test_filters_narrow_the_list_in_place(visit: Visitor) -> None:
    page = visit("/memories?q=live&order=old")
    assert page.locator(".line").count() > 1
    with page.expect_response(re.compile("status=superseded")):
        page.get_by_label("Status").select_option("superseded")
    page.wait_for_url("**status=superseded**")
    page.locator(".line.over, .empty").first.wait_for()


def test_a_memory_is_forgotten_after_a_look_at_what_goes(visit: Visitor, site: Site) -> None:
    id_ = site.memory.remember(ME, "The heating is loud.")
    page = visit(f"/memories/{id_}")
    page.get_by_role("link", name="Forget").click()
    dialog = page.get_by_role("dialog")
    assert "The heating is loud." in dialog.inner_text()
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    page.get_by_role("link", name="Forget").click()
    page.get_by_role("button", name="Forget it").click()
    page.get_by_text("memory is gone").wait_for()
    assert site.memory.cards(ME, [id_]) == []


def test_chosen_memories_are_forgotten_together(visit: Visitor, site: Site) -> None:
    ids = [site.memory.remember(ME, f"Spare bulb number {n} is in the drawer.") for n in (1, 2)]
    page = visit("/memories?q=spare+bulb&order=new")
    assert not page.get_by_role("button", name="Forget the chosen").is_visible()
    for box in page.get_by_role("checkbox", name="Choose this memory").all():
        box.check()
    page.get_by_role("button", name="Forget the chosen").click()
    page.get_by_role("button", name="Forget 2 memories").click()
    page.get_by_text("memories are gone").wait_for()
    assert site.memory.cards(ME, ids) == []


def test_a_pin_is_set_in_place_and_by_the_keyboard(visit: Visitor, site: Site) -> None:
    id_ = site.memory.remember(ME, "The passport is in the safe.")
    page = visit(f"/memories/{id_}")
    page.get_by_role("button", name="Pin").focus()
    page.keyboard.press("Enter")
    page.locator(".actions [aria-pressed=true]").wait_for()
    assert site.memory.sheet(ME, id_).pinned


def test_the_map_is_one_stop_for_the_keyboard_and_walked_by_arrows(visit: Visitor) -> None:
    page = visit("/connections")
    first = page.locator(".node[tabindex='0']")
    assert first.count() == 1
    first.focus()
    seen = {page.evaluate("document.activeElement.dataset.number")}
    for key in ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
        seen.add(page.evaluate("document.activeElement.dataset.number"))
    assert len(seen) > 1
    assert page.locator(".map svg.picking").count() == 1
    box = page.locator(".map > svg").get_attribute("viewBox")
    page.keyboard.press("+")
    assert page.locator(".map > svg").get_attribute("viewBox") != box
    page.keyboard.press("Tab")
    assert not inside(page, ".map svg")
    first.first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/connections?name=*")


def test_the_map_is_moved_by_dragging_and_no_name_opens_by_that(visit: Visitor) -> None:
    page = visit("/connections")
    map_ = page.locator(".map > svg")
    box, frame = map_.get_attribute("viewBox"), page.locator(".node circle").first.bounding_box()
    assert frame
    x, y = frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y + 40, steps=4)
    page.mouse.up()
    assert map_.get_attribute("viewBox") != box
    assert page.url.endswith("/connections")
    page.get_by_role("button", name="Show all of it").click()
    assert map_.get_attribute("viewBox") == box
    page.get_by_role("button", name="Nearer").click()
    assert map_.get_attribute("viewBox") != box
