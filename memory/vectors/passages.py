"""What the index embeds for a memory: its text in chunks, the first with what was said just before.

A turn alone is often a fragment ("Yes, on the 17th"); together with the turn before it, one vector finds it far more
often (LoCoMo, turn level, vectors alone: R@10 .581 against .521).
"""

from collections.abc import Iterator

from hippograph.memory.sentences import places

OVERLAP = 1
"""Sentences a chunk shares with the one before it."""


def passages(text: str, before: str, chunk: int) -> list[str]:
    """Return the texts to embed for one memory, none longer than `chunk` characters.

    Args:
        text: The memory's own text, speaker first where there is one.
        before: What was said just before it in the thread; empty where nothing was.
        chunk: The longest text worth one vector, in characters.
    """
    first, *rest = list(chunks(text, chunk)) or [text[:chunk]]
    room = chunk - len(first) - 1
    context = before[-room:] if room > 0 else ""
    return [f"{context}\n{first}" if context.strip() else first, *rest]


def chunks(text: str, size: int) -> Iterator[str]:
    """Cut a text at sentence ends into slightly overlapping pieces of at most `size` characters."""
    return (" ".join(text[slice(*place)] for place in each) for each in _chunks(text, size))


def places_of(text: str, size: int) -> list[tuple[int, int]]:
    """Return where the pieces stand that `chunks` cuts a text into, as (first character, behind the last one)."""
    return [(each[0][0], each[-1][1]) for each in _chunks(text, size)]


def _chunks(text: str, size: int) -> Iterator[list[tuple[int, int]]]:
    """Return for each piece where its sentences stand."""
    piece, length = list[tuple[int, int]](), 0
    for start, end in _cut(text, size):
        if piece and length + len(piece) + end - start > size:
            yield piece
            shared = piece[-1][1] - piece[-1][0] + end - start < size
            piece = piece[-OVERLAP:] if shared else []
            length = sum(behind - first for first, behind in piece)
        piece.append((start, end))
        length += end - start
    if piece:
        yield piece


def _cut(text: str, size: int) -> Iterator[tuple[int, int]]:
    for start, end in places(text, 0, len(text)):
        yield from ((first, min(first + size, end)) for first in range(start, end, size))
