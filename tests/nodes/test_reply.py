import pytest

from hippograph.nodes.reply import Entry, read

ONE = Entry("The cello is old.", (1,))


@pytest.mark.parametrize(
    ("answer", "repaired"),
    [
        ({"bullets": [{"text": "The cello is old.", "sources": [1]}]}, False),
        ('{"bullets": [{"text": "The cello is old.", "sources": [1]}]}', False),
        ('Sure!\n```json\n{"bullets": [{"text": "The cello is old.", "sources": [1]}]}\n```', True),
        ('{"bullets": [{"text": "The cello is old.", "sources": [1]}, {"text": "The bow', True),
        ('{"text": "The cello is old.", "sources": [1]}', True),
        ('{"notes": [{"note": "The cello is old.", "source": "[1]"}]}', False),
        ("- The cello is old. [1]", True),
        ("1. The cello is old 【1】.", True),
    ],
)
def test_bullets_are_read_in_many_forms(answer: object, repaired: bool) -> None:
    found = read(answer)
    assert found is not None
    assert (found.entries[0].text.rstrip("."), found.entries[0].sources) == ("The cello is old", (1,))
    assert found.repaired == repaired


@pytest.mark.parametrize(
    "answer", [None, "", "]}{ 7 qx", "Sure! Your cello is old.", {"bullets": "none"}, "- no number"]
)
def test_what_cites_nothing_is_not_read(answer: object) -> None:
    assert read(answer) is None


def test_an_empty_list_is_an_answer_and_numbers_are_read_as_they_come() -> None:
    empty = read({"bullets": []})
    assert empty is not None
    assert empty.entries == ()
    found = read({"bullets": [{"text": "a [2, 3]", "sources": ["1", True, [4]]}, 7, {"sources": [1]}]})
    assert found is not None
    assert found.entries == (Entry("a", (1, 4, 2, 3)),)
