"""Memories, stages and receipts as lines of text and as JSON."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from typing_extensions import TypedDict

from hippograph.cli.screen import printable
from hippograph.state import Receipt, Recollection, SourceRecord

if TYPE_CHECKING:
    from hippograph.graph import Turned
    from hippograph.state.turn import Block, Stage


class MemoryJson(TypedDict):
    """A memory as `--json` prints it."""

    id: str
    text: str
    kind: str
    status: str
    score: float
    said_at: str
    sources: list[SourceRecord]


def memory_json(memory: Recollection) -> MemoryJson:
    """Return a memory as `--json` prints it."""
    record = memory.to_record()
    return MemoryJson(
        id=record["id"],
        text=record["text"],
        kind=record["kind"],
        status=record["status"],
        score=round(record["score"], 4),
        said_at=record["said_at"],
        sources=record["sources"],
    )


def memory_line(memory: Recollection, width: int = 160) -> str:
    """Return a memory's text and where it comes from, on one line of at most `width` characters of text."""
    return f"{shortened(memory.text, width)}  ({origin(memory)})"


def origin(memory: Recollection) -> str:
    """Say when, where and by whom a memory was told."""
    who = memory.speaker or memory.role
    thread = memory.thread or next((source.thread for source in memory.sources), "")
    parts = [f"{memory.said_at.astimezone():%Y-%m-%d %H:%M}", f"thread {thread}" if thread else "", who]
    return ", ".join(part for part in parts if part)


def shortened(text: str, width: int) -> str:
    """Return text on one line, cut to `width` characters."""
    line = " ".join(printable(text).split())
    return line if len(line) <= width else f"{line[: width - 1]}…"


def fitted(text: str, cells: int) -> str:
    """Return text on one line, cut to what `cells` cells of a terminal hold."""
    from rich.cells import cell_len, set_cell_size

    line = " ".join(printable(text).split())
    return line if cell_len(line) <= cells else f"{set_cell_size(line, cells - 1).rstrip()}…"


def used(turned: "Turned") -> list[Recollection]:
    """Return the memories that stood in the answering model's prompt, in the order of their numbers."""
    by_id = {memory.id: memory for memory in turned.memories}
    return [by_id[cited] for cited in turned.block["cited"] if cited in by_id]


def stage_line(name: str, stage: "Stage") -> str:
    """Return one stage's time, tokens and money, as far as there are any."""
    tokens = f", {stage['tokens']} tokens" if stage["tokens"] else ""
    money = f", {dollars(stage['money'])}" if stage["money"] else ""
    return f"{name} {stage['ms']:.1f} ms{tokens}{money}"


def dollars(money: float) -> str:
    """Return a sum of USD, with as many digits as tell something."""
    return f"${money:,.2f}" if money >= 1 else f"${money:.4f}"


def stages_line(stages: "Mapping[str, Stage]") -> str:
    """Return all stages' times and tokens, in order."""
    return " · ".join(stage_line(name, stage) for name, stage in stages.items())


def confidence_line(turned: "Turned") -> str:
    """Return how far the answer is to be trusted, and why."""
    given = turned.confidence
    return f"confidence {given['level']} ({given['score']:.2f}): {'; '.join(given['why'])}"


def cited(turned: "Turned") -> dict[int, Recollection]:
    """Return the memories whose numbers stand in the answer, by these."""
    memories = used(turned)
    numbers = sorted({int(found) for found in re.findall(r"\[(\d+)\]", turned.answer)})
    return {number: memories[number - 1] for number in numbers if 0 < number <= len(memories)}


def source_lines(turned: "Turned") -> list[str]:
    """Return the notes whose numbers stand in the answer, one a line."""
    return [f"[{number}] {memory_line(memory)}" for number, memory in cited(turned).items()]


def block_line(block: "Block") -> str:
    """Return who wrote the notes of a turn, why, and what was not borne out."""
    parts = [f"notes: {WRITERS[block['by']]}, {counted(block['tokens'], 'token')} ({block['decision']})"]
    parts += [f"{counted(block['unsupported'], 'sentence')} not borne out and replaced"] if block["unsupported"] else []
    parts += [f"about {block['saved']:,} tokens saved"] if block["saved"] else []
    return "; ".join(parts)


WRITERS = {
    "none": "none",
    "extract": "in the memories' own words",
    "big": "by the big model",
    "backup": "by the backup model",
    "embedded": "by the embedded model",
}
"""Who writes notes, in words."""


def receipt_lines(receipt: Receipt) -> list[str]:
    """Return what `forget` took, store by store; a store that held nothing of it is passed over."""
    kinds = ", ".join(counted(number, kind) for kind, number in receipt.kinds.items())
    threads = f" from {counted(len(receipt.threads), 'thread')}" if receipt.threads else ""
    stores = {
        "vector": receipt.vectors,
        "keyword row": receipt.keywords,
        "quote": receipt.sources,
        "job": receipt.jobs,
        "kept block": receipt.blocks,
        "history note": receipt.changes,
        "relation": receipt.relations,
        "name": receipt.entities,
        "checkpoint": receipt.checkpoints,
        "snapshot": receipt.snapshots,
        "row of costs": receipt.figures,
        "sampled summary": receipt.samples,
    }
    out = ", ".join(counted(number, what) for what, number in stores.items() if number)
    derived = f"; {receipt.derived:,} of them rested on what was chosen" if receipt.derived else ""
    further = {
        "Taken out too": out,
        "Hold again": ", ".join(receipt.revived),
        "Stay, with a source less": ", ".join(receipt.revised),
        "Embedded anew, without what was said before them": counted(receipt.embedded_anew, "turn"),
    }
    if not receipt.embedded_anew:
        further.popitem()
    return [
        f"Forgotten: {counted(len(receipt.ids), 'memory')}{f' ({kinds})' if kinds else ''}{threads}{derived}.",
        *(f"{name}: {what}." for name, what in further.items() if what),
        f"Left, so that an old import does not bring it back: {counted(receipt.tombstones, 'digest')}.",
        NO_BYTE if receipt.compacted else COMPACT_LATER,
        *(f"  {each}" for each in receipt.ids),
    ]


NO_BYTE = (
    "No byte of it is left in the home's files. Answers that repeated it are memories of their own: "
    "`forget --query` finds them."
)
COMPACT_LATER = "Its bytes stay in the files until they are compacted, by `hippograph upkeep` or the next `forget`."


def counted(number: int, noun: str) -> str:
    """Return "1 memory", "2 memories"."""
    if number == 1:
        return f"1 {noun}"
    return f"{number:,} {noun[:-1]}ies" if noun.endswith("y") else f"{number:,} {noun}s"


def numbered(memories: Sequence[Recollection]) -> list[str]:
    """Return memories as numbered lines with their ids."""
    return [f"  {number}. {memory.id}  {memory_line(memory, 100)}" for number, memory in enumerate(memories, start=1)]
