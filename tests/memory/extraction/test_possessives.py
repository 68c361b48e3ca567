"""The 's of "our project's next milestone is …" belongs to the noun; it is no "is"."""

from datetime import UTC, datetime

import pytest

from hippograph.memory.extraction.rules import Rules
from hippograph.memory.facts import Heard


def facts(text: str) -> list[str]:
    heard = Heard(id="1", text=text, role="user", said_at=datetime(2026, 5, 1, tzinfo=UTC))
    return [fact.text for fact in Rules().extract([heard], []).facts]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Our project's next milestone is on 30 June.", "The user's project's next milestone is on 30 June."),
        ("My laptop's name is Thor.", "The user's laptop's name is Thor."),
        ("Our team's meeting is on Monday at 9.", "The user's team's meeting is on Monday at 9."),
        ("My bike's red and was expensive.", "The user's bike is red."),
        ("My brother's a doctor and is happy.", "The user's brother is a doctor."),
    ],
)
def test_a_possessive_is_told_from_a_shortened_is(text: str, fact: str) -> None:
    assert facts(text) == [fact]
