"""For people to see: the window each role's model is used with, who says so, what of it is kept for the answer."""

import os
from dataclasses import dataclass
from typing import get_args

from hippograph.models import budgets, catalogue, compatible, faults, ollama, windows
from hippograph.models.spec import Spec, parse
from hippograph.models.windows import UNKNOWN, Window
from hippograph.state import BadInput, Context, HippographError, Settings

QUICK_SECONDS = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """What a role's model is used with."""

    window: int
    """Tokens of prompt and answer together."""
    reserved: int
    """Tokens of it kept for the answer."""
    has: int | None
    """Tokens the model itself takes; None where nobody tells."""
    source: str
    """Who tells."""

    def __str__(self) -> str:
        most = f"of {self.has:,}, by {self.source}" if self.has else f"its own is not known: {self.source}"
        return f"{self.window:,} tokens ({most}); {self.reserved:,} kept for the answer"


def allowance(role: str, spec: str | None, settings: Settings) -> Allowance | None:
    """Return what a role's model is used with, without loading it; None for a role or a name without a chat model."""
    played = next((each for each in get_args(budgets.Role) if each == role), None)
    if played is None or spec is None:
        return None
    try:
        wanted = budgets.budget(played, spec, settings, Context())
        has = told(parse(spec), settings)
    except HippographError:
        return None
    window = has.within(wanted.window)
    return Allowance(window=window, reserved=min(wanted.answer, window // 2), has=has.tokens, source=has.source)


def told(spec: Spec, settings: Settings) -> Window:
    """Return what a model takes, by the setting, its server, or what is known of it. Never raises for a dead server."""
    try:
        match spec.provider:
            case "local":
                return _embedded(spec)
            case "ollama":
                found = ollama.require(settings.ollama_url, spec.name).window
                return Window(tokens=found, source="Ollama (context_length)") if found else UNKNOWN
            case "openai" if base := faults.elsewhere():
                return compatible.window(base, os.environ.get("OPENAI_API_KEY", "").strip(), spec, QUICK_SECONDS)
    except HippographError:
        return UNKNOWN
    return windows.named(spec, settings) or windows.known(spec)


def _embedded(spec: Spec) -> Window:
    try:
        return Window(tokens=catalogue.entry(spec.name).window, source="its makers")
    except BadInput:  # A file of the user's own tells only once it is loaded.
        return UNKNOWN
