"""What can be told of a block without asking anybody how good it is. Pure."""

import re
from collections.abc import Sequence

from hippograph.memory.tokens import is_common, words
from hippograph.models import estimate

_NUMBERED = re.compile(r"\[\d+[\d,\s]*\]")


def lines(text: str) -> list[str]:
    """Return the lines of a block that say something."""
    return [line for line in text.splitlines() if line.strip()]


def cited(text: str) -> float | None:
    """Return the share of a block's lines that name a source, in [0, 1]."""
    said = lines(text)
    return sum(bool(_NUMBERED.search(line)) for line in said) / len(said) if said else None


def met(question: str, text: str) -> float | None:
    """Return the share of a question's telling words that stand in a block, in [0, 1]; None where it has none."""
    telling = {word for word in words(question) if not is_common(word)}
    return len(telling & {*words(text)}) / len(telling) if telling else None


def share(tokens: int, evidence: Sequence[str]) -> float | None:
    """Return a block's tokens against those of what it was made of, both as the models count or estimated."""
    whole = sum(map(estimate, evidence))
    return tokens / whole if whole else None
