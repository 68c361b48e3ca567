from dataclasses import replace
from pathlib import Path

import pytest
from tended import derive, everything, history, run, say

from hippograph.bench.hashed import hashed
from hippograph.memory import Memory
from hippograph.memory.upkeep.chitchat import says_nothing
from hippograph.state import BadInput, Settings
from hippograph.state.upkeep import Policy


def test_what_is_of_little_value_is_archived_after_a_week_and_stays_by_its_id(memory: Memory) -> None:
    low = derive(memory, "Ann saw a grey car.", importance=0.1)
    high = derive(memory, "Ann's car is grey.", importance=0.6)
    assert run(memory, "clean", 6)["counts"] == {}
    report = run(memory, "clean", 8)
    assert (report["counts"], report["ids"]) == ({"of low value": 1}, [low])
    assert memory.get(low).status == "archived"
    assert memory.get(high).status == "current"
    assert [what for what, _ in history(memory, low)] == ["archived"]
    assert low not in [each.id for each in memory.recall("ann", "grey car")]


def test_a_turn_that_says_nothing_is_archived_and_verbatim_by_its_id(memory: Memory) -> None:
    nods = say(memory, "ok, thanks!", "哈哈哈，好的", "Thank you so much 😊")
    told = say(memory, "Yes, on the 17th.", "Acme", "好的，周五三点见")
    report = run(memory, "clean", 8)
    assert sorted(report["ids"]) == sorted(nods)
    assert [memory.get(each).text for each in nods] == ["ok, thanks!", "哈哈哈，好的", "Thank you so much 😊"]
    assert all(memory.get(each).status == "current" for each in told)


def test_turns_that_say_something_are_never_cleaned_away_however_low(memory: Memory) -> None:
    turn = say(memory, "The tram was late again.")[0]
    run(memory, "decay", 3000)
    assert memory.get(turn).importance < 0.05
    assert run(memory, "clean", 3000)["counts"] == {}


@pytest.mark.parametrize(
    "fields",
    [{"pinned": True}, {"kind": "profile"}, {"kind": "summary"}, {"kind": "document"}, {"model": None}],
    ids=["pinned", "profile", "summary", "document", "given directly"],
)
def test_what_lasts_is_not_cleaned_away(memory: Memory, fields: dict[str, object]) -> None:
    derive(memory, "Ann saw a grey car.", **{"importance": 0.01, **fields})
    assert run(memory, "clean", 400)["counts"] == {}


def test_what_an_answer_rested_on_is_not_cleaned_away(memory: Memory) -> None:
    fact = derive(memory, "Ann saw a grey car.", importance=0.1)
    memory.add_turns("ann", "t", [{"role": "user", "text": "What did I see?"}], used=[fact])
    assert run(memory, "clean", 400)["ids"] == []


def test_over_the_limit_those_used_longest_ago_leave_first(memory: Memory) -> None:
    facts = [derive(memory, f"Ann owns boat number {n}.") for n in range(5)]
    memory.add_turns("ann", "t", [{"role": "user", "text": "Boats?"}], used=[facts[0]])
    report = run(memory, "clean", 8, policy=Policy(most_derived=3))
    assert report["ids"] == facts[1:3], "the first was used, the last two were learned last"
    assert run(memory, "clean", 8, policy=Policy(most_derived=3))["counts"] == {}


def test_a_second_run_and_a_dry_run_change_nothing(memory: Memory) -> None:
    derive(memory, "Ann saw a grey car.", importance=0.1)
    say(memory, "thanks")
    before = everything(memory)
    assert run(memory, "clean", 8, dry_run=True)["counts"] == {"chit-chat": 1, "of low value": 1}
    assert everything(memory) == before
    run(memory, "clean", 8)
    done = everything(memory)
    assert run(memory, "clean", 9)["counts"] == {}
    assert everything(memory) == done


@pytest.mark.parametrize(
    "text", ["Hi!", "ok ok", "哈哈哈哈哈哈", "你好", "好的，谢谢！", "lol, great", "😀", "You’re welcome."]
)
def test_courtesy_says_nothing(text: str) -> None:
    assert says_nothing(text)


@pytest.mark.parametrize(
    "text", ["Hi, I'm Ann", "No sugar", "好喝", "42", "Paris", "是王老师", "ok, at nine", "不是我"]
)
def test_an_answer_says_something(text: str) -> None:
    assert not says_nothing(text)


def test_what_was_put_back_is_not_cleaned_away_again(memory: Memory) -> None:
    thanks = say(memory, "ok thanks")[0]
    faint = derive(memory, "Ann waved.", importance=0.1)
    policy = Policy(most_derived=1)
    assert {thanks, faint} <= {*run(memory, "clean", 9, policy=policy)["ids"]}
    for each in (thanks, faint):
        memory.undo(each)
    assert run(memory, "clean", 10, policy=policy)["counts"] == {}
    assert run(memory, "clean", 10, policy=policy, dry_run=True)["counts"] == {}


def test_the_limit_on_derived_memories_is_set_in_the_environment(tmp_path: Path) -> None:
    settings = replace(Settings.from_env({"HIPPOGRAPH_MOST_DERIVED": "2"}), extractor="none", upkeep_every=0)
    with Memory.open(tmp_path, hashed(), settings=settings) as memory:
        facts = [derive(memory, f"Ann owns boat {n}.", importance=0.9) for n in range(4)]
        assert run(memory, "clean", 8)["ids"] == facts[:2]
    with pytest.raises(BadInput, match="HIPPOGRAPH_MOST_DERIVED"):
        Settings.from_env({"HIPPOGRAPH_MOST_DERIVED": "many"})
