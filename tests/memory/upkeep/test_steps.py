"""All steps together: two runs at once, interruptions, the background."""

import threading
import time
from pathlib import Path

import pytest
from tended import derive, everything, later, quiet, say

from hippograph.bench.hashed import hashed
from hippograph.memory import Memory
from hippograph.memory.exchange.documents import read_document
from hippograph.memory.upkeep.steps import BUSY
from hippograph.memory.upkeep.summing import Line
from hippograph.state import BadInput
from hippograph.state.upkeep import STEPS


def months(memory: Memory, space: str = "ann") -> None:
    """Half a year of one user's life."""
    for n in range(6):
        say(memory, f"In month {n} I met Ann Lee in Porto.", "ok, thanks", space=space, said_at=later(30 * n - 180))
        fields = {"subject": "Ann Lee", "said_at": later(30 * n - 180), "space": space}
        derive(memory, f"Ann Lee sailed boat {n}.", topic="sailing", entities=["Ann Lee"], **fields)
        derive(memory, f"Ann Lee waved, {n}.", importance=0.1, **fields)
    derive(memory, "sailing", space=space)
    memory.remember(space, "The berth is paid.", expires_at=later(20))
    memory.remember(space, "Ann Lee is allergic to lychee.", pinned=True, kind="profile")


def test_half_a_year_is_kept_up_and_a_second_run_finds_nothing_to_do(memory: Memory) -> None:
    months(memory)
    memory.flush(60)
    turns = {each.id: each.text for each in everything(memory) if each.kind == "turn"}
    reports = {each["step"]: each["counts"] for each in memory.upkeep(now=later(40))["reports"]}
    assert reports["expire"] == {"expired": 1}
    assert reports["sweep"] == {"junk": 1}
    assert reports["clean"] == {"chit-chat": 6, "of low value": 6}
    assert reports["merge"] == {"summaries": 1, "merged": 6}
    assert reports["entities"]["entities"] >= 2
    memory.flush(60)
    done = everything(memory)
    assert {each.id: each.text for each in done if each.kind == "turn"} == turns, "no turn is ever lost"
    again = memory.upkeep(now=later(40))["reports"]
    assert [each["counts"] for each in again] == [{}] * len(STEPS)
    assert everything(memory) == done


def test_a_dry_run_of_all_steps_changes_nothing(memory: Memory) -> None:
    months(memory)
    memory.flush(60)
    before = everything(memory)
    reports = memory.upkeep(now=later(40), dry_run=True)["reports"]
    assert [each["step"] for each in reports] == list(STEPS)
    assert sum(len(each["ids"]) for each in reports) > 10
    assert everything(memory) == before
    assert memory._index.size("ann") == len(before)


