"""Timing model calls inside a run."""

import time
from typing import Any

from langchain_core.embeddings import Embeddings
from langchain_core.language_models import BaseChatModel, SimpleChatModel
from langchain_core.messages import BaseMessage, HumanMessage
from langchain_core.runnables import RunnableLambda

from hippograph.bench.clock import TimedEmbeddings, timed_models


class Slow(SimpleChatModel):
    """Takes 50 ms, then asks the model it wraps, if any."""

    inner: BaseChatModel | None = None

    def _call(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> str:
        time.sleep(0.05)
        return str(self.inner.invoke(messages).content) if self.inner else "yes"

    @property
    def _llm_type(self) -> str:
        return "slow"


class Constant(Embeddings):
    def embed_query(self, text: str) -> list[float]:
        time.sleep(0.01)
        return [1.0]

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [[1.0] for _ in texts]


def test_a_model_that_wraps_another_counts_once_and_the_rest_not_at_all() -> None:
    chain = RunnableLambda(lambda text: (time.sleep(0.2), [HumanMessage(text)])[1]) | Slow(inner=Slow())
    began = time.perf_counter()
    with timed_models() as clock:
        chain.invoke("hi")
    wall = time.perf_counter() - began
    assert 0.1 <= clock.seconds <= wall - 0.2


def test_calls_outside_the_block_are_not_counted() -> None:
    with timed_models() as clock:
        pass
    Slow().invoke("hi")
    assert clock.seconds == 0


def test_query_embeddings_are_timed_and_documents_are_not() -> None:
    timed = TimedEmbeddings(Constant())
    assert timed.embed_query("a") == [1.0]
    once = timed.query_seconds
    assert once >= 0.01
    assert timed.embed_documents(["a", "b"]) == [[1.0], [1.0]]
    assert timed.query_seconds == once
