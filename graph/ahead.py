"""Writing blocks ahead: after an answer, in the background, for what is likely asked next.

One question at a time, in one thread, which nobody waits for. What is under way for a conversation is dropped when its
next turn begins, and at the end: at most a model's call that was begun goes on, unheard.
"""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace

from langchain_core.messages import HumanMessage

from hippograph.graph.injection import NODES, through
from hippograph.memory.work.worker import Worker
from hippograph.nodes import Resources, Run, Update
from hippograph.nodes.followups import likely
from hippograph.nodes.turns import language_of, question, words_of
from hippograph.state import HippographError
from hippograph.state.conversation import State

log = logging.getLogger(__name__)

Node = Callable[[State, Run, Resources], Update]

PATIENCE = 0.5
"""Seconds that closing waits for the step in hand."""
IDLE = 3600.0
"""Seconds between looks for work that nobody told of: there is none."""
Thread = tuple[str, str]
"""A user and a conversation."""


@dataclass(frozen=True)
class _Turn:
    """A turn that has ended."""

    thread: Thread
    state: State
    run: Run
    dropped: threading.Event


class Ahead:
    """Writes blocks ahead for one graph. Safe to use from several threads."""

    def __init__(self, resources: Resources, *, always: bool) -> None:
        """Prepare.

        Args:
            resources: What the nodes work with.
            always: Whether it is done for every run, or only for those whose context says so.
        """
        self._resources = resources
        self._always = always
        self._lock = threading.Lock()
        self._next: _Turn | None = None
        self._under_way: _Turn | None = None
        self._worker: Worker | None = None

    def beside(self, name: str, node: Node) -> Node:
        """Return a node that also tells when a turn begins or ends."""
        if name == "check_trigger":
            return self._first(node)
        return self._last(node) if name == "write_back" else node

    def stop(self) -> None:
        """Drop what is under way and what waits."""
        with self._lock:
            worker, self._worker, self._next = self._worker, None, None
            if self._under_way:
                self._under_way.dropped.set()
        if worker:
            worker.stop(PATIENCE)

    def idle(self) -> bool:
        """Tell whether nothing is under way or waits."""
        with self._lock:
            return self._next is None and self._under_way is None

    def _first(self, node: Node) -> Node:
        def begin(state: State, run: Run, resources: Resources) -> Update:
            self._drop((run.context.user_id, run.thread))
            return node(state, run, resources)

        return begin

    def _last(self, node: Node) -> Node:
        def end(state: State, run: Run, resources: Resources) -> Update:
            update = node(state, run, resources)
            if self._wanted(state, run) and "block" not in update:  # else what it rested on was forgotten meanwhile
                self._put(_Turn((run.context.user_id, run.thread), state, run, threading.Event()))
            return update

        return end

    def _wanted(self, state: State, run: Run) -> bool:
        """Tell whether to write ahead after a turn: where memory was searched, and a model may be called for it."""
        context = run.context
        asked_for = (self._always or context.prefetch) and context.cache and bool(run.thread)
        return asked_for and not run.stopping() and bool(state.get("memories"))

    def _drop(self, thread: Thread) -> None:
        with self._lock:
            if self._next and self._next.thread == thread:
                self._next = None
            if self._under_way and self._under_way.thread == thread:
                self._under_way.dropped.set()

    def _put(self, turn: _Turn) -> None:
        """Let a turn be the next one: of several that ended, the last."""
        with self._lock:
            if self._worker is None:
                self._worker = Worker("hippograph-ahead", self._step, IDLE)
                self._resources.memory().before_close(self.stop)
                self._worker.start()
            self._next = turn
            self._worker.wake()

    def _step(self) -> bool:
        with self._lock:
            turn, self._next = self._next, None
            self._under_way = turn
        if turn is None:
            return False
        try:
            for each in questions(turn.state, turn.run):
                if turn.dropped.is_set():
                    break
                run = replace(turn.run, ahead=True, ask=None, stopping=turn.dropped.is_set)
                prepare(each, turn.state, run, self._resources)
        except HippographError as error:
            log.debug("Nothing was written ahead: %s", error)
        except Exception:  # else the thread would rest for `IDLE` whatever else there is to write
            log.warning("Writing ahead failed.", exc_info=True)
        finally:
            with self._lock:
                self._under_way = None
        return True


def questions(state: State, run: Run) -> list[str]:
    """Return what is likely asked after a turn."""
    asked = question(state["messages"])
    answer = words_of(state["messages"][-1])
    told = [record["text"] for record in state.get("memories", [])]
    return likely(asked, answer, told, language_of(run.context, asked))


def prepare(asked: str, state: State, run: Run, resources: Resources) -> State:
    """Go through a turn for a question until its block is written, if it is at all; return what that came to."""
    memory = resources.memory()
    resources = replace(resources, memory=lambda: memory)  # a home that is closed meanwhile is not opened anew

    def take(name: str, turn: State) -> Update:
        update: Update = NODES[name](turn, run, resources)
        memory.worked(run.context.user_id, "ahead", update.get("spent", []))
        return update

    turn: State = {**state, "messages": [*state["messages"], HumanMessage(asked, id="ahead")], "candidates": []}
    return through(turn, run, take)
