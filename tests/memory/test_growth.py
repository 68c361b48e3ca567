from datetime import UTC, date, datetime
from pathlib import Path

from hippograph.bench.hashed import hashed
from hippograph.memory import Memory


def test_growth_counts_what_was_learned_by_day_and_kind_and_what_stands(tmp_path: Path) -> None:
    with Memory.open(tmp_path, hashed()) as memory:
        memory.add_turns("ann", "t", [{"role": "user", "text": "I live in Oslo."}])
        memory.flush()
        memory.remember("ann", "Ann lives in Bergen.", subject="user", attribute="residence", value="Bergen")
        memory.forget("ann", ids=[memory.remember("ann", "The lamp is green.")])
        memory.remember("bob", "Bob keeps bees.")
        grown = memory.growth("ann")
    (learned,) = grown.days.values()
    assert learned == {"turn": 1, "profile": 1, "fact": 1}
    assert date.fromisoformat(min(grown.days)) <= datetime.now(UTC).astimezone().date()
    assert grown.kinds == {"turn": 1, "fact": 1}
    assert grown.standings == {"current": 2, "superseded": 1}


def test_growth_begins_with_the_days_asked_for(tmp_path: Path) -> None:
    with Memory.open(tmp_path, hashed()) as memory:
        memory.remember("ann", "Ann keeps bees.")
        grown = memory.growth("ann", days=0)
    assert grown.days == {}
    assert sum(grown.kinds.values()) == 1
