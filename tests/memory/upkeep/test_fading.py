import pytest
from tended import derive, everything, later, run, say

from hippograph.memory import Memory
from hippograph.memory.decay import HALF_LIFE_DAYS
from hippograph.memory.upkeep.fading import FLOOR


def importance(memory: Memory, id_: str) -> float:
    return memory.get(id_).importance


def test_what_is_never_used_halves_in_its_half_life(memory: Memory) -> None:
    turn = say(memory, "The tram was late again.")[0]
    fact = derive(memory, "The tram is often late.")
    run(memory, "decay", HALF_LIFE_DAYS["turn"])
    assert importance(memory, turn) == pytest.approx(0.25, abs=0.001)
    assert importance(memory, fact) == pytest.approx(0.5 * 0.5 ** (90 / 365), abs=0.001)


def test_often_and_seldom_comes_to_the_same(memory: Memory) -> None:
    turn = say(memory, "The tram was late again.")[0]
    for day in (5, 6, 20, 45, 90):
        run(memory, "decay", day)
    assert importance(memory, turn) == pytest.approx(0.25, abs=0.001)


def test_twice_on_one_day_does_nothing_the_second_time_and_says_so(memory: Memory) -> None:
    say(memory, "The tram was late again.")
    run(memory, "decay", 30)
    before = everything(memory)
    report = run(memory, "decay", 30)
    assert (report["counts"], report["note"]) == ({}, "already done today")
    assert everything(memory) == before


def test_a_clock_that_was_moved_back_raises_nothing(memory: Memory) -> None:
    turn = say(memory, "The tram was late again.")[0]
    run(memory, "decay", 30)
    low = importance(memory, turn)
    run(memory, "decay", 10)
    assert importance(memory, turn) == low


def test_what_answers_rest_on_rises_towards_one_and_stays_below(memory: Memory) -> None:
    fact = derive(memory, "Ann's allergy is lychee.", importance=0.9)
    for day in range(1, 30):
        memory.add_turns("ann", "t", [{"role": "user", "text": f"What am I allergic to, {day}?"}], used=[fact])
        run(memory, "decay", day)
        assert 0 <= importance(memory, fact) <= 1
    assert importance(memory, fact) > 0.9


def test_a_use_counts_once(memory: Memory) -> None:
    fact = derive(memory, "Ann's allergy is lychee.")
    memory.add_turns("ann", "t", [{"role": "user", "text": "What am I allergic to?"}], used=[fact])
    run(memory, "decay", 1)
    risen = importance(memory, fact)
    assert risen > 0.55
    run(memory, "decay", 2)
    assert importance(memory, fact) < risen


def test_nothing_fades_to_nothing_and_what_is_lower_is_not_raised(memory: Memory) -> None:
    turn = say(memory, "The tram was late again.")[0]
    low = derive(memory, "The tram is blue.", importance=0.01)
    run(memory, "decay", 100_000)
    assert importance(memory, turn) == FLOOR
    assert importance(memory, low) == 0.01


def test_pinned_memories_keep_their_importance(memory: Memory) -> None:
    pinned = memory.remember("ann", "我对荔枝过敏。", pinned=True, importance=0.8)
    run(memory, "decay", 900)
    assert importance(memory, pinned) == 0.8


def test_what_was_imported_today_has_not_faded_however_old_it_is(memory: Memory) -> None:
    turn = say(memory, "We moved house.", said_at=later(-3000))[0]
    run(memory, "decay", 0)
    assert importance(memory, turn) == pytest.approx(0.5, abs=0.001)


def test_a_dry_run_tells_and_changes_nothing(memory: Memory) -> None:
    say(memory, *(f"Line {n} of the log." for n in range(5)))
    before = everything(memory)
    assert run(memory, "decay", 30, dry_run=True)["counts"] == {"fell": 5}
    assert everything(memory) == before


def test_a_run_that_is_broken_off_goes_on_where_it_was(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hippograph.memory.upkeep.fading.BATCH", 2)
    turns = say(memory, *(f"Line {n} of the log." for n in range(6)))
    looks = iter([False, False, False])  # before the step, the space and the first batch; then: stop
    memory.upkeep(steps=["decay"], now=later(90), stopping=lambda: next(looks, True))
    assert [importance(memory, each) < 0.3 for each in turns] == [True, True, False, False, False, False]
    run(memory, "decay", 90)
    assert [importance(memory, each) for each in turns] == pytest.approx([0.25] * 6, abs=0.002)
