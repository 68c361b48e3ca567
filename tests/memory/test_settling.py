"""Facts that extraction found, settled in a real ledger."""

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from hippograph.bench.hashed import hashed
from hippograph.memory import Memory
from hippograph.memory.facts import SELF, Extracted, Fact
from hippograph.memory.intake import turn_rows
from hippograph.memory.ledger import Ledger
from hippograph.memory.life.settling import Settled, Settling
from hippograph.memory.life.supersession import Claim
from hippograph.memory.schema import extractions, memories, sources
from hippograph.state import Turn

APRIL, MAY, JUNE = (datetime(2026, month, 1, tzinfo=UTC) for month in (4, 5, 6))


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "ledger.db") as opened:
        yield opened


def said(ledger: Ledger, id_: str, text: str, at: datetime = MAY) -> None:
    ledger.add(turn_rows("ann", "t", [Turn(role="user", text=text, id=id_, said_at=at)]))


def told(turn: str, text: str, attribute: str, value: str, quote: str = "") -> Fact:
    return Fact(
        text=text,
        subject=SELF,
        attribute=attribute,
        value=value,
        turn=turn,
        quote=quote or text,
        start=0,
        end=len(text),
    )


def settle(ledger: Ledger, *facts: Fact, turns: tuple[str, ...] = ()) -> Settled:
    with ledger.write() as connection:
        query = select(memories.c.id, memories.c.seq).where(memories.c.id.in_(turns or [f.turn for f in facts]))
        seqs = {row.id: row.seq for row in connection.execute(query)}
        return Settling().settle(connection, "ann", Extracted(facts=facts), seqs)


def test_a_fact_is_stored_with_its_source_and_its_turn_is_noted_as_read(ledger: Ledger) -> None:
    said(ledger, "1", "I live in Oslo.")
    settled = settle(ledger, told("1", "I live in Oslo.", "residence", "Oslo"))
    with ledger.read() as connection:
        fact = connection.execute(select(memories).where(memories.c.id == settled.stored[0])).one()
        assert (fact.subject, fact.attribute, fact.value, fact.said_at) == (SELF, "residence", "Oslo", MAY)
        assert connection.execute(select(sources.c.quote)).scalars().all() == ["I live in Oslo."]
        assert connection.execute(select(extractions.c.facts)).scalars().all() == [1]


def test_settling_a_turn_again_changes_nothing(ledger: Ledger) -> None:
    said(ledger, "1", "I live in Oslo.")
    fact = told("1", "I live in Oslo.", "residence", "Oslo")
    settle(ledger, fact)
    assert settle(ledger, fact) == Settled()
    with ledger.read() as connection:
        assert len(connection.execute(select(memories)).all()) == 2
        assert len(connection.execute(select(sources)).all()) == 1


def test_a_turn_without_facts_is_noted_as_read(ledger: Ledger) -> None:
    said(ledger, "1", "Hello!")
    settle(ledger, turns=("1",))
    with ledger.read() as connection:
        assert connection.execute(select(extractions.c.facts)).scalars().all() == [0]


def live(ledger: Ledger) -> list[str]:
    query = select(memories.c.value).where(memories.c.status == "current", memories.c.kind != "turn")
    with ledger.read() as connection:
        return [*connection.scalars(query.order_by(memories.c.seq))]


def test_what_is_said_later_takes_the_place_of_what_was_said_before(ledger: Ledger) -> None:
    """Case U05: no date in either."""
    said(ledger, "1", "I live in Oslo.")
    said(ledger, "2", "I live in Bergen.", JUNE)
    (old,) = settle(ledger, told("1", "I live in Oslo.", "residence", "Oslo")).stored
    settled = settle(ledger, told("2", "I live in Bergen.", "residence", "Bergen"))
    assert settled.superseded == (old,)
    assert live(ledger) == ["Bergen"]
    with ledger.read() as connection:
        row = connection.execute(select(memories).where(memories.c.id == old)).one()
    assert (row.status, row.superseded_by, row.valid_until) == ("superseded", settled.stored[0], JUNE)
    assert "2026-06-01" in row.superseded_because


