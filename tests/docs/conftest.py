"""What a page's examples meet: a machine of their own, and servers whose answers come from the real embedded model."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from doubles import Body, Ollama, OpenAI, _OllamaHandler, _OpenAIHandler, listed, serve
from pages import pages

from hippograph.models import ChatModel, chat_model
from hippograph.state import Settings

OLLAMA_MODEL = re.compile(r"ollama:([\w./-]+(?::[\w.-]+)?)")


@pytest.fixture(scope="session")
def real_model(model_dir: Path) -> ChatModel:
    return chat_model("local", Settings.from_env().override(model_dir=model_dir))


@contextmanager
def served(model: ChatModel) -> Iterator[tuple[str, str]]:
    """Addresses of an Ollama and an OpenAI server: every model that a page names is there, and is the embedded one."""

    def answer(body: Body) -> str:
        told = [(each["role"], each["content"]) for each in body["messages"] if isinstance(each["content"], str)]
        return model.model.invoke(told).text

    names = {name for page in pages() for name in OLLAMA_MODEL.findall(page.read_text("utf-8"))}
    models = [listed(name, "0.5B") for name in sorted({"qwen3:4b", *names})]
    with (
        contextmanager(serve)(Ollama(answers=[answer], models=models), _OllamaHandler) as ollama,
        contextmanager(serve)(OpenAI(answers=[answer]), _OpenAIHandler) as openai,
    ):
        yield ollama.url, f"{openai.url}/v1"


@pytest.fixture
def machine(tmp_path: Path, model_dir: Path, real_model: ChatModel, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home folder that is also the working one, and the model servers that examples name."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("HIPPOGRAPH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HIPPOGRAPH_MODEL_DIR", str(model_dir))
    monkeypatch.chdir(tmp_path)
    with served(real_model) as (ollama, openai):
        monkeypatch.setenv("OLLAMA_HOST", ollama)
        monkeypatch.setenv("OPENAI_BASE_URL", openai)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        yield tmp_path
