"""The extractor that asks a model, and checks what it answers; what the rules find is found as well."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Any

from hippograph.memory.extraction import prompts, reply
from hippograph.memory.extraction.evidence import stating
from hippograph.memory.extraction.gate import Gate
from hippograph.memory.extraction.rules import Rules
from hippograph.memory.facts import Extracted, Fact, Heard
from hippograph.memory.language import language
from hippograph.memory.work.outage import AWAY

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

    from hippograph.models import ChatModel


ANSWER_TOKENS = 400
MOST = 8
"""Entries that the schema allows."""
TURN_CHARACTERS = 3000
"""Of one turn; the rest of a longer one is read by the rules alone."""
EARLIER, EARLIER_CHARACTERS = 2, 200
"""How many turns before it a model sees, and how much of each."""
SCHEMA: dict[str, Any] = {
    "title": "Facts",
    "description": "What a message tells.",
    "type": "object",
    "properties": {
        "facts": {
            "type": "array",
            "maxItems": MOST,
            "items": {
                "type": "object",
                "properties": {
                    "subject": {"type": "string", "maxLength": 40},
                    "attribute": {"type": "string", "maxLength": 40},
                    "value": {"type": "string", "maxLength": 80},
                    "quote": {"type": "string", "maxLength": 160},
                },
                "required": ["subject", "attribute", "value", "quote"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["facts"],
    "additionalProperties": False,
}
_POLITE = re.compile(
    r"\b(?:ok(?:ay)?|thanks?|thank you|thx|a lot|so much|very much|great|nice|cool|sure|sounds? good|see you|"
    r"bye|hello|hi|hey|good (?:morning|night|evening)|"
    r"yes|no|yeah|yep|lol|haha\w*|wow|awesome|perfect|got it|you're (?:welcome|right))\b|好的?|谢谢你?|多谢|"
    r"感谢|明白了?|知道了|收到|嗯+|哦+|哈+|呵+|嘿+|早上好|晚安|再见|拜拜|不客气|你好|真的?|太?棒了|厉害|笑死",
    re.IGNORECASE,
)
_TELLS = re.compile(r"\w+\W+\w+\W+\w+|[\u4e00-\u9fff]{4,}", re.DOTALL)


@dataclass(slots=True)
class ByModel:
    """Asks a model about one turn at a time. Assistants' turns are only what a user's turn refers to."""

    spec: str
    load: Callable[[], "ChatModel"]
    """Gives the model when it is first needed; raises ModelError."""
    instant: bool = False
    _rules: Rules = field(default_factory=Rules)
    _model: "ChatModel | None" = None

    def extract(self, turns: Sequence[Heard], before: Sequence[Heard] = ()) -> Extracted:
        """Return the facts in what users and tools said.

        Raises:
            ModelError: The model cannot be reached.
        """
        facts: list[Fact] = []
        dropped: list[str] = []
        degraded: list[str] = []
        for at, turn in enumerate(turns):
            earlier = [*before, *turns[:at]]
            by_rule = list(self._rules.extract([turn], earlier).facts)
            facts += by_rule
            if turn.role not in ("user", "tool") or not self._worth_asking(turn):
                continue
            gate = Gate(turn, self.spec)
            answer = self._answer(turn, earlier, degraded)
            if answer:
                gate.let(answer.entries)
            facts += [each for each in gate.facts if not any(_same(each, other) for other in by_rule)]
            dropped += gate.dropped
            degraded += gate.warned
        return Extracted(facts=facts, dropped=dropped, degraded=degraded, model=self.spec)

    def _worth_asking(self, turn: Heard) -> bool:
        """Whether a turn states anything at all: laughter and questions take no model."""
        parts = stating(turn.text, turn.subject)
        return any(_TELLS.search(_POLITE.sub("", turn.text[start:end])) for start, end in parts)

    def _answer(self, turn: Heard, earlier: Sequence[Heard], degraded: list[str]) -> reply.Answer | None:
        """Ask under the schema; repair what comes; ask once more; then go without."""
        prompt = _prompt(turn, earlier)
        given, failure = self._asked(prompt, structured=True)
        answer = reply.read(given) if given is not None else None
        if answer is None:
            from langchain_core.messages import HumanMessage

            again = HumanMessage(prompts.load("again", language(turn.text)))
            given, failure = self._asked([*prompt, again], structured=False)
            answer = reply.read(given) if given is not None else None
            if answer is None:
                degraded.append(f"{self.spec} gave nothing readable twice{failure}: the turn is kept verbatim")
                return None
            degraded.append(f"{self.spec} was asked twice")
        if answer.repaired:
            degraded.append(f"the answer of {self.spec} was repaired")
        return answer

    def _asked(self, prompt: "list[BaseMessage]", *, structured: bool) -> tuple[object, str]:
        """Return the model's answer, parsed or as text, and what went wrong; raises where it is out of reach."""
        from langchain_core.messages import AIMessage

        from hippograph.models import explain, failed, note, said, spending

        self._model = self._model or self.load()
        began = perf_counter()
        try:
            asking: Any = self._model.model
            if structured:
                asking = asking.with_structured_output(SCHEMA, method="json_schema", include_raw=True)
            answer: Any = asking.invoke(prompt, _UNSEEN)
            note(spending("extractor", self._model, said(answer), prompt, began))
        except Exception as error:  # whatever a provider raises: its model is out of reach, or its answer unreadable
            if (cut := reply.cut_off(error)) is not None:
                note(spending("extractor", self._model, AIMessage(cut), prompt, began))
                return cut, ""
            note(failed("extractor", self._model, began))
            told = explain(error, self.spec)
            if isinstance(told, AWAY):
                raise told from error
            return None, f" ({told})"
        if not structured:
            return str(answer.text), ""
        if not isinstance(answer, dict) or "raw" not in answer:
            return answer, ""
        parsed = answer.get("parsed")
        return (parsed, "") if parsed is not None else (str(getattr(answer["raw"], "text", "")), "")


_UNSEEN: Any = {"callbacks": [], "tags": ["nostream"], "run_name": "extract"}


def _prompt(turn: Heard, earlier: Sequence[Heard]) -> "list[BaseMessage]":
    from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

    spoken = language(turn.text)
    message = prompts.load("message", spoken)
    shown, answered = prompts.load("example", spoken).split("\n---\n")
    context = "\n".join(
        f"{each.speaker or each.role}: {' '.join(each.text.split())[:EARLIER_CHARACTERS]}"
        for each in earlier[-EARLIER:]
        if each.thread == turn.thread and each.role in ("user", "assistant")
    )
    before = prompts.load("earlier", spoken).format(text=context) + "\n\n" if context else ""
    return [
        SystemMessage(prompts.load("facts", spoken)),
        HumanMessage(message.format(earlier="", text=shown)),
        AIMessage(answered),
        HumanMessage(message.format(earlier=before, text=turn.text[:TURN_CHARACTERS])),
    ]


def _same(fact: Fact, other: Fact) -> bool:
    """Whether two facts of a turn are one, found twice."""
    if fact.turn != other.turn or fact.subject.casefold() != other.subject.casefold():
        return False
    if fact.attribute == other.attribute:
        return True
    one, two = fact.value.casefold(), other.value.casefold()
    overlap = fact.start < other.end and other.start < fact.end
    keys = fact.attribute in other.attribute or other.attribute in fact.attribute
    return overlap and (one in two or two in one or one in other.attribute or two in fact.attribute or keys)
