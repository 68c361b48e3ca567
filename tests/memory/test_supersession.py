"""What a later claim is to an earlier one."""

from datetime import UTC, datetime
from typing import Any

import pytest

from hippograph.memory.life.supersession import Claim, Relation, compare

MARCH, MAY, JULY = (datetime(2026, month, 1, tzinfo=UTC) for month in (3, 5, 7))


def claim(attribute: str, value: str, at: datetime = MARCH, **fields: Any) -> Claim:
    given = {"subject": "user", "kind": "fact", "negated": False, "text": f"{attribute}: {value}", "valid_from": at}
    return Claim(**{**given, "attribute": attribute, "value": value, "said_at": at, **fields})


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (claim("name", "Anna"), claim("name", "Ana", MAY), "supersedes"),
        (claim("lives in", "Oslo"), claim("城市", "Bergen", MAY), "supersedes"),
        (claim("opinion of tea", "likes"), claim("opinion of tea", "dislikes", MAY), "supersedes"),
        (claim("opinion of tea", "likes"), claim("opinion of tea", "loves", MAY), "duplicate"),
        (
            claim("favourite player", "Messi"),
            claim("favourite player", "Ronaldo", subject="user's brother"),
            "distinct",
        ),
        (claim("employer", "X"), claim("role", "administers GitHub", MAY), "distinct"),
        (claim("pet", "Rex"), claim("pet", "Tom", MAY), "distinct"),
        (claim("employer", "Acme"), claim("employer", "Acme", MAY, negated=True), "supersedes"),
        (claim("employer", "Beta"), claim("employer", "Acme", MAY, negated=True), "distinct"),
        (claim("employer", "Acme"), claim("employer", "", MAY, negated=True), "supersedes"),
        (claim("employer", "Acme", negated=True), claim("employer", "Acme", MAY), "supersedes"),
        (claim("employer", "Acme", negated=True), claim("employer", "Beta", MAY), "distinct"),
        (claim("employer", "Acme"), claim("employer", "Bell", MAY, valid_until=MARCH), "distinct"),
        (claim("employer", "Acme"), claim("employer", "Acme", MAY, valid_until=MARCH), "supersedes"),
        (claim("residence", "Oslo"), claim("residence", "Grünerløkka, Oslo", MAY), "refines"),
        (claim("residence", "Bergen", valid_from=JULY), claim("residence", "Oslo", MAY), "distinct"),
        (claim("version", "5.1"), claim("version", "5.10", MAY), "supersedes"),
        (claim("employer", "Microsoft"), claim("employer", "Microsfot", MAY), "duplicate"),
        (claim("name", "Marianne"), claim("name", "Marianna", MAY), "supersedes"),
    ],
)
def test_only_another_value_of_the_same_matter_supersedes(old: Claim, new: Claim, expected: Relation) -> None:
    assert compare(old, new).relation == expected


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("I ran 5 km.", "ran 5 km", "distinct"),
        ("The dentist was moved to Friday.", "dentist on Friday", "supersedes"),
        ("牙医改到周五了。", "dentist on Friday", "supersedes"),
        ("I saw the dentist on Friday too.", "dentist on Friday", "distinct"),
        ("The picnic was moved to Friday.", "picnic on Friday", "distinct"),
    ],
)
def test_an_event_is_superseded_only_where_it_was_moved(text: str, value: str, expected: Relation) -> None:
    old = claim("event", "dentist on Tuesday", kind="event", text="I see the dentist on Tuesday.")
    assert compare(old, claim("event", value, MAY, kind="event", text=text)).relation == expected


def test_the_same_event_told_on_the_same_day_is_one() -> None:
    told = [claim("event", "ran 5 km", at, kind="event", valid_from=MARCH) for at in (MARCH, MAY)]
    assert compare(*told).relation == "duplicate"


def test_the_same_words_about_nothing_known_are_a_duplicate() -> None:
    one, other = (claim("", "", text=text, subject="") for text in ("I like tea.", "i like  TEA"))
    assert compare(one, other).relation == "duplicate"
    assert compare(one, claim("", "", text="I like coffee.", subject="")).relation == "distinct"
