"""The page as people meet it: a real server with a home whose contents are known, and a visitor with a browser.

Whatever goes wrong in the browser unseen fails the test: errors on its console, breaches of the
Content-Security-Policy among them, requests that fail or go elsewhere, dialogs that a memory opened.
"""

import os
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import uvicorn
from accounts import DAY, block, call, stage, taken
from scripted import Scripted
from starlette.applications import Starlette

from hippograph.bench.hashed import hashed
from hippograph.graph import Agent, open_agent
from hippograph.memory import Memory
from hippograph.memory.schema import jobs, memories
from hippograph.state import Settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

CHROMIUM = os.environ.get("CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None
)
PATIENCE = 30_000
"""Milliseconds that anything on a page may take; a busy machine is slow."""
ME = "me"
"""The user whom the page shows unless told otherwise."""
ATTACK = '<img src="/hacked" onerror="window.hacked=1"><script>window.hacked=1</script>'
"""What must be shown, and never done."""
PHONE, DESK = (375, 720), (1280, 860)
Lang = Literal["en-GB", "zh-CN"]
Scheme = Literal["light", "dark"]


@dataclass(frozen=True, kw_only=True)
class Site:
    """A served page."""

    url: str
    agent: Agent
    app: Starlette
    settings: Settings
    model: Scripted

    @property
    def memory(self) -> Memory:
        return self.agent.memory


def answer(prompt: list[Any]) -> str:
    """What the small model says: the fact if it stands in its prompt, and what stands in it."""
    text = "\n".join(str(message.text) for message in prompt)
    question = str(prompt[-1].text)
    if "养" in question:
        return "您养了一只猫，叫年糕。" if "年糕" in text else "我不知道。"
    return "Your sister lives in Bergen." if "Bergen" in text else "I don't know."


def fill(memory: Memory) -> None:
    """Store what the tests rely on: talk and facts in both languages, a change, a doubt, a failure, costs, attacks."""
    long_ago = datetime.now(UTC) - timedelta(days=40)
    english = ["My sister Ann lives in Bergen.", "I work at Acme.", "My favourite tea is oolong.", "I live in Oslo."]
    chinese = ["我养了一只猫，叫年糕。", "我妹妹小林在杭州工作。", "我喜欢爬山。"]
    for thread, texts in (("dinner", english), ("周末", chinese)):
        turns: list[Any] = [
            {"role": "user", "speaker": "Kim", "text": text, "said_at": long_ago + timedelta(minutes=number)}
            for number, text in enumerate(texts)
        ]
        memory.add_turns(ME, thread, turns)
    memory.flush()
    memory.add_turns(ME, "moving", [{"role": "user", "speaker": "Kim", "text": "I live in Trondheim now."}])
    memory.flush()
    memory.add_turns(ME, "doubts", [{"role": "user", "speaker": "Kim", "text": "I live in Hamburg."}], review=True)
    memory.add_turns(ME, ATTACK, [{"role": "user", "speaker": ATTACK, "text": f"Look: {ATTACK}", "origin": ATTACK}])
    memory.add_turns(ME, "攻击", [{"role": "user", "speaker": "张三", "text": f"我住在上海。{ATTACK}"}])
    named = {"subject": ATTACK, "attribute": "employer", "value": f"Acme {ATTACK}", "topic": ATTACK}
    memory.remember(ME, f"{ATTACK} works at Acme.", entities=[ATTACK, "Acme"], **named)
    memory.remember("other", "The other user's secret is a walrus.")
    memory.flush()
    _fail(memory, "My favourite tea is oolong.")
    for number in range(6):
        at = datetime.now(UTC) - number * DAY
        work = {"retrieve": stage(20.0 + number), "rerank": stage(3.0), "respond": stage(400.0, call(role="small"))}
        memory.spent(taken(f"t{number}", space=ME, at=at, stages=work, block=block(cache="exact" if number else "")))


def _fail(memory: Memory, text: str) -> None:
    """Have the embedding of a memory given up."""
    with memory._ledger.write() as connection:
        seq = connection.scalar(memories.select().with_only_columns(memories.c.seq).where(memories.c.text == text))
        row = {"memory": seq, "kind": "index", "space": ME, "state": "dead", "attempts": 18}
        connection.execute(jobs.insert().values(**row, due_at=datetime.now(UTC), error=f"no such model {ATTACK}"))


@contextmanager
def serving(app: Starlette) -> Iterator[str]:
    """Serve an app on a free port of this machine; yields its URL."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        config = uvicorn.Config(app, log_level="warning", ws="none", lifespan="on")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


@contextmanager
def served(home: Path, content: Callable[[Memory], None] = fill, **given: Any) -> Iterator[Site]:
    """Serve a home with a content of its own."""
    from hippograph.web.app import create_app

    settings, model = Settings.from_env().override(home=home), Scripted(reply=answer, usage=(120, 9))
    with Memory.open(home, hashed(), extractor="rules", settings=settings) as memory:
        content(memory)
        with open_agent(settings, small=model, memory=memory) as agent:
            app = create_app(settings, agent=agent, **given)
            with serving(app) as url:
                yield Site(url=url, agent=agent, app=app, settings=settings, model=model)


@contextmanager
def launched() -> "Iterator[Browser]":
    """Start a Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield opened
        opened.close()


@dataclass
class Visitor:
    """Opens pages, and notes whatever goes wrong in them."""

    browser: "Browser"
    url: str
    faults: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)
    """Parts of faults that the test itself provokes."""
    contexts: "list[BrowserContext]" = field(default_factory=list)

    def __call__(
        self,
        path: str = "/",
        *,
        lang: Lang = "en-GB",
        size: tuple[int, int] = DESK,
        scheme: Scheme = "light",
        **more: Any,
    ) -> "Page":
        """Open a page as somebody new to it."""
        viewport: Any = {"width": size[0], "height": size[1]}
        context = self.browser.new_context(
            locale=lang, viewport=viewport, color_scheme=scheme, reduced_motion="reduce", **more
        )
        context.set_default_timeout(PATIENCE)
        self.contexts.append(context)
        page = context.new_page()
        page.on("console", lambda said: self.note(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self.note(f"script: {error}"))
        page.on("request", self.requested)
        page.on("requestfailed", self.failed)
        page.on("dialog", self.dialog)
        page.goto(f"{self.url}{path}")
        return page

    def note(self, fault: str) -> None:
        self.faults.append(fault)

    def requested(self, request: Any) -> None:
        if request.url.startswith(f"{self.url}/hacked") or not request.url.startswith((self.url, "data:")):
            self.note(f"asked for {request.url}")

    def failed(self, request: Any) -> None:
        if "ERR_ABORTED" not in (request.failure or ""):  # what leaving a page breaks off
            self.note(f"{request.url}: {request.failure}")

    def dialog(self, shown: Any) -> None:
        self.note(f"dialog: {shown.message}")
        shown.dismiss()

    def close(self) -> None:
        for context in self.contexts:
            for page in context.pages:
                if page.evaluate("window.hacked"):
                    self.note(f"{page.url} did what a memory says")
            context.close()

    def left(self) -> list[str]:
        """What went wrong that the test did not expect."""
        return [fault for fault in self.faults if not any(part in fault for part in self.expected)]


def ask(page: "Page", text: str) -> None:
    """Send a message and wait until its answer, and how it came about, are there."""
    before = page.locator(".message.theirs:not(.live)").count()
    page.locator("#text").fill(text)
    page.keyboard.press("Enter")
    page.locator(".message.theirs:not(.live)").nth(before).wait_for()
