"""What wraps every node: its context, its time, its events, its trace."""

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from functools import partial
from threading import Event
from typing import Any, Protocol

from langchain_core.callbacks import BaseCallbackManager
from langchain_core.tracers import LangChainTracer
from langgraph._internal._constants import CONFIG_KEY_CHECKPOINTER
from langgraph.config import get_config
from langgraph.runtime import Runtime
from langgraph.types import Overwrite, interrupt
from langsmith import RunTree, get_current_run_tree

from hippograph.graph.recording import LAST, record, staged
from hippograph.nodes import Resources, Run, Update
from hippograph.nodes.turns import thread_of, turn_ids
from hippograph.state import Context, Doubtful, HippographError, ModelError, Review, space_hash
from hippograph.state.conversation import State
from hippograph.state.turn import Stage

log = logging.getLogger(__name__)

Node = Callable[[State, Run, Resources], Update]


class Step(Protocol):
    """A node as LangGraph calls it."""

    def __call__(self, state: State, *, runtime: Runtime[Context]) -> dict[str, Any]:
        """Return the changed keys."""
        ...


_STOP: ContextVar[Event | None] = ContextVar("hippograph_stop", default=None)
_PASSED_OVER: ContextVar[frozenset[str]] = ContextVar("hippograph_passed_over", default=frozenset())


@contextmanager
def stoppable(stop: Event | None) -> Iterator[None]:
    """Let an event end the answers of the runs within early; what was said until then is kept."""
    token = _STOP.set(stop)
    try:
        yield
    finally:
        _STOP.reset(token)


@contextmanager
def passing_over(ids: Iterable[str]) -> Iterator[None]:
    """Let the runs within recall none of some memories, by id: as if they had never been told."""
    token = _PASSED_OVER.set(frozenset(ids))
    try:
        yield
    finally:
        _PASSED_OVER.reset(token)


def step(name: str, node: Node, resources: Resources, on_model_error: Callable[[], None]) -> Step:
    """Return a node as LangGraph calls it: timed, reported as a stage, and traced with what it skipped.

    Args:
        name: The stage's name.
        node: The node itself.
        resources: What it works with.
        on_model_error: Called when a model failed, so that the next turn looks for it anew.
    """

    def run(state: State, *, runtime: Runtime[Context]) -> dict[str, Any]:
        this = _run(runtime, context_of(runtime.context))
        return taken(name, node, state, this, resources, runtime.stream_writer, on_model_error)

    run.__name__ = name
    return run


def described(node: Callable[..., object]) -> str:
    """Return what a node does, in one line: servers and clients are told metadata, but no docstrings."""
    return (node.__doc__ or "").partition("\n")[0]


def taken(
    name: str,
    node: Node,
    state: State,
    run: Run,
    resources: Resources,
    tell: Callable[[Any], None],
    on_model_error: Callable[[], None],
) -> dict[str, Any]:
    """Run a node and return the changed keys; its stage is told, traced, and, with the last one's, put down.

    Raises:
        ModelError: A model failed; what the turn cost until then is put down.
    """
    started, before = time.perf_counter(), state.get("stages", {})
    try:
        with _talking(resources):
            update = node(state, run, resources)
    except ModelError as error:
        on_model_error()
        ended = staged(_since(started), Update(spent=[*error.spent]), resources)
        record(state, run, Update(), {**before, name: ended}, resources, failed=True)
        raise
    stage = staged(_since(started), update, resources)
    tell({"stage": name, **stage})
    _trace(name, run.context, update)
    if name == LAST:
        _keep_trace(state, run, resources)
    stages: dict[str, Stage] = {name: stage}
    if name == LAST:
        record(state, run, update, {**before, name: stage}, resources)
    changed = {key: value for key, value in update.items() if key != "spent"}
    return {**changed, "stages": Overwrite(stages) if isinstance(update.get("stages"), Overwrite) else stages}


def _talking(resources: Resources) -> AbstractContextManager[None]:
    """Keep models that only judge from the turn that is under way."""
    memory = resources.there()
    return memory.talking() if memory else nullcontext()


def context_of(given: object) -> Context:
    """Return the run's context; a caller without one, or another graph's context, gives what it has.

    As a subgraph the graph is handed its parent's context, of whatever type; the fields both know are taken.
    """
    if isinstance(given, Context):
        return given
    if given is None:
        return Context()
    get = given.get if isinstance(given, Mapping) else partial(getattr, given)
    values = {name: get(name, None) for name in Context.model_fields}
    return Context.model_validate({name: value for name, value in values.items() if value is not None})


def _since(started: float) -> float:
    """Return the milliseconds since a time of `time.perf_counter`."""
    return round((time.perf_counter() - started) * 1000, 2)


def _run(runtime: Runtime[Context], context: Context) -> Run:
    names = get_config().get("configurable", {})
    stop = _STOP.get()
    return Run(
        context=context,
        thread=str(names.get("thread") or names.get("thread_id") or ""),
        passed_over=_PASSED_OVER.get(),
        stopping=lambda: runtime.drain_requested or (stop is not None and stop.is_set()),
        ask=_ask if names.get(CONFIG_KEY_CHECKPOINTER) else None,
    )


def _ask(memory: Doubtful) -> Review:
    """End the run with a question; resumed, return its answer."""
    return interrupt(dict(memory), response_schema=Review)


def _trace(name: str, context: Context, update: Update) -> None:
    """Add to the node's and the turn's traces, where tracing is on, the hashed space and what was skipped."""
    traced = get_current_run_tree()
    if traced is None:
        return
    degraded = update.get("degraded")
    skipped = degraded if isinstance(degraded, list) else []
    space = space_hash(context.user_id)
    traced.add_metadata({"stage": name, "space": space, **({"degraded": skipped} if skipped else {})})
    if turn := _traced_turn(traced):
        before = turn.metadata.get("degraded", [])
        turn.add_metadata({"space": space, **({"degraded": [*before, *skipped]} if skipped else {})})


def _keep_trace(state: State, run: Run, resources: Resources) -> None:
    """Keep with a stored answer, where tracing is on, the turn's trace, which what is thought of it belongs to."""
    node = get_current_run_tree()
    turn = _traced_turn(node) if node else None
    if turn is None or not run.context.remember or (memory := resources.there()) is None:
        return
    messages = state["messages"]
    answer = turn_ids(thread_of(run.thread, messages), messages)[-1]
    try:
        memory.traced(run.context.user_id, answer, str(turn.id), str(turn.session_name))
    except HippographError as error:  # the turn has its answer
        log.warning("The trace of an answer is not kept: %s", error)


def _traced_turn(node: RunTree) -> RunTree | None:
    """Return the trace of the turn that a traced node belongs to."""
    callbacks = get_config().get("callbacks")
    handlers = callbacks.handlers if isinstance(callbacks, BaseCallbackManager) else []
    tracer = next((each for each in handlers if isinstance(each, LangChainTracer)), None)
    return tracer.run_map.get(str(node.parent_run_id)) if tracer else None
