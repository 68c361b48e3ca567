"""The upkeep graph, top to bottom: nodes, route, builder, compile. Its steps are also what runs in the background."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from hippograph.graph.opened import Models, shared_memory
from hippograph.graph.steps import described
from hippograph.nodes import upkeep as nodes
from hippograph.nodes.upkeep import Keeper
from hippograph.state import Context, Settings
from hippograph.state.upkeep import STEPS, Outcome, UpkeepContext, UpkeepRequest, UpkeepState

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langgraph.checkpoint.base import BaseCheckpointSaver

    from hippograph.memory import Memory

UpkeepGraph = CompiledStateGraph[UpkeepState, UpkeepContext, UpkeepRequest, Outcome]
Node = Callable[[UpkeepState, UpkeepContext, Keeper], UpkeepState]

NODES: dict[str, Node] = {
    "begin": nodes.begin,
    "expire": nodes.expire,
    "sweep": nodes.sweep,
    "decay": nodes.decay,
    "clean": nodes.clean,
    "merge": nodes.merge,
    "entities": nodes.entities,
    "compact": nodes.compact,
    "finish": nodes.finish,
}


def route(state: UpkeepState) -> Literal["work", "busy"]:
    """Work only where no other run does."""
    return "work" if state["lease"] else "busy"


def build_upkeep(
    *,
    memory: "Memory | None" = None,
    big: "str | BaseChatModel | None" = None,
    checkpointer: "BaseCheckpointSaver[Any] | None" = None,
    settings: Settings | None = None,
) -> UpkeepGraph:
    """Build the upkeep graph; memory and model open when a node first needs them.

    Args:
        memory: Long-term memory, which stays the caller's to close; None: this process's own for the settings' home.
        big: The model that writes summaries, "provider:model" or a LangChain model; None: the settings', else none.
        checkpointer: Keeps what each run did.
        settings: Where things are; None: the environment.
    """
    settings = settings or Settings.from_env()
    models = Models(settings=settings, big_given=big)
    keeper = Keeper(
        memory=lambda: memory or shared_memory(settings), big=lambda context: models.big(Context(big=context.big))
    )

    builder = StateGraph(UpkeepState, UpkeepContext, input_schema=UpkeepRequest, output_schema=Outcome)
    for name, node in NODES.items():
        told = {"stage": "upkeep", "description": described(node)}
        builder.add_node(name, step(name, node, keeper), metadata=told)
    builder.add_edge(START, "begin")
    builder.add_conditional_edges("begin", route, {"work": STEPS[0], "busy": END})
    for name, following in zip(STEPS, [*STEPS[1:], "finish"], strict=True):
        builder.add_edge(name, following)
    builder.add_edge("finish", END)
    return builder.compile(name="upkeep", checkpointer=checkpointer).with_config(RunnableConfig(tags=["hippograph"]))


def step(name: str, node: Node, keeper: Keeper) -> Callable[..., dict[str, Any]]:
    """Return a node as LangGraph calls it: it sends its report as an event, and frees the lease if it fails."""

    def run(state: UpkeepState, *, runtime: Runtime[UpkeepContext]) -> dict[str, Any]:
        context = runtime.context or UpkeepContext()
        try:
            update = node(state, context, keeper)
        except BaseException:
            if state.get("lease"):
                keeper.memory().end_upkeep(state["lease"])
            raise
        for report in update.get("reports", []):
            runtime.stream_writer(report)
        return {**update, "reports": Overwrite([])} if name == "begin" else {**update}

    run.__name__ = name
    return run


graph = build_upkeep()
"""For langgraph.json: without a checkpointer, as the server brings its own."""
