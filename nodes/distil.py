"""The memory block by the big model: bullets with sources, each checked before it is used."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.runnables import RunnableConfig

from hippograph.nodes import prompts
from hippograph.nodes.extract import Count, Line, best_sentences, cut, flat
from hippograph.nodes.verify import supported
from hippograph.state import ModelError, Recollection
from hippograph.state.conversation import Block, Call

if TYPE_CHECKING:
    from hippograph.models import ChatModel

MOST_BULLETS = 10
BULLET_CHARACTERS = 240
REPLY_TOKENS = 900
"""What the reply may take of the big model's window."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Bullet:
    """One sentence of the big model and the memories it names."""

    text: str
    sources: tuple[Recollection, ...]


def distil(
    big: "ChatModel",
    memories: Sequence[Recollection],
    question: str,
    budget: int,
    count: Count,
    language: str,
    spent: list[Call],
) -> Block:
    """Return the big model's block within a budget; what its call cost is added to `spent`, also where it fails.

    Raises:
        ModelError: The call failed, or the reply cannot be read or holds nothing usable.
    """
    checked = _noted(big, memories, question, count, language, spent)
    block = _block([bullet for bullet, _ in checked if bullet], budget, count, language)
    if not block["text"]:
        raise ModelError(f"{big.spec} distilled nothing usable")
    return Block(**{**block, "unsupported": sum(not as_written for _, as_written in checked)})


def bullets(
    big: "ChatModel",
    memories: Sequence[Recollection],
    question: str,
    count: Count,
    language: str,
    spent: list[Call],
) -> list[Bullet]:
    """Return what the big model notes of memories, each sentence borne out by the memories it names.

    What the call cost is added to `spent`, also where it fails.

    Raises:
        ModelError: The call failed.
    """
    checked = _noted(big, memories, question, count, language, spent)
    return [bullet for bullet, _ in checked if bullet]


def _noted(
    big: "ChatModel",
    memories: Sequence[Recollection],
    question: str,
    count: Count,
    language: str,
    spent: list[Call],
) -> list[tuple[Bullet | None, bool]]:
    """Return the big model's bullets, checked."""
    shown, prompt = _prompt(big, memories, question, language)
    reply = _call(big, prompt, spent)
    return [_checked(each, question, count) for each in _bullets(reply, shown)]


def _prompt(
    big: "ChatModel", memories: Sequence[Recollection], question: str, language: str
) -> tuple[list[Recollection], list[BaseMessage]]:
    """Return the memories that fit the big model's window, oldest first, and the prompt that shows them."""
    example_in, example_out = prompts.load("distil_example", language).split("\n---\n")
    head = [SystemMessage(prompts.load("distil", language)), HumanMessage(example_in), AIMessage(example_out)]
    room = big.window - REPLY_TOKENS - big.counter.messages([*head, HumanMessage(question)])
    kept: list[Line] = []
    for memory in memories:
        line = Line(memory=memory, text=cut(flat(memory.text), max(room // 4, 0), big.counter.text))
        cost = big.counter.text(line.show(99, language)) + 1
        if cost <= room and line.text:
            room -= cost
            kept.append(line)
    kept.sort(key=lambda line: (line.memory.said_at, line.memory.position))
    evidence = "\n".join(line.show(number, language) for number, line in enumerate(kept, start=1))
    body = prompts.load("distil_question", language).format(evidence=evidence, question=question)
    return [line.memory for line in kept], [*head, HumanMessage(body)]


def _call(big: "ChatModel", prompt: list[BaseMessage], spent: list[Call]) -> object:
    from hippograph.models import explain, failed, spending

    began = perf_counter()
    try:
        structured = big.model.with_structured_output(SCHEMA, method="json_schema", include_raw=True)
        answer = structured.invoke(prompt, UNSTREAMED)
    except Exception as error:  # whatever a provider raises, this turn goes on without it
        spent.append(failed("big", big, began))
        raise explain(error, big.spec) from error
    raw = answer["raw"] if isinstance(answer, dict) else None
    parsed = answer.get("parsed") if isinstance(answer, dict) else answer
    said = raw if isinstance(raw, AIMessage) else AIMessage("")
    spent.append(spending("big", big, said, prompt, began))
    return parsed if parsed is not None else _json(str(said.text))


def _json(text: str) -> object:
    try:
        return json.loads(text[text.find("{") : text.rfind("}") + 1])
    except ValueError:
        return None


def _bullets(reply: object, shown: Sequence[Recollection]) -> list[Bullet]:
    """Read the reply; what has not the schema's form is left out."""
    entries = reply.get("bullets") if isinstance(reply, dict) else None
    found = []
    for entry in entries[:MOST_BULLETS] if isinstance(entries, list) else []:
        if not isinstance(entry, dict) or not isinstance(entry.get("text"), str) or not entry["text"].strip():
            continue
        sources = entry.get("sources")
        numbers: list[Any] = sources if isinstance(sources, list) else []
        valid = [number for number in dict.fromkeys(numbers) if type(number) is int and 1 <= number <= len(shown)]
        found.append(Bullet(text=flat(entry["text"])[:BULLET_CHARACTERS], sources=tuple(shown[n - 1] for n in valid)))
    return found


def _checked(bullet: Bullet, question: str, count: Count) -> tuple[Bullet | None, bool]:
    """Return the bullet as written if its sources bear it out, else in the first one's words, or None without any."""
    if supported(bullet.text, bullet.sources):
        return bullet, True
    if not bullet.sources:
        return None, False
    source = bullet.sources[0]
    own_words = best_sentences(flat(source.text), f"{question} {bullet.text}", max(2 * count(bullet.text), 30), count)
    return (replace(bullet, text=own_words, sources=(source,)) if own_words else None), False


def _block(bullets: Sequence[Bullet], budget: int, count: Count, language: str) -> Block:
    """Number and join the bullets that fit; each shows the day of its latest source."""
    lines: list[str] = []
    cited: list[str] = []
    seen: set[str] = set()
    for bullet in bullets:
        latest = max(bullet.sources, key=lambda source: source.said_at)
        line = Line(memory=latest, text=bullet.text).show(len(lines) + 1, language)
        if bullet.text in seen or count("\n".join([*lines, line])) > budget:
            continue
        seen.add(bullet.text)
        lines.append(line)
        cited.append(latest.id)
    text = "\n".join(lines)
    return Block(text=text, tokens=count(text), cited=cited, by="big" if lines else "none", unsupported=0)
