"""`hippograph mcp`: memory as tools for programs that speak the Model Context Protocol."""

import os
import signal
import threading
from typing import TYPE_CHECKING, Annotated

import typer

from hippograph.cli.options import ME, EmbeddingsOption, HomeOption, RerankerOption, UserOption, configured, named
from hippograph.cli.serve import PORT, serve_home
from hippograph.cli.store import tell
from hippograph.state import BadInput, Settings

if TYPE_CHECKING:
    from hippograph.memory import Memory

PATIENCE = 1.0
"""Seconds for what is pending when the client leaves: clients kill a server that takes longer than two."""


def mcp(
    user: UserOption = ME,
    home: HomeOption = None,
    embeddings: EmbeddingsOption = None,
    reranker: RerankerOption = None,
    http: Annotated[
        bool, typer.Option("--http", help="Serve over HTTP instead: `hippograph serve` without a browser.")
    ] = False,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="With --http, address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="With --http, port; 0: a free one.")] = PORT,
) -> None:
    """Serve memory's tools (recall, remember, forget, history) to the program that starts this command.

    The program, such as an editor or a desktop assistant, speaks with it over stdin and stdout; both end together. For
    several programs at a time, --http (or `hippograph serve`) offers the same tools at /mcp.

    \b
    hippograph mcp --user ann
    hippograph mcp --user ann --home ~/memories
    hippograph mcp --http --port 4747
    """
    user, settings = named(user, "--user"), configured(home, embeddings=embeddings, reranker=reranker)
    if http and user != ME:
        raise BadInput(
            "With --http, each request says whose memories it is about, by its token or the header X-Hippograph-User: "
            "leave out --user."
        )
    if http:
        serve_home(settings, host, port, browser=False)
    else:
        _over_stdio(settings, user)


def _over_stdio(settings: Settings, user: str) -> None:
    import anyio

    from hippograph.graph.tools import Tools
    from hippograph.memory import Memory
    from hippograph.web.mcp import over_stdio

    memory = Memory.open(settings.home, settings=settings)
    tell(memory)
    _ends_with_signals(memory)
    try:
        anyio.run(over_stdio, Tools(memory, settings), user)
    finally:
        memory.close(PATIENCE)


def _ends_with_signals(memory: "Memory") -> None:
    """Have SIGINT and SIGTERM close the home and end the process: the thread that reads stdin waits for nobody else."""

    def leave(number: int) -> None:
        memory.close(PATIENCE)
        os._exit(128 + number)

    def ended(number: int, frame: object) -> None:
        threading.Thread(target=leave, args=(number,)).start()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, ended)
