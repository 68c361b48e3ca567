"""Turns are read for facts in the background, in batches of a thread, once each, whatever the model does."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from hippograph.bench.hashed import hashed
from hippograph.memory import Memory
from hippograph.memory.facts import SELF, Extracted, Fact, Heard
from hippograph.memory.schema import extractions
from hippograph.memory.work import batch
from hippograph.memory.work.queue import TRIES
from hippograph.state import ModelError, ModelUnavailable, Turn

if TYPE_CHECKING:
    from tests.memory.conftest import Clock

Reading = Callable[[Sequence[Heard]], None]


class Reader:
    """An extractor that takes every turn for a fact and notes what it was given."""

    spec = "reader"

    def __init__(self, *, instant: bool = False, reading: Reading = lambda turns: None) -> None:
        self.instant = instant
        self.reading = reading
        self.read: list[list[str]] = []
        self.before: list[list[str]] = []

    def extract(self, turns: Sequence[Heard], before: Sequence[Heard]) -> Extracted:
        self.read.append([turn.id for turn in turns])
        self.before.append([turn.text for turn in before])
        self.reading(turns)
        return Extracted(facts=[told(turn) for turn in turns if turn.text.startswith("My ")], model=self.spec)


def told(turn: Heard) -> Fact:
    return Fact(
        text=f"Noted: {turn.text}",
        subject=SELF,
        attribute=turn.text,
        value=turn.text,
        turn=turn.id,
        quote=turn.text,
        start=0,
        end=len(turn.text),
    )


def turns(*texts: str) -> list[Turn]:
    """User turns whose ids are their texts; "> " before one makes it the assistant's."""
    return [
        Turn(role="assistant" if text.startswith("> ") else "user", text=text.removeprefix("> "), id=text)
        for text in texts
    ]


def facts(memory: Memory, space: str = "ann") -> list[str]:
    return sorted(fact.text.removeprefix("Noted: ") for fact in memory.list(space, kinds=["fact"]))


