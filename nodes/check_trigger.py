"""Decide whether a turn needs long-term memory; the first node of every turn.

A missed recall costs the answer, a false alarm some milliseconds: when no sign speaks either way, it fires.
"""

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

from langchain_core.messages import BaseMessage, RemoveMessage
from langgraph.types import Overwrite

from hippograph.memory.periods import windows
from hippograph.nodes import cues
from hippograph.nodes.run import Resources, Run, Update
from hippograph.nodes.turns import asked, split, words_of
from hippograph.state import BadInput, Context, space_hash
from hippograph.state.conversation import Block, State, Trigger

Knows = Callable[[str], str | None]
"""Returns a rare word of the text that memory holds, or None."""

_WORD = re.compile(r"\w")
_SHORT = 100
"""Most characters of what is nothing but a greeting or thanks."""
_LONG = 2000
"""Characters of a turn that are looked at from its beginning, and as many from its end."""


def check_trigger(state: State, run: Run, resources: Resources) -> Update:
    """Open the turn: check the message, drop what belongs to another user, decide about recall.

    Raises:
        BadInput: There is no message to answer, or it holds no text.
    """
    context, messages = run.context, state.get("messages", [])
    _check(messages)
    foreign = _foreign(state, context.user_id)
    mine = [each for each in messages if each not in foreign]
    fresh = asked(mine)
    text = "\n".join(map(words_of, fresh))
    update = Update(
        messages=[RemoveMessage(id=str(each.id)) for each in foreign] + _repaired(mine),
        owner=space_hash(context.user_id),
        trigger=_trigger(context, text, mine, lambda query: resources.memory().knows(context.user_id, query)),
        memories=[],
        block=Block(text="", tokens=0, cited=[], by="none", unsupported=0),
        stages=Overwrite({}),
        degraded=Overwrite([]),
    )
    return Update(**update, summary="") if foreign else update


def reason(text: str, knows: Knows = lambda text: None) -> str:
    """Return why memory is needed for a text, beginning with "no: " where it is not.

    Args:
        text: What was said.
        knows: Asked for a rare word that memory holds, after the cheaper signs and before any request is ruled out.
    """
    text = text if len(text) <= 2 * _LONG else f"{text[:_LONG]}\n{text[-_LONG:]}"
    if not _WORD.search(text):
        return "no: no words"
    if len(text) <= _SHORT and cues.GREETING.match(text):
        return "no: greeting"
    if len(text) <= _SHORT and cues.THANKS.match(text):
        return "no: thanks"
    bare = cues.POLITE.taken_out(cues.QUOTED.taken_out(text)).strip()
    if found := cues.RECALL.search(bare):
        return f"recall cue: {found.group().strip()}"
    if cues.ARITHMETIC.match(text):
        return "no: arithmetic"
    if _is(text, bare, "translation"):
        return "no: translation"
    if found := cues.PERSONAL.search(bare):
        return f"personal: {found.group().strip()}"
    if known := knows(cues.ASKING.taken_out(text)):
        return f"known: {known}"
    task = next((name for name in cues.TASKS if _is(text, bare, name)), None)
    return f"no: {task}" if task and not cues.TIME.search(bare) else _weak_sign(bare)


def _weak_sign(text: str) -> str:
    signs = {
        "time": cues.TIME,
        "emotion": cues.EMOTION,
        "name": cues.NAME,
        "advice": cues.ADVICE,
        "reference": cues.REFERENCE,
        "past": cues.PAST,
    }
    for name, pattern in signs.items():
        if found := pattern.search(text):
            return f"{name}: {found.group().strip()}"
    return "unsure"


def _is(text: str, bare: str, task: str) -> bool:
    """Tell whether a text, with or without courtesies, is a general request of a kind."""
    return bool(cues.TASKS[task].search(text) or cues.TASKS[task].search(bare))


def _trigger(context: Context, text: str, messages: Sequence[BaseMessage], knows: Knows) -> Trigger:
    if context.recall == "never":
        return Trigger(fire=False, reason="never: as the context says", queries=[], time_window=[])
    why = "always: as the context says" if context.recall == "always" else reason(text, knows)
    if why.startswith("no: "):
        return Trigger(fire=False, reason=why.removeprefix("no: "), queries=[], time_window=[])
    return Trigger(fire=True, reason=why, queries=_queries(text, messages), time_window=_window(text))


def _window(text: str) -> list[str]:
    """Return the first and last instant of the first time a text names, in UTC."""
    found = windows(text, datetime.now().astimezone())
    if not found:
        return []
    last = found[0].end - timedelta(microseconds=1)
    return [each.astimezone(UTC).isoformat() for each in (found[0].start, last)]


def _queries(text: str, messages: Sequence[BaseMessage]) -> list[str]:
    """Return what to search for: the text, and joined with the turn before where it points back at that."""
    earlier = split(messages)[:-1]
    before = "\n".join(words_of(each) for each in earlier[-1] if each.type == "human") if earlier else ""
    points_back = bool(cues.FOLLOW_UP.search(cues.POLITE.taken_out(text).strip()))
    return [text, f"{before}\n{text}"] if before and points_back else [text]


def _check(messages: Sequence[BaseMessage]) -> None:
    if not messages or messages[-1].type != "human":
        raise BadInput(
            "There is no message to answer: the last of `messages` must be from the "
            "user, with an id that the thread has not answered yet (or none)."
        )
    if not words_of(messages[-1]):
        raise BadInput("The message is empty: write some text and send it again.")


def _foreign(state: State, user: str) -> list[BaseMessage]:
    """Return the messages that are another user's: all but the last where the thread changed hands."""
    return list(state["messages"][:-1]) if state.get("owner", space_hash(user)) != space_hash(user) else []


def _repaired(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """Return the last message again if it holds characters no encoding takes, without them."""
    last = messages[-1]
    if isinstance(last.content, str) and last.content.encode("utf-8", "replace").decode() != last.content:
        return [last.model_copy(update={"content": words_of(last)})]
    return []
