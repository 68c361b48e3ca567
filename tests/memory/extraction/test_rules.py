"""What the rules find in what people say, and what they leave alone."""

from datetime import UTC, datetime

import pytest

from hippograph.memory.extraction import Rules
from hippograph.memory.facts import Fact, Heard

SAID = datetime(2026, 5, 6, 12, tzinfo=UTC)  # a Wednesday


def told(text: str, *, before: str = "", role: str = "user", speaker: str = "") -> list[Fact]:
    turn = Heard(id="t", text=text, role=role, speaker=speaker, said_at=SAID)
    earlier = [Heard(id="b", text=before, role="user", speaker=speaker, said_at=SAID)] if before else []
    return list(Rules().extract([turn], earlier).facts)


def brief(fact: Fact) -> tuple[str, str, str]:
    return fact.subject, fact.attribute, ("not " if fact.negated else "") + fact.value


FOUND = [
    ("My name is Anna", [("user", "name", "Anna")]),
    ("Actually call me Ana", [("user", "name", "Ana")]),
    ("I moved to Oslo and work at Equinor.", [("user", "residence", "Oslo"), ("user", "employer", "Equinor")]),
    ("I love Sichuan food", [("user", "opinion of sichuan food", "likes")]),
    ("I can't stand Sichuan food any more", [("user", "opinion of sichuan food", "dislikes")]),
    ("My brother's favourite player is Ronaldo", [("user's brother", "favourite player", "Ronaldo")]),
    ("I don't work at Acme any more.", [("user", "employer", "not Acme")]),
    ("We switched from MySQL to PostgreSQL 16.",
     [("user", "uses postgresql", "PostgreSQL 16"), ("user", "uses mysql", "not MySQL")]),
    ("我叫张伟，今年32岁，在腾讯工作", [("user", "name", "张伟"), ("user", "age", "32"), ("user", "employer", "腾讯")]),
    ("我喜欢喝榛子拿铁和年糕汤", [("user", "opinion of 榛子拿铁", "likes"), ("user", "opinion of 年糕汤", "likes")]),
    ("我搬家了，新地址是滨江区江南大道 88 号", [("user", "address", "滨江区江南大道 88 号")]),
    ("李雷在腾讯工作", [("李雷", "employer", "腾讯")]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), FOUND)
def test_a_statement_gives_its_facts(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert [brief(fact) for fact in told(text)] == expected
