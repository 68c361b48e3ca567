"""A model's word where code cannot tell a changed value from one put in other words. Off without a big model."""

import json
import logging
from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, Any

from hippograph.memory.language import language
from hippograph.memory.life.supersession import Claim
from hippograph.models import note, said, spending
from hippograph.state import Settings

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

    from hippograph.models import ChatModel

log = logging.getLogger(__name__)

Judge = Callable[[Claim, Claim], bool | None]
"""Whether two claims of one subject and attribute say the same; None where that stays unknown."""

ANSWER_TOKENS = 16
SCHEMA: dict[str, Any] = {
    "title": "Same",
    "description": "Whether both say the same.",
    "type": "object",
    "properties": {"same": {"type": "string", "enum": ["yes", "no"]}},
    "required": ["same"],
    "additionalProperties": False,
}
_EXAMPLES = {
    "en": ("job: software engineer", "job: engineer who writes software", "job: nurse at the city hospital"),
    "zh": ("职业：软件工程师", "职业：写软件的工程师", "职业：市医院的护士"),
}
_ASKED = {
    "en": "Do both say the same?\nA. {old}\nB. {new}",
    "zh": "这两句说的是一回事吗？\nA. {old}\nB. {new}",
}


class Tiebreaker:
    """Asks a model."""

    def __init__(self, spec: str, load: "Callable[[], ChatModel]") -> None:
        """Prepare it; `load` gives the model when it is first needed."""
        self.spec = spec
        self._load = load
        self._model: ChatModel | None = None

    def __call__(self, old: Claim, new: Claim) -> bool | None:
        """Ask once; where the model cannot be used or says nothing readable, code's word stands."""
        try:
            self._model = self._model or self._load()
            asking = self._model.model.with_structured_output(SCHEMA, method="json_schema", include_raw=True)
            prompt, began = _prompt(old, new), perf_counter()
            answer: Any = asking.invoke(prompt, _UNSEEN)
            note(spending("big", self._model, said(answer), prompt, began))
        except Exception as error:  # whatever a provider raises: nothing depends on its word
            log.warning("%s could not say whether two memories say the same: %s", self.spec, error)
            return None
        return _read(answer)


def tiebreaker(settings: Settings) -> Judge | None:
    """Return the judge that the settings' big model is; None without one."""
    if not settings.big:
        return None
    spec = settings.big

    def load() -> "ChatModel":
        from hippograph.models import chat_model

        return chat_model(spec, settings, answer_tokens=ANSWER_TOKENS)

    return Tiebreaker(spec, load)


_UNSEEN: Any = {"callbacks": [], "tags": ["nostream"], "run_name": "tiebreak"}


def _prompt(old: Claim, new: Claim) -> "list[BaseMessage]":
    from langchain_core.messages import AIMessage, HumanMessage

    spoken = language(new.text)
    first, same, other = _EXAMPLES[spoken]
    asked = _ASKED[spoken]
    return [
        HumanMessage(asked.format(old=first, new=same)),
        AIMessage(json.dumps({"same": "yes"})),
        HumanMessage(asked.format(old=first, new=other)),
        AIMessage(json.dumps({"same": "no"})),
        HumanMessage(asked.format(old=_shown(old), new=_shown(new))),
    ]


def _shown(claim: Claim) -> str:
    return f"{claim.key}: {claim.value}" if claim.value else claim.text


def _read(answer: object) -> bool | None:
    parsed = answer.get("parsed") if isinstance(answer, dict) else None
    said = parsed.get("same") if isinstance(parsed, dict) else None
    return {"yes": True, "no": False}.get(str(said))