def test_of_two_runs_at_once_one_works_and_the_other_says_so(memory: Memory) -> None:
    months(memory)
    outcomes = []
    threads = [threading.Thread(target=lambda: outcomes.append(memory.upkeep(now=later(40)))) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    worked = [each for each in outcomes if each["reports"]]
    assert all(each["note"] == BUSY for each in outcomes if each not in worked)
    merged = [report["counts"] for each in worked for report in each["reports"] if report["step"] == "merge"]
    assert sorted(merged, key=len)[-1] == {"summaries": 1, "merged": 6}
    assert sum(counts.get("summaries", 0) for counts in merged) == 1
    assert len([each for each in everything(memory) if each.kind == "summary"]) == 1


def test_turns_are_stored_while_upkeep_runs(memory: Memory) -> None:
    months(memory)
    working = threading.Thread(target=lambda: memory.upkeep(now=later(40)))
    working.start()
    stored = [say(memory, f"Meanwhile, {n}.")[0] for n in range(20)]
    working.join()
    assert [memory.get(each).status for each in stored] == ["current"] * 20


def test_a_lease_is_free_again_when_a_run_fails(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    say(memory, "The tram was late.")
    monkeypatch.setattr("hippograph.memory.upkeep.expiry.or_", None)
    with pytest.raises(TypeError):
        memory.upkeep(steps=["expire"])
    monkeypatch.undo()
    assert memory.upkeep(steps=["expire"])["note"] == ""


def test_a_lease_of_a_process_that_ended_holds_nobody_up(memory: Memory) -> None:
    home, embedder = memory.home, memory.embedder
    assert memory.begin_upkeep() is not None
    assert memory.upkeep()["note"] == BUSY
    memory.close()
    with Memory.open(home, embedder, settings=quiet()) as again:
        assert again.upkeep()["note"] == ""


def test_a_run_that_lost_its_lease_does_no_more(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    memory.remember("ann", "The berth is paid.", expires_at=later(1))
    monkeypatch.setattr("hippograph.memory.upkeep.lease.SECONDS", -1.0)
    slow, quick = memory.begin_upkeep(), memory.begin_upkeep()
    assert slow
    assert quick
    monkeypatch.undo()
    assert memory._upkeep.leases.renew(quick)
    report = memory.tend(slow, "expire", now=later(2))
    assert report["counts"] == {}
    assert "lost its place" in report["note"]
    memory.end_upkeep(slow)
    assert memory.upkeep()["note"] == BUSY, "a lease that is not held any more frees none"


def test_a_run_that_was_cancelled_between_two_steps_holds_nobody_up_for_long(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    cancelled = memory.begin_upkeep()
    assert cancelled
    memory.tend(cancelled, "expire")
    assert memory.upkeep()["note"] == BUSY
    after = time.monotonic() + 120
    monkeypatch.setattr("hippograph.memory.upkeep.lease.time.monotonic", lambda: after)
    assert memory.upkeep()["note"] == ""


def test_a_step_keeps_its_lease_however_long_it_takes(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = [derive(memory, f"Ann sailed boat {n}.", topic="sailing") for n in range(4)]
    meanwhile = list[str]()

    def slowly(members: object, topic: str, language: str) -> tuple[list[Line], str]:
        after = time.monotonic() + 3600
        monkeypatch.setattr("hippograph.memory.upkeep.lease.time.monotonic", lambda: after)
        meanwhile.append(memory.upkeep()["note"])
        return [Line(text="Ann sails.", memories=(facts[0],))], "slow"

    [report] = memory.upkeep(steps=["merge"], now=later(40), summarize=slowly)["reports"]
    assert meanwhile == [BUSY]
    assert report["counts"]["merged"] == 4


def test_a_restore_ends_a_run_that_read_what_is_gone(memory: Memory) -> None:
    say(memory, "Hello there, Ann.")
    taken = memory.snapshot()
    facts = [derive(memory, f"Ann sailed boat {n}.", topic="sailing") for n in range(4)]

    def restored(members: object, topic: str, language: str) -> tuple[list[Line], str]:
        memory.restore(taken.id)
        for n in range(8):
            memory.remember("ann", f"The berth {n} is paid.")
        return [Line(text="Ann sails.", memories=(facts[0],))], "fake"

    [report] = memory.upkeep(steps=["merge"], now=later(40), summarize=restored)["reports"]
    assert report["counts"] == {}
    assert "restored" in report["note"]
    assert not [each.text for each in everything(memory) if "sail" in each.text]
    assert {each.status for each in everything(memory)} == {"current"}
    assert memory.upkeep()["note"] == "", "the run's place is free"


@pytest.mark.parametrize("other", [{"id": "another"}, {"space": "bob"}])
def test_what_upkeep_read_is_not_changed_where_another_memory_has_its_number(
    memory: Memory, other: dict[str, str]
) -> None:
    from sqlalchemy import select, update

    from hippograph.memory.schema import memories
    from hippograph.memory.upkeep.task import unchanged

    id_ = memory.remember("ann", "The berth is paid.")
    mine = memories.c.id == id_
    with memory._ledger.write() as connection:
        rows = connection.execute(select(memories).where(mine)).all()
        assert unchanged(connection, rows) == rows
        connection.execute(update(memories).where(mine).values(**other))
        assert unchanged(connection, rows) == []


@pytest.mark.parametrize("steps", [["expires"], ["expire", 3]])
def test_an_unknown_step_is_refused(memory: Memory, steps: list[str]) -> None:
    with pytest.raises(BadInput, match="no step"):
        memory.upkeep(steps=steps)


def test_a_step_that_is_in_no_list_is_refused_and_told_so(memory: Memory) -> None:
    with pytest.raises(BadInput, match="give a list"):
        memory.upkeep(steps="merge")


async def test_upkeep_has_a_twin_for_event_loops(memory: Memory) -> None:
    memory.remember("ann", "The berth is paid.", expires_at=later(1))
    [report] = (await memory.aupkeep(steps=["expire"], now=later(2)))["reports"]
    assert report["counts"] == {"expired": 1}


def _until(true: object, seconds: float = 30) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if true():  # type: ignore[operator]
            return True
        time.sleep(0.02)
    return False


def test_enough_writes_start_it_in_the_background(tmp_path: Path) -> None:
    settings = quiet(upkeep_every=6)
    with Memory.open(tmp_path, hashed(), settings=settings) as memory:
        say(memory, *(f"I met Priya in Porto, {n}." for n in range(5)))
        assert not _until(lambda: _read(memory), seconds=0.3)
        say(memory, "The sixth one.")
        assert _until(lambda: _read(memory) == 6)


def test_writes_of_earlier_processes_count(tmp_path: Path) -> None:
    settings = quiet(upkeep_every=4)
    for n in range(4):
        with Memory.open(tmp_path, hashed(), settings=settings) as memory:
            say(memory, f"I met Priya in Porto, {n}.")
            if n == 3:
                assert _until(lambda memory=memory: _read(memory) == 4)
            else:
                assert _read(memory) == 0


def test_documents_what_is_loaded_and_long_texts_count_as_well(tmp_path: Path) -> None:
    def counted(memory: Memory) -> int:
        return memory._tender._writes

    path = tmp_path / "berth.md"
    path.write_text("# Rent\nThe berth costs 90 a month.\n# Mooring\nThe mooring is taken in winter.\n")
    with Memory.open(tmp_path / "home", hashed(), settings=quiet(upkeep_every=1000)) as memory:
        memory.add_document("ann", read_document(path))
        assert counted(memory) == 2
        memory.add_document("ann", read_document(path))
        assert counted(memory) == 2, "nothing new was stored"
        memory.remember("ann", "The berth is paid. " * 2000)
        assert (written := counted(memory)) >= 3
        memory.export(tmp_path / "ann.jsonl", "ann")
        stored = memory.load(tmp_path / "ann.jsonl", "bob").stored
        assert stored >= written
        assert counted(memory) == written + stored


def _read(memory: Memory) -> int:
    """How many memories the graph of entities has read by itself."""
    from hippograph.memory.upkeep import mark

    with memory._ledger.read() as connection:
        return int(mark.read(connection, "entities", "ann").get("memory") or 0)
