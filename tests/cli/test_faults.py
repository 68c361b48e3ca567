"""What goes wrong around the command: one clear line, exit code 1, nothing lost."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from powers import with_a_full_disk, without_root_powers

if TYPE_CHECKING:
    from tests.cli.conftest import Command

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")


def test_a_second_process_on_one_home_is_told_so(command: "Command", new_home: Callable[[], Path]) -> None:
    """W09."""
    home = new_home()
    with command.started("chat", "--home", home, stderr=subprocess.STDOUT) as first:
        assert first.stdout is not None
        assert first.stdin is not None
        assert "user me" in first.stdout.readline()
        line = command.fails("recall", "anything", "--home", home)
        assert str(home) in line
        first.stdin.close()
        assert first.wait(60) == 0
    assert command("recall", "anything", "--home", home).returncode == 0


def test_a_folder_without_write_permission_is_named(command: "Command", tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        line = command.fails("remember", "x", "--home", tmp_path / "home", preexec_fn=without_root_powers)
    finally:
        tmp_path.chmod(0o700)
    assert str(tmp_path) in line


def test_a_home_that_became_read_only_is_named_and_keeps_what_it_had(
    command: "Command", new_home: Callable[[], Path]
) -> None:
    home = new_home()
    command("remember", "My locker number is 731.", "--home", home)
    paths = [home, *home.rglob("*")]
    modes = {path: path.stat().st_mode for path in paths}
    try:
        for path in paths:
            path.chmod(0o500 if path.is_dir() else 0o400)
        line = command.fails("remember", "Another.", "--home", home, preexec_fn=without_root_powers)
    finally:
        for path, mode in modes.items():
            path.chmod(mode)
    assert str(home) in line
    assert [memory["text"] for memory in command.json("memories", "--home", home)] == ["My locker number is 731."]


def test_a_home_that_is_a_file_is_said_so(command: "Command", tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    assert str(tmp_path / "home") in command.fails("remember", "x", "--home", tmp_path / "home")


def test_a_full_disk_is_one_line_and_loses_nothing_stored(command: "Command", new_home: Callable[[], Path]) -> None:
    home = new_home()
    command("remember", "My locker number is 731.", "--home", home)
    limit = max(path.stat().st_size for path in home.rglob("*") if path.is_file())
    text = " ".join(f"{number} sheep" for number in range(limit // 8))
    line = command.fails("remember", "-", "--home", home, input=text, preexec_fn=with_a_full_disk(limit))
    assert "disk" in line or "full" in line
    stored = command.json("memories", "--home", home)
    assert [memory["text"] for memory in stored] == ["My locker number is 731."]


def test_a_missing_model_file_says_how_to_get_it(
    command: "Command", new_home: Callable[[], Path], tmp_path: Path
) -> None:
    line = command.fails("ask", "hi", "--home", new_home(), "--small", f"local:{tmp_path}/none.gguf")
    assert "none.gguf" in line
    empty = command.changed(HIPPOGRAPH_MODEL_DIR=str(tmp_path))
    assert "hippograph models pull" in empty.fails("ask", "hi", "--home", new_home())


def test_a_dead_ollama_is_named_with_its_address_before_anyone_waits(
    command: "Command", new_home: Callable[[], Path]
) -> None:
    """M05."""
    line = command.fails("ask", "hi", "--home", new_home(), "--small", "ollama:qwen3:4b", timeout=30)
    assert "127.0.0.1:9" in line
    assert "ollama" in line.lower()


@pytest.mark.parametrize(
    ("small", "expected"),
    [("nonsense:model", "nonsense"), ("gpt-5-mini", "openai:gpt-5-mini"), ("openai:gpt-5-mini", "OPENAI_API_KEY")],
)
def test_a_model_that_cannot_be_used_is_one_line(
    command: "Command", new_home: Callable[[], Path], small: str, expected: str
) -> None:
    keyless = command.changed(OPENAI_API_KEY="")
    assert expected in keyless.fails("ask", "hi", "--home", new_home(), "--small", small, timeout=30)


def test_a_reader_that_leaves_early_causes_no_noise(command: "Command", new_home: Callable[[], Path]) -> None:
    home = new_home()
    command("remember", "My locker number is 731.", "--home", home)
    with command.started("memories", "--home", home) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        noise = process.stderr.read()
    assert not [word for word in ("Traceback", "Exception ignored", "hippograph:") if word in noise], noise


def test_debug_shows_the_traceback_as_well(command: "Command", tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    debugging = command.changed(HIPPOGRAPH_DEBUG="1")
    done = debugging("remember", "x", "--home", tmp_path / "home")
    assert done.returncode == 1
    assert "Traceback" in done.stderr
