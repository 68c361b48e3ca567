"""`hippograph mcp`: memory as tools for programs that speak the Model Context Protocol."""

import os
import signal
import threading
from typing import TYPE_CHECKING

from hippograph.cli.options import ME, EmbeddingsOption, HomeOption, RerankerOption, UserOption, configured, named
from hippograph.cli.store import tell

if TYPE_CHECKING:
    from hippograph.memory import Memory

PATIENCE = 1.0
"""Seconds for what is pending when the client leaves: clients kill a server that takes longer than two."""


def mcp(
    user: UserOption = ME,
    home: HomeOption = None,
    embeddings: EmbeddingsOption = None,
    reranker: RerankerOption = None,
) -> None:
    """Serve memory's tools (recall, remember, forget, history) to the program that starts this command.

    The program, such as an editor or a desktop assistant, speaks with it over stdin and stdout; both end together. For
    several programs at a time, `hippograph serve` offers the same tools over HTTP, at /mcp.

    \b
    hippograph mcp --user ann
    hippograph mcp --user ann --home ~/memories
    """
    user, settings = named(user, "--user"), configured(home, embeddings=embeddings, reranker=reranker)
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
