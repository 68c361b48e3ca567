"""The memory block without a model: the memories' own words, cut to what fits the question and the budget."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType

from hippograph.memory.sentences import sentences
from hippograph.memory.tokens import words
from hippograph.state import Recollection
from hippograph.state.turn import Block, Writer, no_block

Count = Callable[[str], int]
"""Tokens of a text."""

WHO = {"zh": {"user": "用户", "assistant": "助手"}, "en": {"user": "user", "assistant": "assistant"}}
HELD = {
    "zh": {"until": "到 {} 为止", "since": "从 {} 起", "over": "已过时", "partly": "部分已过时", "before": "此前：{}"},
    "en": {
        "until": "until {}",
        "since": "since {}",
        "over": "out of date",
        "partly": "partly out of date",
        "before": "before: {}",
    },
}
"""How a note says when what it tells was so."""
NOTHING: Mapping[str, str] = MappingProxyType({})
TOPIC = 40
"""Characters that a line's label tells of a document's name and headings."""
LABEL_TOKENS = 18
"""About what a line's number, date and speaker cost."""
SHARE = 3
"""A memory that takes more than this fraction (1/SHARE) of the budget is cut to its best sentences."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One memory as the small model sees it."""

    memory: Recollection
    text: str
    """The memory's own words, whole or cut."""
    before: str = ""
    """The value that held before what it tells; empty where that does not matter."""

    def show(self, number: int, language: str) -> str:
        """Return the line under its number: `[2] (2025-11-10, user) I am allergic to lychee.`."""
        who = self.memory.speaker or WHO[language].get(self.memory.role, "") or _document(self.memory)
        before = HELD[language]["before"].format(flat(self.before)) if self.before else ""
        parts = (shown(self.memory.said_at), who, held(self.memory, language, changed=bool(before)), before)
        label = ", ".join(part for part in parts if part)
        return f"[{number}] ({label}) {self.text}"


def _document(memory: Recollection) -> str:
    """Return which document a piece is of."""
    topic = flat(memory.topic) if memory.kind == "document" else ""
    return topic if len(topic) <= TOPIC else f"{topic[:TOPIC]}…"


def held(memory: Recollection, language: str, *, changed: bool = False) -> str:
    """Return when what a memory says was so, where that is not just since it was said; else nothing.

    Of what has `changed`, since when it holds is said in any case.

    Small models do not tell the older of two dates: what is out of date says so itself.
    """
    words = HELD[language]
    if memory.kind == "turn" and memory.status == "current":
        return words["partly"] if memory.superseded_by else ""
    if memory.valid_until is not None or memory.status == "superseded":
        until = memory.valid_until
        return words["until"].format(shown(until.astimezone(memory.said_at.tzinfo))) if until else words["over"]
    since = memory.valid_from
    if memory.kind == "turn" or not memory.attribute or since is None:
        return ""
    day = shown(since.astimezone(memory.said_at.tzinfo))
    return "" if day == shown(memory.said_at) and not changed else words["since"].format(day)


def shown(moment: datetime) -> str:
    """Return the day of a moment as notes show it."""
    return f"{moment:%Y-%m-%d}"


def extract(
    memories: Sequence[Recollection],
    question: str,
    budget: int,
    count: Count,
    language: str,
    before: Mapping[str, str] = NOTHING,
) -> Block:
    """Return the block of the best memories that fit, oldest first.

    Args:
        memories: Best first.
        question: Decides which sentences of a long memory stay.
        budget: Most tokens of the block.
        count: Counts the small model's tokens.
        language: "zh" or "en", for who said it.
        before: By a memory's id, the value that held before what it tells.
    """
    lines: list[Line] = []
    spent = 0
    for memory in memories:
        line = _fitting(memory, question, budget - spent, budget, count, language, before.get(memory.id, ""))
        if line is not None:
            lines.append(line)
            spent += count(line.show(len(lines), language)) + 1
    block = as_block(in_order(lines), count, language)
    while lines and block["tokens"] > budget:  # Joined lines may count for a token more than one by one.
        lines.pop()
        block = as_block(in_order(lines), count, language)
    return block


def as_block(lines: Sequence[Line], count: Count, language: str) -> Block:
    """Number the lines and join them."""
    text = "\n".join(line.show(number, language) for number, line in enumerate(lines, start=1))
    cited = [line.memory.id for line in lines]
    by: Writer = "extract" if lines else "none"
    return Block(**{**no_block(), "text": text, "tokens": count(text), "cited": cited, "by": by})


def quote(memories: Sequence[Recollection], count: Count, language: str, before: Mapping[str, str] = NOTHING) -> Block:
    """Return the block of all these memories, uncut, oldest first, whatever it costs."""
    lines = [Line(memory=each, text=flat(each.text), before=before.get(each.id, "")) for each in memories]
    return as_block(in_order(lines), count, language)


def needed(memories: Sequence[Recollection]) -> int:
    """Return the tokens that all memories take uncut, by estimate."""
    from hippograph.models import estimate

    return sum(estimate(each.text) + LABEL_TOKENS + estimate(held(each, "zh")) for each in memories)


def in_order(lines: Sequence[Line]) -> list[Line]:
    """Return lines oldest first."""
    return sorted(lines, key=lambda line: (line.memory.said_at, line.memory.position))


def best_sentences(text: str, question: str, room: int, count: Count) -> str:
    """Return the sentences that share most words with the question, in their order, within a number of tokens.

    Left-out stretches show as "…". A single sentence that is too long itself is cut off. Empty where nothing fits.
    """
    pieces = sentences(text)
    asked = set(words(question))
    shared = [len(asked & set(words(piece))) for piece in pieces]
    kept: set[int] = set()
    for index in sorted(range(len(pieces)), key=lambda index: (-shared[index], index)):
        if kept and not shared[index]:
            break
        if count(_joined(pieces, kept | {index})) <= room:
            kept.add(index)
        elif not kept:
            return cut(pieces[index], room, count)
    return _joined(pieces, kept)


def cut(text: str, room: int, count: Count) -> str:
    """Return the longest beginning of a text within a number of tokens, with "…" where something is missing."""
    if surely_fits(text, room) or count(text) <= room:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if count(text[:middle] + "…") <= room else (low, middle - 1)
    return text[:low].rstrip() + "…" if low else ""


def surely_fits(text: str, room: int) -> bool:
    """Tell without counting whether a text has no more tokens than `room`: each stands for at least one byte."""
    return len(text.encode("utf-8", "replace")) <= room


def flat(text: str) -> str:
    """Return a text on one line, so that nothing in it looks like a line of the block."""
    return " ".join(text.split())


def _fitting(
    memory: Recollection, question: str, room: int, budget: int, count: Count, language: str, before: str
) -> Line | None:
    """Return the memory's line, whole or cut, or None where not even a part fits."""
    whole = Line(memory=memory, text=flat(memory.text), before=before)
    label = count(replace(whole, text="").show(1, language)) + 2
    cost = count(whole.show(1, language)) + 1
    share = max(budget // SHARE, 2 * label)
    if cost <= min(room, share):
        return whole
    text = best_sentences(whole.text, question, min(room, share) - label, count)
    return replace(whole, text=text) if len(text) > 1 else None


def _joined(pieces: Sequence[str], kept: set[int]) -> str:
    parts: list[str] = []
    for index, piece in enumerate(pieces):
        if index in kept:
            parts.append(piece)
        elif not parts or parts[-1] != "…":
            parts.append("…")
    return " ".join(parts) if kept else ""
