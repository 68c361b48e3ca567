"""Reading memories out of the ledger: one by its id, a space's in order, rows as recollections."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, Select, select

from hippograph.memory.filters import Held, Where, condition
from hippograph.memory.ledger import Ledger, living, sources_of
from hippograph.memory.schema import memories
from hippograph.memory.search.standing import Outdated
from hippograph.state import BadInput, Recollection, Source

_COLUMNS = (
    "seq id kind text role speaker thread position said_at importance subject attribute value status negated "
    "confidence valid_from valid_until recorded_at superseded_by uses used_at topic version"
)
NEEDED = [memories.c[name] for name in _COLUMNS.split()]
"""Columns of which recollections are made."""

VERBATIM = ("turn", "document")
"""Kinds of memories that are their own source."""

Why = dict[str, float]
"""A leg's name to its share, in [0, 1]."""


class Reading:
    """Reads one home's memories without searching."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def get(self, id: str, space: str | None) -> Recollection:  # noqa: A002
        """Return one memory that is not forgotten, whatever its status; BadInput if there is not exactly one."""
        rows = self._select(living(space).where(memories.c.id == id))
        if not rows:
            raise BadInput(f"There is no memory {id!r}: `hippograph memories` lists those there are.")
        if len(rows) > 1:
            raise BadInput(f"{len(rows)} spaces have a memory {id!r}: say which with space=.")
        return rows[0]

    def beginning(self, start: str, space: str, limit: int) -> list[Recollection]:
        """Return up to `limit` memories that are not forgotten, whatever their status, whose id begins with `start`."""
        within = (memories.c.id >= start) & (memories.c.id < start + "\U0010ffff")  # in one stretch of the index
        return self._select(living(space).where(within).limit(limit))

    def listed(
        self,
        space: str,
        kinds: Sequence[str] | None,
        where: Where,
        limit: int | None,
        offset: int,
        newest_first: bool,
        archived: bool = False,
    ) -> list[Recollection]:
        """Return a space's current memories in the order they were said, or the other way round."""
        order = [memories.c.said_at, memories.c.seq]
        query = select(*NEEDED).where(condition(space, Held(archived=archived), kinds, where))
        query = query.order_by(*(column.desc() for column in order) if newest_first else order)
        return self._select(query.limit(limit).offset(offset))

    def recollections(self, rows: Iterable[Row[Any]]) -> list[Recollection]:
        """Return ledger rows as recollections, in their order, unscored."""
        with self._ledger.read() as connection:
            return recollected(connection, list(rows), {})

    def _select(self, query: Select[Any]) -> list[Recollection]:
        with self._ledger.read() as connection:
            return recollected(connection, connection.execute(query).all(), {})


def recollected(
    connection: Connection,
    rows: Sequence[Row[Any]],
    why: Mapping[int, Why],
    outdated: Mapping[int, Outdated] | None = None,
) -> list[Recollection]:
    """Return ledger rows as recollections, in their order, with what speaks for each and what of it is out of date."""
    quotes = sources_of(connection, [row.seq for row in rows if row.kind not in VERBATIM])
    over = outdated or {}
    return [_recollection(row, why.get(row.seq, {}), quotes.get(row.seq), over.get(row.seq)) for row in rows]


def _recollection(
    row: Row[Any], why: Why, quotes: Sequence[Row[Any]] | None, outdated: Outdated | None
) -> Recollection:
    """Build a recollection; a turn, and a memory given directly, is its own source."""
    if quotes:
        sources = tuple(
            Source(
                id=each.id, thread=each.thread, said_at=each.said_at, quote=each.quote, start=each.start, end=each.end
            )
            for each in quotes
        )
    else:
        own = Source(id=row.id, thread=row.thread, said_at=row.said_at, quote=row.text, start=0, end=len(row.text))
        sources = (own,)
    about = row if outdated is None else outdated
    return Recollection(
        id=row.id,
        text=row.text,
        kind=row.kind,
        said_at=row.said_at,
        why=why,
        sources=sources,
        role=row.role,
        speaker=row.speaker,
        thread=row.thread,
        position=row.position,
        importance=row.importance,
        subject=about.subject or "",
        attribute=about.attribute or "",
        value=about.value or "",
        status="superseded" if outdated is not None and outdated.wholly else row.status,
        negated=bool(row.negated),
        confidence=row.confidence,
        valid_from=row.valid_from,
        valid_until=about.valid_until,
        recorded_at=row.recorded_at,
        superseded_by=about.superseded_by,
        uses=row.uses,
        used_at=row.used_at,
        topic=row.topic or "",
        version=row.version,
    )
