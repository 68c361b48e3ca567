"""The upkeep graph: what its runs are told, what they answer, and who writes its summaries."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from scripted import Scripted
from tended import derive, everything, later, quiet, say

from hippograph.bench.hashed import hashed
from hippograph.graph import build_upkeep
from hippograph.memory import Memory
from hippograph.memory.upkeep.steps import BUSY
from hippograph.state.upkeep import STEPS, Policy, UpkeepContext


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(tmp_path / "home", hashed(), settings=quiet()) as opened:
        yield opened


def walks(memory: Memory) -> list[str]:
    return [
        derive(memory, f"Ann walked {n} miles up Etna.", subject="Ann", topic="hiking", said_at=later(n - 90))
        for n in range(4)
    ]


def test_a_run_without_settings_does_all_steps_for_everybody(memory: Memory) -> None:
    for space in ("ann", "bob"):
        memory.remember(space, "The berth is paid.", expires_at=later(-1))
    outcome = build_upkeep(memory=memory).invoke({})
    assert [each["step"] for each in outcome["reports"]] == list(STEPS)
    assert outcome["reports"][0]["counts"] == {"expired": 2}
    assert outcome["note"] == ""


def test_a_run_does_what_its_context_says(memory: Memory) -> None:
    mine, other = (memory.remember(space, "The berth is paid.", expires_at=later(5)) for space in ("ann", "bob"))
    graph = build_upkeep(memory=memory)
    context = {"steps": ["compact", "expire"], "user_id": "ann", "at": later(6), "dry_run": True}
    before = everything(memory)
    assert [each["step"] for each in graph.invoke({}, context=context)["reports"]] == ["expire", "compact"]  # type: ignore[arg-type]
    assert everything(memory) == before
    graph.invoke({}, context=UpkeepContext.model_validate({**context, "dry_run": False}))
    assert (memory.get(mine).status, memory.get(other).status) == ("expired", "current")


def test_the_policy_is_part_of_the_context(memory: Memory) -> None:
    say(memory, "It rained.", said_at=later(-40))
    context = UpkeepContext(steps=("expire",), ttl_days={"turn": 30})
    [report] = build_upkeep(memory=memory).invoke({}, context=context)["reports"]
    assert report["counts"] == {"expired": 1}


@pytest.mark.parametrize("wrong", [{"steps": ["expires"]}, {"clean_below": 2}, {"ttl_days": {"turns": 3}}, {"days": 3}])
def test_settings_that_are_none_are_refused(memory: Memory, wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="UpkeepContext"):
        build_upkeep(memory=memory).invoke({}, context=wrong)  # type: ignore[arg-type]


async def test_it_runs_in_an_event_loop_and_reports_each_step_as_an_event(memory: Memory) -> None:
    say(memory, "I met Priya in Porto.")
    parts = build_upkeep(memory=memory).astream({}, stream_mode="custom")
    reports = [part async for part in parts]
    assert [each["step"] for each in reports] == list(STEPS)
    assert reports[STEPS.index("entities")]["counts"]["read"] == 1


def test_while_another_run_works_it_says_so_and_ends(memory: Memory) -> None:
    lease = memory.begin_upkeep()
    graph = build_upkeep(memory=memory)
    assert graph.invoke({}) == {"reports": [], "note": BUSY}
    assert lease
    memory.end_upkeep(lease)
    assert len(graph.invoke({})["reports"]) == len(STEPS)


def test_a_run_that_fails_frees_its_lease(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hippograph.memory.upkeep.expiry.or_", None)
    say(memory, "It rained.")
    graph = build_upkeep(memory=memory)
    with pytest.raises(TypeError):
        graph.invoke({})
    monkeypatch.undo()
    assert graph.invoke({})["note"] == ""


def test_what_a_run_leaves_open_is_as_the_memory_was_opened_with(memory: Memory) -> None:
    say(memory, "It rained.", said_at=later(-40))
    memory.policy = Policy(ttl_days={"turn": 30})
    graph = build_upkeep(memory=memory)
    own = UpkeepContext(steps=("expire",), dry_run=True, ttl_days={"turn": 50})
    assert graph.invoke({}, context=own)["reports"][0]["counts"] == {}
    assert graph.invoke({}, context=UpkeepContext(steps=("expire",)))["reports"][0]["counts"] == {"expired": 1}


def test_runs_of_one_thread_do_not_add_up(memory: Memory) -> None:
    graph = build_upkeep(memory=memory, checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "nightly"}}
    for _ in range(2):
        outcome = graph.invoke({}, config)  # type: ignore[arg-type]
    assert len(outcome["reports"]) == len(STEPS)


def test_the_big_model_writes_the_summary_and_only_what_its_sources_say(memory: Memory) -> None:
    facts = walks(memory)
    reply = {
        "bullets": [
            {"text": "Ann walked up Etna, 3 miles at last.", "sources": [4]},
            {"text": "Ann fell off Vesuvius in 1999.", "sources": [1]},
        ]
    }
    graph = build_upkeep(memory=memory, big=Scripted(structured=lambda _: reply))
    context = UpkeepContext(steps=("merge",), at=later(31))
    [report] = graph.invoke({}, context=context)["reports"]
    assert report["counts"] == {"summaries": 1, "merged": 4}
    summary = memory.get(report["ids"][0])
    assert "3 miles at last. [4]" in summary.text
    assert "Vesuvius" not in summary.text
    assert "Ann walked 0 miles up Etna. [1]" in summary.text, "the source's own words stand in its place"
    assert len(summary.source_ids) == 4
    assert {memory.get(each).superseded_by for each in facts} == {summary.id}


def test_where_the_big_model_writes_nonsense_the_memories_own_words_stand(memory: Memory) -> None:
    walks(memory)
    graph = build_upkeep(memory=memory, big=Scripted(structured=lambda _: None))
    [report] = graph.invoke({}, context=UpkeepContext(steps=("merge",), at=later(31)))["reports"]
    assert "own words" in report["note"]
    assert "Ann walked 2 miles up Etna. [3]" in memory.get(report["ids"][0]).text
