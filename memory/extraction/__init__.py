"""What turns tell beyond their words: facts with a verbatim quote, found by rules or by a model. No storage here."""

from collections.abc import Sequence
from functools import partial
from typing import Protocol, runtime_checkable

from hippograph.memory.extraction.by_model import ANSWER_TOKENS, ByModel
from hippograph.memory.extraction.rules import Rules
from hippograph.memory.facts import Extracted, Heard
from hippograph.models import chat_model, extractor_named
from hippograph.state import Settings

RULES, NONE = "rules", "none"
CONTEXT_TOKENS = 4096


@runtime_checkable
class Extractor(Protocol):
    """Finds facts in turns."""

    spec: str
    """Its name: "rules", or the model's as "provider:model"."""
    instant: bool
    """Whether it takes no model, and so no noticeable time."""

    def extract(self, turns: Sequence[Heard], before: Sequence[Heard]) -> Extracted:
        """Return the facts in some turns of a thread.

        Args:
            turns: What to read; what assistants said and system text tell nothing.
            before: Turns before them, oldest first: what they may refer to.

        Raises:
            ModelError: Its model cannot be reached; try again later.
        """
        ...


def extractor(name: str | None, settings: Settings) -> Extractor | None:
    """Return the extractor of a name; None: the settings' choice, or the default.

    Args:
        name: "rules", "none", "big" (the settings' big model) or "provider:model".
        settings: Which models there are, and HIPPOGRAPH_EXTRACTOR.

    Raises:
        BadInput: There is no such extractor.
    """
    spec = extractor_named(name, settings)
    if spec == NONE:
        return None
    if spec == RULES:
        return Rules()
    return ByModel(
        spec, partial(chat_model, spec, settings, context_tokens=CONTEXT_TOKENS, answer_tokens=ANSWER_TOKENS)
    )


__all__ = ["NONE", "RULES", "ByModel", "Extractor", "Rules", "extractor"]
