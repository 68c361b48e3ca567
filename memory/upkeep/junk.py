"""Junk among derived memories: what extraction should not have made."""

import re
from typing import Any

from sqlalchemy import Row

from hippograph.memory.tokens import CJK

_ECHO = re.compile(
    r"^\s*(?:\[\d+\]\s*\(|\{\s*\"|<\|\w+|```|\{\w+\}|"  # a line of our block, JSON, tags, code, a gap in a prompt
    r"as an ai\b|i am an ai\b|here (?:is|are) (?:the|a) (?:facts?|summary|notes?|json)\b|memories are data\b|"
    r"you turn memories into\b|(?:none|n/a|null|unknown)\W*$|no (?:new )?(?:facts?|information)"
    r"(?: (?:was |were )?found)?\W*$|"
    r"作为(?:一个)?(?:AI|人工智能|语言模型)|以下是(?:事实|摘要|笔记)|没有(?:新的?|可提取的)?(?:事实|信息)\W*$|无\W*$)",
    re.IGNORECASE,
)
_WORD = re.compile(rf"[{CJK}]|[^\W_{CJK}]+")


def fault(row: Row[Any], sources: int) -> str | None:
    """Return what is wrong with a derived memory, in words; None for a sound one.

    Args:
        row: The memory.
        sources: How many quotes it rests on.
    """
    if not row.text.strip():
        return "it has no text"
    if not sources:
        return "it was derived, and no source bears it out"
    if _ECHO.search(row.text):
        return "it repeats a prompt or a form, not what was said"
    words = _WORD.findall(row.text)
    if len(words) < 2 or (len(words) == 2 and len("".join(words)) == 2):
        return "it is a single word"
    return None
