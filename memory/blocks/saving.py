"""What finding blocks has saved, counted by day and model: no word of what was asked, and no space."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, func, select, update

from hippograph.memory.schema import blocks, reuse

COUNTS = "asked exact near ahead written spent_input spent_output input output ms".split()


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """What finding blocks of one model has saved, and what writing some of them ahead took."""

    model: str
    input: int
    """Tokens saved, of prompts."""
    output: int
    """Tokens saved, of replies."""
    ms: float
    spent_input: int
    """Tokens spent on writing ahead, of prompts; no turn's cost has them."""
    spent_output: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reuse:
    """How the kept blocks serve."""

    blocks: int
    """How many are kept."""
    bytes: int
    """What they take."""
    most_bytes: int
    """What they may take; 0: none is kept."""
    asked: int
    """How often a block was looked for, since the home was made or the counts were cleared."""
    exact: int
    """How often one was found for the same question."""
    near: int
    """How often one was found for the same question in other words."""
    hit_rate: float | None
    """Share of the searches that found one; None before the first."""
    written_ahead: int
    """How many were written before they were asked for."""
    used_ahead: int
    """How often one of those was found."""
    spent_ahead: int
    """Tokens that writing them took, in and out."""
    saved_tokens: int
    """Tokens that were not spent, in and out."""
    saved_ms: float
    """Milliseconds that nobody waited."""
    models: tuple[Saved, ...]
    """The same by model, as prices are."""


def count(connection: Connection, model: str, at: datetime, **more: float) -> None:
    """Add to the counts of a day (UTC) and a model."""
    day = f"{at:%Y-%m-%d}"
    mine = update(reuse).where(reuse.c.day == day, reuse.c.model == model)
    added = connection.execute(mine.values({name: reuse.c[name] + by for name, by in more.items()}))
    if not added.rowcount:
        connection.execute(reuse.insert().values({**dict.fromkeys(COUNTS, 0), "day": day, "model": model, **more}))


def summed(connection: Connection, most_bytes: int) -> Reuse:
    """Return how the blocks serve, over all days."""
    kept, size = connection.execute(
        select(func.count(), func.coalesce(func.sum(blocks.c.size), 0)).select_from(blocks)
    ).one()
    rows = connection.execute(
        select(reuse.c.model, *(func.sum(reuse.c[name]).label(name) for name in COUNTS)).group_by(reuse.c.model)
    )
    of = {row.model: row._asdict() for row in rows}
    total = {name: sum(row[name] for row in of.values()) for name in COUNTS}
    found = int(total["exact"] + total["near"])
    return Reuse(
        blocks=kept,
        bytes=size or 0,
        most_bytes=most_bytes,
        asked=int(total["asked"]),
        exact=int(total["exact"]),
        near=int(total["near"]),
        hit_rate=found / total["asked"] if total["asked"] else None,
        written_ahead=int(total["written"]),
        used_ahead=int(total["ahead"]),
        spent_ahead=int(total["spent_input"] + total["spent_output"]),
        saved_tokens=int(total["input"] + total["output"]),
        saved_ms=round(total["ms"], 1),
        models=tuple(
            Saved(
                model=model,
                input=row["input"],
                output=row["output"],
                ms=round(row["ms"], 1),
                spent_input=row["spent_input"],
                spent_output=row["spent_output"],
            )
            for model, row in sorted(of.items())
        ),
    )
