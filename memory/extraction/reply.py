"""Read a model's answer, whatever form it has: JSON with other keys, bare lists, fences, cut off in the middle."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

LONGEST = 40_000
"""Characters of an answer that are read."""
_FENCE = re.compile(r"```(?:json)?\s*(.*?)(?:```|\Z)", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"</?think(?:ing)?>", re.IGNORECASE)
_LINE = re.compile(r"^\s*(?:\d{1,2}[.)、]|[-*•])\s+(?P<text>\S.*)$", re.MULTILINE)
_FIELDS = frozenset(("value", "quote", "attribute", "fact", "text", "memory", "content", "statement", "property"))


@dataclass(frozen=True, slots=True)
class Answer:
    """What an answer lists."""

    entries: tuple[Any, ...]
    """Objects and bare strings, unchecked."""
    repaired: bool = False
    """Whether it was no JSON as it stood."""


def read(answer: object) -> Answer | None:
    """Return what an answer lists; None where nothing can be made of it.

    Args:
        answer: Parsed JSON, or the answer's text.
    """
    if not isinstance(answer, str):
        entries = _listed(answer)
        return None if entries is None else Answer(tuple(entries))
    text = answer.strip()[:LONGEST]
    if (parsed := _json(text)) is not None and (entries := _listed(parsed)) is not None:
        return Answer(tuple(entries))
    for piece in _pieces(text):
        parsed = _json(piece)
        if parsed is None:
            parsed = _repaired(piece)
        if (entries := _listed(parsed)) is not None:
            return Answer(tuple(entries), repaired=True)
    lines = [found["text"].strip() for found in _LINE.finditer(text)]
    return Answer(tuple(lines), repaired=True) if lines else None


def _pieces(text: str) -> Iterator[str]:
    """Yield the parts of a text that may be JSON: in fences, after thinking, from the first bracket on."""
    for found in _FENCE.finditer(text):
        yield found[1].strip()
    said = _TAG.split(text)[-1]
    starts = [at for at in (said.find("{"), said.find("[")) if at >= 0]
    if starts:
        yield said[min(starts) :]


def _json(text: str) -> Any:  # noqa: ANN401 - any JSON
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _repaired(text: str) -> Any:  # noqa: ANN401 - any JSON
    from json_repair import repair_json

    if text[:1] not in "{[" or not text:
        return None
    try:
        return repair_json(text, return_objects=True)
    except (ValueError, RecursionError):
        return None


def _listed(parsed: Any) -> list[Any] | None:  # noqa: ANN401 - any JSON
    """Return the list in parsed JSON: itself, the only list in an object, or an object that is an entry itself."""
    if isinstance(parsed, list):
        return parsed
    if not isinstance(parsed, dict):
        return None
    if isinstance(parsed.get("facts"), list):
        return list(parsed["facts"])
    lists = [value for value in parsed.values() if isinstance(value, list)]
    if lists:
        return max(lists, key=len)
    if _FIELDS & parsed.keys():
        return [parsed]
    nested = [found for value in parsed.values() if isinstance(value, dict) and (found := _listed(value)) is not None]
    return nested[0] if nested else None


def cut_off(error: BaseException | None) -> str | None:
    """Return the text of an answer that was cut at its token limit, which clients raise instead of giving it."""
    seen = set[int]()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        completion = getattr(error, "completion", None)
        if completion is not None and getattr(completion, "choices", None):
            return str(completion.choices[0].message.content or "")
        error = error.__cause__ or error.__context__
    return None
