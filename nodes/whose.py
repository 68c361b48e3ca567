"""Whose affair a note tells: a question about one person is not answered by what another says of themselves.

A small model does not notice: asked why Ann runs, it answers from "I run to clear my head", which Bo said to Ann.

Measured on LoCoMo (5 conversations, n = 649; retrieval as it is, no model): of the questions whose answer is another
person's, 53 % are noticed, of the others 3 % are taken for such.
"""

import re
from collections.abc import Iterator, Sequence

from hippograph.memory.sentences import sentences
from hippograph.memory.tokens import is_common, words
from hippograph.state import Recollection

Told = tuple[str, set[str]]
"""A sentence, and whom it tells of."""
LOOKED_AT = 5
"""Memories that are weighed, the best."""
CLEAR = 0.05
"""How far a memory of the one named must score above all others to be taken for the answer whatever its words."""

_ASKS = re.compile(r"[?？][\s)\]\"'”’）】]*$|[吗呢][。.!！\s]*$")
_FIRST = re.compile(
    r"\b(?:i|me|my|mine|myself|we|us|our|ours|i['’](?:m|ve|d|ll)|we['’](?:re|ve|d|ll))\b|我|咱|俺|本人", re.IGNORECASE
)
_ELLIPTIC = re.compile(
    r"^\W*(?:(?:oh|yeah|yes|yep|no|nope|well|actually|thanks|thank you)\W+)*"
    r"(?:just|had|got|been|went|took|made|started|still|hanging|gonna|can't|couldn't|haven't|hope)\b",
    re.IGNORECASE,
)
"""A sentence whose "I" goes without saying."""
_SECOND = re.compile(r"\b(?:you|your|yours|yourself|you['’](?:re|ve|d|ll))\b|你|您", re.IGNORECASE)
_OF_YOURS = re.compile(
    r"\bi(?:['’]m| am) (?:so |really )?(?:glad|happy|proud|sorry|excited|jealous|impressed)\b[^.!]*"
    r"\b(?:you|your|to hear|for you)|\bi (?:love|like) (?:that|your|the|how|this)\b|"
    r"\bi (?:bet|hope|wish you|admire|know|can (?:see|imagine|tell))\b|"
    r"\b(?:tell me|let me know|let['’]s|i['’]d love to (?:hear|see|try|check))|"
    r"我(?:真|很|也|太)?(?:为|替)你|我(?:很|真)?(?:羡慕|佩服|喜欢)你|我(?:觉得|相信|猜|希望|看)你|告诉我|跟我说",
    re.IGNORECASE,
)
"""A first person that tells of the one spoken to all the same."""
_REACTION = re.compile(
    r"^\W*(?:wow|that['’]?s|sounds|congrats|congratulations|nice|cool|great|awesome|amazing|glad|aw+|"
    r"so (?:cool|sweet|glad|proud)|thanks|looks?|love that)\b|"
    r"^\W*(?:哇|太[好棒]了|真[好棒不]|恭喜|听起来|好的|谢谢|厉害)",
    re.IGNORECASE,
)


def of_others(question: str, memories: Sequence[Recollection]) -> bool:
    """Tell whether what was found bears on a question as told of others, more than as told of the one it names.

    Args:
        question: What is asked; where it names none of those who speak, or several, nothing is told.
        memories: Best first.
    """
    looked = memories[:LOOKED_AT]
    speakers = {each.speaker for each in looked if each.speaker}
    named = [each for each in speakers if _names(question, each)]
    if len(named) != 1:
        return False
    asked = _telling(question) - {word for each in speakers for word in _telling(each)}
    told = [[*_told(each, speakers)] for each in looked]
    shared = [_shared(each, named[0], asked) for each in told]
    less = max(others for _, others in shared) > max(own for own, _ in shared)
    return less and _lead(looked, told, named[0]) < CLEAR


def _lead(memories: Sequence[Recollection], told: Sequence[Sequence[Told]], named: str) -> float:
    """Return how far the best memory that tells of the one named scores above the best that tells of others only."""
    own, others = [0.0], [0.0]
    for memory, pieces in zip(memories, told, strict=True):
        people = set[str]().union(*(whom for _, whom in pieces))
        (own if named in people else others).append(memory.score if people else 0.0)
    return max(own) - max(others)


def _shared(told: Sequence[Told], named: str, asked: set[str]) -> tuple[int, int]:
    """Return how many of the words asked for a memory tells of the one named, and of somebody else."""
    shared: dict[bool, set[str]] = {True: set(), False: set()}
    for sentence, people in told:
        words_in = asked & _telling(sentence)
        if named in people:
            shared[True] |= words_in
        if people - {named}:
            shared[False] |= words_in
    return len(shared[True]), len(shared[False])


def _told(memory: Recollection, speakers: set[str]) -> Iterator[Told]:
    """Return each sentence of a memory and whom it tells of; a question tells of nobody."""
    pieces, others = sentences(memory.text), speakers - {memory.speaker} or {""}
    speaks_of_self = any(_of_self(piece) and not _ASKS.search(piece) for piece in pieces)
    before: set[str] | None = None
    for piece in pieces:
        if _ASKS.search(piece):
            yield piece, set()
            continue
        people = {each for each in speakers - {memory.speaker} if _names(piece, each) and not _called(piece, each)}
        if _of_self(piece):
            people.add(memory.speaker)
        if _SECOND.search(piece):
            people |= others
        if not people:
            people = before or ({memory.speaker} if speaks_of_self and not _REACTION.match(piece) else others)
        before = people
        yield piece, people


def _of_self(sentence: str) -> bool:
    return bool(_FIRST.search(sentence) or _ELLIPTIC.match(sentence)) and not _OF_YOURS.search(sentence)


def _names(text: str, name: str) -> bool:
    return re.search(rf"(?<![A-Za-z]){re.escape(name)}(?![A-Za-z])", text) is not None


def _called(sentence: str, name: str) -> bool:
    """Tell whether a name only says who is spoken to: "Thanks, Ann!", "Hey Ann, …"."""
    called = re.escape(name)
    return re.search(rf"^(?:\W*\w+\W+){{0,3}}{called}\W*[!,.，！。]|[,，]\s*{called}\W*$", sentence) is not None


def _telling(text: str) -> set[str]:
    return {word for word in words(text) if not is_common(word)}
