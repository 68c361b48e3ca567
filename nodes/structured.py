"""The answer as {answer, memories, confidence}, filled in by the model under a JSON schema."""

import json
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any, get_args

from langchain_core.messages import AIMessage, BaseMessage, SystemMessage
from langchain_core.runnables import RunnableConfig

from hippograph.nodes import prompts
from hippograph.state import ModelError
from hippograph.state.turn import Call, Level, Structured

if TYPE_CHECKING:
    from hippograph.models import ChatModel

TRIES = 2
MOST_CHARACTERS = 1200
"""Longest answer; less where the model's answers are shorter: the JSON must come to its end."""
MOST_MEMORIES = 8
_UNSTREAMED = RunnableConfig(callbacks=[], tags=["nostream"], run_name="structured")
"""Without the graph's callbacks the braces of the reply are no part of the answer's stream."""


def schema(answer_tokens: int) -> dict[str, Any]:
    """Return the JSON schema, for answers of so many tokens: a Chinese character takes most of one."""
    numbers = {"type": "array", "items": {"type": "integer"}, "maxItems": MOST_MEMORIES}
    return {
        "title": "Answer",
        "description": "The answer, the numbers of the notes it rests on, and how sure it is.",
        "type": "object",
        "properties": {
            "answer": {"type": "string", "maxLength": min(MOST_CHARACTERS, answer_tokens)},
            "memories": numbers,
            "confidence": {"type": "string", "enum": [*get_args(Level)]},
        },
        "required": ["answer", "memories", "confidence"],
        "additionalProperties": False,
    }


def fill(
    small: "ChatModel",
    prompt: Sequence[BaseMessage],
    cited: Sequence[str],
    answer_tokens: int,
    language: str,
    spent: list[Call],
    stopping: Callable[[], bool],
) -> tuple[Structured, AIMessage]:
    """Have the model fill the schema in, twice at most.

    Args:
        small: The model.
        prompt: As for a plain answer.
        cited: Ids of the memories behind the notes' numbers; numbers of none are left out.
        answer_tokens: Most tokens of one answer.
        language: "zh" or "en".
        spent: Where each call is put down, also one that failed.
        stopping: Tells whether the answer is to end early.

    Returns:
        What it filled in, and the reply itself with its usage.

    Raises:
        Interrupted: It was told to stop.
        ModelError: It gave nothing usable, or cannot be used.
    """
    asked = _asked(prompt, language)
    for _ in range(TRIES):
        raw, parsed = _call(small, schema(answer_tokens), asked, spent, stopping)
        if found := _read(parsed, cited):
            return found, raw
    raise ModelError(f"{small.spec} did not fill in the schema in {TRIES} tries")


def cost(language: str, count: Callable[[str], int]) -> int:
    """Return about how many tokens the schema's instruction adds to a prompt."""
    return count(f"\n{prompts.load('structured', language)}") + 1


def _asked(prompt: Sequence[BaseMessage], language: str) -> list[BaseMessage]:
    first, *rest = prompt
    return [SystemMessage(f"{first.text}\n{prompts.load('structured', language)}"), *rest]


def _call(
    small: "ChatModel",
    wanted: dict[str, Any],
    prompt: list[BaseMessage],
    spent: list[Call],
    stopping: Callable[[], bool],
) -> tuple[AIMessage, object]:
    from hippograph.models import READ_SECONDS, Interrupted, explain, failed, said, spending, within
    from hippograph.models.thinking import split

    def ask() -> object:
        asking = small.model.with_structured_output(wanted, method="json_schema", include_raw=True)
        return asking.invoke(prompt, _UNSTREAMED)

    began = perf_counter()
    try:
        reply = within(READ_SECONDS, ask, small.spec, stopping)
    except Interrupted:
        spent.append(failed("small", small, began))
        raise
    except Exception as error:  # whatever a provider raises, the turn goes on with a plain answer
        spent.append(failed("small", small, began))
        raise explain(error, small.spec) from error
    message = said(reply)
    spent.append(spending("small", small, message, prompt, began))
    parsed = reply.get("parsed") if isinstance(reply, dict) and "parsed" in reply else reply
    return message, parsed if isinstance(parsed, dict) else _json(split(str(message.text))[0])


def _json(text: str) -> object:
    try:
        return json.loads(text[text.find("{") : text.rfind("}") + 1])
    except ValueError:
        return None


def _read(parsed: object, cited: Sequence[str]) -> Structured | None:
    """Return what was filled in; None where it has not the schema's form."""
    if not isinstance(parsed, dict) or not isinstance(parsed.get("answer"), str) or not parsed["answer"].strip():
        return None
    given = parsed.get("memories")
    numbers = [each for each in given if type(each) is int] if isinstance(given, list) else []
    ids = [cited[number - 1] for number in dict.fromkeys(numbers) if 1 <= number <= len(cited)]
    levels: tuple[Level, ...] = get_args(Level)
    level: Level = next((each for each in levels if each == parsed.get("confidence")), "low")
    return Structured(answer=parsed["answer"].strip(), memories=[*dict.fromkeys(ids)], confidence=level)
