import asyncio
import sqlite3
import stat
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.conformance import checkpointer_test, validate
from scripted import Scripted

from hippograph.graph import Checkpoints, build_graph, open_checkpoints
from hippograph.graph.checkpoints import checkpointer
from hippograph.memory import Memory
from hippograph.state import BadInput, Context, HomeUnusable, Turn


@dataclass
class Foreign:
    """A type that a tampered file could name."""

    name: str


def thread(name: str) -> Any:
    return {"configurable": {"thread_id": name}}


def file_of(saver: Checkpoints) -> Path:
    return Path(saver.conn.execute("PRAGMA database_list").fetchone()[2])


def rows(saver: Checkpoints) -> int:
    return int(saver.conn.execute("SELECT count(*) FROM checkpoints").fetchone()[0])


async def test_it_conforms_to_langgraphs_own_suite(tmp_path: Path) -> None:
    @checkpointer_test(name="Checkpoints")
    async def factory() -> AsyncGenerator[BaseCheckpointSaver[str], None]:
        with open_checkpoints(tmp_path / "conformance.db") as saver:
            yield saver

    report = await validate(factory)
    failed = {name: result.failures for name, result in report.results.items() if not result.passed}
    assert not failed
    assert len(report.results) == 8


def test_the_file_is_private_and_waits_for_writers(tmp_path: Path) -> None:
    path = tmp_path / "new" / "checkpoints.db"
    with open_checkpoints(path) as saver:
        for file in path.parent.iterdir():
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert saver.conn.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert saver.conn.execute("PRAGMA synchronous").fetchone() == (1,)
        assert saver.conn.execute("PRAGMA busy_timeout").fetchone() == (30_000,)


def test_a_place_that_cannot_be_used_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(HomeUnusable, match="cannot be used"), open_checkpoints(tmp_path / "file" / "checkpoints.db"):
        pass
    (tmp_path / "damaged.db").write_bytes(b"not a database at all" * 100)
    with pytest.raises(HomeUnusable, match=r"damaged\.db cannot be used"), open_checkpoints(tmp_path / "damaged.db"):
        pass


def test_nothing_but_known_types_is_rebuilt_from_a_file(saver: Checkpoints) -> None:
    foreign = saver.serde.dumps_typed({"message": HumanMessage("Hi"), "other": Foreign("x")})
    rebuilt = saver.serde.loads_typed(foreign)
    assert rebuilt["message"] == HumanMessage("Hi")
    assert not isinstance(rebuilt["other"], Foreign)


async def test_the_saver_may_be_used_while_its_list_is_read(
    memory: Memory, saver: Checkpoints, model: Scripted
) -> None:
    agent = build_graph(memory=memory, small=model, checkpointer=saver)
    for number in range(3):
        await agent.ainvoke({"messages": [HumanMessage(f"{number}")]}, thread("a"), context=Context(recall="never"))
    seen = [await saver.aget_tuple(found.config) async for found in saver.alist(thread("a"))]
    assert len(seen) == 3
    assert len([found async for found in saver.alist(thread("a"), limit=2)]) == 2


def test_an_unknown_way_to_prune_is_refused(saver: Checkpoints) -> None:
    with pytest.raises(BadInput, match="keep_latest"):
        saver.prune(["a"], strategy="all")


def test_a_turn_is_written_once_at_its_end_unless_the_caller_says_otherwise(
    memory: Memory, saver: Checkpoints, model: Scripted
) -> None:
    agent = build_graph(memory=memory, small=model, checkpointer=saver)
    agent.invoke({"messages": [HumanMessage("Hello")]}, thread("a"), context=Context())
    assert rows(saver) == 1
    agent.invoke({"messages": [HumanMessage("Hello")]}, thread("b"), context=Context(), durability="sync")
    assert rows(saver) > 4


def test_300_turns_stay_small(memory: Memory, saver: Checkpoints, model: Scripted) -> None:
    model.reply = lambda prompt: "That is noted. " * 25
    agent = build_graph(memory=memory, small=model, checkpointer=saver)
    text = "What did we decide about the {}, and why wait? " + "There was more to it than that. " * 2
    topics = ("gecko", "cello", "kiln", "launch", "budget", "train", "curtains", "garden", "server", "boat")
    note = "The {0} was bought by {0}er{1}, painted in colour{1} and repaired in town{1}; more to come."
    stored: list[Turn] = [{"role": "user", "text": note.format(each, n)} for n, each in enumerate(topics * 3)]
    memory.add_turns("ann", "before", stored)
    memory.flush(60)
    context = Context(
        user_id="ann", remember=False
    )  # Embedding 600 long turns would take minutes and no checkpoint room.
    for number in range(300):
        words = text.format(topics[number % 10])
        final = agent.invoke({"messages": [HumanMessage(words)]}, thread("a"), context=context)
    assert len(final["messages"]) == 6
    assert len(final["memories"]) > 3
    assert len(final["cut"]) == 10
    assert "earlier turns left out" in agent.get_state(thread("a")).values["summary"]
    assert sum(file.stat().st_size for file in file_of(saver).parent.iterdir()) < 20_000_000


async def test_the_server_opens_the_homes_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_blocking: None
) -> None:
    monkeypatch.setenv("HIPPOGRAPH_HOME", str(tmp_path / "served"))
    async with checkpointer() as saver:
        assert await saver.aget_tuple(thread("a")) is None
        place = str(await asyncio.to_thread(file_of, saver))
    with pytest.raises(sqlite3.ProgrammingError):
        saver.get_tuple(thread("a"))
    assert str(tmp_path / "served") in place
