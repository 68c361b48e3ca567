"""What each role may spend: the window its model is used with, and what of it is kept for the answer."""

from dataclasses import dataclass
from typing import Literal

from hippograph.models import windows
from hippograph.models.spec import parse
from hippograph.models.windows import Window
from hippograph.state import Context, Settings

Role = Literal["small", "big", "backup", "embedded", "judge"]
"""small: answers. big: distils; backup: in its place. embedded: distils where neither answers. judge: marks samples."""

ANSWER: dict[Role, int] = {"big": 1024, "backup": 1024, "embedded": 1024, "judge": 256}
"""Tokens kept for what a role writes; the small model's are the run's `answer_tokens`."""
USUAL = {"local": 4096, "ollama": 4096}
"""Windows of models on this machine, whose memory they take."""
HOSTED = 32_768
"""Most of a hosted model's window: what is sent is paid for, and long prompts are read less well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """How a model is used in a role."""

    window: int
    """Tokens of prompt and answer together, as asked for; the model may have less."""
    answer: int
    """Tokens of it kept for the answer."""


def budget(role: Role, spec: str, settings: Settings, context: Context) -> Budget:
    """Return what a role may spend with a model.

    The small model's window is the run's `context_tokens` where it is given, else what HIPPOGRAPH_WINDOWS says of it,
    else the default. A model that also is the settings' small one has that one's window in every role.

    Raises:
        BadInput: The name cannot be used.
    """
    parsed = parse(spec)
    setting = windows.named(parsed, settings)
    given = "context_tokens" in context.model_fields_set
    small = role == "small" or (given and spec == (context.small or settings.small))
    if small and (given or setting is None):
        window = context.context_tokens
    elif setting is not None and setting.tokens:
        window = setting.tokens
    else:
        window = USUAL.get(parsed.provider, HOSTED)
    return _within(role, window, context)


def given_budget(role: Role, has: Window, context: Context) -> Budget:
    """Return what a role may spend with a model that the caller made: no more than the run's where nobody tells."""
    window = HOSTED if role != "small" and has.tokens else context.context_tokens
    return _within(role, has.within(window), context)


def _within(role: Role, window: int, context: Context) -> Budget:
    answer = context.answer_tokens if role == "small" else ANSWER[role]
    return Budget(window=window, answer=min(answer, window // 2))
