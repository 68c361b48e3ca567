"""`langgraph dev` from this checkout, as a person starts it: one server for all tests of a session that want it."""

import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from doubles import OpenAI
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient

from hippograph.memory.intake import turn_rows
from hippograph.memory.ledger import Ledger
from hippograph.state import Turn

ROOT = Path(__file__).parents[1]
START_SECONDS = 240.0
"""Longest wait for a start: what it imports takes a busy machine a minute."""


@dataclass(frozen=True)
class Served:
    """A running server."""

    url: str
    home: Path
    log: Path
    openai: OpenAI
    """What answers in it as "openai:tiny"."""


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def left_behind(home: Path) -> None:
    """A home whose process was killed right after a turn was stored, before its vector was made."""
    home.mkdir()
    with Ledger(home / "ledger.db") as ledger:
        ledger.add(turn_rows("zoe", "t", [Turn(role="user", text="My parrot is called Kiwi.", id="killed")]))


def pending(home: Path) -> int:
    with closing(sqlite3.connect(home / "ledger.db")) as ledger:
        return int(ledger.execute("SELECT count(*) FROM jobs").fetchone()[0])


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, model_dir: Path, lasting_openai: OpenAI) -> Iterator[Served]:
    """`langgraph dev` as a person starts it, but on a free port and with a home of its own; stopped as systemd does."""
    folder = tmp_path_factory.mktemp("server")
    served = Served(f"http://127.0.0.1:{(port := free_port())}", folder / "home", folder / "log", lasting_openai)
    left_behind(served.home)
    environment = {
        **os.environ,
        "HIPPOGRAPH_HOME": str(served.home),
        "HIPPOGRAPH_MODEL_DIR": str(model_dir),
        "OPENAI_BASE_URL": f"{lasting_openai.url}/v1",
        "LANGGRAPH_NO_VERSION_CHECK": "true",
    }
    command = [sys.executable, "-m", "langgraph_cli", "dev", "--no-browser", "--no-reload", "--port", str(port)]
    # Seen from a folder of its own, as the server keeps files where it starts.
    for name in ("langgraph.json", "graph", "web"):
        (folder / name).symlink_to(ROOT / name)
    with served.log.open("w") as log:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=subprocess.STDOUT)
    try:
        wait_until_up(served, process)
        yield served
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise
    assert not list(served.home.glob("*.db-wal")), "the home was not closed"
    assert pending(served.home) == 0, "the queue was not drained"


def wait_until_up(served: Served, process: "subprocess.Popen[bytes]") -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        if process.poll() is not None:
            break
        try:
            if httpx.get(f"{served.url}/ok", trust_env=False).is_success:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    pytest.fail(f"langgraph dev did not start:\n{served.log.read_text()[-3000:]}")


@pytest.fixture
async def client(server: Served) -> AsyncIterator[LangGraphClient]:
    async with get_client(url=server.url) as opened:
        yield opened
