"""Keep the turn: verbatim in long-term memory, shortened in the thread."""

from collections.abc import Sequence
from datetime import UTC, datetime

from langchain_core.messages import AIMessage, BaseMessage, RemoveMessage

from hippograph.nodes import prompts
from hippograph.nodes.ladder import guarded
from hippograph.nodes.rolling import fold
from hippograph.nodes.run import Resources, Run, Update
from hippograph.nodes.topics import updated
from hippograph.nodes.turns import (
    SILENT,
    asked,
    language_of,
    orphans,
    question,
    split,
    spoken,
    thread_of,
    turn_ids,
    versions,
    words_of,
)
from hippograph.state import Turn, thread_key
from hippograph.state.conversation import State
from hippograph.state.turn import Confidence, Topic, no_block

MOST_READ = 30
"""Turns of a thread that topics are found in, where none are known yet."""


def write_back(state: State, run: Run, resources: Resources) -> Update:
    """Store what was asked and answered, in one transaction; let turns beyond the last few leave the thread.

    Where something that the turn worked on was forgotten meanwhile, what rests on it leaves the thread instead.
    """
    context, messages = run.context, state["messages"]
    if (ids := _rests_on(state, run)) and resources.memory().forgotten(context.user_id, ids):
        return _without(state, run, resources)
    if context.remember:
        thread = thread_of(run.thread, messages)
        if turns := said(messages, thread):
            resources.memory().add_turns(
                context.user_id,
                thread,
                turns,
                used=state["block"]["cited"] if "block" in state else (),
                review=context.review,
                versions=[versions(turn["id"]) for turn in turns],
            )
    update = _trimmed(messages, state.get("summary", ""), context.last_turns)
    if resources.condenser and context.rolling == "big" and run.thread and "summary" in update:
        key = thread_key(context.user_id, run.thread)
        summary, spent = resources.condenser.taken(key, update["summary"])
        call, prompt = guarded(run, resources), context.rolling_prompt
        resources.condenser.offer(key, summary, lambda: resources.big(context), call, prompt)
        update = Update(**{**update, "summary": summary, "spent": spent})
    topics = _topics(state, messages)
    return Update(**update, topics=topics) if topics != state.get("topics", []) else update


def _rests_on(state: State, run: Run) -> list[str]:
    """Return the ids of what the turn worked on: memories that were found, and the thread's earlier messages."""
    found = [each["id"] for each in (*state.get("memories", ()), *state.get("cut", ()))]
    cited = state["block"]["cited"] if "block" in state else []
    earlier = [each for turn in split(state["messages"])[:-1] for each in turn]
    return [*found, *cited, *turn_ids(run.thread, earlier)]


def _without(state: State, run: Run, resources: Resources) -> Update:
    """Keep what was asked; a notice of ours takes the answer's place, and all else leaves short-term memory."""
    context, messages = run.context, state["messages"]
    last = split(messages)[-1]
    human = [each for each in last if each.type == "human"]
    if context.remember and human:
        thread = thread_of(run.thread, messages)
        turns = said(human, thread)
        kept = [versions(turn["id"]) for turn in turns]
        resources.memory().add_turns(context.user_id, thread, turns, review=context.review, versions=kept)
    notice = prompts.load("forgotten", language_of(context, question(messages)))
    answer = AIMessage(notice, id=last[-1].id, response_metadata={SILENT: True})
    gone = [each for each in messages if each not in human and each is not last[-1]]
    return Update(
        messages=[*(RemoveMessage(id=str(each.id)) for each in gone), answer],
        summary="",
        topics=[],
        memories=[],
        cut=[],
        block=no_block(),
        asked=None,
        confidence=Confidence(level="low", score=0.0, why=[]),
        structured=None,
        degraded=["write_back: what the answer rested on was forgotten meanwhile"],
    )


def said(messages: Sequence[BaseMessage], thread: str) -> list[Turn]:
    """Return the last turn's messages to remember: the human ones and the answer."""
    last = split(messages)[-1]
    answers = [each for each in spoken(last) if each.type == "ai" and not each.response_metadata.get(SILENT)]
    human = asked([each for each in last if each.type == "human"])
    now = datetime.now(UTC)
    turns, kept = [], [*human, *answers[-1:]]
    for message, id_ in zip(kept, turn_ids(thread, kept), strict=True):
        role = "user" if message.type == "human" else "assistant"
        turn = Turn(role=role, text=words_of(message), said_at=now, id=id_)
        turns.append(Turn(**turn, speaker=message.name) if message.name else turn)
    return turns


def _topics(state: State, messages: Sequence[BaseMessage]) -> list[Topic]:
    """Return what the thread is about by now; all of it is read where nothing is known yet, as inside another graph."""
    turns = split(messages)
    known = state.get("topics")
    return updated(known or [], turns[-1:] if known else turns[-MOST_READ:], datetime.now(UTC))


def _trimmed(messages: Sequence[BaseMessage], summary: str, last_turns: int) -> Update:
    """Take the turns beyond the last few out of the thread, and late results of a tool that was called in them."""
    turns = split(messages)
    leaving = turns[:-last_turns]
    if not leaving:
        return Update()
    going = [message for turn in leaving for message in turn]
    late = orphans([message for turn in turns[-last_turns:] for message in turn])
    gone = [RemoveMessage(id=str(message.id)) for message in (*going, *late)]
    return Update(messages=list(gone), summary=fold(summary, leaving))
