"""What every test gets: an environment without a user's settings, the doubles of model servers, the embedded models."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))
pytest_plugins = ["doubles"]

# Where the embedded models are is a fact of the machine; read before the settings are cleared.
from hippograph.models import catalogue  # noqa: E402
from hippograph.state import Settings  # noqa: E402

MODEL_DIR = Settings.from_env().model_dir
KEPT = {"HIPPOGRAPH_MODEL_DIR"}


@pytest.fixture(scope="session", autouse=True)
def _clean_environment() -> Iterator[None]:
    patch = pytest.MonkeyPatch()
    for name in os.environ:
        if name.endswith("_API_KEY") or (name.startswith(("HIPPOGRAPH_", "OPENAI_", "OLLAMA_")) and name not in KEPT):
            patch.delenv(name)
    for prefix in ("LANGSMITH", "LANGCHAIN"):
        for name in ("TRACING", "TRACING_V2"):
            patch.setenv(f"{prefix}_{name}", "false")
    patch.setenv("LANGGRAPH_CLI_NO_ANALYTICS", "1")
    patch.setenv("ANONYMIZED_TELEMETRY", "false")
    patch.setenv("OLLAMA_HOST", "http://127.0.0.1:9")  # Nothing listens there, whatever runs on this machine.
    yield
    patch.undo()


@pytest.fixture(scope="session")
def model_dir() -> Path:
    """The folder that holds the small embedded model."""
    if not catalogue.entry("").pulled(MODEL_DIR):
        pytest.fail(f"{catalogue.DEFAULT} is not in {MODEL_DIR}; run: hippograph models pull", pytrace=False)
    return MODEL_DIR
