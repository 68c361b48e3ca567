"""How the nodes are wired: the conversation graph, its checkpoints, an agent to talk to, and parts for other apps.

`graph` is compiled bare, for `langgraph dev`; `build_graph` takes a memory, models and a checkpointer. The parts
(middleware, retriever, tools, …) are imported when they are first named: each needs more of LangChain than the graph.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from hippograph.graph.agent import Graph, build_graph, graph
from hippograph.graph.checkpoints import Checkpoints, open_checkpoints
from hippograph.graph.session import Agent, Turned, open_agent
from hippograph.graph.upkeep import UpkeepGraph, build_upkeep

if TYPE_CHECKING:
    from hippograph.graph.chat_history import HippographChatHistory
    from hippograph.graph.inject import Inject
    from hippograph.graph.llama_index import HippographMemory
    from hippograph.graph.middleware import HippographMiddleware
    from hippograph.graph.retriever import HippographRetriever
    from hippograph.graph.store import HippographStore
    from hippograph.graph.tools import memory_tools

_PARTS = {
    "HippographChatHistory": "chat_history",
    "HippographMemory": "llama_index",
    "HippographMiddleware": "middleware",
    "HippographRetriever": "retriever",
    "HippographStore": "store",
    "Inject": "inject",
    "memory_tools": "tools",
}

__all__ = [
    "Agent",
    "Checkpoints",
    "Graph",
    "HippographChatHistory",
    "HippographMemory",
    "HippographMiddleware",
    "HippographRetriever",
    "HippographStore",
    "Inject",
    "Turned",
    "UpkeepGraph",
    "build_graph",
    "build_upkeep",
    "graph",
    "memory_tools",
    "open_agent",
    "open_checkpoints",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - any of the parts
    if name not in _PARTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_PARTS[name]}"), name)
