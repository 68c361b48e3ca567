import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest
from doubles import Ollama

from hippograph.models import ChatModel, chat_model, close
from hippograph.state import Settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings of a machine with nothing on it."""
    return Settings.from_env(
        {"HIPPOGRAPH_HOME": str(tmp_path), "HIPPOGRAPH_MODEL_DIR": str(tmp_path / "models")} | NONE
    )


NONE = {"OLLAMA_HOST": "http://127.0.0.1:9"}


@pytest.fixture
def with_ollama(settings: Settings, ollama: Ollama) -> Settings:
    """Settings of a machine where Ollama runs."""
    return dataclasses.replace(settings, ollama_url=ollama.url)


@pytest.fixture(scope="session")
def local_settings(model_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Settings of a machine that has the embedded models."""
    home = tmp_path_factory.mktemp("home")
    return Settings.from_env({"HIPPOGRAPH_HOME": str(home), "HIPPOGRAPH_MODEL_DIR": str(model_dir)} | NONE)


@pytest.fixture(scope="session")
def small(local_settings: Settings) -> Iterator[ChatModel]:
    """The embedded model, loaded once for all tests."""
    yield chat_model("local", local_settings, answer_tokens=48)
    close()
