"""Claude's export: conversations.json, each a list of messages, or a tree where messages name the one before.

Attachments whose text is in the export become turns of their own, before the message they came with.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hippograph.memory.exchange.foreign.taken import Taken, first_time, listed, made_id
from hippograph.memory.exchange.transfer import Told
from hippograph.state import Turn

ROLES = {"human": "user", "user": "user", "assistant": "assistant"}
BEFORE = "parent_message_uuid"


def is_claude(records: Sequence[Any]) -> bool:
    """Tell whether some records are conversations of Claude."""
    return any(isinstance(each, dict) and isinstance(each.get("chat_messages"), list) for each in records)


def read(records: Sequence[Any], origin: str) -> Taken:
    """Read conversations; what cannot be read of them is told, and all else is read."""
    taken = Taken()
    for number, record in enumerate(records, 1):
        if not isinstance(record, dict) or not isinstance(record.get("chat_messages"), list):
            taken.bad.append(f"conversation {number}: it has no messages")
            continue
        thread = str(record.get("uuid") or made_id(origin, str(number)))
        last = first_time(record, "created_at", "updated_at")
        for place, message in enumerate(_path(record, taken), 1):
            if not isinstance(message, dict):
                taken.bad.append(f"conversation {number}, message {place}: it is no object")
                continue
            last = first_time(message, "created_at", "updated_at") or last
            for turn in _turns(message, thread, f"conversation {number}, message {place}", taken):
                turn["origin"] = origin
                if last is not None:
                    turn["said_at"] = last
                taken.turns.append(Told(f"claude/{thread}", turn))
    return taken


def _path(record: Mapping[str, Any], taken: Taken) -> Sequence[Any]:
    """Return a conversation's messages in order: all, or of several branches the one that was left last."""
    messages = record["chat_messages"]
    nodes = [each for each in messages if isinstance(each, dict)]
    named = {name: each for each in nodes if (name := _id(each, "uuid"))}
    if not any(_id(each, BEFORE) in named for each in nodes):
        return [*messages]
    path, seen = list[Any](), set[int]()
    at = named.get(_id(record, "current_leaf_message_uuid")) or nodes[-1]
    while at and id(at) not in seen:
        seen.add(id(at))
        path.append(at)
        at = named.get(_id(at, BEFORE), {})
    taken.passed_over["messages of other branches"] += len(nodes) - len(path)
    return [*path[::-1], *(each for each in messages if not isinstance(each, dict))]


def _id(record: Mapping[str, Any], name: str) -> str:
    """Return an id that a record has under a name; "" where it has none."""
    found = record.get(name)
    return found if isinstance(found, str) else ""


def _turns(message: Mapping[str, Any], thread: str, place: str, taken: Taken) -> Iterator[Turn]:
    role = ROLES.get(str(message.get("sender")))
    if role is None:
        taken.bad.append(f"{place}: its sender is {message.get('sender')!r}")
        return
    named = str(message.get("uuid") or place)
    for attachment in listed(message.get("attachments")):
        text = attachment.get("extracted_content") if isinstance(attachment, dict) else None
        if isinstance(text, str) and text.strip():
            name = str(attachment.get("file_name") or "attachment")
            made = made_id("claude", thread, named, name, text)
            yield Turn(role="tool", text=text, speaker=name, id=made)
    text = _text(message, taken)
    if text.strip():
        yield Turn(role=role, text=text, id=made_id("claude", thread, named, text))
    else:
        taken.passed_over["messages without text"] += 1


def _text(message: Mapping[str, Any], taken: Taken) -> str:
    """Return what a message says: its blocks of text, else the text that older exports have alone."""
    blocks = [each for each in listed(message.get("content")) if isinstance(each, dict)]
    said = [str(each.get("text")) for each in blocks if each.get("type") == "text" and each.get("text")]
    taken.passed_over["calls and results of tools, and thoughts"] += sum(each.get("type") != "text" for each in blocks)
    text = message.get("text")
    return "\n\n".join(said) if said else text if isinstance(text, str) and not blocks else ""
