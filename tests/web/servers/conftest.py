import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
import uvicorn
from scripted import Scripted
from starlette.applications import Starlette

from hippograph.graph import Agent, open_agent
from hippograph.state import Settings
from hippograph.web.app import create_app


@pytest.fixture(scope="module")
def model() -> Scripted:
    return Scripted()


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory, model: Scripted) -> Iterator[Agent]:
    """One agent for a module; each test talks as users of its own."""
    settings = Settings.from_env().override(home=tmp_path_factory.mktemp("servers") / "home")
    with open_agent(settings, small=model) as opened:
        yield opened


@pytest.fixture(autouse=True)
def _as_before(model: Scripted) -> Iterator[None]:
    """Whatever a test makes the model say, the next one begins with "Yes."."""
    yield
    model.reply, model.usage = Scripted().reply, None
    model.prompts.clear()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@contextmanager
def _serving(app: Starlette) -> Iterator[str]:
    """Serve an app on a free port of this machine, from a thread; yield its address."""
    ready = threading.Event()

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            ready.set()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = Server(uvicorn.Config(app, log_config=None, timeout_graceful_shutdown=5))
        thread = threading.Thread(target=asyncio.run, args=(server.serve([listening]),))
        thread.start()
        assert ready.wait(60)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="session")
def serving() -> Callable[[Starlette], AbstractContextManager[str]]:
    return _serving


@pytest.fixture(scope="module")
def url(agent: Agent) -> Iterator[str]:
    """The address of a served page, with OpenAI's API and MCP beside it."""
    with _serving(create_app(agent.settings, agent=agent, openai=True)) as address:
        yield address
