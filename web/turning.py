"""Turns under way: one at a time in a thread, each by a task of its own, so that none is lost with the browser."""

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from hippograph.graph import Agent
from hippograph.graph.streaming import Happening, Piece, happenings
from hippograph.state import BadInput, HippographError, Review
from hippograph.web.rendering import Unforeseen

DRAIN_SECONDS = 20.0
"""How long turns that were told to stop are waited for, at the end."""

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Turning:
    """One turn under way."""

    asked: str = ""
    """What was said to it; empty where it goes on with what a person decided."""
    said: str = ""
    """What it has answered so far."""
    stop: threading.Event = field(default_factory=threading.Event)
    happened: "asyncio.Queue[Happening | HippographError | None]" = field(default_factory=asyncio.Queue)
    """What it has to tell; None is the end."""
    task: "asyncio.Task[None] | None" = None


class Turns:
    """The turns under way of one app; used on its event loop alone."""

    def __init__(self) -> None:
        self._running: dict[tuple[str, str], Turning] = {}
        self.beside: list[Callable[[], None]] = []
        """What else ends answers early."""

    def begin(
        self, agent: Agent, given: str | Review, *, user: str, thread: str, context: Mapping[str, Any]
    ) -> AsyncIterator[Happening | HippographError]:
        """Begin a turn, or go on with one that asked; return what happens in it.

        A reader that leaves stops the answer; what was said until then is kept.

        Raises:
            BadInput: Another turn of this thread is under way.
        """
        key = (user, thread)
        if key in self._running:
            raise BadInput("This conversation has an answer under way: wait for it, or stop it.")
        turning = self._running[key] = Turning(asked=given if isinstance(given, str) else "")
        turning.task = asyncio.create_task(self._run(key, turning, agent, given, context))
        return _told(turning)

    def stop(self, user: str, thread: str) -> bool:
        """Have a thread's answer end early; tell whether there was one."""
        turning = self._running.get((user, thread))
        if turning:
            turning.stop.set()
        return turning is not None

    def stop_all(self) -> None:
        """Have all answers end early."""
        for turning in self._running.values():
            turning.stop.set()
        for stop in self.beside:
            stop()

    def running(self, user: str, thread: str) -> Turning | None:
        """Return the turn that a thread has under way."""
        return self._running.get((user, thread))

    async def close(self) -> None:
        """Stop all answers and wait until they are stored."""
        self.stop_all()
        tasks = [each.task for each in self._running.values() if each.task]
        if tasks:
            await asyncio.wait(tasks, timeout=DRAIN_SECONDS)

    async def _run(
        self, key: tuple[str, str], turning: Turning, agent: Agent, given: str | Review, context: Mapping[str, Any]
    ) -> None:
        user, thread = key
        try:
            async for each in happenings(agent, given, user=user, thread=thread, stop=turning.stop, context=context):
                turning.said += each.text if isinstance(each, Piece) else ""
                turning.happened.put_nowait(each)
        except HippographError as error:
            turning.happened.put_nowait(error)
        except Exception as error:  # whatever it is, the page says that it happened, and goes on
            log.warning("A turn failed.", exc_info=error)
            turning.happened.put_nowait(Unforeseen.of(error))
        finally:
            del self._running[key]
            turning.happened.put_nowait(None)


async def _told(turning: Turning) -> AsyncIterator[Happening | HippographError]:
    try:
        while (each := await turning.happened.get()) is not None:
            yield each
    finally:
        turning.stop.set()
