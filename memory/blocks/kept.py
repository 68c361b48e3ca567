"""The kept blocks of one home: found by digest, or by what a question has in common with another; the oldest go."""

import math
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, func, select, update

from hippograph.memory.blocks import saving
from hippograph.memory.blocks.dropping import drop_all
from hippograph.memory.blocks.wanted import EXACT, NEAR, Found, How, Wanted, Written
from hippograph.memory.ledger import BATCH, Ledger
from hippograph.memory.schema import blocks, memories, rests, reuse
from hippograph.memory.times import now
from hippograph.models import Embedder
from hippograph.state.settings import CACHE_MB

MEGABYTE = 1_000_000
ROW = 600
"""Bytes that a row takes besides its block and its vector: digests, indexes, what it rests on."""
MOST_COMPARED = 32
"""Blocks of one signature whose questions are compared, those used last."""

Embed = Callable[[str], Sequence[float]]
"""Returns a question's vector."""


class Blocks:
    """Keeps blocks. Safe to use from several threads."""

    def __init__(self, ledger: Ledger, embedder: Embedder, embed: Embed) -> None:
        """Prepare.

        Args:
            ledger: Where they are kept.
            embedder: The embedding model. Of one whose cosines were not measured for this (`same`), a block is found
                for the same question alone.
            embed: Makes vectors by it; those of what recall was asked are known already.
        """
        self.most_bytes = CACHE_MB * MEGABYTE
        """What they may take; 0: none is kept."""
        self._ledger = ledger
        self._embedder = embedder
        self._embed = embed

    def find(self, wanted: Wanted) -> Found | None:
        """Return the block that was written for the same question about the same memories, and count the search.

        Raises:
            HomeUnusable: The ledger cannot be read.
        """
        if not self.most_bytes:
            return None
        row, how = self._exact(wanted), EXACT
        if row is None:
            row, how = self._near(wanted), NEAR
        self._count(wanted, row, how)
        if row is None:
            return None
        written = Written(input=row.input, output=row.output, ms=row.ms)
        return Found(block=row.block, how=how, written=written, ahead=row.ahead)

    def keep(self, wanted: Wanted, block: Mapping[str, Any], written: Written) -> bool:
        """Keep a block, unless a memory that it rests on has changed meanwhile; returns whether it was kept.

        A killed process loses it at most: it can be written again.

        Args:
            wanted: What it was written for.
            block: The block, as JSON.
            written: What writing it took.

        Raises:
            HomeUnusable: The disk is full or read-only.
        """
        vector = self._vector(wanted.question) if wanted.lasting and self._embedder.same is not None else None
        size = ROW + len(str(block).encode("utf-8", "replace")) + len(vector or b"")
        if size > self.most_bytes:
            return False
        with self._ledger.write(lasting=False) as connection:
            seqs = _standing(connection, wanted)
            if seqs is None:
                return False
            same = blocks.c.space == wanted.space, blocks.c.exact == wanted.exact
            connection.execute(blocks.delete().where(*same))
            row = self._row(wanted, vector, size, written)
            new = blocks.insert().values(**row, block=dict(block)).returning(blocks.c.seq)
            seq = connection.execute(new).scalar_one()
            held = [{"block": seq, "memory": memory, "version": version} for memory, version in seqs.items()]
            connection.execute(rests.insert(), held)
            if wanted.ahead:
                spent = {"spent_input": written.input, "spent_output": written.output}
                saving.count(connection, wanted.model, row["made_at"], written=1, **spent)
            self._cut(connection)
        return True

    def clear(self, space: str | None = None) -> int:
        """Drop all blocks of a space, or of all, then also the counts; returns how many blocks that were."""
        with self._ledger.write() as connection:
            if space is None:
                connection.execute(reuse.delete())
            return drop_all(connection, space)

    def status(self) -> saving.Reuse:
        """Return how they serve."""
        with self._ledger.read() as connection:
            return saving.summed(connection, self.most_bytes)

    def _exact(self, wanted: Wanted) -> Row[Any] | None:
        fits = blocks.c.space == wanted.space, blocks.c.exact == wanted.exact
        with self._ledger.read() as connection:
            row = connection.execute(select(blocks).where(*fits)).first()
            return row if row and _rests_on(connection, row.seq, wanted) else None

    def _near(self, wanted: Wanted) -> Row[Any] | None:
        """Return the block of the most similar question of the same signature, if any is similar enough."""
        if self._embedder.same is None:
            return None
        fits = blocks.c.space == wanted.space, blocks.c.alike == self._alike(wanted)
        query = select(blocks).where(*fits).order_by(blocks.c.used_at.desc()).limit(MOST_COMPARED)
        with self._ledger.read() as connection:
            rows = [row for row in connection.execute(query) if _rests_on(connection, row.seq, wanted)]
        mine = self._vector(wanted.question) if rows else None
        if mine is None:
            return None
        cosines = [_cosine(mine, row.vector) for row in rows]
        best = max(range(len(rows)), key=cosines.__getitem__)
        return rows[best] if cosines[best] >= self._embedder.same else None

    def _row(self, wanted: Wanted, vector: bytes | None, size: int, written: Written) -> dict[str, Any]:
        """Return a block's row, without the block."""
        at = now()
        return {
            "space": wanted.space,
            "exact": wanted.exact,
            "alike": self._alike(wanted) if vector else None,
            "vector": vector,
            "model": wanted.model,
            "input": written.input,
            "output": written.output,
            "ms": written.ms,
            "ahead": wanted.ahead,
            "size": size,
            "made_at": at,
            "used_at": at,
        }

    def _count(self, wanted: Wanted, row: Row[Any] | None, how: How) -> None:
        """Count a search, and the use of what it found; a search ahead of a question is none."""
        if wanted.ahead:
            return
        at, more = now(), {"asked": 1.0}
        if row is not None:
            more |= {how: 1, "ahead": int(row.ahead), "input": row.input, "output": row.output, "ms": row.ms}
        with self._ledger.write(lasting=False) as connection:
            saving.count(connection, wanted.model, at, **more)
            if row is not None:
                used = update(blocks).where(blocks.c.seq == row.seq)
                connection.execute(used.values(used_at=at, hits=blocks.c.hits + 1))

    def _vector(self, question: str) -> bytes | None:
        """Return a question's vector of length 1; None where the embedding model fails, in whatever way."""
        try:
            vector = self._embed(question)
        except Exception:
            return None
        length = math.sqrt(math.fsum(each * each for each in vector))
        return array("f", (each / length for each in vector)).tobytes() if length else None

    def _alike(self, wanted: Wanted) -> str:
        """Return what blocks are found by whose questions are to be compared: vectors of other models are not."""
        return f"{self._embedder.spec} {wanted.alike}"

    def _cut(self, connection: Connection) -> None:
        """Let those go that were used longest ago, until the rest takes no more than it may."""
        over = (connection.scalar(select(func.sum(blocks.c.size))) or 0) - self.most_bytes
        if over <= 0:
            return
        gone = list[int]()
        oldest = select(blocks.c.seq, blocks.c.size).order_by(blocks.c.used_at, blocks.c.seq)
        for seq, size in connection.execute(oldest).all():
            gone.append(seq)
            over -= size
            if over <= 0:
                break
        _delete(connection, gone)


