"""LangChain's chat history, kept in long-term memory: what one session said is recallable in all others."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from uuid import uuid4

from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from hippograph.graph.opened import shared_memory
from hippograph.nodes.turns import SILENT, spoken, turn_ids, versions, words_of
from hippograph.state import Settings, Turn

if TYPE_CHECKING:
    from hippograph.memory import Memory

MESSAGES: dict[str, type[BaseMessage]] = {"user": HumanMessage, "assistant": AIMessage, "system": SystemMessage}
"""What LangChain calls a turn of each role."""
ROLES = {"human": "user", "ai": "assistant"}


class HippographChatHistory(BaseChatMessageHistory):
    """One conversation of one user, verbatim and durable.

    What was said aloud is kept: human messages and answers with text. Calls of tools, their results and system messages
    are not; a conversation without them is one that every provider takes.
    """

    def __init__(
        self, memory: "Memory | None" = None, *, user: str, thread: str, settings: Settings | None = None
    ) -> None:
        """Prepare; nothing is opened yet.

        Args:
            memory: Long-term memory, which stays the caller's to close; None: this process's own.
            user: Whose memories.
            thread: The conversation; another name begins another one.
            settings: Where things are; None: the environment.
        """
        super().__init__()
        self.user, self.thread = user, thread
        self._given, self._settings = memory, settings

    @property
    def memory(self) -> "Memory":
        """The long-term memory, opened if it is not yet."""
        return self._given or shared_memory(self._settings or Settings.from_env())

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override]
        """The conversation, oldest first; each message has the id that memory cites it by."""
        return conversation(self.memory, self.user, self.thread)

    def last(self, count: int) -> list[BaseMessage]:
        """Return the last messages, oldest first."""
        return conversation(self.memory, self.user, self.thread, count)

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Store what was said, in one transaction; a message that came from here, or was stored with its id, stays one.

        Of a message that comes again with its id and other words, the last version stands. One that was forgotten does
        not come back with its id.

        Raises:
            HippographError: It cannot be stored; nothing of it is.
        """
        said = [each for each in spoken(messages) if not each.response_metadata.get(SILENT)]
        said, now = self._standing(said), datetime.now(UTC)
        known = self._known(said)
        turns, told = list[Turn](), list[str]()
        for each in said:
            id_ = str(each.id) if each.id in known else self._id(each)
            turns.append(_turn(each, id_, now))
            told += [versions(id_)] if each.id and each.id not in known else []
        if turns:
            self.memory.add_turns(self.user, self.thread, turns, versions=told)

    def clear(self) -> None:
        """Forget the conversation for good, with all that only it tells; a new chat is another thread."""
        self.memory.forget(self.user, thread=self.thread)

    def _standing(self, messages: Sequence[BaseMessage]) -> list[BaseMessage]:
        """Return the messages without those that were forgotten, by the ids they came with and those they had here."""
        ids = {id(each): {str(each.id), self._id(each)} for each in messages if each.id}
        gone = self.memory.forgotten(self.user, set[str]().union(*ids.values()))
        return [each for each in messages if not ids.get(id(each), set()) & gone]

    def _known(self, messages: Sequence[BaseMessage]) -> set[str]:
        """Return the messages' ids that are those of turns of this conversation already."""
        ids = {str(each.id) for each in messages if each.id}
        found = {id_: self.memory.matching(id_, self.user) for id_ in ids}
        return {id_ for id_ in ids if any(each.id == id_ and each.thread == self.thread for each in found[id_])}

    def _id(self, message: BaseMessage) -> str:
        return turn_ids(self.thread, [message])[0] if message.id else uuid4().hex


def conversation(memory: "Memory", space: str, thread: str, last: int | None = None) -> list[BaseMessage]:
    """Return what users, assistants and systems said in a thread, oldest first; of it the `last` messages."""
    turns = memory.list(space, kinds=["turn"], thread=thread, limit=last)[::-1]
    said = list[BaseMessage]()
    for each in sorted(turns, key=lambda turn: turn.position):  # An edited one keeps its place.
        first = each.id.partition("#")[0]
        if said and first != each.id and said[-1].id == first:  # a further part of a turn too long for one memory
            said[-1] = said[-1].model_copy(update={"content": said[-1].text + each.text})
        elif made := MESSAGES.get(each.role):
            about = {"said_at": each.said_at.isoformat()}
            said.append(made(each.text, id=each.id, name=each.speaker or None, response_metadata=about))
    return said


def _turn(message: BaseMessage, id_: str, now: datetime) -> Turn:
    turn = Turn(role=ROLES[message.type], text=words_of(message), said_at=now, id=id_)
    return Turn(**turn, speaker=message.name) if message.name else turn
