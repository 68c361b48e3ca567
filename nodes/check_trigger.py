"""Decide whether a turn needs long-term memory; the first node of every turn.

A missed recall costs the answer, a false alarm some milliseconds: when no sign speaks either way, it fires.
"""

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from uuid import uuid4

from langchain_core.messages import BaseMessage, RemoveMessage
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.types import Overwrite

from hippograph.memory.dates.periods import windows
from hippograph.memory.proper import name as own_name
from hippograph.nodes import asking, cues, given, requests
from hippograph.nodes.queries import queries
from hippograph.nodes.run import Resources, Run, Update
from hippograph.nodes.turns import asked, turn_ids, words_of
from hippograph.state import BadInput, Context, space_hash
from hippograph.state.conversation import GIVEN, State
from hippograph.state.turn import Confidence, Mode, Topic, Trigger, no_block

Knows = Callable[[str], str | None]
"""Returns a rare word of the text that memory holds, or None."""

_WEAK = {
    "emotion": cues.EMOTION,
    "advice": cues.ADVICE,
    "reference": cues.REFERENCE,
    "past": cues.PAST,
    "definite": cues.DEFINITE,
}
"""Signs that count where no general request outweighs them."""
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
        messages=_renamed(mine, run, resources)
        or [*(RemoveMessage(id=str(each.id)) for each in foreign), *_repaired(mine)],
        owner=space_hash(context.user_id),
        trigger=_trigger(
            context,
            text,
            mine,
            [] if foreign else state.get("topics", []),
            lambda query: resources.memory().knows(context.user_id, query),
        ),
        memories=[],
        cut=[],
        block=no_block(),
        asked=None,
        confidence=Confidence(level="low", score=0.0, why=[]),
        structured=None,
        stages=Overwrite({}),
        degraded=Overwrite([]),
    )
    return Update(**update, summary="", topics=[]) if foreign else update


def reason(text: str, knows: Knows = lambda text: None) -> str:
    """Return why memory is needed for a text, beginning with "no: " where it is not.

    Args:
        text: What was said.
        knows: Asked for a rare word that memory holds, after the cheaper signs and before any request is ruled out.
    """
    text = text if len(text) <= 2 * _LONG else f"{text[:_LONG]}\n{text[-_LONG:]}"
    if quiet := _courtesy(text):
        return f"no: {quiet}"
    todo = given.without_given(text)
    bare = cues.POLITE.taken_out(cues.QUOTED.taken_out(todo)).strip()
    if found := cues.RECALL.search(bare):
        return f"recall cue: {found.group().strip()}"
    if requests.ARITHMETIC.match(text):
        return "no: arithmetic"
    if requests.is_task("translation", todo, bare):
        return "no: translation"
    if found := cues.PERSONAL.search(requests.IMPERSONAL.taken_out(bare)):
        return f"personal: {found.group().strip()}"
    if known := knows(cues.ASKING.taken_out(todo)):
        return f"known: {known}"
    return _weak_sign(todo, bare, "given text" if todo != text else requests.task(todo, bare))


def _courtesy(text: str) -> str | None:
    """Return which kind of empty talk a text is, if it is nothing else."""
    if not _WORD.search(text):
        return "no words"
    kinds = {"greeting": cues.GREETING, "thanks": cues.THANKS, "remark": cues.REMARK}
    return next((name for name, cue in kinds.items() if len(text) <= _SHORT and cue.match(text)), None)


def _weak_sign(text: str, bare: str, task: str | None) -> str:
    """Return the first sign that speaks for memory where no general task outweighs it."""
    for name, sign in {"own": cues.OWN, "time": cues.TIME}.items():
        if task != "maths" and (found := sign.search(bare)):
            return f"{name}: {found.group().strip()}"
    named = own_name(bare) if task in (None, "knowledge", "given text") else None
    if named:
        return f"name: {named}"
    if task:
        return f"no: {task}"
    for name, sign in _WEAK.items():
        if found := sign.search(bare):
            return f"{name}: {found.group().strip()}"
    return "no: general" if asking.ASKED.search(bare) or asking.ASKED.search(text) else "unsure"


def mode(text: str) -> Mode:
    """Return what a search for a text is for: an answer, or a memory that fits what was only told."""
    return "asked" if asking.asks(text[:_LONG]) else "proactive"


def _trigger(
    context: Context, text: str, messages: Sequence[BaseMessage], topics: Sequence[Topic], knows: Knows
) -> Trigger:
    if context.recall == "never":
        return _quiet("never: as the context says")
    always = context.recall == "always"
    why = "always: as the context says" if always else reason(text, knows)
    if why.startswith("no: "):
        return _quiet(why.removeprefix("no: "))
    return Trigger(
        fire=True,
        reason=why,
        mode="asked" if always else mode(text),
        queries=queries(text, messages, topics),
        time_window=_window(text),
    )


def _window(text: str) -> list[str]:
    """Return the first and last instant of the first time a text names, in UTC."""
    found = windows(text, datetime.now().astimezone())
    if not found:
        return []
    last = found[0].end - timedelta(microseconds=1)
    return [each.astimezone(UTC).isoformat() for each in (found[0].start, last)]


def _quiet(why: str) -> Trigger:
    return Trigger(fire=False, reason=why, mode="asked", queries=[], time_window=[])


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


def _renamed(mine: Sequence[BaseMessage], run: Run, resources: Resources) -> list[BaseMessage]:
    """Return the messages with other ids where those made of what was said would make two turns one; else none.

    Without a thread, who says a thing twice has said it twice. With one, what was forgotten may be said anew.
    """
    made = [each for each in mine if str(each.id).startswith(GIVEN)]
    if not made or (run.thread and not _forgotten(mine, run, resources)):
        return []
    new = {str(each.id): f"{each.id}+" if run.thread else str(uuid4()) for each in made}
    own = [*mine[:-1], *(_repaired(mine) or mine[-1:])]
    renamed = [each.model_copy(update={"id": new.get(str(each.id), each.id)}) for each in own]
    return [RemoveMessage(id=REMOVE_ALL_MESSAGES), *(_renamed(renamed, run, resources)[1:] or renamed)]


def _forgotten(mine: Sequence[BaseMessage], run: Run, resources: Resources) -> bool:
    """Tell whether a conversation begins, in this turn, as one did that was forgotten."""
    if len(mine) > 1 or not run.context.remember:
        return False
    return bool(resources.memory().forgotten(run.context.user_id, turn_ids(run.thread, mine)))


def _repaired(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """Return the last message again if it holds characters no encoding takes, without them."""
    last = messages[-1]
    if isinstance(last.content, str) and last.content.encode("utf-8", "replace").decode() != last.content:
        return [last.model_copy(update={"content": words_of(last)})]
    return []
