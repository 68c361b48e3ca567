"""What the graph opens at its first turn and shares from then on: one memory a home, and models by name."""

import atexit
import threading
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from hippograph.models.breaker import Breakers
from hippograph.nodes import Resources
from hippograph.nodes.condensing import Condenser
from hippograph.nodes.run import Rung, RungRole
from hippograph.state import Context, Settings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from hippograph.memory import Memory
    from hippograph.models import ChatModel
    from hippograph.models.budgets import Budget, Role
    from hippograph.models.windows import Window

    Wanted = str | BaseChatModel | ChatModel
    """A model: its name, the caller's own, or one made ready, which is used as it is."""

COOL = 0.1
"""Highest temperature of a model that distils."""
MOST_OPENED = 64
"""Models that are kept open: each other length of answer or temperature that runs ask for is one."""
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


def opened_memory(settings: Settings) -> "Memory | None":
    """Return this process's memory of a home if it is open; waits for nothing."""
    return _MEMORIES.get(settings.home.expanduser().absolute())


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
    small_given: "Wanted | None" = None
    big_given: "Wanted | None" = None
    backup_given: "Wanted | None" = None
    breakers: Breakers = field(default_factory=Breakers)
    """What is known of models that failed, of those that distil."""
    _opened: "dict[tuple[str, Budget, float, float | None], ChatModel]" = field(default_factory=dict)
    _chosen: dict[str, str | None] = field(default_factory=dict)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def small(self, context: Context) -> "ChatModel":
        """Return the model that answers: the run's, else the graph's, else the settings', else what is found.

        Raises:
            ModelError: It cannot be used, or there is none.
        """
        found = self._model("small", context.small or self.small_given or self._choice("small"), context)
        assert found is not None  # `choose` always names a small model.
        return found

    def given(self, model: "BaseChatModel", context: Context) -> "ChatModel":
        """Return a LangChain model of the caller's as one that answers in a run."""
        found = self._model("small", model, context)
        assert found is not None
        return found

    def big(self, context: Context) -> "ChatModel | None":
        """Return the model that distils, or None where none is configured.

        Raises:
            ModelError: It cannot be used.
        """
        return self._distiller("big", context.big or self.big_given or self.settings.big, context)

    def ladder(self, context: Context) -> "list[Rung]":
        """Return the models that may distil, in the order they are tried; opens none.

        The larger embedded model is one only beside a big model that is configured: it takes minutes on few cores.
        """
        named: dict[RungRole, Wanted | None] = {
            "big": context.big or self.big_given or self.settings.big,
            "backup": context.backup or self.backup_given or self.settings.backup,
        }
        wanted: list[tuple[RungRole, Wanted]] = [(role, each) for role, each in named.items() if each]
        specs = [_spec(role, each) for role, each in wanted]
        if wanted and (embedded := _embedded(self.settings)) and embedded not in specs:
            wanted.append(("embedded", embedded))
        return [
            Rung(role=role, spec=_spec(role, each), open=partial(self._distiller, role, each, context))
            for role, each in wanted
        ]

    def resources(self, memory: "Memory | None" = None) -> Resources:
        """Return what nodes work with: these models and a memory; None: this process's own for the settings' home."""
        return Resources(
            memory=lambda: memory or shared_memory(self.settings),
            opened=lambda: memory or opened_memory(self.settings),
            small=self.small,
            big=self.big,
            ladder=self.ladder,
            breakers=self.breakers,
            condenser=Condenser(),
            deadline=self.settings.deadline,
        )

    def forget(self) -> None:
        """Look for every model anew at its next use."""
        with self._lock:
            self._opened.clear()
            self._chosen.clear()

    def _distiller(self, role: RungRole, wanted: "Wanted | None", context: Context) -> "ChatModel | None":
        """Return a model that distils, with no more patience than one of its calls has."""
        return self._model(role, wanted, context, context.deadline or self.settings.deadline)

    def _model(
        self, role: "Role", wanted: "Wanted | None", context: Context, silence: float | None = None
    ) -> "ChatModel | None":
        """Open a role's model within the role's own budget, or return it as it was opened.

        Two turns at a time may open it twice, and neither waits.
        """
        if wanted is None:
            return None
        from hippograph.models import ChatModel, tempered, windows
        from hippograph.models.budgets import budget, given_budget

        temperature = context.temperature if role == "small" else None
        if isinstance(wanted, ChatModel):
            return wanted
        if not isinstance(wanted, str):
            has = windows.profiled(wanted)
            wanted = tempered(wanted, temperature)
            return _given(wanted, has, given_budget(role, has, context), cool=silence is not None)
        from hippograph.models import READ_SECONDS, chat_model

        allowed, silence = budget(role, wanted, self.settings, context), silence or READ_SECONDS
        key = (wanted, allowed, silence, temperature)
        with self._lock:
            if opened := self._opened.get(key):
                return opened
        opened = chat_model(
            wanted,
            self.settings,
            context_tokens=allowed.window,
            answer_tokens=allowed.answer,
            temperature=temperature or 0.0,
            give_way=role != "small",
            silence=silence,
        )
        with self._lock:
            if len(self._opened) >= MOST_OPENED:
                self._opened.clear()
            return self._opened.setdefault(key, opened)

    def _choice(self, role: str) -> str | None:
        with self._lock:
            if not self._chosen:
                from hippograph.models import choose

                self._chosen.update({each.role: each.spec for each in choose(self.settings)})
            return self._chosen.get(role)


def _embedded(settings: Settings) -> str | None:
    """Return the larger embedded model, if it is on this machine."""
    from hippograph.models import catalogue

    return f"local:{catalogue.BIG}" if catalogue.entry(catalogue.BIG).pulled(settings.model_dir) else None


def _spec(role: str, model: "Wanted") -> str:
    """Return what messages call a model; two models of the caller's own are told apart by what they are for."""
    from hippograph.models import ChatModel

    if isinstance(model, str):
        return model
    return model.spec if isinstance(model, ChatModel) else f"given:{model._llm_type} ({role})"


def _given(model: "BaseChatModel", has: "Window", allowed: "Budget", *, cool: bool) -> "ChatModel":
    """Wrap a LangChain model that the caller made: its thinking is stripped, its tokens are estimated.

    One that distils is made `cool`: its temperature is at most COOL.
    """
    from hippograph.models import ChatModel, EstimatedCounter, cooled
    from hippograph.models.reasoning import Answering

    model = cooled(model, COOL) if cool else model
    spec = f"given:{model._llm_type}"
    return ChatModel(
        spec=spec,
        model=Answering(inner=model, spec=spec),
        counter=EstimatedCounter(),
        window=allowed.window,
        reserved=allowed.answer,
        has=has,
    )
