"""`hippograph graph`: who and what is connected, and the whole graph for other programs."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hippograph.cli.lines import counted, memory_json, memory_line
from hippograph.cli.options import ME, HomeOption, JsonOption, UserOption, clean, named
from hippograph.cli.screen import note, say, say_json
from hippograph.cli.store import open_memory
from hippograph.state import BadInput

if TYPE_CHECKING:
    from hippograph.memory.connections import Connected, Link
    from hippograph.memory.network import Network

SHOWN = 2
"""Memories shown behind each connection."""


class Format(StrEnum):
    """A format of the whole graph."""

    GRAPHML = "graphml"
    JSON = "json"


def graph(
    name: Annotated[
        str | None,
        typer.Argument(help="Whose connections to show; with --export, the file to write. Default: all names."),
    ] = None,
    hops: Annotated[int, typer.Option(min=1, max=5, help="How many connections away.")] = 1,
    export: Annotated[Format | None, typer.Option("--export", help="Write the whole graph in this format.")] = None,
    user: UserOption = ME,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show who and what is connected to a name, and the memories that say so.

    \b
    hippograph graph "Ann Lee"
    hippograph graph 老唐 --hops 2 --json
    hippograph graph --export graphml memories.graphml
    """
    user = named(user, "--user")
    with open_memory(home) as memory:
        if export:
            _export(memory.network(user), user, export, None if name is None else Path(name), told=as_json)
        elif name is not None:
            found = memory.connected(user, clean(name), hops)
            if as_json:
                say_json(connected_json(found))
            else:
                say("\n".join(connected_lines(found)))
        else:
            _names(memory.network(user), as_json=as_json)


def connected_json(found: "Connected") -> dict[str, object]:
    """Return connections as `--json` prints them."""
    return {
        "name": found.name,
        "kind": found.kind,
        "aliases": [*found.aliases],
        "connections": [
            {
                "name": link.name,
                "kind": link.kind,
                "relation": link.relation,
                "via": link.via,
                "outgoing": link.outgoing,
                "hops": link.hops,
                "memories": [memory_json(each) for each in link.memories],
            }
            for link in found.links
        ],
    }


def connected_lines(found: "Connected") -> list[str]:
    """Return connections as lines, each with the newest memories that say so below."""
    called = f" ({found.kind})" if found.kind else ""
    also = f", also {', '.join(found.aliases)}" if found.aliases else ""
    lines = [f"{found.name}{called}{also}"]
    for link in found.links:
        lines.append(f"{'  ' * link.hops}{_arrow(link)}")
        lines += [f"{'  ' * link.hops}    {each.id}  {memory_line(each, 100)}" for each in link.memories[:SHOWN]]
        if len(link.memories) > SHOWN:
            lines.append(f"{'  ' * link.hops}    … and {len(link.memories) - SHOWN:,} more")
    return lines


def _arrow(link: "Link") -> str:
    """Return `Ann — employer → Acme`, from the entity that the connection starts at."""
    kind = f" ({link.kind})" if link.kind else ""
    from hippograph.memory.network import TOGETHER

    if link.relation == TOGETHER:
        return f"{link.via} · {link.relation} · {link.name}{kind}"
    if link.outgoing:
        return f"{link.via} — {link.relation} → {link.name}{kind}"
    return f"{link.name}{kind} — {link.relation} → {link.via}"


def _names(network: "Network", *, as_json: bool) -> None:
    entities = sorted(network.entities.values(), key=lambda each: (-len(each.memories), each.name))
    if as_json:
        say_json(
            [
                {"name": each.name, "kind": each.kind, "aliases": each.aliases, "memories": len(each.memories)}
                for each in entities
            ]
        )
        return
    for each in entities:
        kind = f" ({each.kind})" if each.kind else ""
        say(f"{each.name}{kind}  {counted(len(each.memories), 'memory')}")
    note(f"{counted(len(entities), 'name')}, {counted(len(network.edges), 'connection')}.")


def _export(network: "Network", user: str, format: Format, out: Path | None, *, told: bool) -> None:  # noqa: A002
    """Write the whole graph, to the screen without a file; `told` says what is in the file as JSON."""
    from hippograph.memory.drawn import as_graphml, as_json

    text = as_graphml(network) if format is Format.GRAPHML else as_json(network, user)
    if out is None:
        say(text)
        return
    try:
        out.write_text(text + "\n", "utf-8")
    except OSError as error:
        raise BadInput(f"{out} cannot be written ({error.strerror}): choose another file.") from error
    if told:
        say_json({"file": str(out), "names": len(network.entities), "connections": len(network.edges)})
    else:
        note(f"{counted(len(network.entities), 'name')}, {counted(len(network.edges), 'connection')} in {out}.")
