"""Keep the turn: verbatim in long-term memory, shortened in the thread."""

from collections.abc import Sequence
from datetime import UTC, datetime

from langchain_core.messages import BaseMessage, RemoveMessage

from hippograph.nodes.rolling import fold
from hippograph.nodes.run import Resources, Run, Update
from hippograph.nodes.turns import SILENT, asked, split, turn_id, words_of
from hippograph.state import Turn
from hippograph.state.conversation import State


def write_back(state: State, run: Run, resources: Resources) -> Update:
    """Store what was asked and answered, in one transaction; let turns beyond the last few leave the thread."""
    context, messages = run.context, state["messages"]
    if context.remember:
        thread = run.thread or f"single-{messages[0].id}"  # A run without a thread is a thread of its own.
        if turns := said(messages, thread):
            resources.memory().add_turns(
                context.user_id, thread, turns, used=state["block"]["cited"] if "block" in state else ()
            )
    return _trimmed(messages, state.get("summary", ""), context.last_turns)


def said(messages: Sequence[BaseMessage], thread: str) -> list[Turn]:
    """Return the last turn's messages to remember: the human ones and the answer."""
    last = split(messages)[-1]
    answers = [each for each in last if each.type == "ai" and words_of(each) and not each.response_metadata.get(SILENT)]
    human = asked([each for each in last if each.type == "human"])
    now = datetime.now(UTC)
    turns = []
    for message in [*human, *answers[-1:]]:
        role = "user" if message.type == "human" else "assistant"
        turn = Turn(role=role, text=words_of(message), said_at=now, id=turn_id(thread, message))
        turns.append(Turn(**turn, speaker=message.name) if message.name else turn)
    return turns


def _trimmed(messages: Sequence[BaseMessage], summary: str, last_turns: int) -> Update:
    leaving = split(messages)[:-last_turns]
    if not leaving:
        return Update()
    gone = [RemoveMessage(id=str(message.id)) for turn in leaving for message in turn]
    return Update(messages=list(gone), summary=fold(summary, leaving))