def _standing(connection: Connection, wanted: Wanted) -> dict[int, int] | None:
    """Return the numbers of the memories a block rests on, with their versions; None if they are not as they were."""
    found, ids = dict[int, int](), [*wanted.versions]
    for start in range(0, len(ids), BATCH):
        named = memories.c.space == wanted.space, memories.c.id.in_(ids[start : start + BATCH])
        query = select(memories.c.seq, memories.c.id, memories.c.version).where(
            *named, memories.c.status != "forgotten"
        )
        found |= {row.seq: row.version for row in connection.execute(query) if row.version == wanted.versions[row.id]}
    return found if found and len(found) == len(ids) else None


def _rests_on(connection: Connection, seq: int, wanted: Wanted) -> bool:
    """Tell whether what a block rests on is what is wanted, and is as it was when the block was written."""
    query = select(memories.c.id, memories.c.version, rests.c.version.label("then"), memories.c.expires_at)
    query = query.join(memories, memories.c.seq == rests.c.memory)
    here = memories.c.space == wanted.space, memories.c.status != "forgotten"
    rows = connection.execute(query.where(rests.c.block == seq, *here)).all()
    current = all(row.version == row.then and not (row.expires_at and row.expires_at <= now()) for row in rows)
    return current and {row.id: row.version for row in rows} == wanted.versions


def _delete(connection: Connection, seqs: Iterable[int]) -> None:
    gone = [*seqs]
    for start in range(0, len(gone), BATCH):
        connection.execute(blocks.delete().where(blocks.c.seq.in_(gone[start : start + BATCH])))


def _cosine(one: bytes, other: bytes) -> float:
    return math.fsum(a * b for a, b in zip(array("f", one), array("f", other), strict=True))
