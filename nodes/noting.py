"""Ask a model for notes on memories: prompts that fit its window, one more try where a reply cannot be read."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.runnables import RunnableConfig

from hippograph.memory.sentences import sentences
from hippograph.nodes import prompts
from hippograph.nodes.extract import NOTHING, Count, Line, cut, flat, in_order
from hippograph.nodes.reply import Entry, read
from hippograph.state import ModelError, PromptTooLong, Recollection
from hippograph.state.turn import Call, Role

if TYPE_CHECKING:
    from hippograph.models import ChatModel

MOST_BULLETS = 10
BULLET_CHARACTERS = 240
MOST_CHUNKS = 4
"""Most prompts that the evidence of one question is shown in."""
LEAST_ROOM = 80
"""Tokens that memories must have in a prompt; where the example leaves fewer, it goes."""
SCHEMA: dict[str, Any] = {
    "title": "Notes",
    "description": "What the memories say about the question.",
    "type": "object",
    "properties": {
        "bullets": {
            "type": "array",
            "maxItems": MOST_BULLETS,
            "items": {
                "type": "object",
                "properties": {
                    "text": {"type": "string", "maxLength": BULLET_CHARACTERS},
                    "sources": {"type": "array", "items": {"type": "integer"}, "maxItems": 4},
                },
                "required": ["text", "sources"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["bullets"],
    "additionalProperties": False,
}
UNSTREAMED = RunnableConfig(callbacks=[], tags=["nostream"], run_name="distil")
"""Without the graph's callbacks the reply comes in one piece, and none of it among the answer's tokens."""

Limit = Callable[[Callable[[], object]], object]
"""Makes a call, within whatever time it may take."""


def unlimited(call: Callable[[], object]) -> object:
    """Make a call, however long it takes."""
    return call()


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """On what terms a model is called."""

    role: Role = "big"
    """What it is called as."""
    limit: Limit = unlimited
    spent: list[Call] = field(default_factory=list)
    """Where each call is put down, also one that failed."""
    prompt: str = ""
    """What it is told to do; empty: the project's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """What a model noted, unchecked."""

    entries: tuple[Entry, ...]
    shown: tuple[Recollection, ...]
    """The memories it saw; number n is the n-th of them."""
    degraded: tuple[str, ...] = ()


