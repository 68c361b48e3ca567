"""What memory holds beyond the block, by name: the small model is told that there is more, not what."""

import re
from collections.abc import Sequence

from hippograph.memory.proper import names
from hippograph.nodes import prompts
from hippograph.nodes.extract import Count, flat, shown
from hippograph.state import Recollection

MOST = 5
"""Most topics that the line names."""
MOST_TOKENS = 60
"""Most tokens of the line."""
CHARACTERS = 32
"""Of a topic; a Chinese character counts for two."""
_HAN = re.compile(r"[\u4e00-\u9fff]")
_SIGNS = re.compile(r"^[\W_]+|[\W_]+$")


def remainder(left: Sequence[Recollection], count: Count, language: str) -> str:
    """Return the line that names topics and days of what was left out; empty where nothing was.

    Args:
        left: What was left out, best first.
        count: Counts the small model's tokens.
        language: "zh" or "en".
    """
    topics: dict[str, list[str]] = {}
    for each in left:
        days = topics.setdefault(topic(each), [])
        if (day := shown(each.said_at)) not in days:
            days.append(day)
    named = [
        f"{name} ({', '.join(sorted(days))})" if name else ", ".join(sorted(days)) for name, days in topics.items()
    ]
    joint = "；" if language == "zh" else "; "
    for number in range(min(MOST, len(named)), 0, -1):
        line = prompts.load("more", language).format(topics=joint.join(named[:number]))
        if count(line) <= MOST_TOKENS:
            return line
    return ""


def topic(memory: Recollection) -> str:
    """Return what a memory is about, in few words: its topic, the names in it, else its first words."""
    if memory.topic:
        return _short(memory.topic)
    named = [each for each in names(memory.text) if each.casefold() not in ("user", "assistant")]
    return _short(" ".join(named[:2])) if named else _short(memory.text)


def _short(text: str) -> str:
    """Return the first words of a text, on one line, without signs around them."""
    text, kept, room = flat(text), "", CHARACTERS
    for character in text:
        room -= 2 if _HAN.match(character) else 1
        if room < 0:
            kept = kept if _HAN.match(character) else kept.rpartition(" ")[0] or kept
            break
        kept += character
    return _SIGNS.sub("", kept)
