"""The small model's prompt under a hard token budget.

What gives way first: the summary, then older turns, then worked examples, then the weakest memories, then the middle
of the question itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import TYPE_CHECKING

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from hippograph.nodes import prompts, wording
from hippograph.nodes.extract import Count, cut, surely_fits
from hippograph.nodes.rolling import fold, parts, within
from hippograph.nodes.turns import words_of
from hippograph.state import BadInput

if TYPE_CHECKING:
    from hippograph.models import TokenCounter

OVERHEAD = 6
"""Tokens that one more message costs beside its text, counted generously; the finished prompt is counted exactly."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """What a prompt is made of."""

    form: wording.Form
    language: str
    now: datetime
    own: str
    """The caller's system prompt; empty for the project's own."""
    question: str
    notes: Sequence[str]
    """The block's lines, in their order."""
    strength: Sequence[int]
    """Rank of each line's memory; the highest gives way first."""
    summary: str
    history: Sequence[Sequence[BaseMessage]]
    """The last turns, oldest first."""
    topics: str = ""
    """What the thread is about beside that; empty where it is not to be shown."""
    more: str = ""
    """The line that names what else memory holds, behind the notes; empty: it is not shown."""
    rule: str = ""
    """The caller's rule that goes with the notes; empty for the project's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A prompt that fits."""

    messages: list[BaseMessage]
    tokens: int
    kept: list[int]
    """Which lines of the notes are in it."""
    degraded: list[str]


def assemble(material: Material, counter: "TokenCounter", room: int) -> Prompt:
    """Return the prompt that keeps most of the material within `room` tokens.

    Raises:
        BadInput: The caller's own prompts take more than half of the room.
    """
    own = {"system_prompt": material.own, "notes_prompt": material.rule}
    if (taken := sum(counter.text(each) for each in own.values() if each)) > room // 2:
        named = " and ".join(name for name, each in own.items() if each)
        raise BadInput(
            f"{named} take{'' if all(own.values()) else 's'} {taken} of the {room} tokens a prompt may have here: "
            "shorten to less than half, or raise context_tokens."
        )
    question = shorten(material.question, room * 3 // 5, counter.text, material.language)
    kept = list(range(len(material.notes)))
    shots = wording.examples(material.form, material.language)
    while (cost := counter.messages(fixed := _fixed(material, shots, question, kept))) > room:
        if shots:
            shots = []
        elif kept:
            kept.remove(max(kept, key=lambda index: material.strength[index]))
        elif len(question) > 1:
            over = cost - room
            smaller = shorten(question, counter.text(question) - over - 1, counter.text, material.language)
            question = smaller if len(smaller) < len(question) else question[: len(question) // 2]
        else:
            break
    turns = _history(material.history, room, room - cost, counter.text)
    messages = fixed
    while turns and (larger := counter.messages(longer := [*fixed[:-1], *chain(*turns), fixed[-1]])) > room:
        turns = turns[1:]
    if turns:
        messages, cost = longer, larger
    dropped = material.history[: len(material.history) - len(turns)]
    earlier = fold(material.summary, dropped) if dropped else material.summary
    messages, cost, told = _with_summary(messages, cost, earlier, material.language, counter, room)
    messages, cost = _with_topics(messages, cost, material, counter, room)
    lost = _lost(material, question, kept, len(turns), told or not earlier)
    return Prompt(messages=messages, tokens=cost, kept=kept, degraded=lost)


def shorten(text: str, room: int, count: Count, language: str) -> str:
    """Return a text within a number of tokens: beginning and end stay, a notice stands for the middle."""
    if surely_fits(text, room) or count(text) <= room:
        return text
    notice = prompts.load("shortened", language)
    half = max(0, (room - count(notice) - 2) // 2)
    beginning = cut(text[: half * 8], half, count).removesuffix("…")
    end = cut(text[::-1][: half * 8], half, count).removesuffix("…")[::-1]
    return f"{beginning}\n{notice}\n{end}"


def _fixed(material: Material, shots: list[BaseMessage], question: str, kept: Sequence[int]) -> list[BaseMessage]:
    more = [material.more] if material.more and kept else []
    notes = "\n".join([*(material.notes[index] for index in kept), *more])
    form: wording.Form = "plain" if material.form in ("notes", "doubt") and not kept else material.form
    return [
        SystemMessage(wording.system(form, material.language, material.now, material.own, notes, material.rule)),
        *(shots if form == material.form else []),
        HumanMessage(wording.body(form, material.language, notes, question)),
    ]


def _history(turns: Sequence[Sequence[BaseMessage]], room: int, left: int, count: Count) -> list[list[BaseMessage]]:
    """Return the last turns that fit, none in part; of a very long message only the beginning."""
    kept: list[list[BaseMessage]] = []
    for turn in reversed(turns):
        said = [_plain(each, cut(words_of(each), room // 4, count)) for each in turn]
        cost = sum(count(str(each.text)) + OVERHEAD for each in said)
        if cost > left:
            break
        left -= cost
        kept = [said, *kept]
    return kept


def _plain(message: BaseMessage, text: str) -> BaseMessage:
    return AIMessage(text) if message.type == "ai" else HumanMessage(text)


def _with_summary(
    messages: list[BaseMessage], cost: int, summary: str, language: str, counter: "TokenCounter", room: int
) -> tuple[list[BaseMessage], int, bool]:
    """Add the lines of the rolling summary that matter most and fit to the system prompt; tell whether any did."""
    gone, lines = parts(summary)
    left = room - cost
    while summary and left > 0:
        candidate = _added(messages, prompts.load("summary", language).format(summary=summary))
        if (larger := counter.messages(candidate)) <= room:
            return candidate, larger, True
        left = left * 3 // 4
        summary = within(lines, gone, left)
    return messages, cost, False


def _with_topics(
    messages: list[BaseMessage], cost: int, material: Material, counter: "TokenCounter", room: int
) -> tuple[list[BaseMessage], int]:
    """Add what the thread is about to the system prompt, if that fits."""
    if not material.topics:
        return messages, cost
    candidate = _added(messages, prompts.load("topics", material.language).format(topics=material.topics))
    larger = counter.messages(candidate)
    return (candidate, larger) if larger <= room else (messages, cost)


def _added(messages: list[BaseMessage], text: str) -> list[BaseMessage]:
    return [SystemMessage(f"{messages[0].text}\n\n{text}"), *messages[1:]]


def _lost(material: Material, question: str, kept: Sequence[int], turns: int, told: bool) -> list[str]:
    lost = []
    if question != material.question:
        lost.append("respond: the message is longer than the model's window; its middle was left out")
    if len(kept) < len(material.notes):
        lost.append(
            f"respond: {len(material.notes) - len(kept)} of {len(material.notes)} memories did not fit the window"
        )
    if turns < (last := len(material.history)):
        where = "the summary tells them in short" if told else "nor did the summary"
        lost.append(f"respond: {last - turns} of the last {last} turns did not fit the window; {where}")
    elif not told:
        lost.append("respond: the summary of earlier turns did not fit the window")
    return lost
