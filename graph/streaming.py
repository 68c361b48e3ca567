"""A turn as it happens, for servers: pieces of the answer, stages, questions to a person, and what it came to."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from threading import Event
from typing import Any
from uuid import uuid4

from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command

from hippograph.graph.caller import checked
from hippograph.graph.session import INTERRUPT, Agent, Turned, answer_piece, turned
from hippograph.graph.steps import stoppable
from hippograph.nodes.turns import stem, turn_ids
from hippograph.state import Doubtful, Review, space_hash, thread_key
from hippograph.state.turn import Stage


@dataclass(frozen=True, slots=True)
class Piece:
    """Some more of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Done:
    """A node that has ended."""

    name: str
    stage: Stage


@dataclass(frozen=True, slots=True)
class Asked:
    """The turn waits until a person says what becomes of a memory: go on with a `Review`."""

    about: Doubtful


@dataclass(frozen=True, slots=True)
class Ended:
    """What the turn came to."""

    turned: Turned


REMEMBER = "remember"
"""Key of a checkpoint's metadata: whether its turn is to be remembered, for whoever goes on with it."""
TURN = "turn"
"""Key of a checkpoint's metadata: what the ids of its turn have in common, so that a turn is found without a walk."""
Happening = Piece | Done | Asked | Ended


def thread_config(user: str, thread: str) -> RunnableConfig:
    """Return where one user's thread is kept."""
    return RunnableConfig(
        configurable={"thread_id": thread_key(user, thread), "thread": thread}, metadata={"space": space_hash(user)}
    )


def turn_mark(thread: str, message: HumanMessage) -> str:
    """Return what a checkpoint's metadata has under TURN: the stem of the ids of the turn that a message begins."""
    return stem(turn_ids(thread, [message])[0])


async def happenings(
    agent: Agent,
    given: str | Review,
    *,
    user: str,
    thread: str,
    stop: Event | None = None,
    context: Mapping[str, Any] | None = None,
) -> AsyncIterator[Happening]:
    """Take a turn, or go on with one that asked; yield what happens. The last one is `Asked` or `Ended`.

    Let one task read it to the end: what is left unread is not run.

    Args:
        agent: An open agent.
        given: What the user says, or what is said to the question that the turn ended with.
        user: Whose memories are read and written.
        thread: The user's conversation.
        stop: Ends the answer early when set; what was said until then is kept.
        context: More of `Context`'s fields; to go on, those the turn began with.

    Raises:
        BadInput: No text, or settings that are not valid.
        HippographError: Anything else that went wrong, in one line.
    """
    run = checked({**(context or {}), "user_id": user})
    final, config = dict[str, Any](), thread_config(user, thread)
    if isinstance(given, str):
        message = HumanMessage(given, id=str(uuid4()))
        start: Any = {"messages": [message]}
        mark = turn_mark(thread, message)
    else:
        start = Command(resume=given.model_dump())
        mark = str(((await agent.graph.aget_state(config)).metadata or {}).get(TURN, ""))
    config["metadata"] = {**config["metadata"], REMEMBER: run.remember, TURN: mark}
    with stoppable(stop):
        parts: Any = agent.graph.astream(start, config, context=run, stream_mode=["messages", "custom", "values"])
        async for mode, part in parts:
            if mode == "values":
                final = {**final, **part} if INTERRUPT in part else part
            elif mode == "custom":
                if isinstance(part, dict) and "stage" in part:
                    stage: Any = {key: part[key] for key in Stage.__annotations__}
                    yield Done(part["stage"], stage)
            elif (piece := answer_piece(*part)) and not (stop and stop.is_set()):
                yield Piece(piece)
    if questions := final.get(INTERRUPT):
        yield Asked(questions[0].value)
    else:
        yield Ended(turned(final))
