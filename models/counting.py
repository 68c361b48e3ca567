"""How many tokens a text costs: exactly where the model's tokenizer is at hand, else a careful estimate."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, Protocol

from hippograph.models.estimating import estimate

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, BaseMessage

    from hippograph.models.local import Server

PER_MESSAGE = 5
"""What a chat template adds around one message (ChatML: markers, role, line breaks)."""
PER_PROMPT = 3
"""What it adds at the end, to begin the answer."""
PER_CALL, PER_RESULT = 12, 9
"""What it adds around one tool call (tags, the names of its fields) and around one result."""

LEAST_TO_LEARN_FROM = 100
MOST_FACTOR = 3.0

_ROLES = {"human": "user", "ai": "assistant", "system": "system", "tool": "tool"}


class TokenCounter(Protocol):
    """Counts tokens as one model does."""

    def text(self, text: str) -> int:
        """Tokens of a bare text."""
        ...

    def messages(self, messages: "Sequence[BaseMessage]") -> int:
        """Tokens of a whole prompt, with what the chat template adds."""
        ...


class EstimatedCounter:
    """Guesses from the kinds of characters: within a quarter of Qwen's tokenizer on zh, en, code and mixed text.

    Other tokenizers may cut finer. What a server reports raises the estimates from then on (`usage` sees to that), so
    that prompts which are thought to fit do.
    """

    def __init__(self) -> None:
        self._factor = 1.0

    def text(self, text: str) -> int:
        """Tokens of a bare text."""
        return math.ceil(estimate(text) * self._factor)

    def messages(self, messages: "Sequence[BaseMessage]") -> int:
        """Tokens of a whole prompt, with what the chat template adds."""
        bare = sum(map(_estimated, messages)) + PER_PROMPT
        return math.ceil(bare * self._factor)

    def learn(self, messages: "Sequence[BaseMessage]", reported: int) -> None:
        """Take note of a server's count of a prompt; small prompts tell little, low counts may be of a cut prompt."""
        counted = self.messages(messages)
        if counted >= LEAST_TO_LEARN_FROM and reported > counted:
            self._factor = min(MOST_FACTOR, self._factor * reported / counted)


class ServedCounter:
    """Asks the embedded model's server: exact, about a millisecond a text."""

    def __init__(self, served: "Server") -> None:
        self._served = served
        self._remembered = lru_cache(maxsize=4096)(self._count)
        self._prompt = lru_cache(maxsize=64)(self._count_prompt)

    def text(self, text: str) -> int:
        """Tokens of a bare text."""
        return self._remembered(text)  # Memory blocks are counted line by line, again and again.

    def messages(self, messages: "Sequence[BaseMessage]") -> int:
        """Tokens of a whole prompt, with what the chat template adds."""
        return self._prompt(tuple(json.dumps(_plain(message)) for message in messages))

    def _count_prompt(self, messages: tuple[str, ...]) -> int:
        plain = [json.loads(message) for message in messages]
        return self._count(self._served.call("/apply-template", {"messages": plain})["prompt"])

    def _count(self, text: str) -> int:
        return len(self._served.call("/tokenize", {"content": _encodable(text)})["tokens"]) if text else 0


def _estimated(message: "BaseMessage") -> int:
    """Estimate a message as it stands in a prompt, its tool calls or its being a tool's result included."""
    calls = [each["function"] for each in _plain(message).get("tool_calls", ())]
    called = sum(estimate(call["name"]) + estimate(call["arguments"]) + PER_CALL for call in calls)
    return estimate(str(message.text)) + (PER_RESULT if message.type == "tool" else PER_MESSAGE) + called


def _plain(message: "BaseMessage") -> dict[str, Any]:
    """Return a message as OpenAI's API has it, which chat templates are given."""
    plain: dict[str, Any] = {"role": _ROLES.get(message.type, "user"), "content": _encodable(str(message.text))}
    calls = getattr(message, "tool_calls", None) or ()
    if calls:
        plain["tool_calls"] = [
            {
                "id": str(call["id"]),
                "type": "function",
                "function": {"name": call["name"], "arguments": json.dumps(call["args"], ensure_ascii=False)},
            }
            for call in calls
        ]
    if message.type == "tool":
        plain["tool_call_id"] = str(getattr(message, "tool_call_id", ""))
    return plain


def _encodable(text: str) -> str:
    """Return a text without what has no JSON a server takes (a lone surrogate)."""
    return text.encode("utf-8", "replace").decode()


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What one call of a model cost, in tokens."""

    input: int
    output: int
    counted_by: Literal["server", "us"]
    """Who counted: the server, or we because it reported nothing."""

    @property
    def total(self) -> int:
        """Prompt and answer together."""
        return self.input + self.output


def usage(answer: "AIMessage", prompt: "Sequence[BaseMessage]", counter: TokenCounter) -> Usage:
    """Return what a call cost; a server that reports nothing, or 0 for a prompt that has text, is not believed."""
    reported = answer.usage_metadata
    if reported and reported["input_tokens"] > 0:
        once = "calls" not in answer.response_metadata  # Else the prompt was read twice.
        if once and isinstance(counter, EstimatedCounter):
            counter.learn(prompt, reported["input_tokens"])
        output = reported["output_tokens"] or counter.text(str(answer.text))
        return Usage(input=reported["input_tokens"], output=output, counted_by="server")
    return Usage(input=counter.messages(prompt), output=counter.text(str(answer.text)), counted_by="us")
