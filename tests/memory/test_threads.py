"""Which spaces and conversations a home has."""

from pathlib import Path

from hippograph.bench.hashed import hashed
from hippograph.memory import Memory


def test_conversations_are_listed_by_what_was_stored_last_with_what_they_began_with(tmp_path: Path) -> None:
    with Memory.open(tmp_path, hashed()) as memory:
        memory.add_turns("ann", "trip", [{"role": "user", "text": "Where to in May?", "said_at": "2026-01-01"}])
        memory.add_turns("ann", "work", [{"role": "user", "text": "苍鹭项目周五上线。", "said_at": "2026-01-02"}])
        memory.add_turns("ann", "trip", [{"role": "assistant", "text": "To Faro.", "said_at": "2026-01-03"}])
        memory.add_turns("bob", "trip", [{"role": "user", "text": "Mine."}])
        memory.remember("ann", "Ann has a boat.")
        found = memory.threads("ann")
        assert [(each.name, each.turns, each.opening) for each in found] == [
            ("trip", 2, "Where to in May?"),
            ("work", 1, "苍鹭项目周五上线。"),
        ]
        assert found[0].said_at.isoformat() == "2026-01-03T00:00:00+00:00"
        assert [each.name for each in memory.threads("ann", limit=1)] == ["trip"]
        assert memory.threads("nobody") == []
        memory.forget("ann", thread="work")
        assert [each.name for each in memory.threads("ann")] == ["trip"]


def test_spaces_are_those_that_have_memories(tmp_path: Path) -> None:
    with Memory.open(tmp_path, hashed()) as memory:
        memory.remember("小明", "小明养了一只猫。")
        memory.add_turns("ann", "t", [{"role": "user", "text": "Hello there."}, {"role": "assistant", "text": "Hi."}])
        assert [(each.name, each.memories) for each in memory.spaces()] == [("ann", 2), ("小明", 1)]
        memory.forget("小明", all=True)
        assert [each.name for each in memory.spaces()] == ["ann"]
