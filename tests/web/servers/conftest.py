from collections.abc import Iterator
from pathlib import Path

import pytest
from scripted import Scripted

from hippograph.graph import Agent, open_agent
from hippograph.state import Settings


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
