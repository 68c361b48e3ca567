"""What came of a turn, step by step, for the eye: from the state that its checkpoint keeps."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hippograph.graph.streaming import TURN, thread_config
from hippograph.memory.search.explain import Parts, parts
from hippograph.nodes.turns import ANSWER, SILENT, STEM, question, stem, turn_ids, words_of
from hippograph.state import Recollection, space_hash
from hippograph.state.turn import Asked, Block, Call, Confidence, Cut, Stage, Topic, Trigger
from hippograph.web.asked import Missing

if TYPE_CHECKING:
    from hippograph.graph import Agent
    from hippograph.memory import Memory

MOST = 400
"""Turns of a thread, from the latest, among which one is looked for whose checkpoint does not say which it is."""
_OURS = re.compile(rf"[0-9a-f]{{{STEM}}}{ANSWER}[0-9a-f]{{8}}")
"""Ids of answers that were given here."""
_MARK = re.compile(r"\[(\d+)\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One node of the graph, and what it cost."""

    name: str
    stage: Stage
    begins: float
    """Share of the turn's time that had passed before, in [0, 1]."""
    share: float
    """Share of the turn's time it took."""

    @property
    def calls(self) -> list[Call]:
        """The calls of models it made."""
        return self.stage["calls"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A memory that survived ranking."""

    memory: Recollection
    number: int | None
    """Its number in the block; None where the prompt has it not."""
    parts: Parts
    """What its score is made of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """A memory that was found and not kept."""

    id: str
    reason: str
    score: float
    text: str | None
    """None where it was forgotten since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leg:
    """One way of finding, and how many of the memories kept it spoke for."""

    name: str
    hits: int
    best: float
    """The largest of its shares, in [0, 1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A piece of a text: plain, or the number of a memory."""

    text: str
    cited: str | None = None
    """Id of the memory whose number it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Traced:
    """One turn, all of it."""

    id: str
    """Id of the answer in long-term memory."""
    question: str
    answer: Sequence[Segment]
    silent: bool
    """Whether the answer is a notice of ours, which is not remembered."""
    nodes: Sequence[Node]
    ms: float
    tokens: int
    money: float | None
    trigger: Trigger
    legs: Sequence[Leg]
    hits: Sequence[Hit]
    cut: Sequence[Left]
    block: Block
    lines: Sequence[Sequence[Segment]]
    """The block's lines, with its citations apart."""
    asked: Asked | None
    confidence: Confidence
    degraded: Sequence[str]
    topics: Sequence[Topic]


def latest(agent: "Agent", space: str, thread: str) -> Traced | None:
    """Return the last turn of a thread; None where none is kept."""
    values = next(_turns(agent, space, thread), None)
    return traced(values, thread, agent.memory, space) if values else None


def kept(agent: "Agent", space: str, thread: str, id: str) -> Traced:  # noqa: A002
    """Return a turn of a thread by the id of its answer.

    Raises:
        Missing: It is not kept: it was told elsewhere or imported, is too old, or something in it was forgotten.
    """
    known: list[dict[str, Any] | None] = [{TURN: stem(id)}, None] if _OURS.fullmatch(id) else []
    for mark in known:  # those of older homes, and of other servers, have no mark
        for values in _turns(agent, space, thread, mark):
            if turn_ids(thread, values["messages"])[-1] == id:
                return traced(values, thread, agent.memory, space)
    raise Missing("How this answer came about is not kept: it was not given here, or is too long ago.")


def segments(text: str, cited: Sequence[str]) -> list[Segment]:
    """Cut a text at the numbers [1] of memories that are known; the space before one is the style sheet's."""
    found, end = list[Segment](), 0
    for mark in _MARK.finditer(text):
        number = int(mark[1])
        if not 1 <= number <= len(cited):
            continue
        if mark.start() > end:
            found.append(Segment(text=text[end : mark.start()].removesuffix(" ")))
        found.append(Segment(text=mark[0], cited=cited[number - 1]))
        end = mark.end()
    return [*found, Segment(text=text[end:])] if end < len(text) else found


def _turns(agent: "Agent", space: str, thread: str, mark: dict[str, Any] | None = None) -> Iterator[Mapping[str, Any]]:
    """Yield the states that a thread's turns left, the latest first, each from its own checkpoint.

    Args:
        agent: Whose checkpoints.
        space: The user.
        thread: The conversation.
        mark: What their metadata must have; None: nothing.
    """
    for snapshot in agent.graph.get_state_history(thread_config(space, thread), filter=mark, limit=MOST):
        values = snapshot.values
        mine = values.get("owner") == space_hash(space)
        if mine and not snapshot.next and "stages" in values and values.get("messages"):
            yield values


def traced(values: Mapping[str, Any], thread: str, memory: "Memory", space: str) -> Traced:
    """Return a turn as it is shown, from the state it left."""
    stages: Mapping[str, Stage] = values["stages"]
    answer, block = values["messages"][-1], values["block"]
    memories = [Recollection.from_record(each) for each in values["memories"]]
    money = [each["money"] for each in stages.values()]
    return Traced(
        id=turn_ids(thread, values["messages"])[-1],
        question=question(values["messages"]),
        answer=segments(words_of(answer), block["cited"]),
        silent=bool(answer.response_metadata.get(SILENT)),
        nodes=_nodes(stages),
        ms=sum(each["ms"] for each in stages.values()),
        tokens=sum(each["input"] + each["output"] for each in stages.values()),
        money=None if None in money else sum(each or 0 for each in money),
        trigger=values["trigger"],
        legs=_legs(memories),
        hits=_hits(memories, block),
        cut=_left(values["cut"], memory, space),
        block=block,
        lines=[segments(line, block["cited"]) for line in block["text"].splitlines()],
        asked=values.get("asked"),
        confidence=values["confidence"],
        degraded=values["degraded"],
        topics=values.get("topics", []),
    )


def _nodes(stages: Mapping[str, Stage]) -> list[Node]:
    total = sum(each["ms"] for each in stages.values()) or 1.0
    nodes, passed = list[Node](), 0.0
    for name, stage in stages.items():
        nodes.append(Node(name=name, stage=stage, begins=passed / total, share=stage["ms"] / total))
        passed += stage["ms"]
    return nodes


def _hits(memories: Sequence[Recollection], block: Block) -> list[Hit]:
    numbers = {each: number for number, each in reversed([*enumerate(block["cited"], start=1)])}
    return [Hit(memory=each, number=numbers.get(each.id), parts=parts(each)) for each in memories]


def _legs(memories: Sequence[Recollection]) -> list[Leg]:
    shares = dict[str, list[float]]()
    for memory in memories:
        for leg in parts(memory).legs:
            shares.setdefault(leg.name, []).append(leg.share)
    legs = [Leg(name=name, hits=len(each), best=max(each)) for name, each in shares.items()]
    return sorted(legs, key=lambda leg: (-leg.hits, -leg.best))


def _left(cut: Sequence[Cut], memory: "Memory", space: str) -> list[Left]:
    texts = {
        each.id: f"{each.text}…" if each.cut else each.text
        for each in memory.cards(space, [each["id"] for each in cut])
    }
    return [Left(id=each["id"], reason=each["reason"], score=each["score"], text=texts.get(each["id"])) for each in cut]
