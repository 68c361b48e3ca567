"""What the index embeds for a memory: its text in chunks, the first with what was said just before.

A turn alone is often a fragment ("Yes, on the 17th"); together with the turn before it, one vector finds it far more
often (LoCoMo, turn level, vectors alone: R@10 .581 against .521).
"""

from collections.abc import Iterator

from hippograph.memory.sentences import sentences

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
    piece: list[str] = []
    for sentence in _cut(text, size):
        if piece and sum(map(len, piece)) + len(piece) + len(sentence) > size:
            yield " ".join(piece)
            piece = piece[-OVERLAP:] if len(piece[-1]) + len(sentence) < size else []
        piece.append(sentence)
    if piece:
        yield " ".join(piece)


def _cut(text: str, size: int) -> Iterator[str]:
    for sentence in sentences(text):
        yield from (sentence[start : start + size] for start in range(0, len(sentence), size))
