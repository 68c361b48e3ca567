"""What the graph opens at its first turn and shares from then on: one memory a home, and models by name."""

import atexit
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from hippograph.state import Context, Settings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from hippograph.memory import Memory
    from hippograph.models import ChatModel

_LOCK = threading.Lock()
_MEMORIES: dict[Path, "Memory"] = {}


def shared_memory(settings: Settings) -> "Memory":
    """Return this process's one memory of a home, opened at the first call, drained and closed at exit.

    Raises:
        HomeInUse: Another process has it.
        HomeUnusable, EmbedderChanged, ModelError: As `Memory.open`.
    """
    home = settings.home.expanduser().absolute()
    with _LOCK:
        if home not in _MEMORIES:
            from hippograph.memory import Memory
            from hippograph.nodes.guarding import order
            from hippograph.nodes.upkeep import summarizer

            _MEMORIES[home] = memory = Memory.open(home, settings=settings)
            memory.summarize = summarizer(lambda: Models(settings=settings).big(Context()))
            memory.suspect(order)
        return _MEMORIES[home]


def close_shared() -> None:
    """Close every memory that `shared_memory` opened; also done at exit."""
    with _LOCK:
        while _MEMORIES:
            _MEMORIES.popitem()[1].close()


atexit.register(close_shared)


@dataclass(kw_only=True)
class Models:
    """The chat models of one graph, opened when first asked for and kept."""

    settings: Settings
    small_given: "str | BaseChatModel | None" = None
    big_given: "str | BaseChatModel | None" = None
    _opened: "dict[tuple[str, int, int], ChatModel]" = field(default_factory=dict)
    _chosen: dict[str, str | None] = field(default_factory=dict)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def small(self, context: Context) -> "ChatModel":
        """Return the model that answers: the run's, else the graph's, else the settings', else what is found.

        Raises:
            ModelError: It cannot be used, or there is none.
        """
        found = self._model(context.small or self.small_given or self._choice("small"), context)
        assert found is not None  # `choose` always names a small model.
        return found

    def big(self, context: Context) -> "ChatModel | None":
        """Return the model that distils, or None where none is configured.

        Raises:
            ModelError: It cannot be used.
        """
        return self._model(context.big or self.big_given or self._choice("big"), context)

    def forget(self) -> None:
        """Look for every model anew at its next use."""
        with self._lock:
            self._opened.clear()
            self._chosen.clear()

    def _model(self, wanted: "str | BaseChatModel | None", context: Context) -> "ChatModel | None":
        if wanted is None:
            return None
        if not isinstance(wanted, str):
            return _given(wanted, context)
        answer = min(context.answer_tokens, context.context_tokens // 2)
        key = (wanted, context.context_tokens, answer)
        with self._lock:
            if key not in self._opened:
                from hippograph.models import chat_model

                self._opened[key] = chat_model(
                    wanted, self.settings, context_tokens=context.context_tokens, answer_tokens=answer
                )
            return self._opened[key]

    def _choice(self, role: str) -> str | None:
        with self._lock:
            if not self._chosen:
                from hippograph.models import choose

                self._chosen.update({each.role: each.spec for each in choose(self.settings)})
            return self._chosen.get(role)


def _given(model: "BaseChatModel", context: Context) -> "ChatModel":
    """Wrap a LangChain model that the caller made: its thinking is stripped, its tokens are estimated."""
    from hippograph.models import ChatModel, EstimatedCounter
    from hippograph.models.reasoning import Answering

    spec = f"given:{model._llm_type}"
    return ChatModel(
        spec=spec, model=Answering(inner=model, spec=spec), counter=EstimatedCounter(), window=context.context_tokens
    )
