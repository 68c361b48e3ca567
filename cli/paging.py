"""`hippograph bench page`: how fast the page is."""

import asyncio
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Annotated

import typer

from hippograph.cli.published import OutOption, publish
from hippograph.cli.screen import note
from hippograph.state import Settings

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "chrome")
"""Names that the browser goes by."""
READY_SECONDS = 120


def page(
    size: Annotated[int, typer.Option("--turns", min=100, help="How many messages are stored first.")] = 10_000,
    runs: Annotated[int, typer.Option("--n", min=1, help="How often each section is asked for; and turns.")] = 20,
    chromium: Annotated[
        str | None,
        typer.Option(metavar="PROGRAM", help="The browser. Default: the one found; else HTML alone."),
    ] = None,
    axe: Annotated[
        Path | None, typer.Option(metavar="FILE", help="axe-core's axe.min.js: try its rules of accessibility.")
    ] = None,
    lighthouse: Annotated[
        Path | None, typer.Option(metavar="PROGRAM", help="node_modules/.bin/lighthouse: have some sections graded.")
    ] = None,
    out: OutOption = None,
) -> None:
    """How fast the page is with 10,000 memories: each section's HTML, its loading in a browser, a turn until drawn.

    \b
    hippograph bench page
    hippograph bench page --json docs/benchmarks/page.json
    hippograph bench page --n 5 --axe axe-core/axe.min.js --lighthouse node_modules/.bin/lighthouse
    """
    from hippograph.bench import page as benchmark

    browser = benchmark.Browser(chromium=chromium or found(), axe=axe, lighthouse=lighthouse)
    if browser.chromium is None:
        note("No Chromium was found: --chromium names one. The HTML alone is timed.")
    publish(benchmark.run(size, runs, serving, browser, progress=note), out, benchmark.GOALS)


def found() -> str | None:
    """Return the Chromium of this machine, if there is one."""
    return next(filter(None, map(shutil.which, CHROMIUM)), None)


@contextmanager
def serving(home: Path, small: str | None = None) -> Iterator[str]:
    """Serve a home from a process of its own; yields the page's URL.

    Args:
        home: The folder.
        small: The model that answers, with the settings' embeddings; None: a stand-in, with hashed vectors.
    """
    spawning = get_context("spawn")
    told, telling = spawning.Pipe(duplex=False)
    process = spawning.Process(target=served, args=(home, small, telling))
    process.start()
    telling.close()
    try:
        if not told.poll(READY_SECONDS):
            raise RuntimeError("The page was not served within two minutes.")
        yield told.recv()
    finally:
        process.terminate()
        process.join()


def served(home: Path, small: str | None, telling: Connection) -> None:
    """Serve a home until the process is ended; tells the page's URL once it can be asked for."""
    from hippograph.bench.hashed import hashed
    from hippograph.bench.standin import StandIn
    from hippograph.cli.serve import serving as serve
    from hippograph.graph import open_agent
    from hippograph.memory import Memory
    from hippograph.web.app import create_app

    settings = Settings.from_env().override(home=home)
    embeddings = hashed() if small is None else None
    with (
        Memory.open(home, embeddings, reranker="fusion", extractor="rules", settings=settings) as memory,
        open_agent(settings, small=small or StandIn(), memory=memory) as agent,
        socket.create_server(("127.0.0.1", 0)) as listening,
    ):
        app = create_app(settings, agent=agent)
        asyncio.run(serve(app, listening, lambda: telling.send(f"http://127.0.0.1:{listening.getsockname()[1]}")))
