"""Whole histories, as chat programs send them with each request, as one conversation and what is new in it.

A message's id is a digest of all that was said up to it, so that a request sent again, or one for another answer to the
same question, stores nothing twice, and the same words said later in the conversation are another message.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from hippograph.web.completions import Message

AGAIN = timedelta(minutes=15)
"""Within this time, the same words without anything before them are the same request; later they are said again."""
MOST_THREADS = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """A conversation as one request tells it."""

    earlier: list[BaseMessage]
    """What was said and answered, oldest first."""
    asked: list[HumanMessage]
    """What is new: all that the user said since the last answer; at least one."""

    @property
    def opening(self) -> bool:
        """Whether nothing was answered yet."""
        return not self.earlier

    @property
    def root(self) -> str:
        """A digest of the conversation's first message."""
        return str([*self.earlier, *self.asked][0].id)


def history(messages: Sequence[Message], said_again: str = "") -> History:
    """Return a request's messages as a conversation; tools' messages and those without words are left out.

    Args:
        messages: As the client sent them, the last from the user.
        said_again: Tells an opening from an earlier one in the same words: part of all ids where it is not empty.
    """
    spoken = [each for each in messages if each.role in ("user", "assistant") and each.text]
    found = list[BaseMessage]()
    id = said_again  # noqa: A001
    for each in spoken:
        id = _digest(id, each.role, each.text)  # noqa: A001
        kind = HumanMessage if each.role == "user" else AIMessage
        found.append(kind(each.text, id=id, name=each.name))
    begin = len(found)
    while begin and isinstance(found[begin - 1], HumanMessage):
        begin -= 1
    return History(earlier=found[:begin], asked=[each for each in found[begin:] if isinstance(each, HumanMessage)])


def occasions(now: datetime) -> list[str]:
    """Return what tells an opening from earlier ones in the same words, those to look at first first.

    The first time has no mark; else the mark is a stretch of time, and a request may be a repeat of one that came in
    the stretch before.
    """
    stretch = int(now.timestamp() // AGAIN.total_seconds())
    return ["", str(stretch - 1), str(stretch)]


def latest(conversation: History, most: int) -> History:
    """Return a conversation with at most so many of its earlier messages, the last ones."""
    return History(earlier=conversation.earlier[-most:], asked=conversation.asked)


def without(conversation: History, forgotten: set[str]) -> History:
    """Return a conversation without the messages of some ids, and without the answers to them; what is asked stays."""
    kept, gone, before = list[BaseMessage](), False, False
    for each in conversation.earlier:
        human = isinstance(each, HumanMessage)
        if human:
            gone = each.id in forgotten or (gone and before)
        if each.id not in forgotten and (human or not gone):
            kept.append(each)
        before = human
    *said, last = conversation.asked
    return History(earlier=kept, asked=[*(each for each in said if each.id not in forgotten), last])


class Threads:
    """Which conversation a history belongs to that nobody names: known by its last answer, also of a cut history."""

    def __init__(self) -> None:
        self._known = OrderedDict[str, str]()
        self._lock = threading.Lock()

    def of(self, space: str, conversation: History) -> str:
        """Return the name of a conversation: that of its last answer, else one made of its first message."""
        return self.known(space, conversation) or f"openai-{conversation.root[:12]}"

    def known(self, space: str, conversation: History) -> str | None:
        """Return the name of a conversation whose last answer was given here, since the start; None of any other."""
        if conversation.opening:
            return None
        with self._lock:
            return self._known.get(_place(space, conversation.earlier))

    def answered(self, space: str, conversation: History, answer: str, thread: str) -> None:
        """Note which conversation an answer was given in."""
        told = [*conversation.earlier, *conversation.asked, AIMessage(answer)]
        with self._lock:
            self._known[_place(space, told)] = thread
            while len(self._known) > MOST_THREADS:
                self._known.popitem(last=False)


def _place(space: str, messages: Sequence[BaseMessage]) -> str:
    """Return a digest of the last question and its answer."""
    question = next((str(each.text) for each in reversed(messages) if isinstance(each, HumanMessage)), "")
    return _digest(space, question.strip(), str(messages[-1].text).strip())


def _digest(*parts: str) -> str:
    whole = "\0".join(f"{len(part)}:{part}" for part in parts)
    return sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:32]