def test_what_was_said_earlier_but_is_learned_later_becomes_history(ledger: Ledger) -> None:
    said(ledger, "2", "I live in Bergen.", JUNE)
    said(ledger, "1", "I live in Oslo.")
    said(ledger, "0", "I live in Rome.", APRIL)
    (bergen,) = settle(ledger, told("2", "I live in Bergen.", "residence", "Bergen")).stored
    (rome,) = settle(ledger, told("0", "I live in Rome.", "residence", "Rome")).stored
    (oslo,) = settle(ledger, told("1", "I live in Oslo.", "residence", "Oslo")).stored
    assert live(ledger) == ["Bergen"]
    with ledger.read() as connection:
        ends = {row.id: (row.superseded_by, row.valid_until) for row in connection.execute(select(memories))}
    assert ends[rome] == (oslo, MAY)
    assert ends[oslo] == (bergen, JUNE)


def test_what_is_said_again_is_one_memory_with_two_sources(ledger: Ledger) -> None:
    said(ledger, "1", "I weigh 70 kg.")
    said(ledger, "2", "我体重七十公斤。", JUNE)
    (first,) = settle(ledger, told("1", "I weigh 70 kg.", "weight", "70 kg")).stored
    assert settle(ledger, told("2", "我体重七十公斤。", "weight", "七十公斤")) == Settled(merged=(first,))
    assert live(ledger) == ["70 kg"]
    with ledger.read() as connection:
        assert len(connection.execute(select(sources)).all()) == 2


def test_who_returns_to_what_was_given_up_has_a_new_memory(ledger: Ledger) -> None:
    for n, (value, at) in enumerate((("Oslo", APRIL), ("Bergen", MAY), ("Oslo", JUNE))):
        said(ledger, str(n), f"I live in {value}.", at)
        settled = settle(ledger, told(str(n), f"I live in {value}.", "residence", value))
        assert len(settled.stored) == 1
    assert live(ledger) == ["Oslo"]


def test_settling_all_again_after_a_supersession_changes_nothing(ledger: Ledger) -> None:
    facts = []
    for n, (value, at) in enumerate((("Oslo", APRIL), ("oslo", MAY), ("Bergen", JUNE))):
        said(ledger, str(n), f"I live in {value}.", at)
        facts.append(told(str(n), f"I live in {value}.", "residence", value))
    settle(ledger, *facts)
    with ledger.read() as connection:
        before = [connection.execute(select(table)).all() for table in (memories, sources)]
    assert settle(ledger, *facts) == Settled()
    with ledger.read() as connection:
        assert [connection.execute(select(table)).all() for table in (memories, sources)] == before


def test_two_writers_at_the_same_moment_leave_one_memory_with_two_sources(ledger: Ledger) -> None:
    """Case U06."""
    for id_ in ("1", "2"):
        said(ledger, id_, "I live in Oslo.")
    facts = [told(id_, "I live in Oslo.", "residence", "Oslo") for id_ in ("1", "2")]
    with ThreadPoolExecutor(2) as pool:
        settled = [*pool.map(lambda fact: settle(ledger, fact), facts)]
    assert sorted(len(each.stored) + 2 * len(each.merged) for each in settled) == [1, 2]
    assert live(ledger) == ["Oslo"]
    with ledger.read() as connection:
        assert len({*connection.scalars(select(sources.c.turn))}) == 2