def times_read(memory: Memory) -> int:
    with memory._ledger.read() as connection:
        return len(connection.execute(select(extractions)).all())


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that was away is asked again at once."""
    monkeypatch.setattr("hippograph.memory.work.queue.BACKOFF", timedelta())
    monkeypatch.setattr("hippograph.memory.work.gathering.IDLE", 0.01)


def test_two_turns_of_a_thread_within_the_wait_are_read_together_and_none_is_dropped(home: Path) -> None:
    """Case W02."""
    reader = Reader()
    with Memory.open(home, hashed(), extractor=reader) as memory:
        memory.add_turns("ann", "t", turns("My cat is Tofu.", "> A nice name!"))
        memory.add_turns("ann", "t", turns("My dog is Rex."))
        assert memory.flush(30)
        assert reader.read == [["My cat is Tofu.", "My dog is Rex."]]
        assert reader.before == [["A nice name!"]]
        assert facts(memory) == ["My cat is Tofu.", "My dog is Rex."]
        (first, _) = memory.list("ann", kinds=["fact"], newest_first=False)
        assert first.source_ids == ["My cat is Tofu."]


def test_a_thread_is_read_when_it_falls_silent(home: Path, clock: "Clock") -> None:
    with Memory.open(home, hashed(), extractor="none") as memory:
        waiting = batch.Batches(memory._ledger)
        memory.add_turns("ann", "t", turns("My cat is Tofu."), infer=True)
        assert waiting.claim() is None, "more may come"
        clock.forward(timedelta(seconds=1.5))
        memory.add_turns("ann", "t", turns("> And?"), infer=True)
        clock.forward(timedelta(seconds=1.5))
        assert waiting.claim() is None, "it goes on"
        clock.forward(timedelta(seconds=1))
        assert waiting.claim() is not None


def test_a_thread_that_never_falls_silent_is_read_all_the_same(home: Path, clock: "Clock") -> None:
    with Memory.open(home, hashed(), extractor="none") as memory:
        waiting = batch.Batches(memory._ledger)
        seconds = 0
        while (found := waiting.claim()) is None:
            memory.add_turns("ann", "t", turns(f"My number is {seconds}."), infer=True)
            clock.forward(timedelta(seconds=1))
            seconds += 1
        assert (len(found.turns), seconds) == (10, 10)


def test_a_batch_has_the_turns_before_it_but_not_what_the_system_said(home: Path) -> None:
    with Memory.open(home, hashed(), extractor="none") as memory:
        memory.add_turns("ann", "t", turns(*(f"> {n}" for n in range(9))), infer=True)
        memory.add_turns("ann", "t", [Turn(role="system", text="Be brief.")], infer=True)
        memory.add_turns("ann", "t", turns("My cat is Tofu.", "> Nice", "My dog is Rex.", "> Nice too"), infer=True)
        memory.add_turns("bob", "t", turns("My fish is Wanda."), infer=True)
        found = batch.Batches(memory._ledger).claim(hurry=True)
        assert found is not None
        assert [turn.text for turn in found.turns] == ["My cat is Tofu.", "My dog is Rex."]
        assert [turn.text for turn in found.before] == ["6", "7", "8", "Nice"]


def test_a_model_that_is_away_holds_up_nothing_and_is_asked_again(
    home: Path, impatient: None, caplog: pytest.LogCaptureFixture
) -> None:
    """Case W03."""
    back = threading.Event()

    def away(_: object) -> None:
        if not back.is_set():
            raise ModelUnavailable("No model server answers.")

    reader = Reader(reading=away)
    with Memory.open(home, hashed(), extractor=reader) as memory:
        memory.add_turns("ann", "t", turns("My cat is Tofu."))
        assert not memory.flush(30)
        assert memory.recall("ann", "cat")[0].text == "My cat is Tofu.", "a chat goes on meanwhile"
        until(lambda: memory.status().extract.failing == 1)  # not while it is being tried again
        until(lambda: memory.status().extract.error == "No model server answers.")
        assert memory.status().index.pending == 0
        assert caplog.text.count("wait to be read") == 1, "said once, not at each try"
        back.set()
        until(lambda: facts(memory) == ["My cat is Tofu."])
        assert memory.flush(30)


def test_what_failed_too_often_is_listed_and_a_command_tries_it_again(
    home: Path, impatient: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Case W03, of a model that answers."""
    monkeypatch.setattr("hippograph.memory.work.queue.TRIES", 3)

    def failing(_: object) -> None:
        raise ModelError("The model failed.")

    reader = Reader(reading=failing)
    with Memory.open(home, hashed(), extractor=reader) as memory:
        memory.add_turns("ann", "t", turns("My cat is Tofu."))
        until(lambda: memory.status().extract.dead == 1)
        (job,) = memory.jobs(dead=True)
        assert (job.kind, job.text, job.attempts) == ("extract", "My cat is Tofu.", 3)
    reader.reading = lambda turns: None
    with Memory.open(home, hashed(), extractor=reader) as memory:
        assert not memory.flush(30), "it stays dead"
        assert facts(memory) == []
        assert memory.retry() == 1
        assert memory.flush(30)
        assert facts(memory) == ["My cat is Tofu."]


