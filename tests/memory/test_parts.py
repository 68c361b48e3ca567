"""What is too long for one memory: nothing of it is lost, and it is one thing to whoever forgets it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hippograph.bench.hashed import hashed
from hippograph.memory import Memory
from hippograph.memory.life.parts import LONGEST, cut
from hippograph.state import BadInput, Turn


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(tmp_path / "home", hashed(), extractor="none") as opened:
        yield opened


ENGLISH = "".join(f"Line {n} of a log that somebody pasted.\n" for n in range(1_700))
CHINESE = "".join(f"第{n}行是有人贴进来的日志。" for n in range(5_000))


@pytest.mark.parametrize("text", [ENGLISH, CHINESE, "x" * 150_000, "a b " * 40_000, "short", ""])
def test_parts_joined_are_the_text_and_end_where_something_ends(text: str) -> None:
    parts = [*cut(text)]
    assert "".join(parts) == text
    assert all(0 < len(part) <= LONGEST for part in parts) or text == ""
    if " " in text or "。" in text:
        assert all(part.endswith(("\n", "。", " ")) for part in parts[:-1])


@pytest.mark.parametrize("text", [ENGLISH, CHINESE])
def test_a_turn_that_is_too_long_is_kept_in_parts_once_and_forgotten_as_one(memory: Memory, text: str) -> None:
    turns = [Turn(role="user", text="before", id="a"), Turn(role="user", text=text, id="b")]
    for _ in range(2):
        assert memory.add_turns("ann", "t", turns) == ["a", "b"]
    kept = memory.list("ann", newest_first=False)
    assert [each.id for each in kept][:3] == ["a", "b", "b#2"]
    assert "".join(each.text for each in kept[1:]) == text
    assert [each.position for each in kept] == [*range(1, len(kept) + 1)]
    assert {each.kind for each in kept} == {"turn"}
    with pytest.raises(BadInput, match="with another text"):
        memory.add_turns("ann", "t", [Turn(role="user", text=text + "!", id="b#2")])
    assert len(memory.forget("ann", ids=["b"]).ids) == len(kept) - 1
    memory.add_turns("ann", "t", turns)
    assert [each.id for each in memory.list("ann")] == ["a"]


def test_a_text_too_long_to_remember_becomes_a_document_once(memory: Memory) -> None:
    text = CHINESE + "保险箱的密码是郁金香。"
    id_ = memory.remember("ann", text, subject="log", attribute="kind", value="long")
    assert memory.remember("ann", text) == id_
    pieces = memory.list("ann", limit=None, newest_first=False)
    assert len(pieces) > 200
    assert {(each.kind, each.thread, each.attribute) for each in pieces} == {("document", id_, "")}
    assert pieces[0].id == id_
    best = memory.recall("ann", "保险箱的密码是什么？")[0]
    assert "郁金香" in best.text
    assert best.source_ids == [best.id]
    assert len(memory.forget("ann", ids=[id_]).ids) == len(pieces)
    assert memory.count("ann") == 0


def test_a_document_rests_on_the_turn_it_was_told_in(memory: Memory) -> None:
    memory.add_turns("ann", "t", [Turn(role="user", text="Keep this log.", id="a")])
    memory.remember("ann", ENGLISH, id="log", sources=[("a", "this log")])
    assert memory.get("log").text in ENGLISH
    memory.forget("ann", ids=["a"])
    assert memory.count("ann") == 0