def test_what_is_yet_to_come_takes_its_place_when_it_comes(ledger: Ledger) -> None:
    said(ledger, "1", "I live in Oslo.")
    said(ledger, "2", "I'm moving to Bergen.", JUNE)
    settle(ledger, told("1", "I live in Oslo.", "residence", "Oslo"))
    plan = told("2", "I'm moving to Bergen.", "residence", "Bergen")
    settle(ledger, replace(plan, valid_from=datetime(2999, 1, 1, tzinfo=UTC)))
    assert live(ledger) == ["Oslo", "Bergen"]
    with ledger.read() as connection:
        oslo = connection.execute(select(memories).where(memories.c.value == "Oslo")).one()
    assert oslo.valid_until == datetime(2999, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize("seed", range(12))
def test_in_whatever_order_things_are_learned_the_last_said_stands(ledger: Ledger, seed: int) -> None:
    dice = random.Random(seed)
    values = [dice.choice(("Oslo", "Bergen", "Rome")) for _ in range(6)]
    facts = []
    for day, value in enumerate(values):
        said(ledger, str(day), f"I live in {value}.", MAY + timedelta(days=day))
        facts.append(told(str(day), f"I live in {value}.", "residence", value))
    for fact in dice.sample(facts, len(facts)):
        settle(ledger, fact)
    assert live(ledger) == [values[-1]]
    with ledger.read() as connection:
        rows = connection.execute(select(memories).where(memories.c.kind != "turn")).all()
        rests = connection.execute(select(sources)).all()
    assert len(rests) == len(values), "each turn is a source of one memory"
    for day, value in enumerate(values):
        at = MAY + timedelta(days=day, hours=1)
        then = [row.value for row in rows if row.valid_from <= at and (row.valid_until is None or row.valid_until > at)]
        assert value in then, (values, day)
    assert sum(row.superseded_by is None for row in rows) == 1


@pytest.mark.parametrize(("word", "expected"), [(True, "merged"), (False, "stored"), (None, "stored")])
def test_a_judge_has_the_last_word_only_where_code_cannot_tell(
    ledger: Ledger, word: bool | None, expected: str
) -> None:
    asked = list[tuple[str, str]]()

    def judge(old: Claim, new: Claim) -> bool | None:
        asked.append((old.value, new.value))
        return word

    jobs = ("software engineer", "engineer for firmware", "nurse")
    settling, became = Settling(judge), list[Settled]()
    for day, value in enumerate(jobs):
        said(ledger, str(day), f"I'm a {value}.", MAY + timedelta(days=day))
        extracted = Extracted(facts=[told(str(day), f"I'm a {value}.", "occupation", value)])
        with ledger.read() as connection:
            seq = connection.scalar(select(memories.c.seq).where(memories.c.id == str(day)))
        assert seq is not None
        settling.ponder(ledger, "ann", extracted, {str(day): seq})
        with ledger.write() as connection:
            became.append(settling.settle(connection, "ann", extracted, {str(day): seq}))
    assert asked == [("software engineer", "engineer for firmware")]
    assert getattr(became[1], expected)
    assert live(ledger) == ["nurse"]


def test_what_is_said_again_after_the_old_copy_expired_is_stored(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "home", hashed(), reranker="fusion", extractor="none") as memory:
        memory.remember("ann", "The parking code is 4711.", said_at=APRIL, expires_at=MAY)
        memory.remember("ann", "The parking code is 4711.")
        assert [each.text for each in memory.list("ann")] == ["The parking code is 4711."]


@pytest.mark.parametrize(("again", "then"), [("2097-12-01", 2097), ("2095-12-01", 2096), (None, None)])
def test_what_is_said_again_lasts_as_long_as_either(tmp_path: Path, again: str | None, then: int | None) -> None:
    with Memory.open(tmp_path / "home", hashed(), reranker="fusion", extractor="none") as memory:
        memory.remember("ann", "The gym code is 12.", expires_at="2096-12-01")
        memory.remember("ann", "The gym code is 12.", **({"expires_at": again} if again else {}))
        with memory._ledger.read() as connection:
            (expires,) = connection.scalars(select(memories.c.expires_at))
        assert (expires and expires.year) == then