def test_a_model_that_is_away_for_a_night_makes_no_job_dead_but_one_that_is_for_days_does(
    home: Path, impatient: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Case W03, after a night, and after days."""

    def away(_: object) -> None:
        raise ModelUnavailable("No model server answers.")

    reader = Reader(reading=away)
    with Memory.open(home, hashed(), extractor=reader) as memory:
        memory.add_turns("ann", "t", turns("My cat is Tofu."))
        until(lambda: len(reader.read) > 3 * TRIES)
        until(lambda: memory.status().extract.failing == 1)  # not while it is being tried again
        assert memory.status().extract.dead == 0
        monkeypatch.setattr("hippograph.memory.work.outage.GIVEN_UP", timedelta())
        until(lambda: memory.status().extract.dead == 1)


def test_one_turn_on_which_a_server_breaks_down_is_no_outage_for_the_others(home: Path, impatient: None) -> None:
    def poison(heard: Sequence[Heard]) -> None:
        if any("poison" in turn.text for turn in heard):
            raise ModelUnavailable("The model failed on its server (HTTP 500).")

    reader = Reader(reading=poison)
    with Memory.open(home, hashed(), extractor=reader) as memory:
        memory.add_turns("ann", "t", turns("My cat is Tofu.", "My poison is ivy."))
        memory.add_turns("bob", "t", turns("My dog is Rex."))
        memory.flush(30)
        until(lambda: facts(memory) == ["My cat is Tofu."])
        until(lambda: memory.status().extract.dead == 1)
        assert [job.text for job in memory.jobs()] == ["My poison is ivy."]


def test_one_turn_that_cannot_be_read_holds_up_no_other_of_its_batch(home: Path) -> None:
    def poison(heard: Sequence[Heard]) -> None:
        if any("poison" in turn.text for turn in heard):
            raise ValueError("the answer is no JSON")

    reader = Reader(reading=poison)
    with Memory.open(home, hashed(), extractor=reader) as memory:
        memory.add_turns("ann", "t", turns("My cat is Tofu.", "My poison is ivy.", "My dog is Rex."))
        assert not memory.flush(30)
        assert facts(memory) == ["My cat is Tofu.", "My dog is Rex."]
        assert [job.text for job in memory.jobs()] == ["My poison is ivy."]


def test_a_slow_model_holds_up_no_vector_and_no_answer(home: Path) -> None:
    go_on = threading.Event()
    reader = Reader(reading=lambda _: [go_on.wait(30)].clear())
    with Memory.open(home, hashed(), extractor=reader) as memory:
        memory.add_turns("ann", "t", turns("My cat is Tofu."))
        memory._gathering._hurry.set()
        until(lambda: bool(reader.read))
        memory.add_turns("ann", "t", turns("My dog is Rex."))
        assert memory.recall("ann", "Rex")[0].text == "My dog is Rex."
        assert memory._writer.flush(30)
        assert not memory.flush(0.1)
        go_on.set()
        assert memory.flush(30)
        assert len(facts(memory)) == 2


def test_an_extractor_without_a_model_is_run_before_a_search(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Case W05 for facts: the one told in the last turn is found in the next, with nothing in the background."""
    monkeypatch.setattr("hippograph.memory.work.gathering.Gathering.start", lambda self: None)
    reader = Reader(instant=True)
    with Memory.open(home, hashed(), extractor=reader) as memory:
        memory.add_turns("bob", "t", turns("My fish is Wanda."))
        for n in range(100):
            memory.add_turns("ann", "t", turns(f"My number is {n}."))
        assert "fact" in {each.kind for each in memory.recall("ann", "number 99")}
        read = [turn for each in reader.read for turn in each]
        assert read == [f"My number is {n}." for n in (*range(84, 100), *range(68, 84), *range(52, 68), *range(36, 52))]


def test_without_an_extractor_turns_are_verbatim_only_unless_asked(home: Path) -> None:
    with Memory.open(home, hashed(), extractor="none") as memory:
        memory.add_turns("ann", "t", turns("My cat is Tofu."))
        memory.add_turns("ann", "t", turns("My dog is Rex."), infer=True)
        assert memory.flush(30), "what cannot be read by anyone is not waited for"
        assert memory.status().extractor is None
    with Memory.open(home, hashed(), extractor=Reader()) as memory:
        memory.add_turns("ann", "t", turns("My fish is Wanda."), infer=False)
        assert memory.flush(30)
        assert facts(memory) == ["My dog is Rex."]


def test_a_turn_forgotten_while_it_is_read_leaves_no_fact(home: Path) -> None:
    memory: Memory

    def forget(heard: Sequence[Heard]) -> None:
        memory.forget("ann", ids=["My cat is Tofu."])

    with Memory.open(home, hashed(), extractor=Reader(reading=forget)) as memory:
        memory.add_turns("ann", "t", turns("My cat is Tofu.", "My dog is Rex."))
        memory.flush(30)
        assert facts(memory) == ["My dog is Rex."]


def test_two_that_read_the_same_turn_store_its_facts_once(home: Path) -> None:
    """A lease may end under a slow model: whoever comes second finds the job taken off."""
    with Memory.open(home, hashed(), extractor="none") as memory:
        memory.add_turns("ann", "t", turns("My cat is Tofu."), infer=True)
        waiting = batch.Batches(memory._ledger)
        first = waiting.claim(hurry=True)
        with pytest.MonkeyPatch.context() as patch:
            real = batch.now
            patch.setattr(batch, "now", lambda: real() + timedelta(minutes=13))
            second = waiting.claim(hurry=True)
        assert first is not None
        assert second is not None
        with memory._ledger.write() as connection:
            assert waiting.take_off(connection, first) == {}
            assert list(waiting.take_off(connection, second)) == ["My cat is Tofu."]


def test_health_tells_what_reading_gave(home: Path) -> None:
    with Memory.open(home, hashed(), extractor=Reader()) as memory:
        assert memory.status().readings.zero_fact_rate is None
        memory.add_turns("ann", "t", turns("My cat is Tofu.", "Hm.", "Well.", "So."))
        assert memory.flush(30)
        given = memory.status().readings
        assert (given.turns, given.facts, given.zero_fact_rate) == (4, 1, 0.75)
        assert memory.status().extractor == "reader"


def test_closing_waits_for_what_is_to_be_read_but_not_for_ever(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hippograph.memory.work.gathering.PATIENCE", 0.1)
    with Memory.open(home, hashed(), extractor=Reader()) as memory:
        memory.add_turns("ann", "t", turns("My cat is Tofu."))
    go_on, done = threading.Event(), threading.Event()

    def slow(_: object) -> None:
        go_on.wait(30)
        done.set()

    memory = Memory.open(home, hashed(), extractor=Reader(reading=slow))
    assert facts(memory) == ["My cat is Tofu."], "the closing waited for it"
    memory.add_turns("ann", "t", turns("My dog is Rex."))
    memory._gathering._hurry.set()
    memory.close(timeout=0.1)
    go_on.set()
    assert done.wait(30)
    with Memory.open(home, hashed(), extractor=Reader()) as memory:
        assert memory.flush(30)
        assert facts(memory) == ["My cat is Tofu.", "My dog is Rex."]
        assert times_read(memory) == 2


KILLED = """
import os, signal, sys
from hippograph.bench.hashed import hashed
from hippograph.memory import Memory
from hippograph.memory.life.settling import Settling

sys.path.insert(0, sys.argv[2])
from test_gathering import Reader, turns

class Killed(Settling):
    def settle(self, connection, space, extracted, turns, held=()):
        settled = super().settle(connection, space, extracted, turns, held)
        os.kill(os.getpid(), signal.SIGKILL)

memory = Memory.open(sys.argv[1], hashed(), extractor=Reader())
memory._gathering._settling = Killed()
memory.add_turns("ann", "t", turns("My cat is Tofu.", "My dog is Rex."))
memory.flush(60)
"""


def test_a_process_killed_while_it_stores_facts_leaves_all_or_none(home: Path) -> None:
    """Case W01 for facts: they are extracted after the restart, once."""
    here = str(Path(__file__).parent)
    run = subprocess.run([sys.executable, "-c", KILLED, str(home), here], capture_output=True, text=True, check=False)
    assert run.returncode == -9, run.stderr
    with Memory.open(home, hashed(), extractor=Reader()) as memory:
        assert times_read(memory) == 0
        assert facts(memory) == []
        assert memory.flush(30)
        assert facts(memory) == ["My cat is Tofu.", "My dog is Rex."]
        assert times_read(memory) == 2


def until(true: Callable[[], bool], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.01)
