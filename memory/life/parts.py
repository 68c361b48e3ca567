"""What is too long for one memory becomes several: a turn's parts in order, or the pieces of a document.

A part rests on the first one: forgetting that forgets all of them.
"""

import re
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any

from hippograph.memory.exchange.splitting import split
from hippograph.memory.language import language

LONGEST = 64_000
"""Characters of one memory: about a hundred vectors, which take some seconds to make; nothing waits longer for them."""
QUOTED = 80
"""Characters of the first part that the others quote."""

_ENDS = (re.compile(r"\n\s*\n"), re.compile(r"\n"), re.compile(r"[。！？]|[.!?]\s"), re.compile(r"\s"))
"""Where a text is best cut, the best first."""

Row = dict[str, Any]
Quotes = dict[str, list[tuple[str, str]]]
"""For a memory's id the (id, quote) pairs it rests on."""


def turn_parts(rows: Sequence[Row]) -> tuple[list[Row], Quotes]:
    """Return turns with those that are too long in parts, which joined are the turn, and what parts rest on.

    The first part has the turn's id, the nth "id#n".
    """
    parts, quotes = list[Row](), Quotes()
    for row in rows:
        parts += _parts(row, [*cut(row["text"])], quotes)
    return parts, quotes


def document_parts(row: Row) -> tuple[list[Row], Quotes]:
    """Return a memory given directly that is too long as the pieces of a document, and what they rest on.

    They stand in a thread of their own, unless the caller named one. No property is told by so long a text.
    """
    text = row["text"]
    about = {**row, "kind": "document", "thread": row["thread"] or row["id"]}
    about |= dict.fromkeys(("attribute", "value", "matter", "digest"))
    quotes = Quotes()
    return _parts(about, [text[each.start : each.end] for each in split(text)], quotes), quotes


def id_of(text: str) -> str:
    """Return an id made of a text."""
    return sha256(text.encode()).hexdigest()[:32]


def cut(text: str, most: int = LONGEST) -> Iterator[str]:
    """Cut a text into parts of at most `most` characters, at the end of a paragraph, line, sentence or word."""
    start = 0
    while len(text) - start > most:
        end = start + most
        for ending in _ENDS:
            ends = [match.end() for match in ending.finditer(text, start + most // 2, end)]
            if ends:
                end = ends[-1]
                break
        yield text[start:end]
        start = end
    yield text[start:]


def _parts(row: Row, texts: Sequence[str], quotes: Quotes) -> list[Row]:
    """Return a row's parts, noting that the further ones rest on the first."""
    ids = [row["id"], *(f"{row['id']}#{n}" for n in range(2, len(texts) + 1))]
    quotes.update({id_: [(row["id"], texts[0][:QUOTED])] for id_ in ids[1:]})
    if len(texts) == 1:
        return [row]
    return [{**row, "id": id_, "text": text, "language": language(text)} for id_, text in zip(ids, texts, strict=True)]
