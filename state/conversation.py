"""The graph's typed state: JSON-plain, so that every checkpointer and client can carry it."""

import operator
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Annotated, Any

from langchain_core.messages import AnyMessage, BaseMessage, convert_to_messages
from langgraph.channels.untracked_value import UntrackedValue
from langgraph.graph.message import Messages, add_messages
from pydantic import ConfigDict, Field, JsonValue, with_config
from typing_extensions import TypedDict

from hippograph.state.recollection import MemoryRecord
from hippograph.state.turn import Asked, Block, Confidence, Cut, Stage, Structured, Topic, Trigger

GIVEN = "said-"
"""How ids begin that messages have got here."""


def join_messages(left: Messages, right: Messages) -> Any:  # noqa: ANN401 - as `add_messages` has it
    """Add messages as `add_messages` does, but give those without an id one that another try gives them again.

    It is made of the message and of those before it. Who goes back in a conversation and runs it again from its input
    would else have said the same thing twice, as far as long-term memory knows.
    """
    before = convert_to_messages(left if isinstance(left, list) else [left])
    new = convert_to_messages(right if isinstance(right, list) else [right])
    return add_messages(left, list(_named(before, new)))  # type: ignore[arg-type]


def _named(before: Sequence[BaseMessage], new: Sequence[BaseMessage]) -> Iterator[BaseMessage]:
    so_far = [str(each.id) for each in before]
    for message in new:
        if message.id is None:
            told = "\0".join([*so_far, message.type, str(message.content)])
            digest = sha256(told.encode("utf-8", "replace")).hexdigest()
            message = message.model_copy(update={"id": f"{GIVEN}{digest[:32]}"})
        so_far.append(str(message.id))
        yield message


EXAMPLES: list[JsonValue] = [
    {"messages": [{"role": "user", "content": text}]}
    for text in (
        "I am allergic to lychee; last time I ended up in hospital.",
        "What am I allergic to?",
        "我妹妹住在里斯本，下个月来看我。",
        "我妹妹住在哪儿？",
    )
]
"""Inputs to begin with; the second and the last one ask for what the one before told."""

MESSAGES = "What was said; the last is the user's. What the thread knows already need not be sent again."


@with_config(ConfigDict(use_attribute_docstrings=True, json_schema_extra={"examples": EXAMPLES}))
class Conversation(TypedDict):
    """What a run is given: what was said, the last of it by the user."""

    messages: Annotated[list[AnyMessage], Field(description=MESSAGES), join_messages]


def merge_stages(old: dict[str, Stage], new: dict[str, Stage]) -> dict[str, Stage]:
    """Add the newly timed stages to those before."""
    return {**old, **new}


@with_config(ConfigDict(use_attribute_docstrings=True))
class State(Conversation, total=False):
    """All that a turn works on; `messages`, `owner`, `summary` and `topics` last from turn to turn."""

    owner: str
    """Hash of the user this thread's short-term memory belongs to; another user starts empty."""
    summary: str
    """Rolling summary of the turns that left `messages`."""
    topics: list[Topic]
    """What the thread is about, the latest first; at most five."""
    trigger: Trigger
    candidates: Annotated[list[MemoryRecord], UntrackedValue]
    """The union of all legs, before ranking. Never checkpointed."""
    memories: list[MemoryRecord]
    """What survived reranking, best first."""
    cut: list[Cut]
    """The best of what did not."""
    block: Block
    asked: Asked | None
    """The prompt that was answered, as it was sent; None until then."""
    confidence: Confidence
    structured: Structured | None
    """None where it was not asked for, or the model could not fill it in."""
    stages: Annotated[dict[str, Stage], merge_stages]
    degraded: Annotated[list[str], operator.add]
    """What was skipped or replaced in this turn, and why; empty when all went as configured."""


@with_config(ConfigDict(use_attribute_docstrings=True))
class Answer(Conversation, total=False):
    """What a run returns."""

    topics: list[Topic]
    """What the thread is about, the latest first."""
    trigger: Trigger
    """Whether long-term memory was searched, and why."""
    memories: list[MemoryRecord]
    """What was recalled, best first."""
    cut: list[Cut]
    """The best of what was found and not kept, with the reason."""
    block: Block
    """What the model was shown of memory."""
    confidence: Confidence
    """How far the answer is to be trusted."""
    structured: Structured | None
    """None where it was not asked for, or the model could not fill it in."""
    stages: Annotated[dict[str, Stage], merge_stages]
    """What each node cost."""
    degraded: Annotated[list[str], operator.add]
    """What was skipped or replaced in this turn, and why; empty when all went as configured."""
