"""How long models take inside a turn: chat calls by a callback, embedding calls by a wrapper."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.embeddings import Embeddings
from langchain_core.messages import BaseMessage
from langchain_core.outputs import LLMResult
from langchain_core.tracers.context import register_configure_hook
from typing_extensions import override


class ModelClock(BaseCallbackHandler):
    """Adds up the time in which at least one chat model call is open: a model that wraps another counts once."""

    run_inline = True

    def __init__(self) -> None:
        self.seconds = 0.0
        self._open = set[UUID]()
        self._since = 0.0

    @override
    def on_chat_model_start(
        self, serialized: dict[str, Any], messages: list[list[BaseMessage]], *, run_id: UUID, **_: Any
    ) -> None:
        if not self._open:
            self._since = time.perf_counter()
        self._open.add(run_id)

    @override
    def on_llm_end(self, response: LLMResult, *, run_id: UUID, **_: Any) -> None:
        self._close(run_id)

    @override
    def on_llm_error(self, error: BaseException, *, run_id: UUID, **_: Any) -> None:
        self._close(run_id)

    def _close(self, run_id: UUID) -> None:
        if self._open == {run_id}:
            self.seconds += time.perf_counter() - self._since
        self._open.discard(run_id)


_clock: ContextVar[ModelClock | None] = ContextVar("hippograph_bench_clock", default=None)
register_configure_hook(_clock, inheritable=True)


@contextmanager
def timed_models() -> Iterator[ModelClock]:
    """Time every chat model that is called inside the block."""
    clock = ModelClock()
    token = _clock.set(clock)
    try:
        yield clock
    finally:
        _clock.reset(token)


class TimedEmbeddings(Embeddings):
    """Embeddings that add up what queries cost; thread-safe."""

    def __init__(self, embeddings: Embeddings) -> None:
        self._embeddings = embeddings
        self._lock = threading.Lock()
        self.query_seconds = 0.0

    @override
    def embed_query(self, text: str) -> list[float]:
        started = time.perf_counter()
        vector = self._embeddings.embed_query(text)
        with self._lock:
            self.query_seconds += time.perf_counter() - started
        return vector

    @override
    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return self._embeddings.embed_documents(texts)
