"""What is likely asked next, after an answer: about whom and what it names, from templates that are data. Pure."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from hippograph.memory.blocks.alike import signature
from hippograph.memory.proper import names

MOST = 4
"""Questions that are thought of for one turn: each may cost a call."""
MOST_NAMED = 3
"""Whom and what of a question, and of its answer, they are about."""


def likely(asked: str, answer: str, subjects: Iterable[str], language: str) -> list[str]:
    """Return what may be asked next, the likelier first.

    Args:
        asked: The question.
        answer: Its answer.
        subjects: Whom the memories behind it tell of; "user" is nobody.
        language: Of the questions, "zh" or "en".
    """
    known = _named(asked, language)
    fresh = [each for each in _named(answer, language) if each not in known]
    others = [each for each in dict.fromkeys(subjects) if each not in (*known, *fresh, "", "user")]
    told = _templates(language)
    questions = [
        *_put(asked, known, [*fresh, *others]),
        *(each.format(x=name) for name in fresh[:MOST_NAMED] for each in told["new"]),
        *(each.format(x=name) for name in (known or fresh or others)[:MOST_NAMED] for each in told["known"]),
    ]
    seen = {signature(asked)}
    return [each for each in questions if _is_new(each, seen)][:MOST]


def _put(asked: str, known: Sequence[str], others: Sequence[str]) -> list[str]:
    """Return the question again, about somebody else: "And Ben?"."""
    if not known or not asked.strip():
        return []
    return [asked.replace(known[0], each) for each in others[:MOST_NAMED]]


def _named(text: str, language: str) -> list[str]:
    """Return whom and what a text names, kin of the one who asks included, each once."""
    kin = re.findall(_templates(language)["kin"], text, re.IGNORECASE)
    return list(dict.fromkeys([*(each[:1].lower() + each[1:] for each in kin), *names(text)]))


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
