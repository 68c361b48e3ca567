"""The passage of a long memory that fits a query: what a prompt has room for, and what a claim rests on. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from hippograph.memory.vectors.passages import places_of
from hippograph.state import Recollection

LONG = 2000
"""Characters up to which a memory is given whole."""
ROOM = 1500
"""Characters of a passage, about: the chunk that fits best and what stands around it."""
MOST_FOUND = 200
"""Places of one word in a text that are looked at."""


def excerpted(
    memory: Recollection, weights: Mapping[str, float], near: Mapping[int, float], chunk: int
) -> Recollection:
    """Return a memory with the passage that fits a query best, where it is long.

    Where it is its own source, the source is that passage too.

    Args:
        memory: Found by the query.
        weights: The words of the query with their weights.
        near: For the chunks that have a vector, by place from 0, how alike they are to the query, in [0, 1].
        chunk: Characters of a chunk, as they were embedded.
    """
    if len(memory.text) <= LONG:
        return memory
    spoken = f"{memory.speaker}: " if memory.speaker else ""
    places = places_of(spoken + memory.text, chunk)
    if not places:
        return memory
    shares = _word_shares(memory.text, weights, [(start - len(spoken), end - len(spoken)) for start, end in places])
    best = max(range(len(places)), key=lambda n: (near.get(n, 0.0) + shares[n], -n))
    first, last = _widened(places, best)
    start, end = max(0, places[first][0] - len(spoken)), places[last][1] - len(spoken)
    sources = memory.sources
    if len(sources) == 1 and sources[0].id == memory.id:
        sources = (replace(sources[0], quote=memory.text[start:end], start=start, end=end),)
    return replace(memory, passage=(start, end), sources=sources)


def _word_shares(text: str, weights: Mapping[str, float], places: Sequence[tuple[int, int]]) -> list[float]:
    """Return which share of the query's words, by weight, stands in each chunk; a stem stands where its word does."""
    shares, total, said = [0.0] * len(places), sum(weights.values()), text.lower()
    for word, weight in weights.items():
        for n in _chunks_with(said, word, places):
            shares[n] += weight / total
    return shares


def _chunks_with(text: str, word: str, places: Sequence[tuple[int, int]]) -> set[int]:
    found, n, at = set[int](), 0, text.find(word)
    for _ in range(MOST_FOUND):
        if at < 0:
            break
        while n < len(places) - 1 and places[n][1] < at + len(word):
            n += 1
        found |= {each for each in (n, n + 1) if each < len(places) and places[each][0] <= at < places[each][1]}
        at = text.find(word, at + 1)
    return found


def _widened(places: Sequence[tuple[int, int]], best: int) -> tuple[int, int]:
    """Return the first and last of the chunks around the best one that there is room for, evenly on both sides."""
    first = last = best
    while True:
        before = first > 0 and places[last][1] - places[first - 1][0] <= ROOM
        first -= before
        after = last < len(places) - 1 and places[last + 1][1] - places[first][0] <= ROOM
        last += after
        if not (before or after):
            return first, last
