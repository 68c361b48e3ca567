"""A stand-in for a big model: it notes the first memory it is shown, at once; for benchmarks that only count calls."""

import re
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable, RunnableLambda

_FIRST = re.compile(r"^\[1\] \([^)]*\) (.+)$", re.MULTILINE)


class StandIn(BaseChatModel):
    """Gives one bullet, in the words of its source."""

    @property
    def _llm_type(self) -> str:
        return "stand-in"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: object,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=AIMessage("Yes."))])

    def with_structured_output(self, *_: object, **__: object) -> Runnable[LanguageModelInput, Any]:
        """Fill the schema of notes."""
        return RunnableLambda(_note)


def _note(prompt: Any) -> dict[str, Any]:  # noqa: ANN401 - as LangChain hands it on
    found = _FIRST.search(str(prompt[-1].text))
    parsed = {"bullets": [{"text": found[1], "sources": [1]}] if found else []}
    return {"raw": AIMessage(str(parsed)), "parsed": parsed, "parsing_error": None}
