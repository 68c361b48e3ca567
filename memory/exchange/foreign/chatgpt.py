"""ChatGPT's export: conversations.json, each conversation a tree of messages of which one path was seen last.

Regenerated answers and edited messages are branches; what is read is the path from the root to `current_node`, as the
person saw it. What the model was told unseen, its reasoning, calls of tools and their results are left out and counted.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hippograph.memory.exchange.foreign.taken import Taken, first_time, listed, made_id
from hippograph.memory.exchange.transfer import Told
from hippograph.state import Turn

ROLES = ("user", "assistant")
UNSAID = {
    "system": "messages that were not shown",
    "tool": "results of tools",
    "critic": "messages that were not shown",
}
SPOKEN = ("text", "multimodal_text")
"""Types of content that are what somebody said."""
_MARK = re.compile("\ue200[^\ue201]*\ue201")
"""A mark in an answer that is shown as a link to its source, and says nothing by itself."""


def is_chatgpt(records: Sequence[Any]) -> bool:
    """Tell whether some records are conversations of ChatGPT."""
    return any(isinstance(each, dict) and isinstance(each.get("mapping"), dict) for each in records)


def read(records: Sequence[Any], origin: str) -> Taken:
    """Read conversations; what cannot be read of them is told, and all else is read."""
    taken = Taken()
    for number, record in enumerate(records, 1):
        if not isinstance(record, dict) or not isinstance(record.get("mapping"), dict):
            taken.bad.append(f"conversation {number}: it has no messages")
            continue
        _conversation(record, number, origin, taken)
    return taken


def _conversation(record: Mapping[str, Any], number: int, origin: str, taken: Taken) -> None:
    thread = str(record.get("conversation_id") or record.get("id") or made_id(origin, str(number)))
    last = first_time(record, "create_time", "update_time")
    for node in _path(record, number, taken):
        message = node.get("message")
        if not isinstance(message, dict):  # the root has none
            continue
        last = first_time(message, "create_time", "update_time") or last
        turn = _turn(message, thread, taken)
        if turn is not None:
            turn["origin"] = origin
            if last is not None:
                turn["said_at"] = last
            taken.turns.append(Told(f"chatgpt/{thread}", turn))


def _path(record: Mapping[str, Any], number: int, taken: Taken) -> Iterator[Mapping[str, Any]]:
    """Yield the nodes from the root to where the conversation was left."""
    mapping, path, seen = record["mapping"], list[Mapping[str, Any]](), set[str]()
    at = record.get("current_node")
    if not isinstance(at, str) or at not in mapping:
        at = _leaf(mapping)
    while isinstance(at, str) and at in mapping and at not in seen:
        seen.add(at)
        if isinstance(mapping[at], dict):
            path.append(mapping[at])
        at = path[-1].get("parent") if path else None
    if at is not None:
        title = str(record.get("title") or "")
        taken.bad.append(f"conversation {number} ({title[:40]!r}): its beginning is missing")
    taken.passed_over["messages of other branches"] += sum(
        1 for name, node in mapping.items() if name not in seen and _speaks(node)
    )
    yield from reversed(path)


def _leaf(mapping: Mapping[str, Any]) -> str | None:
    """Return the node that nothing follows and that was made last."""
    nodes = {name: node for name, node in mapping.items() if isinstance(node, dict)}
    before = {parent for node in nodes.values() if isinstance(parent := node.get("parent"), str)}
    ends = [name for name in nodes if name not in before]
    return max(reversed(ends), key=lambda name: _made(nodes[name]), default=None)


def _made(node: Mapping[str, Any]) -> float:
    message = node.get("message")
    made = first_time(message, "create_time") if isinstance(message, dict) else None
    return made.timestamp() if made else 0.0


def _speaks(node: object) -> bool:
    message = node.get("message") if isinstance(node, dict) else None
    return isinstance(message, dict) and _role(message) in ROLES and bool(_text(message).strip())


def _turn(message: Mapping[str, Any], thread: str, taken: Taken) -> Turn | None:
    """Return what a message said; None where it said nothing to anybody."""
    role, text = _role(message), _text(message)
    metadata = message.get("metadata")
    hidden = isinstance(metadata, dict) and metadata.get("is_visually_hidden_from_conversation")
    if role not in ROLES or hidden:
        taken.passed_over[UNSAID.get(role, UNSAID["system"])] += bool(text.strip())
        return None
    if role == "assistant" and message.get("recipient") not in (None, "all"):
        taken.passed_over["calls of tools"] += 1
        return None
    if not text.strip():
        taken.passed_over["messages without text"] += 1
        return None
    return Turn(role=role, text=text, id=made_id("chatgpt", thread, str(message.get("id") or ""), text))


def _role(message: Mapping[str, Any]) -> str:
    author = message.get("author")
    return str(author.get("role")) if isinstance(author, dict) else ""


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    if not isinstance(content, dict) or content.get("content_type", "text") not in SPOKEN:
        return ""
    return _MARK.sub("", "\n".join(filter(None, map(_part, listed(content.get("parts"))))))


def _part(part: object) -> str:
    """Return what a part of a message says: of a picture, that there is one."""
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        return ""
    if isinstance(part.get("text"), str):  # what was spoken, as it was heard
        return str(part["text"])
    return "[image]" if part.get("content_type") == "image_asset_pointer" else ""
