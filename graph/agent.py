"""The conversation graph, top to bottom: nodes, route, builder, compile."""

from typing import TYPE_CHECKING, Any, Literal

from langchain_core.runnables import RunnableConfig
from langgraph._internal._constants import CONFIG_KEY_DURABILITY
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from hippograph import nodes
from hippograph.graph.ahead import Ahead
from hippograph.graph.opened import Models
from hippograph.graph.steps import Node, context_of, described, step
from hippograph.models.breaker import Breakers
from hippograph.nodes.review import is_due
from hippograph.state import Context, Settings
from hippograph.state.conversation import Answer, Conversation, State

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.store.base import BaseStore

    from hippograph.memory import Memory
    from hippograph.models import ChatModel

Graph = CompiledStateGraph[State, Context, Conversation, Answer]

NODES: dict[str, tuple[Node, str]] = {
    "check_trigger": (nodes.check_trigger, "decide"),
    "retrieve": (nodes.retrieve, "recall"),
    "rerank": (nodes.rerank, "recall"),
    "review": (nodes.review, "recall"),
    "summarize": (nodes.summarize, "recall"),
    "respond": (nodes.respond, "answer"),
    "write_back": (nodes.write_back, "remember"),
}
"""Each node, and the stage it belongs to, as traces show it."""


def route(state: State) -> Literal["retrieve", "respond"]:
    """Search memory only where the trigger fired."""
    return "retrieve" if state["trigger"]["fire"] else "respond"


def reviewed(state: State, runtime: Runtime[Context]) -> Literal["review", "summarize"]:
    """Ask a person only where that is wanted and a memory gives cause for it."""
    return "review" if is_due(state, context_of(runtime.context)) else "summarize"


def build_graph(
    *,
    memory: "Memory | None" = None,
    small: "str | BaseChatModel | ChatModel | None" = None,
    big: "str | BaseChatModel | ChatModel | None" = None,
    backup: "str | BaseChatModel | ChatModel | None" = None,
    checkpointer: "BaseCheckpointSaver[Any] | None" = None,
    store: "BaseStore | None" = None,
    settings: Settings | None = None,
    breakers: Breakers | None = None,
) -> Graph:
    """Build the conversation graph; memory and models open at its first turn.

    Args:
        memory: Long-term memory, which stays the caller's to close; None: this process's own for the settings' home.
        small: The model that answers, "provider:model" or a LangChain model; None: the settings', else what is found.
        big: The model that distils evidence too long for the budget; None: the settings', else none.
        backup: The model that distils where the big one fails; None: the settings', else none.
        checkpointer: Short-term memory. With one, a turn's state is written once, at its end.
        store: Handed to the graph for the caller's own nodes; Hippograph keeps nothing in it.
        settings: Where things are; None: the environment.
        breakers: What is known of models that failed, of those that distil; None: this graph's own.
    """
    settings = settings or Settings.from_env()
    models = Models(settings=settings, small_given=small, big_given=big, backup_given=backup)
    models.breakers = breakers or models.breakers
    resources = models.resources(memory)
    ahead = Ahead(resources, always=settings.prefetch)
    builder = StateGraph(State, Context, input_schema=Conversation, output_schema=Answer)
    for name, (node, stage) in NODES.items():
        told = {"stage": stage, "description": described(node)}
        builder.add_node(name, step(name, ahead.beside(name, node), resources, models.forget), metadata=told)
    builder.add_edge(START, "check_trigger")
    builder.add_conditional_edges("check_trigger", route, {"retrieve": "retrieve", "respond": "respond"})
    builder.add_edge("retrieve", "rerank")
    builder.add_conditional_edges("rerank", reviewed, {"review": "review", "summarize": "summarize"})
    builder.add_edge("review", "summarize")
    builder.add_edge("summarize", "respond")
    builder.add_edge("respond", "write_back")
    builder.add_edge("write_back", END)

    compiled = builder.compile(name="hippograph", checkpointer=checkpointer, store=store)
    # Each super-step's checkpoint would hold the whole state again: 300 turns would take tens of megabytes.
    durability = {CONFIG_KEY_DURABILITY: "exit"} if checkpointer else {}
    return compiled.with_config(RunnableConfig(tags=["hippograph"], configurable=durability))


graph = build_graph()
"""For langgraph.json: without a checkpointer, as the server brings its own."""
