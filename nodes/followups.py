"""What is likely asked next, after an answer: what else the memories behind it answer, and about whom it names. Pure.

The patterns and templates are data: `followups.en.json`, `followups.zh.json`.
"""

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from hippograph.memory.blocks.alike import signature
from hippograph.memory.proper import names
from hippograph.memory.sentences import sentences

MOST = 4
"""Questions that are thought of for one turn: each may cost a call."""
MOST_NAMED = 3
"""Whom and what of a question, and of its answer, they are about."""


def likely(asked: str, answer: str, told: Sequence[str], language: str) -> list[str]:
    """Return what may be asked next, the likelier first.

    Args:
        asked: The question.
        answer: Its answer.
        told: What the memories behind it say, best first.
        language: Of the questions, "zh" or "en".
    """
    known = _named(asked, language)
    fresh = [each for each in _named(answer, language) if each not in known]
    templates = _templates(language)
    questions = [
        *(found for each in told for sentence in sentences(each) if (found := _answered(sentence, language))),
        *_put(asked, known, fresh),
        *(each.format(x=name) for name in fresh[:MOST_NAMED] for each in templates["new"]),
        *(each.format(x=name) for name in (known or fresh)[:MOST_NAMED] for each in templates["known"]),
    ]
    seen = {signature(asked)}
    return [each for each in questions if _is_new(each, seen)][:MOST]


def _answered(sentence: str, language: str) -> str:
    """Return the question that a sentence of a memory answers; empty where none is known."""
    bare = sentence.strip(" \t\n.。!！")
    for pattern, question in _templates(language)["told"]:
        if found := re.search(pattern, bare):
            parts = {name: _inside(part) for name, part in found.groupdict().items()}
            return str(question.format(**parts))
    return ""


def _inside(part: str) -> str:
    """Return the beginning of a sentence as it stands within one."""
    return re.sub(r"^(?:My|The|Our)\b", lambda found: found.group().lower(), part)


def _put(asked: str, known: Sequence[str], others: Sequence[str]) -> list[str]:
    """Return the question again, about somebody else: "And Ben?"."""
    if not known or not asked.strip():
        return []
    return [asked.replace(known[0], each) for each in others[:MOST_NAMED]]


def _named(text: str, language: str) -> list[str]:
    """Return whom and what a text names, kin of the one who asks included, each once."""
    kin = re.findall(_templates(language)["kin"], text, re.IGNORECASE)
    return list(dict.fromkeys([*(_inside(each) for each in kin), *names(text)]))


def _is_new(question: str, seen: set[str]) -> bool:
    mine = signature(question)
    fresh = mine not in seen
    seen.add(mine)
    return fresh


@cache
def _templates(language: str) -> Mapping[str, Any]:
    path = files("hippograph.nodes").joinpath(f"followups.{language}.json")
    read: Mapping[str, Any] = json.loads(path.read_text("utf-8"))
    return read
