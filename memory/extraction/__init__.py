"""What turns tell beyond their words: facts with a verbatim quote, found by rules or by a model. No storage here."""

from collections.abc import Sequence
from typing import Protocol

from hippograph.memory.extraction.rules import Rules
from hippograph.memory.facts import Extracted, Heard
from hippograph.state import BadInput, Settings

RULES, NONE = "rules", "none"


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
    name = name or settings.extractor or RULES
    if name == NONE:
        return None
    if name == RULES:
        return Rules()
    raise BadInput(f"There is no extractor {name!r}: rules, none, big, or a model as provider:model.")


__all__ = ["NONE", "RULES", "Extractor", "Rules", "extractor"]
