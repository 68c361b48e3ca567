"""A model's verdict on a summary: asked for under a schema, read exactly."""

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from time import perf_counter
from typing import TYPE_CHECKING, Any

from hippograph.memory.language import language
from hippograph.models.budgets import ANSWER, budget
from hippograph.models.spec import parse
from hippograph.state import Context, ModelError, Settings
from hippograph.state.costs import CRITERIA, Sample, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from langchain_core.messages import BaseMessage

    from hippograph.models import ChatModel

EVIDENCE_CHARACTERS = 2000
"""Of one memory, at most; fewer where they would not fit the window together."""
_GRADE: Mapping[str, Any] = {"type": "integer", "minimum": 1, "maximum": 5}
SCHEMA: dict[str, Any] = {
    "title": "Verdict",
    "description": "What the summary is worth.",
    "type": "object",
    "properties": dict.fromkeys(CRITERIA, _GRADE),
    "required": [*CRITERIA],
    "additionalProperties": False,
}
_WORDS: Mapping[str, int] = {
    **dict.fromkeys(("pass", "passed", "yes", "correct", "true", "good", "是", "对", "正确", "通过", "合格"), 5),
    **dict.fromkeys(("partly", "partial", "partially", "部分", "部分正确", "一般"), 3),
    **dict.fromkeys(("fail", "failed", "no", "incorrect", "false", "wrong", "bad"), 1),
    **dict.fromkeys(("否", "不对", "错", "错误", "不正确", "不通过", "不合格"), 1),
}
"""Whole words: "incorrect" contains "correct", 不正确 contains 正确."""
_NAMES: Mapping[str, str] = {"准确性": "accuracy", "准确": "accuracy", "相关性": "relevance", "相关": "relevance"} | {
    "简洁性": "brevity",
    "简洁": "brevity",
}
_NUMBER = re.compile(r"([1-5])(?:\.0+)?(?:\s*(?:/\s*5|分|out of 5))?")
_LINE = re.compile(r"\W*(\w+?)\W*[:：=]\s*(.+?)[\s.。,，*]*")
_UNSEEN: Any = {"callbacks": [], "tags": ["nostream"], "run_name": "judge"}


class Judge:
    """Asks a model what summaries are worth."""

    def __init__(self, spec: str, load: "Callable[[], ChatModel]") -> None:
        """Prepare it; `load` gives the model when it is first needed."""
        self.spec = spec
        self._load = load
        self._model: ChatModel | None = None

    def __call__(self, sample: Sample) -> Verdict | None:
        """Return a verdict; None where what the model says cannot be read.

        Raises:
            ModelError: It cannot be asked.
        """
        from langchain_core.messages import AIMessage

        from hippograph.models import explain, failed, note, spending

        self._model = model = self._model or self._load()
        prompt, began = _prompt(model, sample), perf_counter()
        try:
            asking = model.model.with_structured_output(SCHEMA, method="json_schema", include_raw=True)
            answer: Any = asking.invoke(prompt, _UNSEEN)
        except Exception as error:  # whatever a provider raises
            note(failed("judge", model, began))
            self._model = None
            raise explain(error, self.spec) from error
        raw = answer.get("raw") if isinstance(answer, dict) else None
        said = raw if isinstance(raw, AIMessage) else AIMessage("")
        note(spending("judge", model, said, prompt, began))
        parsed = answer.get("parsed") if isinstance(answer, dict) else answer
        return read(parsed if parsed is not None else str(said.text))


def judge(settings: Settings) -> Judge | None:
    """Return the judge that the settings name, else the big model; None without either.

    Raises:
        BadInput: What they name is no model.
    """
    spec = settings.judge or settings.big
    if not spec:
        return None
    parse(spec)

    def load() -> "ChatModel":
        from hippograph.models import chat_model

        allowed = budget("judge", spec, settings, Context())
        return chat_model(spec, settings, context_tokens=allowed.window, answer_tokens=allowed.answer)

    return Judge(spec, load)


def read(reply: object) -> Verdict | None:
    """Return the verdict in a reply, JSON or "accuracy: 4" line by line; None unless each criterion has a grade."""
    given = _fields(reply) if isinstance(reply, str) else reply
    if not isinstance(given, dict):
        return None
    named = {_NAMES.get(str(name).strip(), str(name).strip().casefold()): value for name, value in given.items()}
    grades = {name: grade(named.get(name)) for name in CRITERIA}
    return Verdict(**{name: each for name, each in grades.items() if each}) if all(grades.values()) else None


def grade(value: object) -> int | None:
    """Return a grade from 1 to 5 as it is said, in a number or a word; None for anything else."""
    if isinstance(value, bool):
        return 5 if value else 1
    if isinstance(value, int | float):
        return int(value) if value in range(1, 6) else None
    if not isinstance(value, str):
        return None
    word = value.strip().strip("\"'“”*.。").strip().casefold()
    number = _NUMBER.fullmatch(word)
    return int(number[1]) if number else _WORDS.get(word)


def _fields(text: str) -> object:
    start, end = text.find("{"), text.rfind("}")
    try:
        return json.loads(text[start : end + 1])
    except ValueError:
        found = (_LINE.fullmatch(line) for line in text.splitlines())
        return {line[1]: line[2] for line in found if line}


def _prompt(model: "ChatModel", sample: Sample) -> "list[BaseMessage]":
    from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

    tongue = language(sample.question)
    body, example = _text("sample", tongue), _text("example", tongue).split("\n---\n")
    head = [SystemMessage(_text("judge", tongue)), HumanMessage(example[0]), AIMessage(example[1])]
    asked = body.format(evidence="", block=sample.block, question=sample.question)
    room = model.window - ANSWER["judge"] - model.counter.messages([*head, HumanMessage(asked)]) - 20
    shown = _fitting(sample.evidence, room, model.counter.text)
    if not shown:
        raise ModelError(
            f"{model.spec} has too small a window to judge this summary: name another in HIPPOGRAPH_JUDGE."
        )
    body = body.format(evidence="\n".join(shown), block=sample.block, question=sample.question)
    return [*head, HumanMessage(body)]


def _fitting(evidence: Sequence[str], room: int, count: "Callable[[str], int]") -> list[str]:
    """Return the memories, each shortened alike, so that all of them fit."""
    for most in (EVIDENCE_CHARACTERS, 800, 300, 100):
        shown = [f"- {' '.join(each.split())[:most]}" for each in evidence]
        if count("\n".join(shown)) <= room:
            return shown
    return []


@cache
def _text(name: str, tongue: str) -> str:
    path = resources.files("hippograph.memory.costs.prompts") / f"{name}.{tongue}.md"
    return path.read_text("utf-8").rstrip("\n")
