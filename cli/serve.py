"""`hippograph serve`: the local page."""

import asyncio
import contextlib
import logging
import signal
import socket
import threading
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import typer

from hippograph.cli.ask import with_models_loading
from hippograph.cli.options import (
    BackupOption,
    BigOption,
    EmbeddingsOption,
    HomeOption,
    RerankerOption,
    SmallOption,
    configured,
)
from hippograph.cli.screen import Noting, debugging, note, say
from hippograph.cli.store import tell
from hippograph.state import BadInput, Settings

if TYPE_CHECKING:
    from starlette.applications import Starlette

PORT = 4747
DRAIN_SECONDS = 10
"""How long requests under way are waited for, at the end."""


def serve(
    home: HomeOption = None,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Address to listen at; any but this machine's own needs tokens.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0: a free one.")] = PORT,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open it in the browser.")] = True,
    openai: Annotated[
        bool, typer.Option("--openai", help="Also answer programs that speak OpenAI's API, at /v1, with memory.")
    ] = False,
    tokens: Annotated[
        bool, typer.Option("--tokens", help="Ask everybody for a token, here too: needed behind a proxy.")
    ] = False,
    small: SmallOption = None,
    big: BigOption = None,
    backup: BackupOption = None,
    embeddings: EmbeddingsOption = None,
    reranker: RerankerOption = None,
) -> None:
    """Serve the page: chat, how each answer came about, and what memory holds. Ctrl-C ends it.

    \b
    hippograph serve
    hippograph serve --home ./family --port 0 --no-browser
    hippograph serve --openai --no-browser
    hippograph tokens add laptop --user ann && hippograph serve --host 0.0.0.0
    hippograph serve --tokens --no-browser
    """
    settings = configured(home, small, big, embeddings, reranker, backup)
    serve_home(settings, host, port, browser=browser, openai=openai, tokens=tokens)


def serve_home(
    settings: Settings, host: str, port: int, *, browser: bool, openai: bool = False, tokens: bool = False
) -> None:
    """Serve a home's page, and what programs use beside it, until a signal."""
    from hippograph.web.access import is_loopback
    from hippograph.web.access import tokens as made

    with contextlib.closing(_listener(host, port)) as listening:
        if (tokens or not is_loopback(host)) and not made(settings.home):
            why, instead = ("--tokens is given", "--tokens") if tokens else (f"Others can reach {host}", "--host")
            raise BadInput(
                f"{why}, so everybody needs a token, and there is none yet: make one with "
                f"`hippograph tokens add NAME --user USER`, or leave out {instead}."
            )
        _serve(settings, host, listening, browser=browser, openai=openai, tokens=tokens)


def _serve(
    settings: Settings, host: str, listening: socket.socket, *, browser: bool, openai: bool, tokens: bool
) -> None:
    """Open the home, serve it until a signal, and drain it."""
    from hippograph.graph import open_agent
    from hippograph.web.access import is_loopback
    from hippograph.web.app import create_app

    address = _address(host, listening)
    with open_agent(with_models_loading(settings)) as agent:
        tell(agent.memory)
        if not debugging():  # else everything is logged
            for name in ("hippograph", "uvicorn"):
                logging.getLogger(name).addHandler(Noting(logging.WARNING))
        app = create_app(settings, host=host, agent=agent, openai=openai, tokens=tokens)

        def ready() -> None:
            say(f"Hippograph is at {address}")
            say(f"MCP is at {address}/mcp")
            if openai:
                say(f"OpenAI's API is at {address}/v1")
            if not is_loopback(host):
                note(f"Others reach it at port {listening.getsockname()[1]} of this machine's addresses.")
            note("Ctrl-C ends it.")
            if browser:
                threading.Thread(target=webbrowser.open, args=[address], daemon=True).start()

        asyncio.run(serving(app, listening, ready))
        note("Stopped.")


async def serving(app: "Starlette", listening: socket.socket, ready: Callable[[], None]) -> None:
    """Serve until SIGINT or SIGTERM; answers under way end early and are kept, a second Ctrl-C waits for nothing."""
    import uvicorn

    loop = asyncio.get_running_loop()

    class Server(uvicorn.Server):
        """Tells when it listens, and has answers end with it."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                ready()

        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            """Take the signals, and keep them: the command ends as one that is done."""
            before = {each: signal.signal(each, self.handle_exit) for each in (signal.SIGINT, signal.SIGTERM)}
            try:
                yield
            finally:
                for each, handler in before.items():
                    signal.signal(each, handler)

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            super().handle_exit(sig, frame)
            loop.call_soon_threadsafe(app.state.turns.stop_all)

    config = uvicorn.Config(
        app, log_config=None, access_log=False, timeout_graceful_shutdown=DRAIN_SECONDS, server_header=False
    )
    await Server(config).serve(sockets=[listening])


def _listener(host: str, port: int) -> socket.socket:
    """Return a socket that listens; a port that is taken is known before a model is loaded."""
    with contextlib.ExitStack() as failing:
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
            family, kind, protocol, _, place = found[0]
            listening = failing.enter_context(socket.socket(family, kind, protocol))
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(place)
            listening.listen(128)
        except OSError as error:
            raise BadInput(f"{host}:{port} cannot be listened at ({error.strerror}): try --port 0.") from error
        listening.setblocking(False)
        failing.pop_all()
    return listening


def _address(host: str, listening: socket.socket) -> str:
    port = listening.getsockname()[1]
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{shown}:{port}"
