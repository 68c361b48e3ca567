"""How fast the local page is with much in memory: its HTML, its loading in a browser, and a turn until it is drawn."""

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import httpx

from hippograph.bench import checks, machine
from hippograph.bench.hashed import SPEC, hashed
from hippograph.bench.report import Figure, Report, median, percentile
from hippograph.bench.turns import Conversations, conversations, sample
from hippograph.memory import Memory
from hippograph.state import Settings

if TYPE_CHECKING:
    from playwright.sync_api import Page

SPACE = "me"
"""The user whom the page shows unless told otherwise."""
WIDTH, HEIGHT = 1280, 860
PATIENCE = 120_000
"""Milliseconds after which a page that does not load is given up."""
SECTIONS = {
    "chat": "/",
    "memories": "/memories",
    "search": "/memories?{search}",
    "memory": "/memories/{id}",
    "connections": "/connections",
    "topics": "/topics",
    "stats": "/stats",
    "queue": "/queue",
    "review": "/review",
    "found": "/found",
}
READING = "/connections/reading"
"""Reads some more memories for their names; empty once all are read."""
GOALS = {"html_p95_ms": 500.0, "load_p95_ms": 1000.0, "turn_p50_ms": 500.0}
NOTES = [
    "html: a section's HTML over HTTP from a process of its own, until its last byte; load: the same in Chromium until "
    "its load event, scripts and styles cached by the browser. html_p95_ms and load_p95_ms are of the slowest section.",
    "first_ms: the first visit to a section since the server began; names_read_s: until the map knows all names, which "
    "are read in steps that the page asks for by itself, once for memories that upkeep has not read.",
    "turn: from sending a message until its answer and its pipeline stand in the page; token: until the answer's first "
    "word does. A stand-in answers at once and vectors are hashed: models are not in it.",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Browser:
    """How the page is looked at."""

    chromium: str | None
    """The program; None: the HTML alone is timed."""
    axe: Path | None
    """axe-core's file, whose rules of accessibility are tried on each section."""
    lighthouse: Path | None
    """Lighthouse's command line, which grades some sections."""


Serving = Callable[[Path], AbstractContextManager[str]]
"""Serves a home from a process of its own, with the stand-in as its model; gives the page's URL."""


def run(size: int, runs: int, serving: Serving, browser: Browser, progress: Callable[[str], None]) -> Report:
    """Fill a temporary home with made-up turns, serve it, and time each section and some turns.

    Args:
        size: How many turns are stored.
        runs: How often each section is asked for, and how many turns are taken.
        serving: Serves a home.
        browser: Which browser, and which checks.
        progress: Told what is being done.
    """
    where = machine.describe()
    with tempfile.TemporaryDirectory(prefix="hippograph-page-") as folder:
        progress(f"{size:,} turns: storing and indexing ...")
        said = conversations(size)
        held, one = _store(Path(folder), said)
        questions = [fact.question for fact in sample(said.facts, max(1, runs))]
        paths = _paths(one, questions[0])
        with serving(Path(folder)) as url:
            progress(f"{held:,} memories: asking for each section {runs} times ...")
            reading, firsts, html = _html(url, paths, runs)
            loads, turns, told = dict[str, list[float]](), list[tuple[float, float]](), dict[str, Figure]()
            if browser.chromium is not None:
                progress("The same in Chromium, and turns ...")
                with _page(browser.chromium) as page:
                    loads = {name: _loads(page, url + path, runs) for name, path in paths.items()}
                    turns = _turns(page, url, questions)
                told = _checks(url, paths, browser, progress)
    return Report(
        metrics={
            "memories": held,
            **_figures(html, loads, turns),
            "names_read_s": round(reading, 2),
            **_firsts(firsts),
            **told,
        },
        machine=where,
        models={"embeddings": SPEC, "small": "stand-in"},
        n=runs,
        stages=_stages(html, loads, turns),
        notes=NOTES,
    )


def _store(home: Path, said: Conversations) -> tuple[int, str]:
    """Store what was said, with the facts in it; return how many memories that are, and the id of one."""
    settings = replace(Settings.from_env(), upkeep_every=0)
    with Memory.open(home, hashed(), reranker="fusion", extractor="rules", settings=settings) as memory:
        for thread, turns in said.threads.items():
            memory.add_turns(SPACE, thread, turns)
        if not memory.flush():
            raise RuntimeError(f"Indexing failed, {memory.status().pending} memories are left.")
        return memory.count(SPACE), said.facts[0].turn_id


def _paths(one: str, question: str) -> dict[str, str]:
    search = f"q={quote(question)}"
    return {name: path.format(id=quote(one, safe=""), search=search) for name, path in SECTIONS.items()}


def _html(url: str, paths: dict[str, str], runs: int) -> tuple[float, dict[str, float], dict[str, list[float]]]:
    """Return the seconds until all names are read, and each section's milliseconds: the first answer's, later ones'."""
    firsts, later = dict[str, float](), dict[str, list[float]]()
    with httpx.Client(base_url=url, trust_env=False, timeout=PATIENCE / 1000) as client:
        for name, path in paths.items():
            firsts[name] = _asked(client, path)
        began = time.perf_counter()
        while client.get(READING).raise_for_status().text.strip():
            pass  # each request reads some more, as the page's script has it
        reading = time.perf_counter() - began
        for name, path in paths.items():
            later[name] = [_asked(client, path) for _ in range(runs)]
    return reading, firsts, later


def _asked(client: httpx.Client, path: str) -> float:
    began = time.perf_counter()
    client.get(path).raise_for_status()
    return (time.perf_counter() - began) * 1000


@contextmanager
def _page(chromium: str) -> "Iterator[Page]":
    playwright = checks.playwright()
    with playwright() as driver:
        opened = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = opened.new_page(viewport={"width": WIDTH, "height": HEIGHT}, locale="en-GB")
        page.set_default_timeout(PATIENCE)
        yield page
        opened.close()


_LOADED = "performance.getEntriesByType('navigation')[0].loadEventEnd"


def _loads(page: "Page", url: str, runs: int) -> list[float]:
    """Return the milliseconds of some loads; one before them fills the browser's cache."""
    found = list[float]()
    for _ in range(runs + 1):
        page.goto(url, wait_until="load")
        page.wait_for_function(f"{_LOADED} > 0")
        found.append(float(page.evaluate(_LOADED)))
    return found[1:]


_TURN = """text => new Promise(done => {
  const box = document.getElementById("messages"), began = performance.now();
  const answers = () => box.querySelectorAll(".message.theirs:not(.live)").length, before = answers();
  let first = null;
  new MutationObserver((_, seen) => {
    if (first === null && box.querySelector(".live .said")?.textContent) first = performance.now() - began;
    if (answers() === before) return;
    seen.disconnect();
    requestAnimationFrame(() => done([first ?? performance.now() - began, performance.now() - began]));
  }).observe(box, { childList: true, subtree: true, characterData: true });
  document.getElementById("text").value = text;
  document.getElementById("composer").requestSubmit();
})"""


def _turns(page: "Page", url: str, questions: Sequence[str]) -> list[tuple[float, float]]:
    """Return for each question the milliseconds until its answer begins, and until all is drawn."""
    page.goto(f"{url}/?thread=timed")
    taken = [page.evaluate(_TURN, question) for question in [questions[0], *questions]]
    return [(float(first), float(whole)) for first, whole in taken[1:]]


def _checks(url: str, paths: dict[str, str], browser: Browser, progress: Callable[[str], None]) -> dict[str, Figure]:
    """Return how many rules of axe-core each section breaks, and Lighthouse's grades, as far as they are wanted."""
    found = dict[str, Figure]()
    assert browser.chromium is not None
    if browser.axe is not None:
        progress("axe-core ...")
        with _page(browser.chromium) as page:
            for name, path in paths.items():
                broken = checks.axe(page, url + path, browser.axe)
                found[f"{name}_axe_broken"] = len(broken)
                for rule in broken:
                    progress(f"  {name}: {rule}")
    if browser.lighthouse is not None:
        for name in checks.GRADED:
            progress(f"Lighthouse, {name} ...")
            grades = checks.lighthouse(browser.lighthouse, url + paths[name], browser.chromium)
            found |= {f"{name}_lighthouse_{what}": grade for what, grade in grades.items()}
    return found


def _figures(
    html: dict[str, list[float]], loads: dict[str, list[float]], turns: Sequence[tuple[float, float]]
) -> dict[str, Figure]:
    """Return the figures in a few words: of the slowest section, and of turns."""
    found: dict[str, Figure] = {"html_p95_ms": max(percentile(each, 0.95) for each in html.values())}
    if loads:
        found["load_p95_ms"] = max(percentile(each, 0.95) for each in loads.values())
    if turns:
        whole, first = [whole for _, whole in turns], [first for first, _ in turns]
        found |= {"turn_p50_ms": median(whole), "turn_p95_ms": percentile(whole, 0.95), "token_p50_ms": median(first)}
    return found


def _firsts(firsts: dict[str, float]) -> dict[str, Figure]:
    return {f"{name}_first_ms": round(ms, 2) for name, ms in firsts.items()}


def _stages(
    html: dict[str, list[float]], loads: dict[str, list[float]], turns: Sequence[tuple[float, float]]
) -> dict[str, dict[str, float]]:
    timed = {f"{name}, html": each for name, each in html.items()}
    timed |= {f"{name}, load": each for name, each in loads.items()}
    timed |= {"turn, first word": [first for first, _ in turns], "turn, drawn": [whole for _, whole in turns]}
    return {name: {"p50": median(each), "p95": percentile(each, 0.95)} for name, each in timed.items() if each}
