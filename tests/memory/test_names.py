from collections.abc import Iterator
from pathlib import Path

import pytest

from hippograph.memory.intake import memory_row, turn_rows
from hippograph.memory.ledger import Ledger
from hippograph.memory.search.names import Names, subjects
from hippograph.state import Turn


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "ledger.db") as opened:
        yield opened


def spoke(ledger: Ledger, space: str, *speakers: str) -> None:
    ledger.add(turn_rows(space, "t", [Turn(role="user", text="Hello.", speaker=each) for each in speakers]))


def test_new_speakers_are_known_at_once_and_each_space_has_its_own(ledger: Ledger) -> None:
    names = Names()

    def known(space: str) -> set[str]:
        with ledger.read() as connection:
            return {*names.speakers(connection, space)}

    assert known("a") == set()
    spoke(ledger, "a", "Ann", "", "李雷")
    assert known("a") == {"Ann", "李雷"}
    spoke(ledger, "b", "Bo")
    spoke(ledger, "a", "Cy")
    assert known("a") == {"Ann", "李雷", "Cy"}
    assert known("b") == {"Bo"}
    names.forget("a")
    assert known("a") == {"Ann", "李雷", "Cy"}


def test_the_subjects_that_a_query_may_name_are_those_that_stand_in_it(ledger: Ledger) -> None:
    given = [("Ann", "s"), ("Ann", "s"), ("李雷", "s"), ("Bo", "s"), ("Oslo", "other"), (None, "s")]
    ledger.add([memory_row(space, "text", "fact", {"subject": subject}) for subject, space in given])
    with ledger.read() as connection:
        told = Names().told(connection, "s")
        assert sorted(subjects(told, "did ANN ask 李雷的电话?")) == ["Ann", "李雷"]
        assert subjects(told, "Oslo") == []


def test_what_memories_tell_of_whom_is_known_as_soon_as_it_is_stored(ledger: Ledger) -> None:
    names = Names()

    def told() -> dict[str, set[str]]:
        with ledger.read() as connection:
            return {subject: {*each} for subject, each in names.told(connection, "s").items()}

    assert told() == {}
    ledger.add([memory_row("s", "text", "fact", {"subject": "Ann", "attribute": "pet rex"})])
    assert told() == {"Ann": {"pet rex"}}
    ledger.add([memory_row("s", "text", "fact", {"subject": "Ann", "attribute": "age"})])
    ledger.add([memory_row("s", "text", "fact", {"subject": "Bo"})])
    assert told() == {"Ann": {"pet rex", "age"}, "Bo": set()}
    names.forget("s")
    assert told() == {"Ann": {"pet rex", "age"}, "Bo": set()}
