"""How the nodes are wired: the conversation graph, its checkpoints, and an agent to talk to.

`graph` is compiled bare, for `langgraph dev`; `build_graph` takes a memory, models and a checkpointer.
"""

from hippograph.graph.agent import Graph, build_graph, graph
from hippograph.graph.checkpoints import Checkpoints, open_checkpoints
from hippograph.graph.session import Agent, Turned, open_agent
from hippograph.graph.upkeep import UpkeepGraph, build_upkeep

__all__ = [
    "Agent",
    "Checkpoints",
    "Graph",
    "Turned",
    "UpkeepGraph",
    "build_graph",
    "build_upkeep",
    "graph",
    "open_agent",
    "open_checkpoints",
]
