"""How many tokens a model takes, prompt and answer together, and who says so."""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from hippograph.models import catalogue
from hippograph.models.spec import Spec
from hippograph.state import Settings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

SETTING = "HIPPOGRAPH_WINDOWS"


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """What a model takes."""

    tokens: int | None
    """Prompt and answer together; None where nobody tells."""
    source: str
    """Who says so, in plain words."""

    def within(self, most: int) -> int:
        """Return what of a number of tokens the model takes; all where its window is not known."""
        return min(most, self.tokens or most)


UNKNOWN = Window(tokens=None, source="nobody tells")


def named(spec: Spec, settings: Settings) -> Window | None:
    """Return the window that the setting gives a model, by its full name or, for all of them, its provider's."""
    full = str(Spec("local", spec.name or catalogue.DEFAULT)) if spec.provider == "local" else str(spec)
    tokens = settings.windows.get(full) or settings.windows.get(spec.provider)
    return Window(tokens=tokens, source=SETTING) if tokens else None


def known(spec: Spec) -> Window:
    """Return the window of a well-known hosted model; `UNKNOWN` for any other."""
    maker = _table()["providers"].get(spec.provider, {"windows": {}})
    names = [name for name in maker["windows"] if spec.name.startswith(name)]
    if not names:
        return UNKNOWN
    tokens = maker["windows"][max(names, key=len)]
    return Window(tokens=tokens, source=f"the list of known models ({_table()['as_of']})")


def listed(entry: dict[str, Any]) -> Window:
    """Return the window that a server's list of models (`/v1/models`) tells of one.

    vLLM: max_model_len. llama.cpp: meta.n_ctx of one slot, where it is new enough. OpenRouter, Together, Groq and
    Mistral have words of their own.
    """
    meta = entry.get("meta") or {}
    told = {name: entry.get(name) for name in _LISTED} | {"n_ctx": meta.get("n_ctx")}
    name, tokens = next(((name, value) for name, value in told.items() if _is_size(value)), ("", None))
    return Window(tokens=tokens, source=f"the server's list of models ({name})") if tokens else UNKNOWN


def served(props: dict[str, Any]) -> Window:
    """Return the window of one slot that llama.cpp's `/props` tell."""
    tokens = (props.get("default_generation_settings") or {}).get("n_ctx")
    slots = props.get("total_slots") or 1
    source = f"llama.cpp's /props ({slots} slot{'s' if slots != 1 else ''})"
    return Window(tokens=tokens, source=source) if _is_size(tokens) else UNKNOWN


def profiled(model: "BaseChatModel") -> Window:
    """Return the window that a LangChain model tells: what ChatOllama is set to, or its provider's profile of it."""
    if _is_size(set_to := getattr(model, "num_ctx", None)):
        return Window(tokens=set_to, source="the model's num_ctx")
    tokens = (getattr(model, "profile", None) or {}).get("max_input_tokens")
    return Window(tokens=tokens, source="LangChain's profile of the model") if _is_size(tokens) else UNKNOWN


_LISTED = ("max_model_len", "context_length", "context_window", "max_context_length")


def _is_size(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


@cache
def _table() -> dict[str, Any]:
    read: dict[str, Any] = json.loads(files("hippograph.models").joinpath("windows.json").read_text("utf-8"))
    return read
