"""What a conversation's page shows: its messages, how it stands, and which others there are."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from hippograph.graph.streaming import thread_config
from hippograph.nodes.turns import INTERRUPTED, turn_ids, words_of
from hippograph.state import Doubtful, Recollection, space_hash
from hippograph.web import pipeline
from hippograph.web.asked import Opened
from hippograph.web.pipeline import Segment, Traced

THREAD = "main"
"""The conversation of whoever names none, as the command has it."""
THREADS = 30
"""Threads that are listed."""
FRESH = "%Y-%m-%d %H:%M:%S"
"""Name of a thread that was given none."""
UNNAMED = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of the conversation."""

    id: str
    mine: bool
    speaker: str
    said: list[Segment]
    said_at: datetime | None
    stopped: bool = False
    """Whether an answer ended before its end."""
    score: int | None = None
    """What somebody thinks of an answer: 1, -1, or 0 for nothing yet; None where it cannot be rated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A conversation in the list of all."""

    name: str
    title: str
    turns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a thread stands beside what is remembered of it."""

    traced: Traced | None
    """Its last turn."""
    waiting: Doubtful | None
    """What a person was asked and has not answered."""
    loose: list[Message]
    """What was said in it, as short-term memory has it."""
    unanswered: str = ""
    """What was said last, where nothing answered it: the answer failed, or was broken off with the server."""


def listed(home: Opened) -> list[Listed]:
    """Return the conversations talked in last; one that nobody gave a name has what it began with for a title."""
    return [
        Listed(name=each.name, title=each.opening if UNNAMED.fullmatch(each.name) else each.name, turns=each.turns)
        for each in home.memory.threads(home.space, THREADS)
    ]


def standing(home: Opened, thread: str) -> Standing:
    """Return how a thread stands; of another user's nothing."""
    snapshot = home.agent.graph.get_state(thread_config(home.space, thread))
    values = snapshot.values
    if values.get("owner") != space_hash(home.space):
        return Standing(traced=None, waiting=None, loose=[])
    waiting = snapshot.interrupts[0].value if snapshot.interrupts else None
    traced = pipeline.latest(home.agent, home.space, thread)
    messages = values.get("messages", [])
    spoken = [
        (id_, each)
        for id_, each in zip(turn_ids(thread, messages), messages, strict=True)
        if each.type in ("human", "ai") and words_of(each)
    ]
    loose = [
        Message(
            id=id_,
            mine=each.type == "human",
            speaker="",
            said=[*traced.answer] if traced and id_ == traced.id else [Segment(text=words_of(each))],
            said_at=None,
            stopped=bool(each.response_metadata.get(INTERRUPTED)),
        )
        for id_, each in spoken
    ]
    last = words_of(spoken[-1][1]) if spoken and spoken[-1][1].type == "human" else ""
    return Standing(traced=traced, waiting=waiting, loose=loose, unanswered="" if waiting else last)


def message(memory: Recollection, stands: Standing, scores: Mapping[str, int]) -> Message:
    """Return a turn as it is shown; the last answer has the numbers of its sources."""
    traced = stands.traced
    cited = traced is not None and traced.id == memory.id
    return Message(
        id=memory.id,
        mine=memory.role == "user",
        speaker=memory.speaker,
        said=[*traced.answer] if traced and cited else [Segment(text=memory.text)],
        said_at=memory.said_at,
        stopped=any(each.stopped for each in stands.loose if each.id == memory.id),
        score=None if memory.role == "user" else scores.get(memory.id, 0),
    )


def just_said(home: Opened, thread: str, stands: Standing) -> list[Message]:
    """Return the last question and its answer, as they are shown from now on."""
    stored = {each.id: each for each in home.memory.list(home.space, kinds=["turn"], thread=thread, limit=4)}
    return [message(stored[each.id], stands, {}) if each.id in stored else each for each in stands.loose[-2:]]


def named(given: str | None) -> str:
    """Return a thread's name as it was given, or the usual one."""
    return given if given and given.strip() else THREAD
