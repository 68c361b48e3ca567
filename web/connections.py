"""Who and what is connected: a map of names, one name with all around it, and the memories that say so."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hippograph.memory.facts import SELF
from hippograph.memory.listing import Card
from hippograph.memory.network import Network
from hippograph.web import mapping
from hippograph.web.asked import Missing, Opened, opened
from hippograph.web.mapping import BEHIND, Neighbour
from hippograph.web.rendering import page

LISTED = 24
"""Connections, and memories that name somebody, that are listed; search has the others."""
NAMES = 500
"""Names that are offered while one is typed."""

READ = 250
"""Memories that one request reads for their names: a home of thousands that nobody kept up is read in some steps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A connection with the newest memories that say so."""

    neighbour: Neighbour
    cards: Sequence[Card]
    more: int
    """Further memories that say so."""


def connections(request: Request) -> Response:
    """Show the map of all names, or of one with what is around it."""
    home = opened(request)
    name = request.query_params.get("name", "").strip()
    graph = home.memory.network(home.space, most=READ)
    if not name:
        return page(request, "connections.html", 200, **_shared(home, graph), map=mapping.overview(graph))
    number = mapping.known(graph, name)
    if number is None:
        raise Missing(f"No memory names {name!r}: check its spelling, or look at all names.")
    hops = 2 if request.query_params.get("hops") == "2" else 1
    entity = graph.entities[number]
    return page(
        request,
        "connection.html",
        200,
        **_shared(home, graph),
        map=mapping.around(graph, number, hops),
        entity=entity,
        hops=hops,
        told=_told(home, graph, number),
        cards=home.memory.cards(home.space, seqs=sorted(entity.memories, reverse=True)[:LISTED]),
    )


def reading(request: Request) -> Response:
    """Read some more memories for their names; tell how many are left, and have the page loaded again at the end."""
    home = opened(request)
    home.memory.network(home.space, most=READ)
    left = home.memory.unread(home.space)
    response = page(request, "connections.reading.html", unread=left)
    if not left:
        response.headers["HX-Refresh"] = "true"
    return response


def _shared(home: Opened, graph: Network) -> Mapping[str, object]:
    """Return what both pages have: names that may be typed, and how many memories are not read yet."""
    ranked = sorted(graph.entities.values(), key=lambda each: (-len(each.memories), each.name))
    return {
        "names": ranked[:NAMES],
        "total": len(ranked),
        "me": SELF,
        "unread": home.memory.unread(home.space),
    }


def _told(home: Opened, graph: Network, number: int) -> list[Told]:
    """Return the strongest connections of a name, each with its newest memories."""
    found = mapping.neighbours(graph, number)[:LISTED]
    wanted = {seq for each in found for seq in each.memories[:BEHIND]}
    cards = {card.seq: card for card in home.memory.cards(home.space, seqs=[*wanted])}
    return [
        Told(
            neighbour=each,
            cards=[cards[seq] for seq in each.memories[:BEHIND] if seq in cards],
            more=max(0, len(each.memories) - BEHIND),
        )
        for each in found
    ]


ROUTES = [
    Route("/connections", connections, name="connections"),
    Route("/connections/reading", reading, name="connections_reading"),
]
