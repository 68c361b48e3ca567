"""The queue's states: claimed under a lease, tried again, given up, taken up again; and what the clock may do."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from hippograph.memory.intake import turn_rows
from hippograph.memory.ledger import Ledger
from hippograph.memory.schema import jobs
from hippograph.memory.work import batch, queue
from hippograph.memory.work.backlog import JOBS_SHOWN, backlog, listed, retry
from hippograph.memory.work.queue import JITTER, LEASE, LONGEST, TRIES, Queue, backoff
from hippograph.state import BadInput, Turn

if TYPE_CHECKING:
    from tests.memory.conftest import Clock


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "ledger.db") as opened:
        yield opened


@pytest.fixture
def jobs_of(ledger: Ledger) -> Queue:
    return Queue(ledger)


def say(ledger: Ledger, *texts: str, thread: str = "t", space: str = "ann", role: str = "user") -> None:
    ledger.add(turn_rows(space, thread, [Turn(role=role, text=text, id=text) for text in texts]), infer=True)


def texts(claimed: list[queue.Due]) -> list[str]:
    return [each.text for each in claimed]


def test_what_was_claimed_is_nobody_elses_until_its_lease_ends(ledger: Ledger, jobs_of: Queue, clock: "Clock") -> None:
    say(ledger, "one", "two")
    assert texts(jobs_of.claim(1, 100)) == ["one"]
    assert texts(jobs_of.claim(5, 100)) == ["two"]
    assert jobs_of.claim(5, 100) == []
    clock.forward(LEASE["index"])
    assert texts(jobs_of.claim(5, 100)) == ["one", "two"]


def test_two_jobs_due_at_the_same_instant_both_run(ledger: Ledger, jobs_of: Queue, clock: "Clock") -> None:
    """Case W04."""
    say(ledger, "first")
    say(ledger, "second", space="bob")
    with ledger.read() as connection:
        assert len({*connection.scalars(select(jobs.c.due_at).where(jobs.c.kind == "index"))}) == 1
    assert texts(jobs_of.claim(5, 100)) == ["first", "second"]


def test_a_claim_takes_no_more_characters_than_allowed_but_one_memory_at_least(
    ledger: Ledger, jobs_of: Queue, clock: "Clock"
) -> None:
    say(ledger, "long" * 50, "a", "b")
    assert texts(jobs_of.claim(5, 100, "ann")) == ["b", "a"], "a reader does not wait for what is long"
    assert texts(jobs_of.claim(5, 100)) == ["long" * 50]


def test_a_failure_is_tried_again_after_longer_and_longer_and_then_given_up(
    ledger: Ledger, jobs_of: Queue, clock: "Clock"
) -> None:
    say(ledger, "one")
    waits = []
    for _ in range(TRIES):
        (due,) = jobs_of.claim(5, 100)
        jobs_of.failed("index", [due.seq], "the model is away")
        (job,) = [each for each in listed(ledger) if each.kind == "index"]
        waits.append(job.due_at - clock.time)
        assert jobs_of.claim(5, 100) == [], "not before it is due"
        clock.forward(LONGEST * (1 + JITTER))
    assert waits[0] < waits[3] < waits[6]
    assert max(waits) <= LONGEST * (1 + JITTER)
    assert sum(waits[:-1], timedelta()) > timedelta(hours=1), "a model may be down for an hour"
    assert (job.state, job.attempts, job.error) == ("dead", TRIES, "the model is away")
    assert jobs_of.claim(5, 100) == []
    jobs_of.resume()
    assert jobs_of.claim(5, 100) == [], "a new start does not raise the dead, a command does"
    assert retry(ledger, ["one"]) == 1
    assert texts(jobs_of.claim(5, 100)) == ["one"]


def test_waits_differ_so_that_what_failed_together_does_not_come_back_together() -> None:
    assert len({backoff(3) for _ in range(20)}) > 10
    assert backoff(1000) <= LONGEST * (1 + JITTER)


def test_nothing_is_retried_of_a_memory_that_did_not_fail(ledger: Ledger, jobs_of: Queue, clock: "Clock") -> None:
    say(ledger, "one", "two")
    jobs_of.failed("index", [jobs_of.claim(1, 100)[0].seq], "away")
    with pytest.raises(BadInput, match="'two'"):
        retry(ledger, ["one", "two"])
    assert backlog(ledger, "index").failing == 1
    assert retry(ledger) == 1
    assert backlog(ledger, "index").failing == 0


def test_a_clock_put_back_strands_no_job(ledger: Ledger, jobs_of: Queue, clock: "Clock") -> None:
    say(ledger, "failed", "in hand", "new")
    (failed, _) = jobs_of.claim(2, 100)
    jobs_of.failed("index", [failed.seq], "away")
    clock.forward(-timedelta(days=365))
    assert sorted(texts(jobs_of.claim(5, 100))) == ["failed", "new"]
    assert texts(jobs_of.claim(5, 100)) == ["in hand"]
    found = batch.Batches(ledger).claim()
    assert found is not None, "a thread that seems to be talked in next year is silent"
    assert [turn.id for turn in found.turns] == ["failed", "in hand", "new"]


def test_a_home_that_was_killed_at_work_goes_on_at_once(ledger: Ledger, jobs_of: Queue, clock: "Clock") -> None:
    say(ledger, "one", "two")
    jobs_of.claim(1, 100)
    (two,) = jobs_of.claim(1, 100)
    jobs_of.failed("index", [two.seq], "away")
    jobs_of.resume()
    (failed,) = [job for job in listed(ledger) if job.state == "failing"]
    assert (failed.id, failed.attempts, failed.error) == ("two", 1, "away"), "a new start forgets no failure"
    assert texts(jobs_of.claim(5, 100)) == ["one", "two"]


def test_the_backlog_tells_how_many_wait_since_when_and_why(ledger: Ledger, jobs_of: Queue, clock: "Clock") -> None:
    say(ledger, "one", "two", "three")
    one, two = jobs_of.claim(2, 100)
    jobs_of.failed("index", [one.seq], "the model is away")
    clock.forward(timedelta(minutes=5))
    waits = backlog(ledger, "index")
    assert (waits.queued, waits.running, waits.failing, waits.dead, waits.pending) == (1, 1, 1, 0, 3)
    assert (waits.oldest_seconds, waits.error) == (300, "the model is away")
    jobs_of.done({one.seq: 1, two.seq: 1})
    assert backlog(ledger, "index").pending == 1
    assert backlog(ledger, "extract").queued == 3


def test_only_what_users_and_tools_say_is_read_for_facts(ledger: Ledger) -> None:
    for role in ("user", "assistant", "tool", "system"):
        say(ledger, f"said by {role}", role=role)
    say(ledger, "  ")
    waiting = [job.text for job in listed(ledger) if job.kind == "extract"]
    assert waiting == ["said by user", "said by tool"]


def test_the_dead_are_listed_first_and_alone_where_asked(ledger: Ledger, jobs_of: Queue, clock: "Clock") -> None:
    say(ledger, "fine", "hopeless", role="assistant")
    with ledger.write() as connection:
        connection.execute(update(jobs).where(jobs.c.memory == 2).values(state="dead", attempts=TRIES, error="no"))
    assert [job.id for job in listed(ledger)] == ["hopeless", "fine"]
    (dead,) = listed(ledger, dead=True)
    assert (dead.id, dead.space, dead.kind, dead.error) == ("hopeless", "ann", "index", "no")


def test_the_dead_alone_are_retried_where_asked_however_many_they_are(
    ledger: Ledger, jobs_of: Queue, clock: "Clock"
) -> None:
    say(ledger, *map(str, range(JOBS_SHOWN + 2)), role="assistant")
    with ledger.write() as connection:
        connection.execute(update(jobs).values(state="dead", attempts=TRIES))
        connection.execute(update(jobs).where(jobs.c.memory == 1).values(state="queued", attempts=1))
    with pytest.raises(BadInput):
        retry(ledger, ["0"], dead=True)
    assert retry(ledger, dead=True) == JOBS_SHOWN + 1
    assert backlog(ledger, "index").failing == 1


def test_jobs_are_counted_listed_and_retried_by_space(ledger: Ledger, jobs_of: Queue) -> None:
    say(ledger, "hers")
    say(ledger, "his", space="bob")
    with ledger.write() as connection:
        connection.execute(update(jobs).where(jobs.c.kind == "index").values(state="dead", error="no room"))
    assert [job.text for job in listed(ledger, dead=True, space="bob")] == ["his"]
    assert backlog(ledger, "index", "bob").dead == 1
    assert retry(ledger, space="bob") == 1
    assert backlog(ledger, "index", "bob").dead == 0
    assert backlog(ledger, "index").dead == 1
    with pytest.raises(BadInput, match="Nothing of 'hers' has failed"):
        retry(ledger, ["hers"], space="bob")
