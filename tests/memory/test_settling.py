"""Facts that extraction found, settled in a real ledger."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import select

from hippograph.memory.facts import SELF, Extracted, Fact
from hippograph.memory.intake import turn_rows
from hippograph.memory.ledger import Ledger
from hippograph.memory.schema import extractions, memories, sources
from hippograph.memory.settling import Settled, Settling
from hippograph.state import Turn

MAY = datetime(2026, 5, 1, tzinfo=UTC)


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