def note(
    big: "ChatModel",
    memories: Sequence[Recollection],
    question: str,
    language: str,
    terms: Terms,
    before: Mapping[str, str] = NOTHING,
) -> Noted:
    """Return what a model notes of memories about a question.

    Evidence that is larger than a prompt is shown in several; a window that turns out smaller than thought is halved.

    Args:
        big: The model.
        memories: Best first; where not even several prompts hold them, the last ones are left out.
        question: What the notes are for.
        language: Of the prompts, "zh" or "en".
        terms: Of each call.
        before: By a memory's id, the value that held before what it tells.

    Raises:
        ModelError: A call failed, or its reply cannot be read.
    """
    try:
        return _note(big, memories, question, language, terms, before)
    except PromptTooLong:
        return _note(replace(big, window=big.window // 2), memories, question, language, terms, before)


def cost(memories: Sequence[Recollection], question: str, language: str) -> int:
    """Return about what noting would cost, in tokens: prompt and reply."""
    from hippograph.models import estimate
    from hippograph.models.budgets import ANSWER

    fixed = [prompts.load("distil", language), prompts.load("distil_example", language), question]
    read_ = sum(estimate(text) for text in (*fixed, *(each.text for each in memories)))
    return read_ + min(ANSWER["big"], sum(estimate(each.text) for each in memories) // 2)


def _note(
    big: "ChatModel",
    memories: Sequence[Recollection],
    question: str,
    language: str,
    terms: Terms,
    before: Mapping[str, str],
) -> Noted:
    head, room = _head(big, question, language, terms.prompt)
    lines, left_out = _lines(big, memories, room, language, before)
    shown = {line.memory.id: line.memory for line in lines}
    numbered = {id_: number for number, id_ in enumerate(shown, start=1)}
    entries: list[Entry] = []
    degraded = [f"{left_out} of {len(memories)} memories are too long to be read"] if left_out else []
    for chunk in _chunks(lines, room, big.counter.text, language):
        evidence = "\n".join(line.show(numbered[line.memory.id], language) for line in chunk)
        body = prompts.load("distil_question", language).format(evidence=evidence, question=question)
        found, amiss = _asked(big, [*head, HumanMessage(body)], language, terms)
        entries += found
        degraded += amiss
    return Noted(entries=tuple(entries), shown=tuple(shown.values()), degraded=tuple(degraded))


def _head(big: "ChatModel", question: str, language: str, prompt: str) -> tuple[list[BaseMessage], int]:
    """Return what stands before the memories, and the tokens that are left for them."""
    shown, noted = prompts.parts("distil_example", language)
    head: list[BaseMessage] = [
        SystemMessage(prompt or prompts.load("distil", language)),
        HumanMessage(shown),
        AIMessage(noted),
    ]
    reply = min(big.reserved, big.window // 2)
    while (room := big.window - reply - big.counter.messages([*head, HumanMessage(question)])) < LEAST_ROOM:
        if len(head) == 1:
            raise PromptTooLong(
                f"The window of {big.spec} ({big.window} tokens) holds no memories beside the question."
            )
        head = head[:1]
    return head, room


def _lines(
    big: "ChatModel", memories: Sequence[Recollection], room: int, language: str, before: Mapping[str, str]
) -> tuple[list[Line], int]:
    """Return the memories that all prompts together hold, oldest first, long ones in parts; and how many they do not.

    Each prompt is counted for a part less than it holds: what is packed leaves room at the ends.
    """
    count = big.counter.text
    left, kept, out = MOST_CHUNKS * room, list[Line](), 0
    for memory in memories:
        old = before.get(memory.id, "")
        lines = [Line(memory=memory, text=part, before=old) for part in _parts(flat(memory.text), room // 2, count)]
        spent = sum(count(line.show(99, language)) + 1 for line in lines)
        if spent > left:
            out += 1
            continue
        left -= spent + (room // 8 if spent > room // 2 else 0)
        kept += lines
    return in_order(kept), out


def _parts(text: str, most: int, count: Count) -> Iterator[str]:
    """Yield a text in parts of whole sentences, each within a number of tokens; a longer sentence is cut off."""
    part = ""
    for sentence in sentences(text) if count(text) > most else [text]:
        longer = f"{part} {sentence}".strip()
        if count(longer) > most and part:
            yield part
            longer = sentence
        part = cut(longer, most, count)
    if part:
        yield part


def _chunks(lines: Sequence[Line], room: int, count: Count, language: str) -> list[list[Line]]:
    chunks: list[list[Line]] = []
    left = 0
    for line in lines:
        spent = count(line.show(99, language)) + 1
        if spent > left:
            if len(chunks) == MOST_CHUNKS:
                break
            chunks.append([])
            left = room
        chunks[-1].append(line)
        left -= spent
    return chunks


def _asked(
    big: "ChatModel", prompt: list[BaseMessage], language: str, terms: Terms
) -> tuple[tuple[Entry, ...], list[str]]:
    """Ask under the schema; repair what comes; ask once more. Return the bullets, and what was amiss."""
    answer, why = _answer(big, prompt, terms, structured=True)
    found = read(answer)
    if found is not None:
        return found.entries[:MOST_BULLETS], [f"the reply of {big.spec} was repaired"] if found.repaired else []
    again = [*prompt, HumanMessage(prompts.load("distil_again", language))]
    answer, failure = _answer(big, again, terms, structured=False)
    found = read(answer)
    if found is None:
        raise ModelError(f"{big.spec} gave nothing readable twice{failure or why}")
    return found.entries[:MOST_BULLETS], [f"{big.spec} was asked twice"]


def _answer(big: "ChatModel", prompt: list[BaseMessage], terms: Terms, *, structured: bool) -> tuple[object, str]:
    """Return the reply, parsed or as text, and what went wrong; raise where the model is out of reach."""
    from hippograph.memory.extraction.reply import cut_off
    from hippograph.memory.work.outage import AWAY
    from hippograph.models import Interrupted, explain, failed, said, spending

    def call() -> object:
        if not structured:
            return big.model.invoke(prompt, UNSTREAMED)
        return big.model.with_structured_output(SCHEMA, method="json_schema", include_raw=True).invoke(
            prompt, UNSTREAMED
        )

    began = perf_counter()
    try:
        given = terms.limit(call)
    except Exception as error:  # whatever a provider raises: it is out of reach, or its reply unreadable
        if (text := cut_off(error)) is not None:
            terms.spent.append(spending(terms.role, big, AIMessage(text), prompt, began))
            return text, ""
        terms.spent.append(failed(terms.role, big, began))
        if isinstance(error, Interrupted):
            raise
        told = explain(error, big.spec)
        if isinstance(told, (*AWAY, PromptTooLong)):
            raise told from (None if told is error else error)
        return None, f" ({told})"
    reply = said(given)
    parsed = given.get("parsed") if isinstance(given, dict) else None
    terms.spent.append(spending(terms.role, big, reply, prompt, began))
    return (str(reply.text) if parsed is None else parsed), ""
