"""Asynchronous forms of synchronous methods, from the same code."""

import asyncio
import functools
from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def twin(method: Callable[P, R]) -> Callable[P, Coroutine[Any, Any, R]]:
    """Return the async form of a method: the same code, run in a thread."""

    @functools.wraps(method)
    async def call(*args: P.args, **kwargs: P.kwargs) -> R:
        return await asyncio.to_thread(method, *args, **kwargs)

    return call
