"""The rolling summary of what left short-term memory: one line a turn, the older the shorter, never started anew."""

import re
from collections.abc import Sequence

from langchain_core.messages import BaseMessage

from hippograph.memory.language import language
from hippograph.memory.sentences import sentences
from hippograph.models.counting import estimate
from hippograph.nodes.extract import WHO, flat
from hippograph.nodes.turns import spoken, words_of

TOKENS = 300
"""Most tokens of the summary, estimated."""
CHARACTERS = {"human": 160, "ai": 100}
"""Most characters that a turn's line keeps of what was asked and what was answered."""
_GONE = {"zh": "（更早的 {count} 轮已略去）", "en": "({count} earlier turns left out)"}
_COUNT = re.compile(r"^[（(](?:更早的 )?(\d+) ")
_BETWEEN = " → "


def fold(summary: str, turns: Sequence[Sequence[BaseMessage]]) -> str:
    """Return the summary with some more turns at its end, within `TOKENS`.

    When it grows too long, answers are dropped from the oldest lines first, then the oldest lines; a first line keeps
    count of these.
    """
    lines = [*summary.splitlines(), *filter(None, map(_line, turns))]
    gone = 0
    if lines and (counted := _COUNT.match(lines[0])):
        gone, lines = int(counted[1]), lines[1:]
    short = 0
    while lines and estimate("\n".join([_first(gone, lines), *lines])) > TOKENS:
        if short < len(lines) - 1:
            lines[short] = lines[short].split(_BETWEEN)[0]
            short += 1
        else:
            gone, lines = gone + 1, lines[1:]
            short = max(0, short - 1)
    return "\n".join([_first(gone, lines), *lines] if gone else lines)


def _line(turn: Sequence[BaseMessage]) -> str:
    """Return a turn as `user: first sentence → assistant: first sentence`."""
    return _BETWEEN.join(_said(each) for each in spoken(turn))


def _said(message: BaseMessage) -> str:
    text = flat(words_of(message)).replace(_BETWEEN.strip(), "->")
    which = language(text)
    who = WHO[which]["user" if message.type == "human" else "assistant"]
    most = CHARACTERS[message.type]
    first = text if len(text) <= most else (sentences(text) or [text])[0]
    return f"{who}{'：' if which == 'zh' else ': '}{first if len(first) <= most else first[: most - 1] + '…'}"


def _first(gone: int, lines: Sequence[str]) -> str:
    return _GONE[language("\n".join(lines[-3:]))].format(count=gone)
