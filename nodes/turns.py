"""A conversation as turns: what people said, and all that answered it."""

import hashlib
import re
from collections.abc import Sequence

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from hippograph.state import Context

INTERRUPTED = "interrupted"
"""Key in an answer's `response_metadata`: the user stopped it, so it may be incomplete."""
SILENT = "silent"
"""Key in an answer's `response_metadata`: the model gave no text; what stands there is ours and is not remembered."""
CITED = "cited"
"""Key in an answer's `response_metadata`: its text has the numbers of notes, which mean nothing in another turn."""

STEM = 24
QUESTION, ANSWER = "-q", "-a"
"""What stands between stem and version in the ids of turns."""

_SILENT = re.compile(
    r"\b(?:do not|don['’]t) (?:know|have|recall|remember)\b|我?不(?:知道|清楚|记得)|没有?(?:告诉|提到)", re.IGNORECASE
)


def words_of(message: BaseMessage) -> str:
    """Return a message's text parts, trimmed; a character no encoding takes (a lone surrogate) becomes "?"."""
    return str(message.text).encode("utf-8", "replace").decode().strip()


def asked(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """Return the human messages at the end: what this turn has to answer. Repeats and empty ones are left out."""
    found: list[BaseMessage] = []
    for message in reversed(messages):
        if message.type != "human":
            break
        if words_of(message) and all(words_of(message) != words_of(each) for each in found):
            found.insert(0, message)
    return found


def question(messages: Sequence[BaseMessage]) -> str:
    """Return the text of what this turn has to answer."""
    return "\n".join(words_of(message) for message in asked(_before_answer(messages)))


def split(messages: Sequence[BaseMessage]) -> list[list[BaseMessage]]:
    """Cut a conversation into turns; each begins with what a person said, so tool calls stay with their results."""
    turns: list[list[BaseMessage]] = []
    for message in messages:
        begins = message.type == "human" and (not turns or turns[-1][-1].type != "human")
        if begins or not turns:
            turns.append([])
        turns[-1].append(message)
    return turns


def spoken(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """Return what was said aloud: human messages and answers with text, without tool traffic and system lines."""
    return [_bare(each) for each in messages if isinstance(each, HumanMessage | AIMessage) and words_of(each)]


def _bare(message: BaseMessage) -> BaseMessage:
    """Return a message as it was said, without the numbers that were put into it for its reader."""
    said = message.response_metadata.get(CITED)
    return message if said is None else message.model_copy(update={"content": said})


def citations(answer: BaseMessage) -> list[str]:
    """Return the numbers of notes that an answer has got, each once: "[1]", "[3]"."""
    if CITED not in answer.response_metadata:
        return []
    return sorted({*re.findall(r"\[\d+\]", words_of(answer))}, key=lambda mark: (len(mark), mark))


def is_silent(answer: str) -> bool:
    """Tell whether an answer says that its giver does not know."""
    return _SILENT.search(answer) is not None


def orphans(messages: Sequence[BaseMessage]) -> list[BaseMessage]:
    """Return the tool results whose call does not stand before them: providers refuse a conversation with one."""
    called, found = set[str](), list[BaseMessage]()
    for message in messages:
        if isinstance(message, AIMessage):
            called |= {str(call["id"]) for call in message.tool_calls}
        elif isinstance(message, ToolMessage) and message.tool_call_id not in called:
            found.append(message)
    return found


def thread_of(thread: str, messages: Sequence[BaseMessage]) -> str:
    """Return the conversation as it is remembered: a run without a thread is a thread of its own."""
    return thread or f"single-{messages[0].id}"


def turn_ids(thread: str, messages: Sequence[BaseMessage]) -> list[str]:
    """Return the ids that the messages of a conversation, or of a turn, have in long-term memory, one for each.

    They are the same for every retry of the same message in the same thread. The thread is part of them, as callers
    may number messages from 1 in each, and the text, so that an edited message is another version. What answers a
    message has the message's stem, so that every version of a turn is known by it: answers have new ids at each try.
    Numbers of notes that were put into an answer are none of its text.
    """
    ids, stem = list[str](), ""
    for message in messages:
        if message.type == "human" or not stem:
            stem = _digest(thread, str(message.id), message.type)[:STEM]
        mark = QUESTION if message.type == "human" else ANSWER
        ids.append(f"{stem}{mark}{_digest(message.type, words_of(_bare(message)))[:8]}")
    return ids


def versions(id_: str) -> str:
    """Return what the ids of all versions of a turn's message begin with."""
    return id_[: STEM + len(QUESTION)]


def stem(id_: str) -> str:
    """Return what the ids of a turn have in common: those of all versions of what was asked and answered."""
    return id_[:STEM]


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def language_of(context: Context, text: str) -> str:
    """Return "zh" or "en": as the context says, else as the text is written."""
    from hippograph.memory.language import language

    return language(text) if context.language == "auto" else context.language


def _before_answer(messages: Sequence[BaseMessage]) -> Sequence[BaseMessage]:
    end = len(messages)
    while end and messages[end - 1].type != "human":
        end -= 1
    return messages[:end]
