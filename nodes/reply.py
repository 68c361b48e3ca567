"""Read what a model noted: bullets with the numbers of their sources, in whatever form they come."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hippograph.memory.extraction import reply
from hippograph.nodes.extract import flat

_TEXT = ("text", "bullet", "note", "fact", "content", "statement", "summary", "point")
_SOURCES = ("sources", "source", "citations", "citation", "cites", "refs", "references", "memories", "ids", "numbers")
_CITED = re.compile(r"\s*[\[【](?P<numbers>\d{1,3}(?:\s*[,，、;-]\s*\d{1,3})*)[\]】]")
_BULLET = re.compile(r"^\s*(?:\d{1,2}[.)、]|[-*•])\s*")
_NUMBER = re.compile(r"\d{1,3}")


@dataclass(frozen=True, slots=True)
class Entry:
    """One bullet as a model wrote it, unchecked."""

    text: str
    """On one line, without citations."""
    sources: tuple[int, ...]
    """The numbers it cites, whether there is such a source or not."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model noted."""

    entries: tuple[Entry, ...]
    repaired: bool
    """Whether it was no JSON under the schema as it stood."""


def read(answer: object) -> Reply | None:
    """Return the bullets of an answer; None where nothing can be made of it. An empty list of bullets is an answer.

    Args:
        answer: Parsed JSON, or the answer's text.
    """
    if single := _single(answer):
        return Reply((single,), repaired=True)
    if isinstance(answer, str) and "{" not in answer:
        listed = tuple(_BULLET.sub("", line) for line in answer.splitlines() if _CITED.search(line))
        return Reply(tuple(_entries(listed)), repaired=True) if listed else None
    found = reply.read(answer)
    if found is None:
        return None
    entries = tuple(_entries(found.entries))
    if found.repaired and not any(each.sources for each in entries):
        return None  # Rubbish or prose: what cites nothing is no note.
    return Reply(entries, repaired=found.repaired) if entries or not found.entries else None


def _single(answer: object) -> Entry | None:
    """Return an answer that is one bullet without a list around it."""
    if isinstance(answer, str):
        try:
            answer = json.loads(answer)
        except (ValueError, RecursionError):
            return None
    return _entry(answer) if isinstance(answer, dict) and "bullets" not in answer else None


def _entries(listed: tuple[object, ...]) -> Iterator[Entry]:
    for each in listed:
        entry = _entry(each)
        if entry is not None:
            yield entry


def _entry(given: object) -> Entry | None:
    if isinstance(given, str):
        text, numbers = given, []
    elif isinstance(given, Mapping):
        text = next((given[key] for key in _TEXT if isinstance(given.get(key), str)), "")
        numbers = [n for key in _SOURCES if key in given for n in _numbers(given[key])]
    else:
        return None
    numbers += [n for cited in _CITED.finditer(text) for n in _numbers(cited["numbers"])]
    text = flat(_CITED.sub("", text))
    return Entry(text, tuple(dict.fromkeys(numbers))) if text else None


def _numbers(given: object) -> list[int]:
    """Read 1, "1", "[1]", "1, 3", [1, "2"]; a boolean is no number."""
    if isinstance(given, list):
        return [n for each in given for n in _numbers(each)]
    if isinstance(given, str):
        return [int(n) for n in _NUMBER.findall(given)]
    return [given] if type(given) is int else []
