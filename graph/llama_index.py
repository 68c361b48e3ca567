"""A memory for LlamaIndex agents and chat engines: short-term the conversation, long-term the user's memories.

Needs the extra: pip install 'hippograph[llama-index]'.
"""

import hashlib
from collections import deque
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from langchain_core.messages import BaseMessage, HumanMessage
from pydantic import Field, PrivateAttr

from hippograph.graph.caller import caller
from hippograph.graph.chat_history import MESSAGES, conversation
from hippograph.graph.injection import Injection
from hippograph.memory.intake import clean
from hippograph.state import BadInput, Turn

try:
    from llama_index.core.base.llms.types import ChatMessage, MessageRole, TextBlock
    from llama_index.core.memory import BaseMemory
except ImportError as error:
    raise BadInput("LlamaIndex is not installed: run pip install 'hippograph[llama-index]'.") from error

_ROLES = {"human": MessageRole.USER, "ai": MessageRole.ASSISTANT, "system": MessageRole.SYSTEM}
_SAID = (MessageRole.USER, MessageRole.ASSISTANT)


class HippographMemory(BaseMemory):
    """Gives LlamaIndex the graph's prompt: notes from long-term memory, the last turns, a summary of those before.

    What is put is stored verbatim at once, where it was said aloud; calls of tools and their results stay in this
    object. `reset` begins another conversation; to forget one, use `Memory.forget`.
    """

    memory: Any = Field(default=None, exclude=True, repr=False)
    """Long-term memory, which stays the caller's to close; None: this process's own."""
    user: str
    """Whose memories."""
    thread: str = "main"
    """The conversation."""
    tools: bool = False
    """Whether the agent has tools: the notes then stand beside the question, which stays as it was asked."""
    small: Any = Field(default=None, exclude=True, repr=False)
    """The model that will read the prompt, by a name of ours, for its window and tokenizer; None: any."""
    settings: Any = Field(default=None, exclude=True, repr=False)
    """Where things are; None: the environment."""
    context: dict[str, Any] = Field(default_factory=dict)
    """More of `Context`'s fields, such as {"memory_tokens": 300}."""

    _injection: Injection = PrivateAttr()
    _said: list[tuple[ChatMessage, str]] | None = PrivateAttr(default=None)
    """The conversation; with each message the id it is stored under, "" where it is not."""
    _last: str = PrivateAttr(default="")
    """Id of the last message that was stored."""
    _cited: list[str] = PrivateAttr(default_factory=list)

    def model_post_init(self, _: object) -> None:
        """Prepare; memory opens when it is first needed."""
        self._injection = Injection(memory=self.memory, small=self.small, settings=self.settings)

    @classmethod
    def class_name(cls) -> str:
        """Return the name that LlamaIndex knows it by."""
        return "HippographMemory"

    @classmethod
    def from_defaults(cls, **kwargs: Any) -> "HippographMemory":  # noqa: ANN401
        """Return one with these fields."""
        return cls(**kwargs)

    def get(self, input: str | None = None, **_: object) -> list[ChatMessage]:  # noqa: A002
        """Return the prompt for what the user said last.

        Args:
            input: What the user says now, where the caller adds that message itself; then the notes stand in the
                system message.

        Raises:
            HippographError: Memory cannot be used; one line that says what to do.
        """
        said = self.get_all()
        asked = said[-1] if said and said[-1].role == MessageRole.USER else None
        new = input if input and (asked is None or asked.content != input) else None
        if not (new or (asked and asked.content)):
            return said
        messages = [MESSAGES[each.role.value](each.content or "") for each in said if each.role.value in MESSAGES]
        messages += [HumanMessage(new)] if new else []
        run = caller({**self.context, "user_id": self.user})
        turn = self._injection.recall(messages, run)
        own = "\n\n".join(str(each.text) for each in messages if each.type == "system")
        injected = self._injection.prompt(turn, run, own=own, tools=0 if self.tools or new else None)
        self._cited = injected.block["cited"]
        *before, last = [ChatMessage(str(each.text), role=_ROLES[each.type]) for each in injected.messages]
        return before if new else [*before, _asked(asked or last, last)]

    def get_all(self) -> list[ChatMessage]:
        """Return the conversation as it was said, without the turns of which something was forgotten since."""
        if self._said is None:
            stored = conversation(self._injection.memory, self.user, self.thread)
            self._last = str(stored[-1].id) if stored else ""
            self._said = [(ChatMessage(str(each.text), role=_ROLES[each.type]), str(each.id)) for each in stored]
        self._said = self._standing(self._said)
        return [message for message, _ in self._said]

    def put(self, message: ChatMessage) -> None:
        """Add a message; stored at once if it was said aloud."""
        self.put_messages([message])

    def put_messages(self, messages: Sequence[ChatMessage]) -> None:
        """Add messages; what was said aloud is stored at once, in one transaction.

        Raises:
            HippographError: They cannot be stored; none is added.
        """
        self.get_all()
        self._put(self._named(messages))

    def _put(self, messages: Sequence[tuple[ChatMessage, str]]) -> None:
        now = datetime.now(UTC)
        turns = [
            Turn(role=each.role.value, text=str(each.content), said_at=now, id=id_) for each, id_ in messages if id_
        ]
        if turns:
            answered = turns[-1]["role"] == "assistant"
            used = self._cited if answered else []
            self._injection.memory.add_turns(self.user, self.thread, turns, used=used)
            self._cited = [] if answered else self._cited
        self._said = [*(self._said or ()), *messages]
        self._last = turns[-1]["id"] if turns else self._last

    def _named(
        self, messages: Sequence[ChatMessage], stored: Sequence[BaseMessage] = ()
    ) -> list[tuple[ChatMessage, str]]:
        """Return messages with the ids they are stored under, by whatever door, or are to be; "" for what none said."""
        named, last, known = list[tuple[ChatMessage, str]](), self._last, deque(stored)
        for each in messages:
            aloud = each.role in _SAID and each.content
            if aloud and known and _ROLES[known[0].type] == each.role and _same(known[0].text, each.content):
                last = str(known.popleft().id)
            elif aloud:
                last = _id(self.thread, last, each)
            named.append((each, last if aloud else ""))
        return named

    def _standing(self, said: list[tuple[ChatMessage, str]]) -> list[tuple[ChatMessage, str]]:
        """Return what was said without the turns, tool calls and all, of which something was forgotten."""
        ids = [id_ for _, id_ in said if id_]
        gone = self._injection.memory.forgotten(self.user, ids) if ids else set[str]()
        if not gone:
            return said
        return [each for turn in _turns(said) if not any(id_ in gone for _, id_ in turn) for each in turn]

    def set(self, messages: list[ChatMessage]) -> None:
        """Take a conversation for this one's; what of it is stored already, from its beginning, is not stored again.

        Nor is what was forgotten: the turns that have something of it are left out.
        """
        self._said, self._last = [], ""
        named = self._named(messages, conversation(self._injection.memory, self.user, self.thread))
        self._put(self._standing(named))
        self._last = next((id_ for _, id_ in reversed(named) if id_), "")

    def reset(self) -> None:
        """Begin another conversation; what was said stays in long-term memory."""
        self.thread = f"{self.thread.partition('#')[0]}#{uuid4().hex[:8]}"
        self._said, self._last = [], ""


def _turns(said: Sequence[tuple[ChatMessage, str]]) -> list[list[tuple[ChatMessage, str]]]:
    """Cut a conversation into turns; each begins with what the user said."""
    turns, before = list[list[tuple[ChatMessage, str]]](), None
    for each in said:
        if not turns or (each[0].role == MessageRole.USER and before != MessageRole.USER):
            turns.append([])
        turns[-1].append(each)
        before = each[0].role
    return turns


def _same(stored: str, said: str | None) -> bool:
    return stored.strip() == clean(said or "").strip()


def _id(thread: str, last: str, message: ChatMessage) -> str:
    """Return the id of a message that follows another: the same whenever the same conversation is told again."""
    key = "\0".join((thread, last, message.role.value, message.content or ""))
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()[:32]


def _asked(asked: ChatMessage, prompt: ChatMessage) -> ChatMessage:
    """Return the prompt's question with the images and other media of what was asked."""
    media = [each for each in asked.blocks if not isinstance(each, TextBlock)]
    return ChatMessage(role=MessageRole.USER, blocks=[TextBlock(text=prompt.content or ""), *media])
