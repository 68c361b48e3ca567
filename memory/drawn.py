"""The graph of entities for other programs: GraphML and JSON."""

import json

from hippograph.memory.network import Network

SCHEMA = 1
"""Version of the JSON's form."""


def as_graphml(network: Network) -> str:
    """Return the graph as GraphML, with one edge for each relation of two entities."""
    import networkx

    graph = networkx.MultiDiGraph()
    for number, entity in network.entities.items():
        aliases = " | ".join(entity.aliases)
        graph.add_node(number, name=entity.name, kind=entity.kind, aliases=aliases, memories=len(entity.memories))
    for edge, memories in network.edges.items():
        graph.add_edge(edge.head, edge.tail, relation=edge.relation, memories=len(memories))
    return "\n".join(networkx.generate_graphml(graph))


def as_json(network: Network, space: str) -> str:
    """Return the graph as JSON: nodes, and edges by the nodes' numbers."""
    nodes = [
        {"id": number, "name": each.name, "kind": each.kind, "aliases": each.aliases, "memories": len(each.memories)}
        for number, each in network.entities.items()
    ]
    edges = [
        {"source": edge.head, "relation": edge.relation, "target": edge.tail, "memories": len(memories)}
        for edge, memories in network.edges.items()
    ]
    return json.dumps({"schema": SCHEMA, "user": space, "nodes": nodes, "edges": edges}, ensure_ascii=False, indent=2)
