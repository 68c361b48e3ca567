"""`hippograph bench shots`: the pictures of the page in the documentation, taken anew."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from hippograph.cli.ask import with_models_loading
from hippograph.cli.options import EmbeddingsOption, SmallOption, configured
from hippograph.cli.paging import found, serving
from hippograph.cli.samples import CONVERSATIONS, QUESTIONS
from hippograph.cli.screen import note, say
from hippograph.cli.store import home_or_temporary
from hippograph.state import BadInput, Settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SPACE = "me"
ANSWERED_MS = 300_000
"""Milliseconds that an answer may take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How the page is looked at."""

    lang: str
    locale: str
    size: tuple[int, int]
    scheme: Literal["light", "dark"]


LOOKS = (
    Look(lang="en", locale="en-GB", size=(1280, 860), scheme="light"),
    Look(lang="zh", locale="zh-CN", size=(390, 844), scheme="dark"),
)
SECTIONS = {"memories": "/memories", "connections": "/connections", "stats": "/stats"}


def shots(
    folder: Annotated[Path, typer.Argument(help="Where the pictures go.")] = Path("docs/images"),
    chromium: Annotated[
        str | None, typer.Option(metavar="PROGRAM", help="The browser. Default: the one found.")
    ] = None,
    small: SmallOption = None,
    embeddings: EmbeddingsOption = None,
) -> None:
    """Take pictures of the page: the demo's conversations, one of its questions answered, and the sections.

    English at a desk by day, Chinese on a phone by night.

    \b
    hippograph bench shots docs/images
    """
    browser = chromium or found()
    if browser is None:
        raise BadInput("Pictures are taken by Chromium, and none was found: install it, or name it by --chromium.")
    folder.mkdir(parents=True, exist_ok=True)
    with home_or_temporary(None) as home, _opened(browser) as opened:
        settings = with_models_loading(configured(home, small, None, embeddings))
        for look in LOOKS:
            place = home / look.lang
            _fill(settings.override(home=place), look.lang)
            with serving(place, settings.small) as url:
                _take(opened, url, look, folder)


def _fill(settings: Settings, lang: str) -> None:
    """Store the demo's conversations."""
    from hippograph.memory import Memory

    with Memory.open(settings.home, settings=settings) as memory:
        for conversation in CONVERSATIONS[lang]:
            memory.add_turns(SPACE, conversation.thread, conversation.turns(lang, datetime.now(UTC)))
        memory.flush()


def _take(browser: "Browser", url: str, look: Look, folder: Path) -> None:
    width, height = look.size
    context = browser.new_context(
        locale=look.locale, viewport={"width": width, "height": height}, color_scheme=look.scheme
    )
    page = context.new_page()
    question = QUESTIONS[look.lang][0]
    note(f"{look.lang}: {question}")
    page.goto(url)
    _ask(page, question)
    _shot(page, folder / f"chat.{look.lang}.png")
    for name, path in SECTIONS.items():
        page.goto(url + path)
        _shot(page, folder / f"{name}.{look.lang}.png")
    page.goto(f"{url}/memories")
    page.locator("main a[href*='/memories/']").last.click()
    page.locator("h1").wait_for(state="attached")
    _shot(page, folder / f"memory.{look.lang}.png")
    context.close()


def _ask(page: "Page", question: str) -> None:
    answers = page.locator(".message.theirs:not(.live)")
    before = answers.count()
    page.locator("#text").fill(question)
    page.keyboard.press("Enter")
    answers.nth(before).wait_for(timeout=ANSWERED_MS)


def _shot(page: "Page", path: Path) -> None:
    page.screenshot(path=path)
    say(str(path))


@contextmanager
def _opened(chromium: str) -> "Iterator[Browser]":
    from hippograph.bench.checks import playwright

    with playwright()() as driver:
        opened = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield opened
        opened.close()
