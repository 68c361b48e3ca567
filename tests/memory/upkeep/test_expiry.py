import pytest
from sqlalchemy import select
from tended import DAY, derive, everything, history, later, run, say

from hippograph.memory import Memory
from hippograph.memory.schema import memories
from hippograph.state.upkeep import Policy


def test_what_was_to_last_until_a_day_leaves_recall_on_it_and_stays_by_its_id(memory: Memory) -> None:
    kept = memory.remember("ann", "The parking permit is 4471.", expires_at=later(10))
    assert run(memory, "expire", 9)["counts"] == {}
    report = run(memory, "expire", 11)
    assert (report["counts"], report["ids"]) == ({"expired": 1}, [kept])
    assert memory.get(kept).status == "expired"
    assert memory.get(kept).text == "The parking permit is 4471."
    assert memory.recall("ann", "parking permit") == []
    [(what, because)] = history(memory, kept)
    assert what == "expired"
    assert f"{later(10):%Y-%m-%d}" in because


def test_a_kind_lasts_as_long_as_the_policy_says_counted_from_when_it_was_said(memory: Memory) -> None:
    old = derive(memory, "Ann went to the zoo in Porto.", kind="event", said_at=later(-400))
    new = derive(memory, "Ann went to the opera in Porto.", kind="event", said_at=later(-10))
    fact = derive(memory, "Ann lives in Porto.", said_at=later(-400))
    policy = Policy(ttl_days={"event": 365})
    assert run(memory, "expire", policy=policy)["ids"] == [old]
    assert [memory.get(each).status for each in (new, fact)] == ["current", "current"]


def test_the_homes_own_time_to_live_counts_where_a_call_gives_none(memory: Memory) -> None:
    turn = say(memory, "It rained all day.", said_at=later(-40))[0]
    memory.policy = Policy(ttl_days={"turn": 30})
    assert run(memory, "expire")["ids"] == [turn]
    assert memory.get(turn).text == "It rained all day.", "no turn is ever lost"


def test_pinned_memories_never_expire(memory: Memory) -> None:
    memory.remember("ann", "我对荔枝过敏。", expires_at=later(1), pinned=True)
    assert run(memory, "expire", 5, policy=Policy(ttl_days={"fact": 1}))["counts"] == {}


def test_a_second_run_and_a_dry_run_change_nothing(memory: Memory) -> None:
    memory.remember("ann", "The code for the gate is 4471.", expires_at=later(1))
    before = everything(memory)
    assert run(memory, "expire", 2, dry_run=True)["counts"] == {"expired": 1}
    assert everything(memory) == before
    run(memory, "expire", 2)
    done = everything(memory)
    assert run(memory, "expire", 3)["counts"] == {}
    assert everything(memory) == done


def test_one_users_upkeep_leaves_all_others_alone(memory: Memory) -> None:
    mine, other = (memory.remember(space, "A permit that ends.", expires_at=later(1)) for space in ("ann", "bob"))
    assert run(memory, "expire", 2, space="ann")["ids"] == [mine]
    assert memory.get(other).status == "current"


@pytest.mark.parametrize("age", [0, 400])
def test_nothing_expires_unasked(memory: Memory, age: int) -> None:
    derive(memory, "Ann met Bob.", kind="event", said_at=later(0) - age * DAY)
    assert run(memory, "expire", 1000)["counts"] == {}


def test_what_was_put_back_lasts(memory: Memory) -> None:
    dated = memory.remember("ann", "The parking permit is 4471.", expires_at=later(1))
    old = derive(memory, "Ann went to the zoo in Porto.", kind="event", said_at=later(-400))
    policy = Policy(ttl_days={"event": 365})
    assert run(memory, "expire", 2, policy=policy)["ids"] == [dated, old]
    for each in (dated, old):
        memory.undo(each)
    assert run(memory, "expire", 3, policy=policy)["counts"] == {}
    query = select(memories.c.expires_at).where(memories.c.id == dated)
    with memory._ledger.read() as connection:
        assert connection.scalar(query) is None, "else recall would pass it over"


def test_what_was_put_back_and_given_another_end_expires_then(memory: Memory) -> None:
    kept = memory.remember("ann", "The parking permit is 4471.", expires_at=later(1))
    run(memory, "expire", 2)
    memory.undo(kept)
    memory.update(kept, expires_at=later(5))
    assert run(memory, "expire", 4)["counts"] == {}
    assert run(memory, "expire", 6)["ids"] == [kept]
