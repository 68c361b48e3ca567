"""The machine's clock is put back: what is said afterwards still takes the place of what was said before."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hippograph.bench.hashed import hashed
from hippograph.memory import Memory, intake
from hippograph.memory.extraction import Rules
from hippograph.state import Turn

Machine = Callable[[timedelta], None]
AHEAD, RIGHT = timedelta(hours=2), timedelta(0)


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Set the clock that tells when something comes in, so far from the right time."""

    def put(by: timedelta) -> None:
        monkeypatch.setattr(intake, "now", lambda: datetime.now(UTC) + by)

    return put


def opened(home: Path) -> Memory:
    return Memory.open(home, hashed(), reranker="fusion", extractor=Rules())


def say(memory: Memory, text: str, said_at: str | None = None) -> None:
    turn = Turn(role="user", text=text)
    memory.add_turns("ann", "t", [Turn(**turn, said_at=said_at) if said_at else turn])
    assert memory.flush(30)


@pytest.mark.parametrize("again", [False, True])
def test_what_is_said_after_the_clock_was_put_back_is_the_newest(tmp_path: Path, machine: Machine, again: bool) -> None:
    machine(AHEAD)
    memory = opened(tmp_path)
    say(memory, "I live in Oslo.")
    memory.remember("ann", "My wifi password is hunter2")
    if again:
        memory.close()
        memory = opened(tmp_path)
    machine(RIGHT)
    with memory:
        say(memory, "I moved to Bergen.")
        memory.remember("ann", "My wifi password is hunter3")
        facts = {each.value for each in memory.list("ann", kinds=["fact", "profile"])}
        assert facts == {"Bergen", "hunter3"}
        turns = memory.list("ann", kinds=["turn"], newest_first=False)
        assert [each.text for each in turns] == ["I live in Oslo.", "I moved to Bergen."]


def test_a_time_that_a_caller_gave_moves_no_clock(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        say(memory, "I like tea.", (datetime.now(UTC) + timedelta(days=3)).isoformat())
        say(memory, "I live in Oslo.")
        last = memory.list("ann", kinds=["turn"])[-1]
        assert last.text == "I live in Oslo."
        assert last.said_at <= datetime.now(UTC)


def test_a_clock_that_was_wrong_by_a_year_is_not_held_on_to(tmp_path: Path, machine: Machine) -> None:
    with opened(tmp_path) as memory:
        machine(timedelta(days=365))
        say(memory, "I like tea.")
        machine(RIGHT)
        say(memory, "I live in Oslo.")
        assert memory.list("ann", kinds=["turn"])[-1].said_at <= datetime.now(UTC)
